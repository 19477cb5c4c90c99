"""The capture page, and the web files that it and customers' pages load."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from enum import StrEnum
from typing import Annotated, Any

import orjson
from fastapi import Query
from pydantic import Field
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from acredita.api.dependencies import ServicesDep
from acredita.api.errors import headers_of, status_of
from acredita.api.permissions import Member, public
from acredita.api.rate_limits import RateLimits, unlimited
from acredita.api.routing import make_router
from acredita.api.schemas import IdInPath
from acredita.domain import steps
from acredita.domain.contact import contact_of
from acredita.domain.errors import NotFound, RateLimited
from acredita.domain.languages import person_language
from acredita.domain.retention import longest_days
from acredita.domain.verification import DocumentRole
from acredita.kit import ids
from acredita.resources.auth.endpoints import AcceptLanguage
from acredita.resources.otp.sending import channels_of
from acredita.resources.sdk.notice_texts import BUSY, UNKNOWN
from acredita.resources.workflows.theme import ThemeWrite
from acredita.settings import Settings
from acredita.web.built_files import built_files, file_response
from acredita.web.capture import capture_page
from acredita.web.pages import page

router = make_router("", tag="Pages")

PAGE = """
    SELECT organization.id, organization.name, data_retention_days, data_retention_years,
        allowed_origins, theme, allow_files, default_language, support_contact
    FROM verification
    JOIN organization ON organization.id = verification.organization_id
    JOIN workflow ON workflow.id = workflow_id
    WHERE verification.id = $1 AND purged_at IS NULL
"""
PREVIEW = """
    SELECT organization.id, organization.name, data_retention_days, data_retention_years,
        theme, allow_files, default_language, support_contact, steps
    FROM workflow JOIN organization ON organization.id = organization_id
    WHERE organization_id = $1 AND workflow.id = $2
