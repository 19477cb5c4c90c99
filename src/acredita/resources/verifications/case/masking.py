"""Masks the personal data of a verification for users, until they reveal them.

A value is masked unless its key is known to hold none: results of new steps are masked, too.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.audit import Action
from acredita.domain.caller import Caller
from acredita.domain.steps import CREDIT
from acredita.domain.verification import PersonalData
from acredita.ports import ViewSources
from acredita.resources.audit import service as audit
from acredita.resources.organizations.masking import MASK, is_masked_for
from acredita.resources.verifications import history_page
from acredita.resources.verifications.case.schemas import LocatedField
from acredita.resources.verifications.schemas import ShownSignals
from acredita.resources.verifications.views import verification_view

# Codes, measures of pictures, versions and ids: what a reviewer needs to see why a case waits.
SHOWN = frozenset(
    {
        "acceptSimilarity",
        "active",
        "allowed",
        "assessment",
        "box",
        "calibration",
        "checkId",
        "code",
        "detail",
        "documentId",
        "formId",
        "judged",
        "kind",
        "list",
        "matchId",
        "measure",
        "message",
        "methods",
        "openMatches",
        "outcome",
        "packageId",
        "page",
        "passive",
        "passiveProbability",
        "programs",
        "provider",
        "raised",
        "reasons",
        "rejectSimilarity",
        "sandbox",
        "score",
        "screened",
        "screenedAt",
        "screeningId",
        "selfieDistance",
        "signal",
        "similarity",
        "source",
        "threshold",
        "tier",
        "version",
    }
)
# A credit score is about the person, the score of a watchlist match is not.
SHOWN_OF_CREDIT = SHOWN - {"score"}
# Their keys are the organization's or a registry's words, so no key says what is personal.
WHOLLY_PERSONAL = frozenset({"answers", "registered"})


async def case_view(
    services: ViewSources, caller: Caller, verification_id: UUID, signals: ShownSignals
) -> dict[str, Any]:
    """Return a VerificationAnswer as plain data, masked for those who must reveal it.

    Raise NotFound.
    """
    view = await verification_view(services, caller, verification_id, signals)
    if await is_masked_for(services.reads, caller):
        return mask(view, list(PersonalData))
    return view


async def reveal(
    session: AsyncSession,
    services: ViewSources,
    caller: Caller,
    verification_id: UUID,
    kinds: Sequence[PersonalData],
) -> dict[str, Any]:
    """Return the RevealedVerification with these kinds of data, and record who has seen them.

    Raise NotFound.
    """
    view = await verification_view(services, caller, verification_id, "all")
    audit.record(
        session,
        caller,
        Action.PERSONAL_DATA_REVEALED,
        verification_id,
        kinds=sorted({kind.value for kind in kinds}),
    )
    if PersonalData.NOTES in kinds:
        notes = await history_page.notes(services.reads, services.keys, caller, verification_id)
        view = {**view, "notes": notes}
    if await is_masked_for(services.reads, caller):
        return mask(view, [kind for kind in PersonalData if kind not in kinds])
    return view


def mask(view: dict[str, Any], kinds: Collection[PersonalData]) -> dict[str, Any]:
    """Return the VerificationAnswer without these kinds of data; `masked` names them.

    It has no notes: `history_page` masks them.
    """
    if PersonalData.FIELDS in kinds:
        verification = view["verification"]
        metadata = verification["metadata"]
        masked = {
            "metadata": metadata and _masked(metadata, frozenset()),
            "steps": [{**step, "result": _masked_result(step)} for step in verification["steps"]],
        }
        fields = [{**each, "value": MASK, "alternatives": []} for each in view["extraction"]]
        view = {**view, "verification": verification | masked, "extraction": fields}
    if PersonalData.PICTURES in kinds:
        view = {**view, "documents": [_without_links(each) for each in view["documents"]]}
    return {**view, "masked": [kind.value for kind in kinds]} if kinds else view


def mask_located(fields: Sequence[LocatedField]) -> list[LocatedField]:
    """Return the fields with their places, without their values."""
    return [
        field.model_copy(
            update={
                "value": field.value and MASK,
                "sources": [
                    source.model_copy(update={"value": MASK, "alternatives": []})
                    for source in field.sources
                ],
            }
        )
        for field in fields
    ]


def _masked_result(step: Mapping[str, Any]) -> dict[str, Any] | None:
    shown = SHOWN_OF_CREDIT if step["type"] == CREDIT else SHOWN
    result: dict[str, Any] | None = step["result"]
    return result and _masked(result, shown)


def _masked(value: Any, shown: Collection[str], key: str = "") -> Any:
    """Return the value with its structure; texts are MASK, other values null, unless shown."""
    if isinstance(value, dict):
        inside = frozenset[str]() if key in WHOLLY_PERSONAL else shown
        return {name: _masked(each, inside, name) for name, each in value.items()}
    if isinstance(value, list):
        return [_masked(each, shown, key) for each in value]
    if key in shown:
        return value
    return MASK if isinstance(value, str) else None


def _without_links(document: Mapping[str, Any]) -> dict[str, Any]:
    media = [{**each, "imageUrl": ""} for each in document["media"]]
    return {**document, "imageUrl": "", "media": media}
