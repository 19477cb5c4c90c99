"""The ledger: every statement that adds, leases or ends a job.

A job is pending, running under a lease, done or dead. A lease is a token with an expiry by the
database's clock. To finish, fail or release a job, a worker must present the token while the row is
locked. So a worker that lost its lease (paused, partitioned, presumed dead) cannot change anything.
"""

from acredita.jobs.ledger.claiming import CLAIM_DUE, claim_due, held, renew_leases
from acredita.jobs.ledger.enqueue import add, adding, current_request_id
from acredita.jobs.ledger.finishing import (
    complete,
    complete_all,
    expired,
    fail,
    lock_lease,
    prove_progress,
    reap,
    release,
    run_again,
    wait_for_dependency,
)
from acredita.jobs.ledger.recurring import ensure_recurring, rouse, run_at_once
from acredita.jobs.ledger.rows import LeasedJob
from acredita.jobs.ledger.turns import CLAIM_IN_TURN, TURNS, Turns, claim_in_turn, require_room
from acredita.jobs.ledger.wake_ups import announce, ring, wake_up

__all__ = [
    "CLAIM_DUE",
    "CLAIM_IN_TURN",
    "TURNS",
    "LeasedJob",
    "Turns",
    "add",
    "adding",
    "announce",
    "claim_due",
    "claim_in_turn",
    "complete",
    "complete_all",
    "current_request_id",
    "ensure_recurring",
    "expired",
    "fail",
    "held",
    "lock_lease",
    "prove_progress",
    "reap",
    "release",
    "renew_leases",
    "require_room",
    "ring",
    "rouse",
    "run_again",
    "run_at_once",
    "wait_for_dependency",
    "wake_up",
]
