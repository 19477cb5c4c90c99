from typing import Annotated, Any

from acredita.api.caller import Caller
from acredita.api.dependencies import ServicesDep
from acredita.api.errors import ValidationFailed
from acredita.api.metamap import responses
from acredita.api.permissions import Require
from acredita.domain.government.questions import Claimed, Registry
from acredita.domain.roles import Role
from acredita.resources.metamap import government
from acredita.resources.metamap.routing import BODY, SECURED
from acredita.resources.metamap.routing import router as make_router
from acredita.resources.metamap.schemas import CurpCheck, GovernmentAnswer, IneCheck, RfcCheck

router = make_router()
CallerDep = Annotated[Caller, Require(Role.MEMBER)]
RESPONSES = SECURED | BODY | responses(ValidationFailed)


@router.post(
    "/govchecks/v1/mx/curp",
    summary="Look a CURP up in the population registry",
    responses=RESPONSES,
    name="check_metamap_curp",
)
async def check_curp(data: CurpCheck, caller: CallerDep, services: ServicesDep) -> GovernmentAnswer:
    claimed = Claimed(curp=data.curp, accepted=frozenset(("curp",)))
    return _shape(await government.check(services, caller, Registry.RENAPO, claimed, {}))


@router.post(
    "/govchecks/v1/mx/ine",
    summary="Ask the electoral registry whether a card is in force",
    responses=RESPONSES,
    name="check_metamap_ine",
)
async def check_ine(data: IneCheck, caller: CallerDep, services: ServicesDep) -> GovernmentAnswer:
    claimed = Claimed(
        cic=data.documentNumber or None,
        ocr=data.ocrNumber or None,
        clave=data.cde or None,
        emission=data.ne or None,
        accepted=frozenset(("cic", "ocr", "clave", "emission")),
    )
    asked = data.model_dump()
    return _shape(await government.check(services, caller, Registry.INE, claimed, asked))


@router.post(
    "/govchecks/v1/mx/rfc",
    summary="Ask the tax registry whether an RFC is known",
    responses=RESPONSES,
    name="check_metamap_rfc",
)
@router.post(
    "/govchecks/v1/mx/rfc-status",
    summary="Ask the tax registry whether an RFC is active",
    description="Certificates are not disclosed to us.",
    responses=RESPONSES,
    name="check_metamap_rfc_status",
)
async def check_rfc(data: RfcCheck, caller: CallerDep, services: ServicesDep) -> GovernmentAnswer:
    claimed = Claimed(rfc=data.rfc, accepted=frozenset(("rfc",)))
    asked = data.model_dump()
    return _shape(await government.check(services, caller, Registry.SAT, claimed, asked))


def _shape(answer: dict[str, Any]) -> GovernmentAnswer:
    return GovernmentAnswer.model_validate(answer)
