"""The table of step types with their jobs.

Each file in `steps` registers its step type. `verifications.jobs` imports all these files, so the
table is complete in every process. The table imports none of them: the pipeline gets a step's job
from the table, and the job calls the pipeline.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from acredita.domain import steps
from acredita.domain.steps import StepKind
from acredita.domain.verification import StepType
from acredita.jobs import JobDefinition
from acredita.resources.verifications.step_translation import StepTranslation


@dataclass(frozen=True, slots=True, kw_only=True)
class StepEntry:
    """A step type, its job (payload: `step_id`) and its form in the compatible API."""

    kind: StepKind
    job: JobDefinition
    translation: StepTranslation
    # Takes the caller's metadata; returns whether a verification can begin with this step before
    # any upload. It is not called for a step that needs an upload.
    begins_on: Callable[[Mapping[str, Any]], bool] = lambda _metadata: True


ENTRIES: dict[StepType, StepEntry] = {}


def register(entry: StepEntry) -> None:
    """Add a step type. Raise ValueError if it already exists, TypeError if its job does not take a
    step's id.
    """
    entry.job.check({"step_id": None})
    steps.register(entry.kind)
    if entry.kind.type in ENTRIES:
        raise ValueError(f"two entries carry out the step type {entry.kind.type}")
    ENTRIES[entry.kind.type] = entry


def entry_of(step_type: StepType) -> StepEntry:
    """Return the entry of a step type. Raise LookupError if no file has registered it."""
    try:
        return ENTRIES[step_type]
    except KeyError:
        raise LookupError(
            f"no job carries out the step type {step_type}:"
            " a file in resources/verifications/steps must register a StepEntry for it"
        ) from None


def check_complete() -> None:
    """Raise LookupError if a step type of the domain's table has no job."""
    for step_type in steps.types():
        entry_of(step_type)
