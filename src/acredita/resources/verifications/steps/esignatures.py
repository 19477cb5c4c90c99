"""ESIGNATURE: wait until a package of documents is signed."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import func
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.esignature import PackageStatus
from acredita.domain.steps import kind_of
from acredita.domain.steps.esignature import ESIGNATURE, sufficient_tiers
from acredita.domain.verification import StepStatus
from acredita.jobs import JobContext, Queue
from acredita.kit.clock import timestamp
from acredita.models import SignaturePackage, VerificationStep
from acredita.models.tenancy import owned
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

RULES = "esignature/1"


@running.step_job("verification.await_signature", queue=Queue.LIGHT, timeout=30)
async def await_signature(context: JobContext, step_id: UUID) -> None:
    keys = context.services.keys

    async def judge(session: AsyncSession, found: RunningStep) -> StepOutcome | None:
        newest = (
            owned(SignaturePackage, found.verification.organization_id)
            .where(
                SignaturePackage.verification_id == found.verification.id,
                SignaturePackage.status == PackageStatus.SIGNED.value,
                SignaturePackage.tier.in_(sufficient_tiers(found.step.config)),
            )
            .order_by(func.coalesce(SignaturePackage.signed_at, SignaturePackage.created_at).desc())
        )
        package = next(
            (
                package
                for package in await session.scalars(newest)
                if is_current(package.details.open(keys) or {}, found.steps)
            ),
            None,
        )
        if package is None:
            return None
        signed_at = package.signed_at or package.created_at
        return StepOutcome(
            StepStatus.PASSED,
            result={
                "packageId": str(package.id),
                "tier": package.tier,
                "signedAt": timestamp(signed_at),
            },
            judged_by={"rules": RULES},
        )

    await running.finish_or_wait(context, step_id, judge)


def is_current(details: Mapping[str, Any], steps: Sequence[VerificationStep]) -> bool:
    """Whether the steps that a package rests on have not judged other pictures since."""
    passed = {
        str(step.id): timestamp(step.finished_at) for step in steps if step.finished_at is not None
    }
    evidence = details.get("evidence") or {}
    facts = (evidence.get("document"), evidence.get("face"))
    return all(passed.get(fact["stepId"]) == fact["passedAt"] for fact in facts if fact)


def _translation_parts(step: TranslationInput) -> list[Part]:
    known = step.result
    data = {name: known[name] for name in ("tier", "signedAt") if name in known}
    return [Part("e-signature", data or None, Place.PERSON)]


register(
    StepEntry(
        kind=kind_of(ESIGNATURE),
        job=await_signature,
        translation=StepTranslation(parts=_translation_parts),
    )
)
