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
from acredita.jobs.ledger.turns import CLAIM_IN_TURN, TURNS, Turns, claim_in_turn
from acredita.jobs.ledger.waiting_limit import require_room
from acredita.jobs.ledger.wake_ups import announce, ring, wake_up
