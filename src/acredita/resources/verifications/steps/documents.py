"""DOCUMENT_OCR: read and judge the uploaded documents, and establish the subject."""

from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from functools import partial
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.documents import (
    Calibration,
    DocumentJudgement,
    Finding,
    Gazetteer,
    PageKind,
    Signal,
)
from acredita.domain.documents.findings import SURE
from acredita.domain.documents.minimum_age import BIRTH_DATE, with_minimum_age
from acredita.domain.documents.picture_problems import misplaced
from acredita.domain.reasons import DocumentReason
from acredita.domain.steps import kind_of
from acredita.domain.steps.documents import (
    DOCUMENT_OCR,
    asked_documents,
    back_grace_seconds,
    minimum_age,
    required_fields,
)
from acredita.domain.steps.kind import Config
from acredita.domain.subject import Subject, UploadedPage, establish, judge_pages
from acredita.domain.time_zone import mexican_date
from acredita.domain.verification import DocumentRole, StepStatus
from acredita.engines.documents.process import ENGINE_VERSION
from acredita.jobs import JobContext, Queue
from acredita.models import Document
from acredita.ports import DocumentReading
from acredita.resources.verifications import pipeline, subjects
from acredita.resources.verifications.outcome import StepOutcome
from acredita.resources.verifications.step_table import StepEntry, register
from acredita.resources.verifications.step_translation import (
    Part,
    StepTranslation,
    TranslationInput,
)
from acredita.resources.verifications.steps import reading, running
from acredita.resources.verifications.steps.document_views import evidence_item, signal_view
from acredita.resources.verifications.steps.reading import FreshReadings
from acredita.resources.verifications.steps.running import RunningStep

# The compatible API's steps about the document that have no results of their own here.
ALTERATION, AGE_CHECK = "alteration-detection", "age-check"


@running.step_job("verification.read_documents", queue=Queue.ENGINES, timeout=240, max_attempts=4)
async def read_documents(context: JobContext, step_id: UUID) -> None:
    await reading.read_and_finish(context, step_id, _documents, partial(_finish, context))


def _documents(found: RunningStep) -> list[Document]:
    return reading.files_to_read(found.files)


async def _finish(
    context: JobContext, session: AsyncSession, found: RunningStep, fresh: FreshReadings
) -> None:
    services = context.services
    documents = _documents(found)
    await reading.store_readings(session, services.keys, documents, fresh)
    if not reading.are_all_read(documents):
        context.run_again(delay=0)
        return
    pages = reading.uploaded_pages(services.keys, documents)
    back_deadline = _back_deadline(found, [page.reading.kind for page in pages])
    if back_deadline is not None and back_deadline > services.clock.now():
        found.step.status = StepStatus.WAITING_INPUT
        context.run_again(at=back_deadline)
        return
    former = subjects.load(services.keys, found.verification, found.steps)
    verdict = _verdict(
        services, pages, found.step.config, mexican_date(services.clock.now()), former
    )
    subject = establish(verdict, pages, former)
    outcome = _outcome(verdict, pages, services.calibration, services.gazetteer)
    await reading.queue_for_labels(session, services.keys, found.verification, documents, outcome)
    await pipeline.finish_step(
        session, services, found.verification, found.step, outcome, subject=subject
    )


def judge(
    services: DocumentReading,
    pages: Sequence[UploadedPage],
    config: Config,
    day: date,
    former: Subject | None,
) -> StepOutcome:
    """Return what the step concludes from these pages on this day."""
    verdict = _verdict(services, pages, config, day, former)
    return _outcome(verdict, pages, services.calibration, services.gazetteer)


def _verdict(
    services: DocumentReading,
    pages: Sequence[UploadedPage],
    config: Config,
    day: date,
    former: Subject | None,
) -> DocumentJudgement:
    verdict = judge_pages(
        pages,
        day,
        services.calibration,
        against=misplaced([(page.role, page.reading) for page in pages], asked_documents(config)),
        former=former,
        required=required_fields(config),
        gazetteer=services.gazetteer,
    )
    least = minimum_age(config)
    return verdict if least is None else with_minimum_age(verdict, least, day)


