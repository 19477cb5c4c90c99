"""The one shape of a sign of tampering: name, version, limit, and the signal of a measure."""

from dataclasses import dataclass

from acredita.domain.documents import Box, Signal


@dataclass(frozen=True, slots=True)
class Sign:
    """A sign that a document or its picture was altered or copied.

    A measure above `limit` raises the sign, or one below it if `is_raised_below`. A measure is
    rounded to `digits` decimals before it is compared. `version` names the method of measurement.
    """

    name: str
    version: str
    limit: float
    digits: int = 4
    is_raised_below: bool = False

    def signal(self, measure: float, detail: str = "", box: Box | None = None) -> Signal:
        """Judge a measure. `detail` and `box` say where on the page, without personal data."""
        rounded = round(measure, self.digits)
        raised = rounded < self.limit if self.is_raised_below else rounded > self.limit
        return Signal(self.name, raised, rounded, self.limit, detail, box, self.version)
