"""Durable work: `add` it in the transaction that needs it, declare its handler with `@job`."""

from acredita.jobs.at_once import run_at_once
from acredita.jobs.context import JobContext
from acredita.jobs.errors import ForGood, Later, LeaseLost
from acredita.jobs.ledger import (
    CHANNEL,
    LeasedJob,
    add,
    adding,
    current_request_id,
    held,
    ring,
    rouse,
)
from acredita.jobs.registry import JobDefinition, Priority, Queue, job, recurring, standing

__all__ = [
    "CHANNEL",
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
    "held",
    "job",
    "recurring",
    "ring",
    "rouse",
    "run_at_once",
    "standing",
]
