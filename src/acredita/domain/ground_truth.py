"""What is known of a sample, held against what was read of it."""

from collections.abc import Mapping
from dataclasses import dataclass

from acredita.domain.labelling import written_alike


@dataclass(frozen=True, slots=True)
class FieldTrial:
    """One field. `read` and `confidence` are None where nothing was read."""

    field: str
    expected: str
    read: str | None
    confidence: float | None

    @property
    def is_correct(self) -> bool:
        return self.read is not None and written_alike(self.expected, self.read)


def hold_against(
    expected: Mapping[str, str], read: Mapping[str, tuple[str, float]]
) -> list[FieldTrial]:
    """Return a trial for each known field. Other fields that were read do not count as errors."""
    nothing: tuple[None, None] = (None, None)
    return [
        FieldTrial(field, value, *read.get(field, nothing))
        for field, value in sorted(expected.items())
    ]
