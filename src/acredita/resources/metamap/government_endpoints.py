from collections.abc import Mapping

from acredita.api.dependencies import ServicesDep
from acredita.api.metamap import responses
from acredita.api.permissions import Member
from acredita.domain.caller import Caller
from acredita.domain.errors import FeatureOff
from acredita.domain.government.queries import Claimed, Registry
from acredita.ports import RegistryChecks
from acredita.resources.metamap import government
from acredita.resources.metamap.routing import make_router
from acredita.resources.metamap.schemas import (
    Check,
    CurpCheck,
    GovernmentAnswer,
    IneCheck,
    RfcCheck,
)
from acredita.resources.webhooks.service import check_target

router = make_router()
RESPONSES = responses(FeatureOff)


@router.post(
    "/govchecks/v1/mx/curp",
    summary="Look up a CURP in the population registry",
    responses=RESPONSES,
    name="check_metamap_curp",
)
async def check_curp(data: CurpCheck, caller: Member, services: ServicesDep) -> GovernmentAnswer:
    """The answer is also posted to `callbackUrl`."""
    claimed = Claimed(curp=data.curp, accepted=frozenset(("curp",)))
    return await _answer(services, caller, Registry.RENAPO, claimed, data, {})


@router.post(
    "/govchecks/v1/mx/ine",
    summary="Ask the electoral registry whether a card is valid",
    responses=RESPONSES,
    name="check_metamap_ine",
)
async def check_ine(data: IneCheck, caller: Member, services: ServicesDep) -> GovernmentAnswer:
    """The answer is also posted to `callbackUrl`."""
    claimed = Claimed(
        cic=data.documentNumber or None,
        ocr=data.ocrNumber or None,
        clave=data.cde or None,
        emission=data.ne or None,
        accepted=frozenset(("cic", "ocr", "clave", "emission")),
    )
    asked = data.model_dump(include={"documentNumber", "ocrNumber", "cde", "ne"})
    return await _answer(services, caller, Registry.INE, claimed, data, asked)


@router.post(
    "/govchecks/v1/mx/rfc",
    summary="Ask the tax registry whether an RFC is known",
    description="The answer is also posted to `callbackUrl`.",
    responses=RESPONSES,
    name="check_metamap_rfc",
)
@router.post(
    "/govchecks/v1/mx/rfc-status",
    summary="Ask the tax registry whether an RFC is active",
    description="The service does not receive certificates.",
    responses=RESPONSES,
    name="check_metamap_rfc_status",
)
async def check_rfc(data: RfcCheck, caller: Member, services: ServicesDep) -> GovernmentAnswer:
    claimed = Claimed(rfc=data.rfc, accepted=frozenset(("rfc",)))
    return await _answer(services, caller, Registry.SAT, claimed, data, {"rfc": data.rfc})


async def _answer(
    services: RegistryChecks,
    caller: Caller,
    registry: Registry,
    claimed: Claimed,
    data: Check,
    confirmed: Mapping[str, str],
) -> GovernmentAnswer:
    url = data.callbackUrl or data.webhookUrl
    if url:
        field = "callbackUrl" if data.callbackUrl else "webhookUrl"
        await check_target(services.http, url, field=field)
    answer = await government.check(
        services, caller, registry, claimed, confirmed, callback_url=url, metadata=data.metadata
    )
    return GovernmentAnswer.model_validate(answer)
