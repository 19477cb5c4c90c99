"""How users sign in, and what is still missing before a session opens anything."""

from enum import StrEnum


class SignInMethod(StrEnum):
    """What a session began with."""

    PASSWORD = "PASSWORD"  # noqa: S105 (a method's name)


class SessionState(StrEnum):
    """What a session opens. Only ACTIVE opens endpoints that require a role."""

    ACTIVE = "ACTIVE"
