"""AML_SCREEN: look for the person on watchlists."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from pydantic import ValidationError

from acredita.domain.errors import NotFound, ServiceUnavailable, ValidationFailed
from acredita.domain.government.queries import Claimed
from acredita.domain.reasons import WatchlistReason
from acredita.domain.steps import kind_of
from acredita.domain.steps.watchlists import AML_SCREEN, list_ids, threshold
from acredita.domain.verification import StepStatus
from acredita.jobs import JobContext, Queue
from acredita.kit.dependencies import DependencyUnavailable
from acredita.models import AskerType, VerificationStep
from acredita.resources.aml.screening.records import Asker
from acredita.resources.aml.screening.schemas import ScreenRequest
from acredita.resources.aml.screening.service import screen
from acredita.resources.verifications import consistency, subjects
from acredita.resources.verifications.outcome import StepOutcome
from acredita.resources.verifications.registry_claims import (
    METADATA,
    claims_for_registries,
    claims_of_metadata,
)
from acredita.resources.verifications.step_table import StepEntry, register
from acredita.resources.verifications.step_translation import (
    Part,
    Place,
    StepTranslation,
    TranslationInput,
)
from acredita.resources.verifications.steps import running

RULES = "watchlists/1"
# The compatible API's second step about watchlists.
PREMIUM = "premium-aml-watchlists"


@running.step_job("verification.screen_watchlists", queue=Queue.LIGHT, timeout=60)
async def screen_watchlists(context: JobContext, step_id: UUID) -> None:
    services = context.services
    async with services.database.transaction() as session:
        found = await running.load(session, step_id)
        if found is None:
            return
        subject = subjects.load(services.keys, found.verification, found.steps)
        claimed, source = claims_for_registries(subject, found.verification)
        config = found.step.config
        # Documents that are judged later could name somebody else than the metadata do.
        is_sure = _is_name_sure(claimed) and not (source == METADATA and _judges(found.steps))
    verification = found.verification
    request = _request(claimed, config, verification.id)
    asker = Asker(verification.organization_id, AskerType.STEP, step_id)
    if request is None:
        outcome = StepOutcome(StepStatus.REVIEW, code=WatchlistReason.WATCHLIST_NAME_UNKNOWN)
    else:
        try:
            # The record and the queue have it before the step's result. A second run is another
            # screening, with a record of its own.
            answer, screened = await screen(services, services.screener, asker, request)
        except NotFound:  # purged by now
            return
        except ValidationFailed:  # a list that the step names was removed
            answer, screened = {"screened": False}, {}
        except ServiceUnavailable as fault:
            # The index is not loaded yet: this counts as no attempt.
            raise DependencyUnavailable(str(fault)) from fault
        outcome = outcome_of(answer, source, is_sure=is_sure, screened=screened)
    await running.finish(context, step_id, outcome)


def _judges(steps: Sequence[VerificationStep]) -> bool:
    return consistency.judging_step(steps) is not None


def _is_name_sure(claimed: Claimed) -> bool:
    """Whether the name that is screened is certain: a person's, otherwise a company's."""
    return ("legal_name" if claimed.name is None else "name") in claimed.accepted


def _request(
    claimed: Claimed, config: Mapping[str, Any], verification_id: UUID | None = None
) -> ScreenRequest | None:
    """Return what to look for; None without a name that can be compared."""
    name = claimed.legal_name
    if claimed.name is not None:
        parts = (claimed.name.given, claimed.name.paterno, claimed.name.materno)
        name = " ".join(part for part in parts if part)
    known = {
        "fullName": name,
        "dateOfBirth": claimed.birth_date and claimed.birth_date.isoformat(),
        "curp": claimed.curp,
        "rfc": claimed.rfc,
        "fuzzyThreshold": threshold(config),
        "lists": list_ids(config),
        "verificationId": verification_id and str(verification_id),
    }
    # Identifiers only add evidence: one that cannot be right must not stop the screening.
    for attempt in (known, known | {"curp": None, "rfc": None}):
        try:
            return ScreenRequest.model_validate(attempt)
        except ValidationError:
            continue
    return None


def outcome_of(
    answer: Mapping[str, Any],
    source: str,
    *,
    is_sure: bool,
    screened: Mapping[str, Any] | None = None,
) -> StepOutcome:
    """`answer`: a ScreenAnswer as plain data. `screened`: the lists and the index, with versions.
    `is_sure`: whether the name is certain. The first reason of the result is the step's code."""
    if not answer["screened"]:
        return StepOutcome(StepStatus.REVIEW, code=WatchlistReason.WATCHLISTS_NOT_LOADED)
    reasons = []
    if answer["openMatches"]:
        reasons.append(WatchlistReason.WATCHLIST_MATCH)
    if not is_sure:
        # Also with a match: the corrected name may match other entries.
        reasons.append(WatchlistReason.WATCHLIST_NAME_UNCERTAIN)
    # `judged_by` has the lists.
    shown = {name: value for name, value in answer.items() if name != "lists"}
    return StepOutcome(
        StepStatus.REVIEW if reasons else StepStatus.PASSED,
        code=reasons[0] if reasons else None,
        result={**shown, "source": source, "reasons": reasons},
        judged_by={"rules": RULES, **(screened or {})},
    )


def _translation_parts(step: TranslationInput) -> list[Part]:
    data = {"totalMatches": step.result["totalMatches"]} if "totalMatches" in step.result else None
    # That API compares with few lists and with many; here, both steps show one screening.
    codes = [] if step.code is None else [step.code]
    return [
        Part("watchlists", data, Place.DOCUMENT_IF_ANY, codes),
        Part(f"{PREMIUM}-search-validation", data, Place.DOCUMENT_IF_ANY, codes, registry=PREMIUM),
    ]


register(
    StepEntry(
        kind=kind_of(AML_SCREEN),
        job=screen_watchlists,
        translation=StepTranslation(parts=_translation_parts, initial_id="watchlists"),
        begins_on=lambda metadata: _request(claims_of_metadata(metadata), {}) is not None,
    )
)
