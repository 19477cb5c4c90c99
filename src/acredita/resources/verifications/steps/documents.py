"""DOCUMENT_OCR: read what was uploaded, then judge it.

Each file is read once; what was read is kept, sealed, with the document. So a front that waits for
its back is not read again when the back arrives.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from pydantic import TypeAdapter
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.documents import (
    Calibration,
    Code,
    Finding,
    PageKind,
    PageReading,
    Quality,
    Signal,
    Verdict,
    judge,
)
from acredita.domain.documents.findings import SURE
from acredita.domain.documents.licence_templates import LicenceTemplate
from acredita.domain.documents.pictures import misplaced
from acredita.domain.local_time import MEXICO_CITY
from acredita.domain.step_options import asked_documents, back_grace_seconds
from acredita.domain.verification import DocumentRole, StepStatus
from acredita.engines.documents.decode import Undecodable
from acredita.engines.documents.process import ENGINE_VERSION, read_pages
from acredita.engines.face.process import compare_repetition
from acredita.jobs import JobContext, Queue, job
from acredita.kit.processes import ProcessDied, TaskTimedOut
from acredita.models import Document
from acredita.resources.documents import files
from acredita.resources.groundtruth import templates as licence_templates
from acredita.resources.media import service as media
from acredita.resources.training import items as training_items
from acredita.resources.verifications import pipeline
from acredita.resources.verifications.outcome import StepOutcome
from acredita.resources.verifications.steps import running
from acredita.resources.verifications.steps.running import RunningStep
from acredita.services import Services

READ_ROLES = (DocumentRole.FRONT, DocumentRole.BACK, DocumentRole.PASSPORT)
# A page takes about a second; a PDF may hold several.
SLOWEST_READING = 60.0
SLOWEST_COMPARISON = 30.0
PORTRAIT_REPEATED = (PageKind.INE_FRONT, PageKind.PASSPORT)
UNREADABLE = PageReading(
    PageKind.UNKNOWN, Quality(0, 0, 0.0, 0.0, 0.0, 0.0), code="DOCUMENT_UNREADABLE"
)
Readings = TypeAdapter(list[PageReading])
MESSAGES = {
    Code.BLACK_AND_WHITE_COPY: "The picture is of a black-and-white copy, not of the document.",
    Code.DOCUMENT_CUT_OFF: "The document is not wholly in the picture.",
    Code.DOCUMENT_EXPIRED: "The document has expired.",
    Code.DOCUMENT_LAYOUT_UNKNOWN: "Cards of this layout are not known here.",
    Code.DOCUMENT_NOT_RECOGNIZED: "The picture shows no document that is known here.",
    Code.DOCUMENT_NOT_SUPPORTED: "Documents of this issuer are not read here.",
    Code.DOCUMENT_UNREADABLE: "The document could not be read. A sharper picture may help.",
    Code.FIELDS_CONTRADICT: "Details of the document do not agree with each other.",
    Code.FIELDS_UNCERTAIN: "Some details could not be read with certainty.",
    Code.IMAGE_BLURRED: "The picture is blurred. Hold the camera still.",
    Code.IMAGE_GLARE: "A reflection covers part of the document.",
    Code.IMAGE_OVEREXPOSED: "The picture is over-exposed. Use less light.",
    Code.IMAGE_TOO_DARK: "The picture is too dark. Use more light.",
    Code.IMAGE_TOO_SMALL: "The document is too small in the picture. Go nearer to it.",
    Code.SCREEN_PHOTOGRAPHED: "The picture seems to be of a screen that shows the document.",
    Code.SEVERAL_DOCUMENTS: "The picture shows several documents. Only one may be in it.",
    Code.TAMPERING_SUSPECTED: "The document shows signs of having been altered.",
    Code.WRONG_DOCUMENT: "This is another document than the one that was asked for.",
    Code.WRONG_SIDE: "This is another side of the document than the one that was asked for.",
}


@job(
    "verification.read_documents",
    queue=Queue.ENGINES,
    timeout=240,
    max_attempts=4,
    on_dead=running.give_up,
)
async def read_documents(context: JobContext, step_id: UUID) -> None:
    services = context.services
    async with services.database.transaction() as session:
        found = await running.load(session, step_id)
        if found is None:
            return
        organization_id = found.verification.organization_id
        own = await licence_templates.of_organization(session, organization_id)
    fresh = {
        document.id: await _read(services, document, own)
        for document in _to_read(found.documents)
        if document.reading_sealed is None
    }
    pictures = await media.store_pages(services, organization_id, fresh)
    current = None
    try:
        async with context.finish() as session:
            current = await running.load(session, step_id, lock=True)
            if current is not None:
                session.add_all(pictures)
                await _conclude(session, context, current, fresh)
    finally:
        # Whatever else goes wrong once they are added, their rows may be there.
        if current is None:
            await media.withdraw(services, pictures)


async def _read(
    services: Services, document: Document, own: Sequence[LicenceTemplate]
) -> list[PageReading]:
    """What the engine reads; a file that breaks the engine is one that cannot be read."""
    content = await files.fetch(services, document)
    try:
        pages = await services.readers.run(
            read_pages, content, document.mime_type, own, timeout=SLOWEST_READING
        )
    except (Undecodable, TaskTimedOut, ProcessDied):
        return [UNREADABLE]
    return [await _with_portraits_compared(services, page) for page in pages]


async def _with_portraits_compared(services: Services, page: PageReading) -> PageReading:
    """The page with what its portrait's repetition says, measured where faces are known."""
    if page.kind not in PORTRAIT_REPEATED or not page.picture:
        return page
    try:
        signals = await services.faces.run(
            compare_repetition, page.picture, timeout=SLOWEST_COMPARISON
        )
    except (TaskTimedOut, ProcessDied):
        return page
    return replace(page, signals=(*page.signals, *signals))


