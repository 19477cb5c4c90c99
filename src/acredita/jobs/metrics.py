"""Jobs, counted by the worker that has them."""

import time

from acredita.jobs.ledger import LeasedJob
from acredita.kit.metrics import LONG, counter, gauge, seconds

CLAIMED = counter("jobs_claimed", "Jobs taken.", "queue", "kind")
ENDED = counter("jobs_ended", "Runs of jobs, by how they ended.", "queue", "kind", "outcome")
SECONDS = seconds("job", "One run of a job.", "queue", "kind", buckets=LONG)
LAG = seconds(
    "job_lag", "From when a job was due until it was taken.", "queue", "kind", buckets=LONG
)
RUNNING = gauge("jobs_running", "Jobs that this process has.", "queue")


def taken(job: LeasedJob) -> None:
    CLAIMED.labels(job.queue, job.kind).inc()
    RUNNING.labels(job.queue).inc()
    # Clocks of two machines may differ by a little.
    LAG.labels(job.queue, job.kind).observe(max(0.0, time.time() - job.run_at.timestamp()))


def let_go(job: LeasedJob, outcome: str, duration: float) -> None:
    """`outcome` is done, failed, dead, given_back, lease_lost, or unrecorded."""
    RUNNING.labels(job.queue).dec()
    ENDED.labels(job.queue, job.kind, outcome).inc()
    SECONDS.labels(job.queue, job.kind).observe(duration)


def reaped(job: LeasedJob, outcome: str) -> None:
    """`outcome` is lease_expired, or dead."""
    ENDED.labels(job.queue, job.kind, outcome).inc()
