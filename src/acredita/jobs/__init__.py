"""Durable work: `add` it in the transaction that needs it, declare its handler with `@job`."""

from acredita.jobs.context import JobContext
from acredita.jobs.errors import ForGood, Later, LeaseLost
from acredita.jobs.ledger import LeasedJob, add, adding, current_request_id
from acredita.jobs.registry import JobDefinition, Priority, Queue, job, recurring

__all__ = [
    "ForGood",
    "JobContext",
    "JobDefinition",
    "Later",
    "LeaseLost",
    "LeasedJob",
    "Priority",
    "Queue",
    "add",
    "adding",
    "current_request_id",
    "job",
    "recurring",
]
