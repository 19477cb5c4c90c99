"""POST /govchecks/v1/mx/…: one question to one registry, outside of any verification."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from acredita import jobs
from acredita.domain.audit import Action
from acredita.domain.caller import Caller
from acredita.domain.government.answers import CurpAnswer, NoAnswer
from acredita.domain.government.judgement import judge
from acredita.domain.government.questions import Claimed, Registry, plan
from acredita.domain.reasons import RegistryReason
from acredita.kit import ids
from acredita.kit.javascript import stringify
from acredita.providers.government import RegistryError, RegistryRefused, ask
from acredita.resources.audit import service as audit
from acredita.resources.metamap import callbacks, codes
from acredita.resources.metamap.jobs import call_back
from acredita.resources.verifications.steps.registries import STEP_IDS, person_view
from acredita.services import Services


async def check(
    services: Services,
    caller: Caller,
    registry: Registry,
    claimed: Claimed,
    confirmed: Mapping[str, str],
    *,
    tell: str | None,
) -> dict[str, Any]:
    """What the registry says; `confirmed` is what it confirms of the question if it matches.

    `tell`: an address that it is posted to besides.
    """
    check_id = ids.sortable()
    question = plan(claimed, [registry])[registry]
    answer: Any = NoAnswer.INSUFFICIENT_DATA
    if question is not None:
        try:
            answer = await ask(services.government, question, request_key=f"check-{check_id}")
        except RegistryError as fault:
            refused = isinstance(fault, RegistryRefused)
            answer = NoAnswer.REFUSED if refused else NoAnswer.UNAVAILABLE
    judged = judge({registry: answer}, claimed)
    # A status that nobody documented, or a name that is not disclosed, is no fault of the question.
    code = judged.code if isinstance(answer, NoAnswer) or answer.outcome != "match" else None
    found = _data(answer, judged.result, confirmed) if not code else None
    said = _answer(registry, code, found)
    async with services.database.transaction() as session:
        if tell:
            await _call_back(session, services, caller, check_id, tell, said)
        audit.record(
            session,
            caller,
            Action.GOVERNMENT_CHECKED,
            check_id,
            registry=registry.value,
            outcome=answer.value if isinstance(answer, NoAnswer) else answer.outcome.value,
            callback=bool(tell),
        )
    return said


async def _call_back(
    session: AsyncSession,
    services: Services,
    caller: Caller,
    check_id: UUID,
    url: str,
    said: Mapping[str, Any],
) -> None:
    """Let it be posted, too, once the transaction has committed."""
    callbacks.add(
        session, services, caller.organization_id, check_id, url=url, body=stringify(said)
    )
    await jobs.add(
        session,
        call_back,
        {"callback_id": str(check_id)},
        organization_id=caller.organization_id,
    )


def _data(answer: Any, report: Mapping[str, Any], confirmed: Mapping[str, str]) -> dict[str, Any]:
    if isinstance(answer, CurpAnswer):
        return person_view(report["registries"][Registry.RENAPO]["registered"])
    return {name: value for name, value in confirmed.items() if value}


def _answer(
    registry: Registry, code: RegistryReason | None, data: dict[str, Any] | None
) -> dict[str, Any]:
    step_id = STEP_IDS[registry]
    fault = None if code is None else codes.error(code, code.message.en, step_id, registry)
    return {"status": codes.COMPLETE, "id": step_id, "error": fault, "data": data}
