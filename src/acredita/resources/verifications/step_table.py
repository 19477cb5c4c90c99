"""The table of what carries each type of step out.

Each file of `steps` that carries out a type registers it. `verifications.jobs` imports all
files, so that the table is complete in every process. The table imports none of them: the pipeline
asks it for a step's job, and the job ends in the pipeline.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from acredita.domain import steps
from acredita.domain.steps import StepKind
from acredita.domain.verification import StepType
from acredita.jobs import JobDefinition
from acredita.resources.verifications.step_translation import Translation


@dataclass(frozen=True, slots=True, kw_only=True)
class StepEntry:
    """A type of step, its job (payload: `step_id`) and its form in the compatible API."""

    kind: StepKind
    job: JobDefinition
    translation: Translation
    # (the caller's metadata): whether a verification may begin with this step before any upload.
    # Nobody asks it of a step that needs an upload.
    begins_on: Callable[[Mapping[str, Any]], bool] = lambda _metadata: True


ENTRIES: dict[StepType, StepEntry] = {}


def register(entry: StepEntry) -> None:
    """Add a type of step. Raise ValueError for a type that is there, TypeError for a job that does
    not take a step's id.
    """
    entry.job.check({"step_id": None})
    steps.register(entry.kind)
    if entry.kind.type in ENTRIES:
        raise ValueError(f"two entries carry out the step type {entry.kind.type}")
    ENTRIES[entry.kind.type] = entry


def entry_of(step_type: StepType) -> StepEntry:
    """What carries a type out. Raise LookupError where no file has registered it."""
    try:
        return ENTRIES[step_type]
    except KeyError:
        raise LookupError(
            f"no job carries out the step type {step_type}:"
            " a file in resources/verifications/steps must register a StepEntry for it"
        ) from None


def check_complete() -> None:
    """Raise LookupError where a kind of the domain's table has no job."""
    for step_type in steps.types():
        entry_of(step_type)
