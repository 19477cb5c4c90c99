import re
from typing import Annotated, Literal, Self
from uuid import UUID

from pydantic import AfterValidator, Field

from acredita.api.schemas import Body, Shape, Timestamp
from acredita.domain.roles import Role
from acredita.models import IdentityProvider

DOMAIN = re.compile(r"(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}")
SCOPE = re.compile(r"[\x21\x23-\x5b\x5d-\x7e]{1,100}")
DEFAULT_SCOPES = ["openid", "email", "profile"]
MOST_DOMAINS, MOST_ROLES, MOST_SCOPES = 50, 100, 20

ISSUER = "The issuer, exactly as the provider's discovery document names it."
SCOPES = "What is requested; `openid` must be among them."
DOMAINS = "People with a verified address of these domains may join without an invitation."
GROUPS = "The claim with the person's groups, in the ID token or of the userinfo endpoint."
ROLES = (
    "The roles that groups give: the highest one counts, at each sign-in. Never OWNER. Empty:"
    " groups decide nothing."
)
DEFAULT = (
    "The role without a listed group. Null: such people are refused, except invited ones if `roles`"
    " is empty."
)
ONLY = "Whether passwords and passkeys are off for everyone but OWNERs."
FACTOR = (
    "Whether the provider demands a second factor: its sign-ins then need none of this service."
)


def _domain(value: str) -> str:
    folded = value.lower().removeprefix("@")
    if not DOMAIN.fullmatch(folded):
        raise ValueError("is not a domain such as banco.example")
    return folded


def _scope(value: str) -> str:
    if not SCOPE.fullmatch(value):
        raise ValueError("is not a scope such as email")
    return value


EmailDomain = Annotated[str, Field(max_length=254), AfterValidator(_domain)]
Scope = Annotated[str, Field(min_length=1, max_length=100), AfterValidator(_scope)]
# Never OWNER: the administrators of the provider must not take over the organization.
GrantableRole = Literal["ADMIN", "REVIEWER", "MEMBER"]
RoleOrNone = Annotated[GrantableRole | None, Field(description=DEFAULT, examples=["MEMBER"])]


class GroupRole(Body):
    group: str = Field(min_length=1, max_length=255, examples=["kyc-reviewers"])
    role: GrantableRole


class IdentityProviderWrite(Body):
    """The whole configuration. An absent `clientSecret` keeps the stored one."""

    issuer: str = Field(
        min_length=1, max_length=255, description=ISSUER, examples=["https://login.banco.example"]
    )
    client_id: str = Field(min_length=1, max_length=255, examples=["acredita"])
    client_secret: str = Field(
        default_factory=str,
        min_length=1,
        max_length=1024,
        description="Stored sealed; no response has it.",
        examples=["q8Zr3v"],
    )
    scopes: list[Scope] = Field(
        default_factory=lambda: list(DEFAULT_SCOPES),
        max_length=MOST_SCOPES,
        description=SCOPES,
        examples=[DEFAULT_SCOPES],
    )
    allowed_domains: list[EmailDomain] = Field(
        default_factory=list,
        max_length=MOST_DOMAINS,
        description=DOMAINS,
        examples=[["banco.example"]],
    )
    groups_claim: str = Field("groups", min_length=1, max_length=255, description=GROUPS)
    roles: list[GroupRole] = Field(default_factory=list, max_length=MOST_ROLES, description=ROLES)
    default_role: RoleOrNone = None
    only: bool = Field(False, description=ONLY)
    second_factor: bool = Field(False, description=FACTOR)


class GroupRoleShape(Shape):
    group: str = Field(examples=["kyc-reviewers"])
    role: Role


class IdentityProviderShape(Shape):
    id: UUID
    issuer: str = Field(description=ISSUER, examples=["https://login.banco.example"])
    client_id: str = Field(examples=["acredita"])
    scopes: list[str] = Field(description=SCOPES, examples=[DEFAULT_SCOPES])
    allowed_domains: list[str] = Field(description=DOMAINS, examples=[["banco.example"]])
    groups_claim: str = Field(description=GROUPS, examples=["groups"])
    roles: list[GroupRoleShape] = Field(description=ROLES)
    default_role: Role | None = Field(description=DEFAULT)
    only: bool = Field(description=ONLY)
    second_factor: bool = Field(description=FACTOR)
    created_at: Timestamp

    @classmethod
    def from_row(cls, row: IdentityProvider) -> Self:
        return cls(
            id=row.id,
            issuer=row.issuer,
            client_id=row.client_id,
            scopes=row.scopes,
            allowed_domains=row.allowed_domains,
            groups_claim=row.groups_claim,
            roles=[GroupRoleShape(**each) for each in row.roles],
            default_role=row.default_role and Role(row.default_role),
            only=row.is_only,
            second_factor=row.is_second_factor,
            created_at=row.created_at,
        )


class IdentityProviderAnswer(Shape):
    identity_provider: IdentityProviderShape | None
    redirect_uri: str = Field(
        description="Register it at the provider before you configure it here.",
        examples=["https://id.banco.example/auth/oidc/callback"],
    )


class ProviderSignInStart(Body):
    organization: str = Field(
        min_length=1,
        max_length=200,
        description="The organization's slug.",
        examples=["banco-ejemplo"],
    )


class ProviderSignInStarted(Shape):
    authorization_url: str = Field(
        description="Take the browser there. It comes back to /auth/oidc/callback.",
        examples=["https://login.banco.example/authorize?client_id=acredita"],
    )
