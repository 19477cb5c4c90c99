"""How a step ended."""

from dataclasses import dataclass, field
from typing import Any

from acredita.domain.reasons import ReasonCode
from acredita.domain.verification import DocumentRole, StepStatus


@dataclass(frozen=True, slots=True)
class StepOutcome:
    """`result` goes to the caller; `evidence` lists what was read, field by field."""

    status: StepStatus
    code: ReasonCode | None = None
    result: dict[str, Any] = field(default_factory=dict)
    evidence: list[dict[str, Any]] = field(default_factory=list)
    # Engines, providers and rules, with their versions.
    judged_by: dict[str, Any] = field(default_factory=dict)
    # Whose pictures could not be used, where the step can tell them from the others.
    unusable: frozenset[DocumentRole] = frozenset()

    def result_with_code(self) -> dict[str, Any]:
        if self.status is StepStatus.PASSED:
            return self.result
        message = None if self.code is None else self.code.message.en
        return {"code": self.code, "message": message, **self.result}
