"""A promise of the service, and what a run found of it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """One promise, and what was found: kept when `found` is at most `bar`."""

    promise: str
    found: float
    bar: float = 0
    of: int | None = None

    @property
    def is_kept(self) -> bool:
        return self.found <= self.bar
