"""How users sign in, and what is still missing before a session opens anything."""

from enum import StrEnum


class SignInMethod(StrEnum):
    """What a session began with."""

    PASSWORD = "PASSWORD"  # noqa: S105 (a method's name)
    PASSKEY = "PASSKEY"
    # The organization's identity provider.
    PROVIDER = "PROVIDER"


class SecondFactor(StrEnum):
    """What proves a user besides the password."""

    TOTP = "TOTP"
    RECOVERY_CODE = "RECOVERY_CODE"
    # A passkey proves the user without a password.
    PASSKEY = "PASSKEY"
    # The organization trusts its identity provider to demand one.
    PROVIDER = "PROVIDER"


class SessionState(StrEnum):
    """What a session opens. Only ACTIVE opens endpoints that require a role."""

    ACTIVE = "ACTIVE"
    # The user has to prove a second factor.
    SECOND_FACTOR = "SECOND_FACTOR"
    # The organization requires a second factor, and the user has none yet.
    SECOND_FACTOR_SETUP = "SECOND_FACTOR_SETUP"


def state_of(*, has_proved: bool, has_factor: bool, is_required: bool) -> SessionState:
    """Return the state of a session.

    `has_proved`: a second factor was given. `has_factor`: the user has one. `is_required`: the
    organization requires one.
    """
    if has_proved or not (has_factor or is_required):
        return SessionState.ACTIVE
    return SessionState.SECOND_FACTOR if has_factor else SessionState.SECOND_FACTOR_SETUP
