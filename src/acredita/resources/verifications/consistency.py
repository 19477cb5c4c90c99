"""Checks across all steps, before a verification is decided."""

from collections.abc import Iterator, Sequence

from sqlalchemy.ext.asyncio import AsyncSession

from acredita import jobs
from acredita.domain.subject import (
    AGAINST_ONE_PERSON,
    ASKED_ABOUT_ANOTHER,
    JUDGING,
    Doubt,
    Subject,
    find_doubts,
)
from acredita.domain.verification import StepStatus, StepType
from acredita.kit.crypto import KeyRing
from acredita.models import Verification, VerificationStep
from acredita.resources.verifications import queries
from acredita.resources.verifications.registry_claims import METADATA, holder_of_metadata

PASSED, REVIEW = StepStatus.PASSED, StepStatus.REVIEW


async def enqueue_late_pages(
    session: AsyncSession,
    verification: Verification,
    steps: Sequence[VerificationStep],
    subject: Subject,
    *,
    has_policy: bool,
) -> bool:
    """Add a job that reads pages uploaded after the documents were judged.

    Return whether there are such pages; the decision then waits for the job. Without a policy,
    documents in review lead to a person, so the pages need not be read.
    """
    judging = judging_step(steps)
    if judging is None or judging.finished_at is None or not subject.is_established:
        return False
    if judging.status not in ((PASSED, REVIEW) if has_policy else (PASSED,)):
        return False
    late = await queries.documents_since(session, verification.id, judging.finished_at)
    if all(document.reading_sealed is not None for document in late):
        return False
    await jobs.add(
        session,
        # By name, because an import would be a cycle: the job calls the pipeline, which calls this.
        jobs.definition("verification.read_late_pages"),
        {"verification_id": verification.id},
        coalesce_key=f"pages:{verification.id}",
        organization_id=verification.organization_id,
        lane=queries.lane_of(verification),
    )
    return True


def judging_step(steps: Sequence[VerificationStep]) -> VerificationStep | None:
    """Return the step that judges the documents: the one that reads them, otherwise the one that
    compares their portrait.
    """
    for step_type in JUDGING:
        step = next((step for step in steps if step.type == step_type), None)
        if step is not None:
            return step
    return None


def doubts_across_steps(
    keys: KeyRing, verification: Verification, steps: Sequence[VerificationStep], subject: Subject
) -> Iterator[Doubt]:
    """Yield the doubts that all evidence is about one person, also about steps in review: a policy
    may tolerate the code of a step, but not what the code hides.
    """
    judged = {StepType(step.type) for step in steps if step.status in (PASSED, REVIEW)}
    passed = {StepType(step.type) for step in steps if step.status == PASSED}
    asked_about = {}
    for step in steps:
        step_type = StepType(step.type)
        if step_type in judged and step_type in ASKED_ABOUT_ANOTHER:
            result = step.result.open(keys) or {}
            if result.get("source") == METADATA:
                asked_about[step_type] = holder_of_metadata(verification)
    return find_doubts(subject, judged, passed, asked_about)


def codes_against_one_person(
    doubts: Sequence[Doubt], steps: Sequence[VerificationStep], subject: Subject
) -> frozenset[str]:
    """Return the codes for which no policy approves a verification."""
    named = {str(step.code) for step in steps if step.code is not None} | set(subject.page_codes)
    return frozenset(named & AGAINST_ONE_PERSON) | {str(doubt.code) for doubt in doubts}
