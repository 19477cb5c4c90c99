"""FORM: wait until the form is answered."""

from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.reasons import FormReason
from acredita.domain.steps import kind_of
from acredita.domain.steps.forms import FORM, form_id
from acredita.domain.verification import StepStatus
from acredita.jobs import JobContext, Queue
from acredita.kit.clock import timestamp
from acredita.models import CustomForm, CustomSubmission
from acredita.models.tenancy import owned
from acredita.resources.forms.queries import NEWEST_FIRST
from acredita.resources.verifications.outcome import StepOutcome
from acredita.resources.verifications.step_table import StepEntry, register
from acredita.resources.verifications.step_translation import (
    Part,
    Place,
    StepTranslation,
    TranslationInput,
)
from acredita.resources.verifications.steps import running
from acredita.resources.verifications.steps.running import RunningStep

RULES = "form/1"


@running.step_job("verification.await_form", queue=Queue.LIGHT, timeout=30)
async def await_form(context: JobContext, step_id: UUID) -> None:
    keys = context.services.keys

    async def judge(session: AsyncSession, found: RunningStep) -> StepOutcome | None:
        organization_id = found.verification.organization_id
        wanted = form_id(found.step.config)
        form = owned(CustomForm, organization_id).where(CustomForm.id == wanted)
        if (await session.scalars(form)).one_or_none() is None:
            return StepOutcome(StepStatus.REVIEW, code=FormReason.FORM_NOT_FOUND)
        newest = (
            owned(CustomSubmission, organization_id)
            .where(
                CustomSubmission.verification_id == found.verification.id,
                CustomSubmission.form_id == wanted,
            )
            .order_by(*NEWEST_FIRST)
            .limit(1)
        )
        submission = (await session.scalars(newest)).one_or_none()
        if submission is None:
            return None
        return StepOutcome(
            StepStatus.PASSED,
            result={
                "formId": str(wanted),
                "submittedAt": timestamp(submission.created_at),
                "answers": submission.values.open(keys),
            },
            judged_by={"rules": RULES},
        )

    await running.finish_or_wait(context, step_id, judge)


def _translation_parts(step: TranslationInput) -> list[Part]:
    return [Part("custom-input", step.result.get("answers"), Place.PERSON)]


register(
    StepEntry(
        kind=kind_of(FORM),
        job=await_form,
        translation=StepTranslation(parts=_translation_parts),
    )
)
