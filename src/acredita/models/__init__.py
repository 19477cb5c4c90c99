"""The tables, one file an aggregate."""

from acredita.models.base import Base
from acredita.models.job import Job, JobState
from acredita.models.organization import ApiKey, Organization, User
from acredita.models.verification import Document, Verification, VerificationStep
from acredita.models.webhook import (
    Delivery,
    DeliveryAttempt,
    DeliveryState,
    Event,
    WebhookEndpoint,
)
from acredita.models.workflow import Workflow

__all__ = [
    "ApiKey",
    "Base",
    "Delivery",
    "DeliveryAttempt",
    "DeliveryState",
    "Document",
    "Event",
    "Job",
    "JobState",
    "Organization",
    "User",
    "Verification",
    "VerificationStep",
    "WebhookEndpoint",
    "Workflow",
]
