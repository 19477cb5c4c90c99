"""Stored responses for repeated requests."""

from datetime import datetime

from sqlalchemy import func
from sqlalchemy.orm import Mapped, mapped_column

from acredita.kit.sealed import JSON_OBJECT, Sealed, SealedBytes
from acredita.models.tenancy import Owned


class FirstAnswer(Owned):
    """The response to a request with an Idempotency-Key, written in the request's transaction."""

    __tablename__ = "first_answer"

    # A keyed hash of organization, method, route and idempotency key.
    scope: Mapped[bytes] = mapped_column(primary_key=True)
    # A keyed hash of the request's body.
    request_digest: Mapped[bytes]
    # Status, headers and body.
    answer_sealed: Mapped[SealedBytes]
    answer = Sealed("first_answer:{scope}", JSON_OBJECT)
    created_at: Mapped[datetime] = mapped_column(server_default=func.now(), index=True)
