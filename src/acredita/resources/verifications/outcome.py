"""The outcome of a step, and how it is stored."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import func

from acredita.domain.reasons import ReasonCode
from acredita.domain.verification import DocumentRole, StepStatus
from acredita.engines import digests, model_digest
from acredita.models import VerificationStep
from acredita.ports import StepEnding
from acredita.settings import Settings


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


def store(services: StepEnding, step: VerificationStep, outcome: StepOutcome) -> None:
    """Store the outcome in the step's row."""
    step.status = outcome.status
    step.code = outcome.code
    step.result.seal(services.keys, outcome.result_with_code())
    step.evidence.seal(services.keys, outcome.evidence)
    step.judged_by = outcome.judged_by | _digests(services.settings, outcome.judged_by)
    step.finished_at = func.now()


def hash_models(settings: Settings) -> str:
    """Return the digest of the models that judge. The first call reads 80 MB."""
    return model_digest.models(
        settings.face_models, settings.face_embedding, settings.liveness_model
    )


def _digests(settings: Settings, judged_by: Mapping[str, Any]) -> dict[str, str]:
    """Return the digests of code, libraries and, if an engine ran, models that judged."""
    found = dict(digests.judging())
    if "engine" in judged_by:
        found["models"] = hash_models(settings)
    return found
