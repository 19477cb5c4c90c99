"""What a browser takes to the provider, and brings back."""

import base64
import hashlib
import hmac
from dataclasses import dataclass
from typing import Self
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from acredita.kit.crypto import Signer


@dataclass(frozen=True, slots=True)
class Proofs:
    """The state, nonce and PKCE verifier of one sign-in.

    They follow from a random secret that only the browser keeps: the answer to a sign-in that
    another browser began has another state.
    """

    state: str
    nonce: str
    verifier: str

    @classmethod
    def from_secret(cls, signer: Signer, secret: str) -> Self:
        state, nonce, verifier = (
            _base64url(signer.digest(f"oidc-{part}", secret.encode()))
            for part in ("state", "nonce", "verifier")
        )
        return cls(state, nonce, verifier)

    def has_state(self, given: str) -> bool:
        return hmac.compare_digest(self.state.encode(), given.encode())

    @property
    def challenge(self) -> str:
        """PKCE's challenge, method S256."""
        return _base64url(hashlib.sha256(self.verifier.encode()).digest())


def authorization_url(
    endpoint: str, *, client_id: str, redirect_uri: str, scopes: list[str], proofs: Proofs
) -> str:
    """Return where the browser goes: the endpoint with the request, and its own query kept."""
    parts = urlsplit(endpoint)
    query = [
        *parse_qsl(parts.query, keep_blank_values=True),
        ("response_type", "code"),
        ("client_id", client_id),
        ("redirect_uri", redirect_uri),
        ("scope", " ".join(scopes)),
        ("state", proofs.state),
        ("nonce", proofs.nonce),
        ("code_challenge", proofs.challenge),
        ("code_challenge_method", "S256"),
    ]
    return urlunsplit(parts._replace(query=urlencode(query), fragment=""))


def _base64url(value: bytes) -> str:
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()
