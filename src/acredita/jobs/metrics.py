"""Metrics of jobs, counted by the worker that runs them."""

import time

from acredita.jobs.ledger import LeasedJob
from acredita.kit.metrics import LONG, counter, gauge, seconds

CLAIMED = counter("jobs_claimed", "Jobs claimed.", "queue", "kind")
ENDED = counter("jobs_ended", "Job runs that ended, by outcome.", "queue", "kind", "outcome")
SECONDS = seconds("job", "One run of a job.", "queue", "kind", buckets=LONG)
LAG = seconds(
    "job_lag", "Time from when a job was due until it was claimed.", "queue", "kind", buckets=LONG
)
RUNNING = gauge("jobs_running", "Jobs that this process runs.", "queue")


def job_claimed(job: LeasedJob) -> None:
    CLAIMED.labels(job.queue, job.kind).inc()
    RUNNING.labels(job.queue).inc()
    # The clocks of two machines may differ slightly.
    LAG.labels(job.queue, job.kind).observe(max(0.0, time.time() - job.run_at.timestamp()))


def run_ended(job: LeasedJob, outcome: str, duration: float) -> None:
    """`duration`: seconds.

    `outcome`: done, failed, waiting, dead, given_back, lease_lost or unrecorded.
    """
    RUNNING.labels(job.queue).dec()
    ENDED.labels(job.queue, job.kind, outcome).inc()
    SECONDS.labels(job.queue, job.kind).observe(duration)


def reaped(job: LeasedJob, outcome: str) -> None:
    """`outcome` is lease_expired or dead."""
    ENDED.labels(job.queue, job.kind, outcome).inc()
