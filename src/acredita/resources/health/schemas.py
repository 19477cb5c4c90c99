from typing import Literal

from pydantic import Field

from acredita.api.schemas import Shape, Timestamp

State = Literal["up", "down", "absent"]


class Health(Shape):
    status: Literal["ok", "degraded"] = Field(description="degraded: a dependency is down.")
    uptime: float = Field(description="Seconds since this process started.")
    timestamp: Timestamp
    redis: Literal["up", "down"]


class Component(Shape):
    status: State = Field(description="absent: not part of this installation.")
    detail: str | None = Field(description="Details of the status.", examples=["3 workers"])


class EngineHealth(Shape):
    status: Literal["ok", "degraded"]
    text_recognition: Component
    face: Component
    government_bridge: Component
    synthetic_id_generator: Component
    timestamp: Timestamp


class FullHealth(Shape):
    status: Literal["ok", "degraded"]
    uptime: float
    timestamp: Timestamp
    database: Component
    redis: Component
    storage: Component
    workers: Component
    government_bridge: Component
