"""A type of step as a newcomer adds it: one file, which registers itself. Only tests import it."""

from uuid import UUID

from acredita.domain.reasons import DocumentReason
from acredita.domain.steps import StepKind, Words, options
from acredita.domain.verification import StepStatus, StepType
from acredita.jobs import JobContext, Queue, job
from acredita.resources.verifications.outcome import StepOutcome
from acredita.resources.verifications.step_table import StepEntry, register
from acredita.resources.verifications.step_translation import Part, Place, StepTranslation
from acredita.resources.verifications.steps import running

PROOF_OF_INCOME = StepType("PROOF_OF_INCOME")


@job("verification.read_income", queue=Queue.LIGHT, timeout=30, on_dead=running.give_up)
async def read_income(context: JobContext, step_id: UUID) -> None:
    outcome = StepOutcome(
        StepStatus.REVIEW, code=DocumentReason.DOCUMENT_EXPIRED, result={"months": 14}
    )
    await running.finish(context, step_id, outcome)


register(
    StepEntry(
        kind=StepKind(
            type=PROOF_OF_INCOME,
            name=Words("Tus ingresos", "Your income"),
            discloses=Words("Tus ingresos se consultan con el SAT.", "SAT is asked about you."),
            options=(options.number("oldestMonths", 1, 24, "how old the payslip may be", "3"),),
        ),
        job=read_income,
        translation=StepTranslation(
            parts=lambda step: (
                Part("proof-of-income", {"months": step.result["months"]}, Place.PERSON),
            ),
            initial_id="proof-of-income",
        ),
    )
)
