from uuid import UUID

from pydantic import Field

from acredita.api.schemas import Body, Shape, Timestamp
from acredita.resources.otp.schemas import Destination


class HandOverStart(Body):
    send: Destination | None = Field(
        None, description="Where to send the link. Null: the page shows it, for example as a code."
    )


class HandOverAnswer(Shape):
    url: str = Field(
        description="The link, for a QR code or to type. It works once.",
        examples=["https://api.example/go#4K2M-9X7Q-8JT1"],
    )
    expires_at: Timestamp


class HandOverOpen(Body):
    code: str = Field(
        min_length=12,
        max_length=40,
        description="The fragment of the link. Letter case, blanks and hyphens make no difference.",
        examples=["4K2M-9X7Q-8JT1"],
    )


class HandOverSession(Shape):
    verification_id: UUID
    token: str = Field(
        description="Send it as a bearer token. It is valid for this verification only.",
        examples=["eyJhbGciOiJIUzI1NiIsImtpZCI6IjEyIn0.eyJ0eXAiOiJzZGsifQ.c2lnbmF0dXJl"],
    )
    expires_at: Timestamp = Field(description="When the token expires.")
    page_url: str = Field(
        description="The page on which the person continues.",
        examples=["https://api.example/verify/0b6a4c3e-1f7b-4c55-9a51-2f9b8f0d3a11#eyJhbGciOiJI"],
    )