async def _conclude(
    session: AsyncSession,
    context: JobContext,
    found: RunningStep,
    fresh: Mapping[UUID, list[PageReading]],
) -> None:
    services = context.services
    for document in found.documents.values():
        if document.id in fresh:
            # The pictures are files of their own.
            reading = [replace(page, picture=b"") for page in fresh[document.id]]
            document.reading_sealed = services.keys.seal(
                Readings.dump_json(reading), context=files.reading_context(document.id)
            )
    await session.flush()
    documents = _to_read(found.documents)
    if any(document.reading_sealed is None for document in documents):
        # Something was uploaded while the rest was being read.
        context.run_again(delay=0)
        return
    readings = {
        document.id: Readings.validate_json(
            services.keys.unseal(
                document.reading_sealed or b"", context=files.reading_context(document.id)
            )
        )
        for document in documents
    }
    pages = [(document_id, page) for document_id, read in readings.items() for page in read]
    wait_until = _back_is_awaited_until(found, [page.kind for _, page in pages])
    if wait_until is not None and wait_until > services.clock.now():
        found.step.status = StepStatus.WAITING_INPUT
        context.run_again(at=wait_until)
        return
    sent = [(DocumentRole(d.type), page) for d in documents for page in readings[d.id]]
    against = misplaced(sent, asked_documents(found.step.config))
    outcome = _outcome(pages, services.clock.now(), services.calibration, against)
    outcome = replace(outcome, unusable=_unusable(found, readings, outcome.code))
    await training_items.enter(session, found.verification, readings, outcome)
    await pipeline.finish_step(session, services, found.verification, found.step, outcome)


def _unusable(
    found: RunningStep, readings: Mapping[UUID, Sequence[PageReading]], code: str | None
) -> frozenset[DocumentRole]:
    """The roles in whose pictures the step's reason lies; none where it lies in all together."""
    return frozenset(
        role
        for role, document in found.documents.items()
        if code is not None and any(page.code == code for page in readings.get(document.id, ()))
    )


def _outcome(
    pages: Sequence[tuple[UUID, PageReading]],
    now: datetime,
    calibration: Calibration | None,
    against: Collection[Code],
) -> StepOutcome:
    today = now.astimezone(MEXICO_CITY).date()
    verdict = judge([page for _, page in pages], today, calibration, against)
    learnt = {} if calibration is None else {"calibration": calibration.named}
    return StepOutcome(
        StepStatus(verdict.outcome),
        code=verdict.code,
        message=None if verdict.code is None else MESSAGES[verdict.code],
        result={
            **verdict.result,
            "reasons": list(verdict.reasons),
            "signals": [
                *(_shown_signal(signal, of) for of, page in pages for signal in page.signals),
                *_contradictions(verdict, pages),
            ],
        },
        evidence=[
            _evidence(finding, _shown_on(finding, verdict, pages))
            for finding in verdict.fields
            if finding.value is not None
        ],
        judged_by={"engine": ENGINE_VERSION, "rules": verdict.rules_version, **learnt},
    )


def _evidence(finding: Finding, document_id: UUID | None) -> dict[str, Any]:
    return {
        "field": finding.field,
        "value": finding.value,
        "confidence": round(finding.confidence, 4),
        "decision": finding.decision,
        "source": finding.source,
        "zone": finding.zone,
        "documentId": None if document_id is None else str(document_id),
        "alternatives": list(finding.alternatives),
        "reasons": list(finding.reasons),
        "confirmation": finding.confirmation.name,
    }


def _shown_signal(signal: Signal, document_id: UUID | None) -> dict[str, Any]:
    """What was measured on a picture, for whoever reviews; `box` in shares of the flat page."""
    return {
        "signal": signal.name,
        "raised": signal.raised,
        "measure": signal.measure,
        "threshold": signal.limit,
        "detail": signal.detail or None,
        "box": None if signal.box is None else [round(share, 3) for share in signal.box],
        "version": signal.version,
        "documentId": None if document_id is None else str(document_id),
    }


def _contradictions(
    verdict: Verdict, pages: Sequence[tuple[UUID, PageReading]]
) -> Iterator[dict[str, Any]]:
    """Fields that something else on the document speaks against. One that was surely read was
    rather altered than misread: `raised`. The values are in the extraction alone.
    """
    for finding in verdict.fields:
        for reason in finding.reasons:
            if not reason.contradiction:
                continue
            sure = finding.confidence >= SURE
            signal = Signal(
                "contradiction",
                sure,
                round(finding.confidence, 4),
                SURE,
                f"{finding.field}: {reason}",
                version=verdict.rules_version,
            )
            yield _shown_signal(signal, _shown_on(finding, verdict, pages))


def _shown_on(
    finding: Finding, verdict: Verdict, pages: Sequence[tuple[UUID, PageReading]]
) -> UUID | None:
    kind = verdict.page_of(finding)
    return next((document_id for document_id, page in pages if page.kind is kind), None)


def _to_read(documents: Mapping[DocumentRole, Document]) -> list[Document]:
    return [documents[role] for role in READ_ROLES if role in documents]


def _back_is_awaited_until(found: RunningStep, kinds: Sequence[PageKind]) -> datetime | None:
    """An INE's front waits a while for its back, and then goes on without (DECISIONS)."""
    if PageKind.INE_FRONT not in kinds or PageKind.INE_BACK in kinds:
        return None
    if DocumentRole.BACK in found.documents:
        return None
    front = found.documents.get(DocumentRole.FRONT)
    if front is None:
        return None
    return front.created_at + timedelta(seconds=back_grace_seconds(found.step.config))
