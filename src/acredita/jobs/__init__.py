"""Durable jobs. `add` a job in the transaction that needs it; `@job` declares its handler."""

from acredita.jobs.context import JobContext
from acredita.jobs.errors import Later, LeaseLost, PermanentFailure
from acredita.jobs.ledger import (
    LeasedJob,
    add,
    adding,
    announce,
    current_request_id,
    held,
    require_room,
    ring,
    rouse,
    run_at_once,
    wake_up,
)
from acredita.jobs.registry import (
    JobDefinition,
    Lane,
    Priority,
    Queue,
    definition,
    job,
    recurring,
    standing,
)
