"""Sign-in with an organization's identity provider: who may sign in, and with which role."""

from collections.abc import Collection, Mapping
from enum import StrEnum
from typing import Any

from acredita.domain.roles import Role

# Entra ID has no `email_verified`: its `xms_edov` says that the tenant owns the address's domain.
VERIFIED_CLAIMS = ("email_verified", "xms_edov")
# Some providers write booleans as texts or numbers.
TRUE_VALUES = (True, "true", "1")


class Refusal(StrEnum):
    """Why a sign-in with a provider failed. The console words each of them."""

    # The browser's sign-in is unknown, was used before, or took too long.
    EXPIRED = "EXPIRED"
    # The provider, or the person there, declined.
    DENIED = "DENIED"
    # The provider does not answer, or not as the standard demands.
    UNREACHABLE = "UNREACHABLE"
    # The ID token is wrong: signature, issuer, audience, time or nonce.
    INVALID = "INVALID"
    # The provider names no verified e-mail address.
    EMAIL_UNVERIFIED = "EMAIL_UNVERIFIED"
    # Neither invited nor of an allowed domain, no role, disabled, or tied to another subject.
    NOT_ALLOWED = "NOT_ALLOWED"


def merged_claims(token: Mapping[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    """Return the claims of the ID token, and what the userinfo endpoint says besides.

    What that endpoint says of another address verifies nothing about the one in the token.
    """
    is_other = "email" in token and more.get("email") not in (None, token["email"])
    foreign = VERIFIED_CLAIMS if is_other else ()
    return {name: value for name, value in more.items() if name not in foreign} | dict(token)


def verified_email(claims: Mapping[str, Any]) -> str | None:
    """Return the address that the provider has verified; None without one."""
    email = claims.get("email")
    is_verified = any(claims.get(name) in TRUE_VALUES for name in VERIFIED_CLAIMS)
    return email if isinstance(email, str) and is_verified else None


def is_of_domain(email: str, domains: Collection[str]) -> bool:
    """Whether an address is of one of the domains, exactly: subdomains are listed themselves."""
    return email.rpartition("@")[2].lower() in domains


def groups_in(claims: Mapping[str, Any], name: str) -> list[str]:
    """Return the groups of the claim `name`: a list of texts, or one text."""
    found = claims.get(name)
    values = found if isinstance(found, list) else [found]
    return [value for value in values if isinstance(value, str)]


def role_of_groups(
    groups: Collection[str], roles: Mapping[str, Role], default: Role | None
) -> Role | None:
    """Return the highest role that the groups give; `default` if they give none."""
    for role in Role:
        if any(roles.get(group) is role for group in groups):
            return role
    return default


def role_to_have(
    current: Role | None, groups: Collection[str], roles: Mapping[str, Role], default: Role | None
) -> Role | None:
    """Return the role that a user has after a sign-in; None: the sign-in is refused.

    `current`: None for a new user. Groups never give or take the role OWNER: the provider's
    administrators must not take over the organization, nor lock it.
    """
    if current is Role.OWNER or (current is not None and not roles):
        return current
    return role_of_groups(groups, roles, default)
