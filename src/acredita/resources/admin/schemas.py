from typing import Self

from pydantic import Field

from acredita.api.schemas import Shape, Timestamp
from acredita.jobs import Queue
from acredita.resources.admin.queries import Work


class WorkShape(Shape):
    """The unfinished jobs of one kind. Kinds without unfinished jobs are left out."""

    queue: str = Field(description="Queue of the jobs.", examples=list(Queue))
    kind: str = Field(examples=["verification.read_documents"])
    depth: int = Field(
        description="Waiting jobs, including those scheduled for later.", examples=[3]
    )
    due: int = Field(description="Waiting jobs that could run now.", examples=[1])
    oldest_due_seconds: float = Field(
        description="Waiting time of the oldest due job in seconds; 0 if none is due.",
        examples=[0.2],
    )
    running: int = Field(examples=[1])
    dead: int = Field(
        description="Jobs that failed all attempts. They need an operator.", examples=[0]
    )

    @classmethod
    def from_work(cls, work: Work) -> Self:
        return cls(
            queue=work.queue,
            kind=work.kind,
            depth=work.depth,
            due=work.due,
            oldest_due_seconds=round(max(work.oldest_due, 0.0), 3),
            running=work.running,
            dead=work.dead,
        )


class DeliveryCounts(Shape):
    pending: int = Field(description="Deliveries to make or retry.", examples=[2])
    delivered: int = Field(examples=[120])
    failed: int = Field(description="Deliveries whose last attempt failed.", examples=[1])
    cancelled: int = Field(description="Deliveries whose endpoint was deleted.", examples=[0])


class QueueStats(Shape):
    queues: list[WorkShape]
    deliveries: DeliveryCounts
    deliveries_since: Timestamp = Field(
        description="Deliveries that ended before this time are not counted."
    )
    timestamp: Timestamp
