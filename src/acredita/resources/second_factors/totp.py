"""Codes of authenticator apps: RFC 6238 with SHA-1, six digits and steps of 30 seconds.

Apps support no other parameters reliably. A code of the step before or after counts too, because
clocks differ, but never a code of a step that was used.
"""

from datetime import datetime

import pyotp

DIGITS = 6
SECONDS = 30
# Steps before and after the current one.
TOLERANCE = 1


def new_secret() -> str:
    """Return 160 random bits in base32."""
    return pyotp.random_base32()


def otpauth_uri(secret: str, *, email: str, issuer: str) -> str:
    """Return the URI that apps read from a QR code."""
    return str(pyotp.TOTP(secret).provisioning_uri(name=email, issuer_name=issuer))


def matching_step(secret: str, code: str, *, now: datetime, last_step: int) -> int | None:
    """Return the step of a code that is valid now and newer than `last_step`, else None."""
    totp = pyotp.TOTP(secret, digits=DIGITS, interval=SECONDS)
    current = int(now.timestamp()) // SECONDS
    found = None
    # All steps are compared, so that the time does not depend on which one matches.
    for step in range(current - TOLERANCE, current + TOLERANCE + 1):
        if totp.verify(code, for_time=step * SECONDS) and step > last_step:
            found = step
    return found