def _unusable_roles(
    verdict: DocumentJudgement, pages: Sequence[UploadedPage]
) -> frozenset[DocumentRole]:
    """Return the roles whose images cause the step's code; empty if it concerns all together."""
    return frozenset(
        page.role
        for place, page in enumerate(pages)
        if verdict.code is not None
        and verdict.code in (page.reading.code, verdict.page_codes.get(place))
    )


def _outcome(
    verdict: DocumentJudgement,
    pages: Sequence[UploadedPage],
    calibration: Calibration | None,
    gazetteer: Gazetteer | None = None,
) -> StepOutcome:
    references = {"calibration": calibration, "postalCodes": gazetteer}
    named = {name: each.named for name, each in references.items() if each is not None}
    return StepOutcome(
        StepStatus(verdict.outcome),
        code=verdict.code,
        result={
            **verdict.result,
            "reasons": list(verdict.reasons),
            "signals": sorted(
                [
                    *(
                        signal_view(s, page.document_id)
                        for page in pages
                        for s in page.reading.signals
                    ),
                    *_contradictions(verdict, pages),
                ],
                key=lambda signal: not signal["raised"],
            ),
            "pages": [_page_view(verdict, place, page) for place, page in enumerate(pages)],
        },
        evidence=[
            evidence_item(finding, _document_of(finding, verdict, pages))
            for finding in verdict.fields
            if finding.value is not None
        ],
        judged_by={"engine": ENGINE_VERSION, "rules": verdict.rules_version, **named},
        unusable=_unusable_roles(verdict, pages),
    )


def _page_view(verdict: DocumentJudgement, place: int, page: UploadedPage) -> dict[str, Any]:
    """Return the kind of a page, whether it belongs to the judged document, and its code."""
    return {
        "documentId": str(page.document_id),
        "page": page.number,
        "kind": page.reading.kind,
        "judged": place in verdict.judged,
        "code": verdict.page_codes.get(place),
    }


def _contradictions(
    verdict: DocumentJudgement, pages: Sequence[UploadedPage]
) -> Iterator[dict[str, Any]]:
    """Yield a signal for each field that something else on the document contradicts.

    It is raised if the field was read with high confidence, because the field is then more likely
    altered than misread. Values appear only in the extraction.
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
            yield signal_view(signal, _document_of(finding, verdict, pages))


def _document_of(
    finding: Finding, verdict: DocumentJudgement, pages: Sequence[UploadedPage]
) -> UUID | None:
    place = verdict.place_of(finding)
    return None if place is None else pages[place].document_id


def _back_deadline(found: RunningStep, kinds: Sequence[PageKind]) -> datetime | None:
    """Return until when an INE card's front waits for the back (DECISIONS); None for no wait."""
    if PageKind.INE_FRONT not in kinds or PageKind.INE_BACK in kinds:
        return None
    if DocumentRole.BACK in found.documents:
        return None
    front = found.documents.get(DocumentRole.FRONT)
    if front is None:
        return None
    return front.created_at + timedelta(seconds=back_grace_seconds(found.step.config))


def _translation_parts(step: TranslationInput) -> tuple[Part, ...]:
    parts = (
        Part("document-reading", step.fields or None),
        Part("template-matching"),
        Part(ALTERATION),
    )
    return parts if minimum_age(step.config) is None else (*parts, _age_part(step))


def _age_part(step: TranslationInput) -> Part:
    """Return the check of the age. Its error without a legible date of birth is its own."""
    reasons = step.result.get("reasons", ())
    age, least = step.result.get("age"), minimum_age(step.config)
    codes: list[str] = []
    if DocumentReason.UNDERAGE in reasons:
        codes = [DocumentReason.UNDERAGE]
    elif step.result and age is None:
        codes = [DocumentReason.REQUIRED_FIELD_MISSING]
    born = step.fields.get(BIRTH_DATE)
    data = {BIRTH_DATE: born, "age": age, "ageThreshold": least} if step.result else None
    return Part(AGE_CHECK, data, codes=codes, registry=AGE_CHECK)


register(
    StepEntry(
        kind=kind_of(DOCUMENT_OCR),
        job=read_documents,
        translation=StepTranslation(
            parts=_translation_parts,
            initial_id="document",
            # The compatible API waits this long for the back.
            config={"backGraceSeconds": 600},
        ),
    )
)
