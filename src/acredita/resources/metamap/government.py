"""POST /govchecks/v1/mx/…: one query to one registry, outside of any verification."""

from collections.abc import Mapping
from typing import Any

from acredita.domain.audit import Action
from acredita.domain.caller import Caller
from acredita.domain.errors import FeatureOff
from acredita.domain.government.matching import judge
from acredita.domain.government.queries import Claimed, Registry, plan
from acredita.domain.government.responses import CurpAnswer, IneAnswer, NoAnswer
from acredita.domain.reasons import RegistryReason
from acredita.kit import ids
from acredita.kit.clock import timestamp
from acredita.ports import RegistryChecks
from acredita.providers.government import RegistryError, RegistryRefused, ask
from acredita.resources.audit import service as audit
from acredita.resources.metamap import translation
from acredita.resources.metamap.jobs import post_later
from acredita.resources.verifications.steps.registries import STEP_IDS, card_view, person_view

# The types of errors of these checks; in a verification, all are StepError.
ERROR_TYPES = {
    Registry.RENAPO: "govCheckError",
    Registry.INE: "govCheckError",
    Registry.SAT: "stepError",
}


async def check(
    services: RegistryChecks,
    caller: Caller,
    registry: Registry,
    claimed: Claimed,
    confirmed: Mapping[str, str],
    *,
    callback_url: str | None,
    metadata: Mapping[str, Any] | None,
) -> dict[str, Any]:
    """Query a registry and return the response body.

    The body is also posted to `callback_url`, with the request's `metadata`. `confirmed` are the
    values that a match confirms. They become the response's data. Raise FeatureOff without
    registries.
    """
    if not services.settings.has_registries:
        raise FeatureOff("Government registries are not set up on this installation.")
    check_id = ids.sortable()
    question = plan(claimed, [registry])[registry]
    answer: Any = NoAnswer.INSUFFICIENT_DATA
    if question is not None:
        try:
            answer = await ask(services.government, question, request_key=f"check-{check_id}")
        except RegistryError as fault:
            refused = isinstance(fault, RegistryRefused)
            answer = NoAnswer.REFUSED if refused else NoAnswer.UNAVAILABLE
    judgement = judge({registry: answer}, claimed)
    # For a match, an undocumented status or an undisclosed name is not an error of the query.
    code = judgement.code if isinstance(answer, NoAnswer) or answer.outcome != "match" else None
    report = judgement.result["registries"][registry]
    data = _data(answer, report, confirmed) if not code else None
    response = _answer(registry, code, data) | {"timestamp": timestamp(services.clock.now())}
    async with services.database.transaction() as session:
        if callback_url:
            posted = response if metadata is None else {**response, "metadata": metadata}
            await post_later(
                session,
                services.keys,
                caller.organization_id,
                check_id,
                url=callback_url,
                content=posted,
            )
        audit.record(
            session,
            caller,
            Action.GOVERNMENT_CHECKED,
            check_id,
            registry=registry.value,
            outcome=answer.value if isinstance(answer, NoAnswer) else answer.outcome.value,
            callback=bool(callback_url),
        )
    return response


def _data(answer: Any, report: Mapping[str, Any], confirmed: Mapping[str, str]) -> dict[str, Any]:
    if isinstance(answer, CurpAnswer):
        return person_view(report["registered"])
    if isinstance(answer, IneAnswer):
        return card_view(confirmed, report)
    return dict(confirmed)


def _answer(
    registry: Registry, code: RegistryReason | None, data: dict[str, Any] | None
) -> dict[str, Any]:
    step_id = STEP_IDS[registry]
    fault = None
    if code is not None:
        if code.metamap.is_system:
            fault = translation.system_error(code)
        else:
            kind = ERROR_TYPES[registry]
            fault = translation.step_error(code, code.message.en, step_id, registry, kind=kind)
    return {"status": translation.COMPLETE, "id": step_id, "error": fault, "data": data}
