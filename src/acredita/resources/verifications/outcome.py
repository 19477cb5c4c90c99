"""The outcome of a step."""

from dataclasses import dataclass, field
from typing import Any

from acredita.domain.reasons import ReasonCode
from acredita.domain.verification import DocumentRole, StepStatus


@dataclass(frozen=True, slots=True)
class StepOutcome:
    """The outcome of a step. `result` is for the caller; `evidence` has an item for each field."""

    status: StepStatus
    code: ReasonCode | None = None
    result: dict[str, Any] = field(default_factory=dict)
    evidence: list[dict[str, Any]] = field(default_factory=list)
    # Versions of the engines, providers and rules.
    judged_by: dict[str, Any] = field(default_factory=dict)
    # The roles of the unusable images, if the step knows them.
    unusable: frozenset[DocumentRole] = frozenset()
    # By which a search finds the verification, besides the values of the evidence.
    search_hashes: tuple[int, ...] = ()

    def result_with_code(self) -> dict[str, Any]:
        if self.status is StepStatus.PASSED:
            return self.result
        message = None if self.code is None else self.code.message.en
        return {"code": self.code, "message": message, **self.result}
