"""What must hold over all steps together before a verification is decided."""

from collections.abc import Iterator, Sequence

from sqlalchemy.ext.asyncio import AsyncSession

from acredita import jobs
from acredita.domain.steps import GOVERNMENT_VERIFY
from acredita.domain.subject import JUDGING, Doubt, Subject, find_doubts
from acredita.domain.verification import StepStatus, StepType
from acredita.models import Verification, VerificationStep
from acredita.resources.verifications import queries
from acredita.resources.verifications.claims import METADATA, holder_stated_by
from acredita.services import Services


async def reads_late_pages(
    session: AsyncSession,
    verification: Verification,
    steps: Sequence[VerificationStep],
    subject: Subject,
) -> bool:
    """Whether pages that arrived after the documents were judged are read first."""
    judging = step_that_judges(steps)
    if judging is None or judging.finished_at is None or not subject.is_established:
        return False
    if judging.status != StepStatus.PASSED:
        return False
    late = await queries.late_documents(session, verification.id, judging.finished_at)
    if all(document.reading_sealed is not None for document in late):
        return False
    await jobs.add(
        session,
        # By its name: the job ends in the pipeline, which calls this function.
        jobs.definition("verification.read_late_pages"),
        {"verification_id": verification.id},
        coalesce_key=f"pages:{verification.id}",
        organization_id=verification.organization_id,
    )
    return True


def step_that_judges(steps: Sequence[VerificationStep]) -> VerificationStep | None:
    """The step that judges the documents: the one that reads them, else the one that compares
    their portrait.
    """
    for step_type in JUDGING:
        step = next((step for step in steps if step.type == step_type), None)
        if step is not None:
            return step
    return None


def doubts_about(
    services: Services,
    verification: Verification,
    steps: Sequence[VerificationStep],
    subject: Subject,
) -> Iterator[Doubt]:
    """What speaks against all evidence being of one person, over all steps together."""
    passed = {StepType(step.type) for step in steps if step.status == StepStatus.PASSED}
    asked_about = None
    for step in steps:
        if step.type == GOVERNMENT_VERIFY and step.status == StepStatus.PASSED:
            result = step.result.open(services.keys) or {}
            if result.get("source") == METADATA:
                asked_about = holder_stated_by(verification)
    return find_doubts(subject, passed, asked_about)
