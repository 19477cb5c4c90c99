from typing import Self

from pydantic import Field

from acredita.api.schemas import Shape, Timestamp
from acredita.jobs import Queue
from acredita.resources.admin.queries import Work


class WorkShape(Shape):
    """The jobs of one kind that are not done; a kind with none is left out."""

    queue: str = Field(description="Jobs of one queue wait for each other.", examples=list(Queue))
    kind: str = Field(examples=["verification.read_documents"])
    depth: int = Field(description="Jobs that wait, also those for a later moment.", examples=[3])
    due: int = Field(description="Of these, how many could run now.", examples=[1])
    oldest_due_seconds: float = Field(
        description="How long the oldest due one has waited; 0 where none is due.", examples=[0.2]
    )
    running: int = Field(examples=[1])
    dead: int = Field(description="Given up; somebody should look at them.", examples=[0])

    @classmethod
    def of(cls, work: Work) -> Self:
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
    pending: int = Field(description="Still to be made, or to be tried again.", examples=[2])
    delivered: int = Field(examples=[120])
    failed: int = Field(description="Given up after the last attempt.", examples=[1])
    cancelled: int = Field(description="Their endpoint was removed.", examples=[0])


class QueueStats(Shape):
    queues: list[WorkShape]
    deliveries: DeliveryCounts
    deliveries_since: Timestamp = Field(
        description="Deliveries that ended before this moment are not counted."
    )
    timestamp: Timestamp
