from starlette.responses import Response

from acredita.api.dependencies import Db, ServicesDep
from acredita.api.metamap import BadRequest, responses
from acredita.api.permissions import Member, Reviewer
from acredita.api.schemas import JsonAnswer
from acredita.domain.phone_and_email import Channel
from acredita.kit.http import HttpClient
from acredita.resources.metamap import (
    ownership_checks,
    pep_checks,
    reports,
    risk_checks,
    watchlist_checks,
)
from acredita.resources.metamap.jobs import report_later
from acredita.resources.metamap.reports import Report
from acredita.resources.metamap.routing import make_router
from acredita.resources.metamap.safety_schemas import (
    CheckAnswer,
    OwnershipCheck,
    PepCheck,
    ReportAnswer,
    ReportRequest,
    RiskCheck,
    WatchlistAnswer,
    WatchlistCheck,
)
from acredita.resources.webhooks.service import check_target

router = make_router()
CODE = (
    "Sends a code {what} and returns it as `confirmationCode`, for your system to compare. It is"
    " stored nowhere and confirms no verification; for that, use POST /v1/otp/send. The answer is"
    " also posted to `callbackUrl`."
)
NOT_SCORED = (
    "No source of reputation is connected: `riskScore` and what else is unknown is null, and the"
    " answer always has an error, `notScored` if nothing speaks against the address. It is also"
    " posted to `callbackUrl`."
)


@router.post(
    "/safety/v1/checks/comply-advantage",
    summary="Screen a name against the watchlists, outside of any verification",
    response_model=WatchlistAnswer,
    responses=responses(BadRequest),
    name="check_metamap_watchlists",
)
async def check_watchlists(data: WatchlistCheck, caller: Member, services: ServicesDep) -> Response:
    """All loaded lists are screened. `profileUrl` is the record of the screening in /v1. The answer
    is also posted to `callbackUrl`. For monitoring, use POST /v1/aml/monitor, which needs a
    verification.
    """
    if data.monitor:
        raise BadRequest("Monitoring needs a verification: use POST /v1/aml/monitor")
    await _check_callback(services.http, data.callbackUrl)
    public_url = services.settings.public_url
    return JsonAnswer(
        await watchlist_checks.check(services, services.screener, caller, data, public_url)
    )


@router.post(
    "/govchecks/v1/mx/pep",
    summary="Look for a name on the lists of politically exposed persons",
    response_model=CheckAnswer,
    responses=responses(BadRequest),
    name="check_metamap_pep",
)
async def check_pep(data: PepCheck, caller: Member, services: ServicesDep) -> Response:
    """The loaded lists `pep`, `pep-mx` and those of OpenSanctions are screened, and the screening
    is recorded. The answer is also posted to `callbackUrl`.
    """
    if url := data.callbackUrl or data.webhookUrl:
        field = "callbackUrl" if data.callbackUrl else "webhookUrl"
        await check_target(services.http, url, field=field)
    return JsonAnswer(await pep_checks.check(services, services.screener, caller, data))


@router.post(
    "/safety/v1/checks/email/otp",
    summary="Send a code to a mailbox and return it",
    description=CODE.format(what="by e-mail"),
    response_model=CheckAnswer,
    responses=responses(BadRequest),
    name="check_metamap_email",
)
async def check_email(data: OwnershipCheck, caller: Member, services: ServicesDep) -> Response:
    await _check_callback(services.http, data.callbackUrl)
    return JsonAnswer(await ownership_checks.check(services, caller, Channel.EMAIL, data))


@router.post(
    "/safety/v1/checks/phone/otp",
    summary="Send a code to a phone and return it",
    description=CODE.format(what="by SMS"),
    response_model=CheckAnswer,
    responses=responses(BadRequest),
    name="check_metamap_phone",
)
async def check_phone(data: OwnershipCheck, caller: Member, services: ServicesDep) -> Response:
    await _check_callback(services.http, data.callbackUrl)
    return JsonAnswer(await ownership_checks.check(services, caller, Channel.SMS, data))


@router.post(
    "/safety/v1/checks/email/risk",
    summary="Say what is known about an e-mail address",
    description=(
        "Whether it is well-formed, whether its domain takes mail by the DNS, and whether it is"
        " disposable. " + NOT_SCORED
    ),
    response_model=CheckAnswer,
    responses=responses(BadRequest),
    name="check_metamap_email_risk",
)
async def check_email_risk(data: RiskCheck, caller: Member, services: ServicesDep) -> Response:
    await _check_callback(services.http, data.callbackUrl)
    return JsonAnswer(await risk_checks.check_email(services, caller, data))


@router.post(
    "/safety/v1/checks/phone/risk",
    summary="Say what is known about a phone number",
    description="Its country, type of line and first carrier by the numbering plans. " + NOT_SCORED,
    response_model=CheckAnswer,
    responses=responses(BadRequest),
    name="check_metamap_phone_risk",
)
async def check_phone_risk(data: RiskCheck, caller: Member, services: ServicesDep) -> Response:
    await _check_callback(services.http, data.callbackUrl)
    return JsonAnswer(await risk_checks.check_phone(services, caller, data))


@router.post(
    "/verification/v1/pdf/download",
    summary="Have the reports of verifications posted as PDF files",
    response_model=ReportAnswer,
    responses=responses(BadRequest),
    name="download_metamap_reports",
)
async def download_reports(
    data: ReportRequest, caller: Reviewer, session: Db, services: ServicesDep
) -> Response:
    """A form with `request_id`, `metadata` and one `file` for each verification is posted to
    `callback_details.url`. The report is that of GET /v1/verifications/{id}/evidence. `timezone` is
    ignored: the report has times in UTC.
    """
    details = data.callback_details
    await check_target(services.http, details.url, field="callback_details.url")
    headers = reports.checked_headers(details.headers)
    accepted, rejected = await reports.sort_out(services.reads, caller, data.verification_ids)
    if accepted:
        request = Report(
            data.request_id,
            [str(each) for each in accepted.values()],
            headers,
            data.metadata,
            str(caller.organization_id),
            caller.kind.value,
            str(caller.id),
        )
        await report_later(
            session, services.keys, caller.organization_id, url=details.url, request=request
        )
    return JsonAnswer(
        {
            "status": "FAILURE" if rejected else "SUCCESS",
            "acceptedVerificationIds": list(accepted),
            "rejectedVerificationIds": rejected,
        }
    )


async def _check_callback(http: HttpClient, url: str | None) -> None:
    """Raise ValidationFailed for an address that is never dialled."""
    if url:
        await check_target(http, url, field="callbackUrl")
