"""API keys, `ak_<8>_<43>`. Only the prefix and a keyed hash of a key are stored."""

import secrets
from dataclasses import dataclass

from acredita.kit.crypto import Signer

PREFIX_LENGTH = len("ak_") + 8
LONGEST_KEY = 128
PURPOSE = "api-key"


@dataclass(frozen=True, slots=True)
class NewKey:
    raw: str
    prefix: str
    digest: bytes


def make_key(signer: Signer) -> NewKey:
    alphabet = "abcdefghijklmnopqrstuvwxyz0123456789"
    prefix = "ak_" + "".join(secrets.choice(alphabet) for _ in range(8))
    raw = f"{prefix}_{secrets.token_urlsafe(32)}"
    return NewKey(raw, prefix, signer.digest(PURPOSE, raw.encode()))
