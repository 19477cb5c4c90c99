"""Signing secrets."""

import base64
import os

PREFIX = "whsec_"


def new_secret() -> str:
    """Return `whsec_` and 32 random bytes in base64, the form of Standard Webhooks."""
    return PREFIX + base64.b64encode(os.urandom(32)).decode()
