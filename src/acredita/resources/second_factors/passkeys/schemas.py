from typing import Any, Self
from uuid import UUID

from pydantic import Field

from acredita.api.schemas import Body, Shape, Timestamp
from acredita.kit.crypto import KeyRing
from acredita.models import Passkey

CREDENTIAL = "What the browser returned, by `PublicKeyCredential.toJSON()`."


class PasskeyOptions(Shape):
    public_key: dict[str, Any] = Field(
        description=(
            "For `PublicKeyCredential.parseCreationOptionsFromJSON`, or"
            " `parseRequestOptionsFromJSON` at the sign-in. Valid for 5 minutes, once."
        ),
        examples=[{"challenge": "3q2-7wAAECAwQFBg", "rpId": "id.example", "timeout": 60000}],
    )


class PasskeyAnswer(Body):
    credential: dict[str, Any] = Field(
        description=CREDENTIAL,
        examples=[{"id": "3q2-7w", "rawId": "3q2-7w", "type": "public-key", "response": {}}],
    )


class PasskeyNew(PasskeyAnswer):
    name: str = Field(
        min_length=1, max_length=100, description="How the user calls it.", examples=["Laptop"]
    )


class PasskeyShape(Shape):
    id: UUID
    name: str = Field(examples=["Laptop"])
    created_at: Timestamp
    last_used_at: Timestamp | None

    @classmethod
    def from_row(cls, row: Passkey, keys: KeyRing) -> Self:
        return cls(
            id=row.id,
            name=row.name.open(keys),
            created_at=row.created_at,
            last_used_at=row.last_used_at,
        )


class PasskeyAdded(Shape):
    passkey: PasskeyShape
    recovery_codes: list[str] | None = Field(
        description="Ten recovery codes if the user had none; no other response shows them.",
        examples=[["7k3mq-x9t2v"]],
    )


class PasskeyList(Shape):
    passkeys: list[PasskeyShape]
