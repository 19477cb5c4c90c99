"""Signing secrets: how they are made and where they are sealed."""

import base64
import os
from uuid import UUID

PREFIX = "whsec_"


def new_secret() -> str:
    """`whsec_` and the base64 of 32 random bytes, as Standard Webhooks verifiers take it."""
    return PREFIX + base64.b64encode(os.urandom(32)).decode()


def endpoint_context(endpoint_id: UUID) -> str:
    """The context in which an endpoint's secret is sealed."""
    return f"webhook_endpoint:{endpoint_id}"


def callback_context(verification_id: UUID) -> str:
    """The context in which the secret of a verification's callback is sealed."""
    return f"verification_callback:{verification_id}"


def event_context(event_id: UUID) -> str:
    return f"event:{event_id}"
