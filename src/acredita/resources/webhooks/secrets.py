"""Signing secrets."""

import base64
import os

PREFIX = "whsec_"


def new_secret() -> str:
    """`whsec_` and the base64 of 32 random bytes, as Standard Webhooks verifiers take it."""
    return PREFIX + base64.b64encode(os.urandom(32)).decode()
