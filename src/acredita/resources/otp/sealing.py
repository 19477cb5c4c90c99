"""Encrypt the message of a code. The payload of a job has only ids."""

from dataclasses import dataclass
from uuid import UUID

import orjson

from acredita.domain.languages import Language
from acredita.kit.crypto import KeyRing


@dataclass(frozen=True, slots=True)
class Message:
    address: str
    code: str
    language: Language


def seal(keys: KeyRing, password_id: UUID, message: Message) -> bytes:
    return keys.seal(orjson.dumps(message), context=message_context(password_id))


def unseal(keys: KeyRing, password_id: UUID, sealed: bytes) -> Message:
    plain = orjson.loads(keys.unseal(sealed, context=message_context(password_id)))
    return Message(plain["address"], plain["code"], Language(plain["language"]))


def message_context(password_id: UUID) -> str:
    return f"one_time_password:{password_id}"
