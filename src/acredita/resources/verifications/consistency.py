"""Checks across all steps, before a verification is decided."""

from collections.abc import Iterator, Sequence

from sqlalchemy.ext.asyncio import AsyncSession

from acredita import jobs
from acredita.domain.steps import GOVERNMENT_VERIFY
from acredita.domain.subject import JUDGING, Doubt, Subject, find_doubts
from acredita.domain.verification import StepStatus, StepType
from acredita.kit.crypto import KeyRing
from acredita.models import Verification, VerificationStep
from acredita.resources.verifications import queries
from acredita.resources.verifications.registry_claims import METADATA, holder_of_metadata


async def enqueue_late_pages(
    session: AsyncSession,
    verification: Verification,
    steps: Sequence[VerificationStep],
    subject: Subject,
) -> bool:
    """Add a job that reads pages uploaded after the documents were judged.

    Return whether there are such pages; the decision then waits for the job.
    """
    judging = judging_step(steps)
    if judging is None or judging.finished_at is None or not subject.is_established:
        return False
    if judging.status != StepStatus.PASSED:
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
    """Yield the doubts that all evidence is about one person."""
    passed = {StepType(step.type) for step in steps if step.status == StepStatus.PASSED}
    asked_about = None
    for step in steps:
        if step.type == GOVERNMENT_VERIFY and step.status == StepStatus.PASSED:
            result = step.result.open(keys) or {}
            if result.get("source") == METADATA:
                asked_about = holder_of_metadata(verification)
    return find_doubts(subject, passed, asked_about)
