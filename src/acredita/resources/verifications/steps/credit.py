"""CREDIT: ask the credit bureau about the person, once."""

from collections.abc import Mapping
from typing import Any, Final
from uuid import UUID

from pydantic import ValidationError

from acredita.domain.credit.status import CheckStatus
from acredita.domain.errors import FeatureOff, ValidationFailed
from acredita.domain.government.queries import Claimed
from acredita.domain.reasons import CreditReason
from acredita.domain.steps import kind_of
from acredita.domain.steps.credit import CREDIT, least_score
from acredita.domain.verification import StepStatus
from acredita.jobs import JobContext, Queue
from acredita.kit.crypto import Signer
from acredita.models import CreditCheck, Verification, VerificationStep
from acredita.resources.audit.service import Actor
from acredita.resources.credit import service as credit
from acredita.resources.credit.schemas import CreditCheckCreate
from acredita.resources.verifications import subjects
from acredita.resources.verifications.outcome import StepOutcome
from acredita.resources.verifications.registry_claims import claims_for_registries
from acredita.resources.verifications.step_table import StepEntry, register
from acredita.resources.verifications.step_translation import (
    Part,
    Place,
    StepTranslation,
    TranslationInput,
)
from acredita.resources.verifications.steps import running

RULES: Final = "credit/1"
# Keys of the caller's metadata.
CONSENT, ADDRESS = "creditConsentReference", "address"


# The slowest consultation takes two minutes (`ACREDITA_CREDIT_TIMEOUT`).
@running.step_job("verification.ask_credit_bureau", queue=Queue.REGISTRIES, timeout=180)
async def ask_credit_bureau(context: JobContext, step_id: UUID) -> None:
    services = context.services
    async with services.database.transaction() as session:
        found = await running.load(session, step_id)
    if found is None:
        return
    subject = subjects.load(services.keys, found.verification, found.steps)
    claimed, source = claims_for_registries(subject, found.verification)
    # Those of a browser are the person's own word.
    metadata = {} if found.verification.has_session else found.verification.verification_metadata
    outcome = await _ask(context, found.verification, found.step, claimed, source, metadata or {})
    await running.finish(context, step_id, outcome)


async def _ask(
    context: JobContext,
    verification: Verification,
    step: VerificationStep,
    claimed: Claimed,
    source: str,
    metadata: Mapping[str, Any],
) -> StepOutcome:
    services = context.services
    if not isinstance(metadata.get(CONSENT), str):
        return StepOutcome(StepStatus.REVIEW, code=CreditReason.CREDIT_CONSENT_MISSING)
    request = _request(claimed, metadata)
    if request is None:
        return StepOutcome(StepStatus.REVIEW, code=CreditReason.CREDIT_DATA_INSUFFICIENT)
    actor = Actor(verification.organization_id)
    try:
        check_id = _check_id(services.signer, step, request)
        check = await credit.consult_once(services, actor, check_id, request)
    except ValidationFailed as fault:
        missing = {"missing": list(fault.details or ())}
        code = CreditReason.CREDIT_DATA_INSUFFICIENT
        return StepOutcome(StepStatus.REVIEW, code=code, result=missing)
    except FeatureOff:
        return running.CHECK_UNAVAILABLE
    return _outcome(check, check.result.open(services.keys) or {}, source, step.config)


def _check_id(signer: Signer, step: VerificationStep, request: CreditCheckCreate) -> UUID:
    """Return the id of the step's check about these data. It is the same whenever the step runs
    again with them, so that no person is asked about twice. A keyed hash reveals no data.
    """
    question = step.id.bytes + request.model_dump_json().encode()
    return UUID(bytes=signer.digest("credit-step", question)[:16], version=4)


def _request(claimed: Claimed, metadata: Mapping[str, Any]) -> CreditCheckCreate | None:
    """Return the question to the bureau; None without a name. A claim that is not certain is not
    asked about: the consultation would be recorded in another person's file.
    """
    name = claimed.name
    if name is None or "name" not in claimed.accepted:
        return None
    sure: dict[str, Any] = {
        "fullName": name.full,
        "names": {"given": name.given, "paterno": name.paterno, "materno": name.materno or None},
        "consentReference": metadata[CONSENT],
    }
    if "curp" in claimed.accepted:
        sure["curp"] = claimed.curp
    if "rfc" in claimed.accepted:
        sure["rfc"] = claimed.rfc
    if claimed.birth_date is not None and "birth_date" in claimed.accepted:
        sure["dateOfBirth"] = claimed.birth_date.isoformat()
    for attempt in (sure | {"address": metadata.get(ADDRESS)}, sure):
        try:
            return CreditCheckCreate.model_validate(attempt)
        except ValidationError:
            continue
    return None


def _outcome(
    check: CreditCheck, report: Mapping[str, Any], source: str, config: Mapping[str, Any]
) -> StepOutcome:
    if check.status == CheckStatus.FAILED:
        # The bureau was certainly not asked, so the step may run again.
        return running.CHECK_UNAVAILABLE
    found = report.get("found") is True
    scores = [{"name": each["name"], "value": each["value"]} for each in report.get("scores") or ()]
    alerts = sorted({each["code"] for each in report.get("alerts") or ()})
    score = next((each["value"] for each in scores if each["value"] is not None), None)
    code = _code(check, score, config, found=found, has_alerts=bool(alerts))
    return StepOutcome(
        StepStatus.PASSED if code is None else StepStatus.REVIEW,
        code=code,
        result={
            "checkId": str(check.id),
            "found": found,
            "score": score,
            "scores": scores,
            "alerts": alerts,
            "source": source,
            "sandbox": check.is_sandbox,
        },
        judged_by={"provider": check.provider, "rules": RULES},
    )


def _code(
    check: CreditCheck,
    score: int | None,
    config: Mapping[str, Any],
    *,
    found: bool,
    has_alerts: bool,
) -> CreditReason | None:
    least = least_score(config)
    if check.status != CheckStatus.COMPLETED:
        return CreditReason.CREDIT_NO_ANSWER
    if not found:
        return CreditReason.CREDIT_NO_FILE
    if has_alerts:
        return CreditReason.CREDIT_ALERT
    if least is None:
        return None
    if score is None:
        return CreditReason.CREDIT_SCORE_UNKNOWN
    return CreditReason.CREDIT_SCORE_LOW if score < least else None


def _translation_parts(step: TranslationInput) -> list[Part]:
    known = step.result
    data = {name: known[name] for name in ("found", "score") if name in known}
    return [Part("credit-check", data or None, Place.PERSON)]


register(
    StepEntry(
        kind=kind_of(CREDIT),
        job=ask_credit_bureau,
        translation=StepTranslation(parts=_translation_parts),
    )
)