"""
HTML: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The page.",
        "content": {"text/html": {"schema": {"type": "string"}}},
    }
}
# Of the worker that finds faces: it compiles its networks' WebAssembly. The page's own policy stays
# without that right.
WORKER_POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"

FACE_ROLES = frozenset({DocumentRole.SELFIE, DocumentRole.LIVENESS})


class PreviewScreen(StrEnum):
    """A screen of the page. The forms of an organization are not among them."""

    CONSENT = "consent"
    DOCUMENT = "document"
    BACK = "back"
    PROOF_OF_ADDRESS = "proofOfAddress"
    SELFIE = "selfie"
    CHALLENGE = "challenge"
    CODE = "code"
    POSITION = "position"
    SIGNATURE = "signature"
    CHECKING = "checking"
    APPROVED = "approved"
    REJECTED = "rejected"
    REVIEW = "review"
    EXPIRED = "expired"


class PreviewAsked(ThemeWrite):
    """A theme that is tried, and the screen that shows it."""

    screen: Annotated[PreviewScreen, Field(strict=False)] = Field(
        PreviewScreen.CONSENT, description="The screen of the page."
    )


@router.get(
    "/verify/{verificationId}",
    summary="The page on which a person goes through a verification",
    response_class=HTMLResponse,
    include_in_schema=False,
)
@public
@unlimited
async def verify_page(
    verificationId: str,  # noqa: N803 (the name in the address that DECISIONS give)
    services: ServicesDep,
    request: Request,
    accept_language: AcceptLanguage = None,
) -> HTMLResponse:
    """In a language of the page, with the workflow's theme. The session token is in the fragment
    of the URL, which only the page reads.
    """
    # That of a link comes before the browser's, as in the page's script.
    wishes = ",".join(filter(None, (request.query_params.get("lang"), accept_language)))
    language = person_language(wishes)
    limits: RateLimits = request.app.state.rate_limits
    try:
        await limits.count(request, limits.of_address(request))
    except RateLimited as fault:
        # Rate-limited here instead of by the router, to answer with a page instead of JSON.
        texts = {**BUSY[language], "seconds": str(fault.retry_after)}
        busy = page("notice.html", language, texts, status=status_of(fault))
        busy.headers.update(headers_of(fault))
        return busy
    verification_id = ids.parse(verificationId)
    row = verification_id and await services.reads.row(PAGE, verification_id)
    if not verification_id or not row:
        texts = {**UNKNOWN[language], "seconds": "0"}
        return page("notice.html", language, texts, status=404)
    return _capture_page(
        services.settings,
        wishes,
        row,
        theme=orjson.loads(row["theme"] or "{}"),
        embedders=row["allowed_origins"],
        verificationId=str(verification_id),
    )


@router.get(
    "/v1/workflows/{id}/theme/preview",
    summary="Preview the person's page in a theme",
    response_class=HTMLResponse,
    responses=HTML,
)
async def preview_page(
    id: IdInPath,  # noqa: A002 (the specification's name of the path parameter)
    asked: Annotated[PreviewAsked, Query()],
    caller: Member,
    services: ServicesDep,
    accept_language: AcceptLanguage = None,
) -> HTMLResponse:
    """A screen of the workflow's page in the theme of the query, which is not saved. It reacts to
    nothing, asks for no camera and begins no verification. Only pages of this host may frame it.
    """
    row = await services.reads.row(PREVIEW, caller.organization_id, id)
    if row is None:
        raise NotFound
    steps_shown = [step["type"] for step in orjson.loads(row["steps"])]
    return _capture_page(
        services.settings,
        accept_language,
        row,
        theme=asked.model_dump(by_alias=True, exclude_none=True, exclude={"screen"}),
        embedders=(),
        verificationId="",
        previewOf=steps_shown,
        previewScreen=asked.screen,
    )


def _capture_page(
    settings: Settings,
    accept_language: str | None,
    row: Any,
    *,
    theme: Mapping[str, Any],
    embedders: Iterable[str],
    **boot: Any,
) -> HTMLResponse:
    """`row`: of PAGE or PREVIEW. `boot`: what the page's script gets besides."""
    notice = settings.privacy_notice_url.replace("{organization}", str(row["id"]))
    return capture_page(
        accept_language,
        otherwise=row["default_language"],
        theme=theme,
        embedders=embedders,
        organization=row["name"],
        boot={
            "previewOf": None,
            "previewScreen": PreviewScreen.CONSENT,
            "retentionDays": longest_days(
                days=row["data_retention_days"], years=row["data_retention_years"]
            ),
            "privacyNoticeUrl": notice or None,
            "messages": channels_of(settings),
            "allowFiles": row["allow_files"],
            "defaultLanguage": row["default_language"],
            "contact": row["support_contact"] and asdict(contact_of(row["support_contact"])),
            "steps": {kind.type: _step_words(kind) for kind in steps.KINDS.values()},
            **boot,
        },
    )


def _step_words(kind: steps.StepKind) -> dict[str, Any]:
    """Return the page's texts for a step type: StepWords in web/src/page/boot.ts."""
    roles = kind.needed_roles({}, frozenset(), frozenset())
    return {
        "name": asdict(kind.name),
        "discloses": kind.discloses and asdict(kind.discloses),
        "takesFace": kind.takes_face,
        "takesDocument": not FACE_ROLES.issuperset(roles),
        "asksDetails": kind.act({}) in {steps.Act.CODE, steps.Act.FORM},
    }


@router.get(
    "/web/{name}",
    summary="A file of the capture page or of the browser SDK",
    response_class=Response,
    include_in_schema=False,
)
@public
@unlimited
async def get_web_file(name: str, request: Request) -> Response:
    file = built_files().get(name)
    if file is None:
        raise NotFound
    headers = {
        "Content-Security-Policy": WORKER_POLICY,
        # The code is public: customers' pages import it as a module.
        "Access-Control-Allow-Origin": "*",
        "Cross-Origin-Resource-Policy": "cross-origin",
    }
    return file_response(file, request, headers)
