from datetime import datetime
from typing import Literal, Self
from uuid import UUID

from pydantic import Field

from acredita.api.schemas import Body, Shape, Timestamp
from acredita.api.session_credentials import KnownSession
from acredita.domain.signing_in import SecondFactor, SessionState
from acredita.resources.auth.schemas import UserShape
from acredita.resources.sessions.queries import Person, SessionDetails


class GivenSecondFactor(Body):
    method: Literal["TOTP", "RECOVERY_CODE"] = Field(
        description="A passkey goes to `POST /v1/auth/session/passkey`."
    )
    code: str = Field(min_length=1, max_length=64, examples=["492039"])


class SessionOrganization(Shape):
    id: UUID
    name: str = Field(examples=["Banco Ejemplo"])


class SessionShape(Shape):
    id: UUID
    state: SessionState = Field(description="Only an ACTIVE session opens other endpoints.")
    user: UserShape | None = Field(description="Null until the session is ACTIVE.")
    organization: SessionOrganization | None = Field(
        description="Null until the session is ACTIVE."
    )
    factors: list[SecondFactor] = Field(
        description="What the user can prove in the state SECOND_FACTOR. Empty in other states."
    )
    csrf_token: str = Field(
        description=(
            "The value of the header `X-CSRF-Token` of every request of this session that is not"
            " GET or HEAD."
        ),
        examples=["3q2-7wAAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxw"],
    )
    expires_at: Timestamp = Field(description="When the session ends, whatever happens.")
    idle_expires_at: Timestamp = Field(description="When it ends if no request comes.")
    second_factor_required: bool = Field(
        description="Whether the organization requires a second factor."
    )

    @classmethod
    def of_session(
        cls,
        known: KnownSession,
        *,
        person: Person | None,
        csrf_token: str,
        idle_end: datetime,
        factors: list[SecondFactor],
    ) -> Self:
        """`person` is None for a session that is not ACTIVE."""
        return cls(
            id=known.id,
            state=known.state,
            user=person and UserShape(id=person.id, email=person.email, role=person.role),
            organization=person
            and SessionOrganization(id=person.organization_id, name=person.organization_name),
            factors=factors,
            csrf_token=csrf_token,
            expires_at=known.expires_at,
            idle_expires_at=idle_end,
            second_factor_required=known.is_factor_required,
        )


class ListedSession(Shape):
    id: UUID
    created_at: Timestamp = Field(description="When the user signed in.")
    last_seen_at: Timestamp = Field(description="The last request, to the minute.")
    expires_at: Timestamp
    address: str | None = Field(
        description="The IP address that the user signed in from.", examples=["198.51.100.7"]
    )
    user_agent: str | None = Field(
        description="What the browser calls itself.", examples=["Mozilla/5.0 (X11; Linux x86_64)"]
    )
    current: bool = Field(description="Whether it is the session of this request.")

    @classmethod
    def from_details(cls, details: SessionDetails, current: UUID | None) -> Self:
        return cls(
            id=details.id,
            created_at=details.signed_in_at,
            last_seen_at=details.last_seen_at,
            expires_at=details.expires_at,
            address=details.browser.address,
            user_agent=details.browser.user_agent,
            current=details.id == current,
        )


class SessionList(Shape):
    sessions: list[ListedSession]
