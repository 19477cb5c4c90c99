"""FACE_MATCH: compare the selfie with the document's portrait."""

import math
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.faces import (
    PORTRAITS_DIFFER,
    Band,
    Comparison,
    MeasuredFace,
    judge,
)
from acredita.domain.reasons import DocumentReason, FaceReason
from acredita.domain.steps import kind_of
from acredita.domain.steps.faces import FACE_MATCH, face_thresholds
from acredita.domain.subject import Face, Subject, establish, judge_pages
from acredita.domain.tampering.copied_selfies import COPIED_FROM
from acredita.domain.tampering.copied_selfies import VERSION as COPIES_VERSION
from acredita.domain.time_zone import mexican_date
from acredita.domain.verification import DocumentRole, StepStatus
from acredita.engines.documents import Undecodable
from acredita.engines.documents.process import shows_document
from acredita.engines.face.process import ENGINE_VERSION, compare_with_portrait
from acredita.jobs import JobContext, Queue
from acredita.kit.processes import ProcessDied, TaskTimedOut
from acredita.models import Document, Media
from acredita.ports import DocumentReading, StepEnding
from acredita.resources.files import service as files
from acredita.resources.images import media
from acredita.resources.verifications import pipeline, subjects
from acredita.resources.verifications.outcome import StepOutcome
from acredita.resources.verifications.step_table import StepEntry, register
from acredita.resources.verifications.step_translation import (
    Part,
    Place,
    StepTranslation,
    TranslationInput,
)
from acredita.resources.verifications.steps import reading, running
from acredita.resources.verifications.steps.reading import FreshReadings
from acredita.resources.verifications.steps.running import RunningStep

COMPARISON_TIMEOUT = 30.0
# An image on which the engine fails counts as one without a face.
NO_COMPARISON = Comparison(None, None, None)


@dataclass(frozen=True, slots=True)
class _FaceMatch:
    """The result of a comparison, not yet in the database, and the files that it used."""

    subject: Subject
    comparison: Comparison
    selfie: Document
    files: frozenset[UUID]
    fresh: FreshReadings
    portrait: Sequence[Media]
    # Whether this step judges the documents, because no earlier step did.
    establishes: bool
    # The code if a selfie is a copy of the portrait or shows a document.
    selfie_code: FaceReason | None


@running.step_job("verification.compare_faces", queue=Queue.ENGINES, timeout=240, max_attempts=4)
async def match_faces(context: JobContext, step_id: UUID) -> None:
    services = context.services
    async with services.database.transaction() as session:
        found = await running.load(session, step_id)
    if found is None:
        return
    match = await _match_faces(services, found)
    current = None
    try:
        async with context.finish() as session:
            current = await running.load(session, step_id, lock=True)
            if current is not None and _compared_files(current, match.establishes) != match.files:
                # Another image was uploaded during the comparison.
                current = None
                context.run_again(delay=0)
            elif current is not None:
                session.add_all(match.portrait)
                await _finish(session, services, current, match)
    finally:
        if current is None:
            await files.withdraw(services.storage, [*match.fresh.pictures, *match.portrait])


async def _match_faces(services: DocumentReading, found: RunningStep) -> _FaceMatch:
    """Compare the subject's portrait with every selfie of the newest request.

    If no step has judged the documents, read and judge them first, by the same rules.
    """
    subject = subjects.load(services.keys, found.verification, found.steps)
    establishes = not subject.is_established
    fresh = FreshReadings({}, ())
    if establishes:
        documents = reading.files_to_read(found.files)
        fresh = await reading.read_files(services, found.verification.organization_id, documents)
        pages = reading.uploaded_pages(services.keys, documents, fresh)
        verdict = judge_pages(
            pages,
            mexican_date(services.clock.now()),
            services.calibration,
            gazetteer=services.gazetteer,
        )
        subject = establish(verdict, pages, subject)
    page = await _page_of_portrait(services, subject, fresh)
    digests = {document.sha256 for document in reading.files_to_read(found.files)}
    compared = [
        (selfie, *await _compare(services, subject, page, selfie, digests))
        for selfie in found.files[DocumentRole.SELFIE]
    ]
    # Use the least similar selfie: a similar one must not hide a selfie of another person.
    selfie, comparison, _ = max(compared, key=lambda each: _dissimilarity(each[1]))
    return _FaceMatch(
        subject,
        comparison,
        selfie,
        _compared_files(found, establishes),
        fresh,
        await _store_portrait(services, found, subject, comparison),
        establishes,
        next((code for _, _, code in compared if code), None),
    )


def _compared_files(found: RunningStep, establishes: bool) -> frozenset[UUID]:  # noqa: FBT001
    """Return the ids of the compared files that a later upload may replace."""
    documents = reading.files_to_read(found.files) if establishes else []
    return frozenset(d.id for d in (*documents, *found.files[DocumentRole.SELFIE]))


def _dissimilarity(comparison: Comparison) -> float:
    """Return the embedding distance; infinity if the selfie cannot be compared."""
    if comparison.fault is not None or comparison.distance is None:
        return math.inf
    return comparison.distance


async def _page_of_portrait(
    services: DocumentReading, subject: Subject, fresh: FreshReadings
) -> bytes | None:
    """Return the flattened page with the subject's portrait, as JPEG."""
    if subject.portrait is None:
        return None
    front = subject.pages[0]
    if front.document_id in fresh.by_document:
        return fresh.by_document[front.document_id][front.number].picture
    async with services.database.transaction() as session:
        page = await media.page_of(session, front.document_id, front.number)
    return None if page is None else await files.fetch(services, page)


async def _compare(
    services: DocumentReading,
    subject: Subject,
    page: bytes | None,
    selfie: Document,
    digests: Collection[bytes],
) -> tuple[Comparison, FaceReason | None]:
    """Return the comparison, and the code of a selfie that copies the portrait or shows a document.

    `digests` are the SHA-256 digests of the files in document roles.
    """
    comparison, content = NO_COMPARISON, b""
    if page is not None and subject.portrait is not None:
        content = await files.fetch(services, selfie)
        with suppress(TaskTimedOut, ProcessDied):
            comparison = await services.faces.run(
                compare_with_portrait,
                page,
                subject.portrait,
                (content, selfie.mime_type),
                timeout=COMPARISON_TIMEOUT,
            )
    is_copy = comparison.copy is not None and comparison.copy.is_copy
    if is_copy or selfie.sha256 in digests:
        return comparison, FaceReason.SELFIE_COPIES_PORTRAIT
    # Only a comparison finds the face of a selfie, so `content` is set.
    if comparison.selfie is not None:
        with suppress(Undecodable, TaskTimedOut, ProcessDied):
            if await services.readers.run(
                shows_document, content, selfie.mime_type, timeout=COMPARISON_TIMEOUT
            ):
                return comparison, FaceReason.SELFIE_SHOWS_DOCUMENT
    return comparison, None


async def _store_portrait(
    services: DocumentReading, found: RunningStep, subject: Subject, comparison: Comparison
) -> list[Media]:
    if not comparison.portrait_picture:
        return []
    front = subject.pages[0]
    documents = reading.files_to_read(found.files)
    document = next((each for each in documents if each.id == front.document_id), None)
    if document is None:
        return []
    return [
        await media.store_portrait(services, services.clock, document, comparison.portrait_picture)
    ]


async def _finish(
    session: AsyncSession, services: StepEnding, found: RunningStep, match: _FaceMatch
) -> None:
    accept, reject = face_thresholds(found.step.config)
    outcome = judge_comparison(match.comparison, accept=accept, reject=reject)
    outcome = _with_selfie_code(outcome, match.selfie_code)
    subject = match.subject
    if match.establishes:
        await reading.store_readings(
            session, services.keys, reading.files_to_read(found.files), match.fresh
        )
        outcome = _with_page_codes(outcome, subject)
    seen = match.comparison.selfie_embedding
    if seen is not None:
        face = Face(match.selfie.id, seen.embedding, seen.version, seen.scale)
        subject = replace(subject, selfie=face)
    await pipeline.finish_step(
        session, services, found.verification, found.step, outcome, subject=subject
    )


def _with_selfie_code(outcome: StepOutcome, code: FaceReason | None) -> StepOutcome:
    """Change a match to review if the selfie is a copy of the portrait or shows a document."""
    if outcome.status is not StepStatus.PASSED or code is None:
        return outcome
    return replace(outcome, status=StepStatus.REVIEW, code=code)


def _with_page_codes(outcome: StepOutcome, subject: Subject) -> StepOutcome:
    """Change a match to review if a further page has a code, such as one of another person."""
    code = next((code for code in DocumentReason if code in subject.page_codes), None)
    if outcome.status is not StepStatus.PASSED or code is None:
        return outcome
    return replace(outcome, status=StepStatus.REVIEW, code=code)


def judge_comparison(comparison: Comparison, *, accept: float, reject: float) -> StepOutcome:
    """Return the outcome of FACE_MATCH; `accept` and `reject` are thresholds of similarity.

    Images that cannot be compared lead to review. Only a clear mismatch fails (DECISIONS).
    """
    result: dict[str, Any] = {
        "similarity": None,
        "portrait": _face_view(comparison.portrait),
        "selfie": _face_view(comparison.selfie),
    }
    status, code = StepStatus.REVIEW, comparison.fault
    if code is None and comparison.distance is not None:
        likeness = judge(comparison.distance, accept=accept, reject=reject)
        result |= {
            "similarity": round(likeness.similarity, 4),
            "distance": round(likeness.distance, 4),
            "band": likeness.band,
            "acceptSimilarity": accept,
            "rejectSimilarity": reject,
            "calibration": comparison.calibration,
        }
        status, code = _BAND_OUTCOMES[likeness.band]
    signals = []
    if comparison.copy is not None:
        signals.append(
            {
                "signal": "selfie.copy",
                "raised": comparison.copy.is_copy,
                "measure": round(comparison.copy.likeness, 4),
                "threshold": COPIED_FROM,
                "version": COPIES_VERSION,
            }
        )
    if comparison.second_portrait is not None:
        signals.append(
            {
                "signal": "tampering.second_portrait",
                "raised": comparison.portraits_differ,
                "measure": round(comparison.second_portrait, 4),
                "threshold": PORTRAITS_DIFFER,
                "version": comparison.calibration,
            }
        )
    if signals:
        result["signals"] = signals
    if comparison.portraits_differ and status is not StepStatus.FAILED:
        # A forger replaces the portrait with one that matches the selfie, so the match proves
        # nothing.
        status, code = StepStatus.REVIEW, FaceReason.PORTRAITS_DIFFER
    return StepOutcome(
        status,
        code=code,
        result=result,
        judged_by={
            "engine": f"{ENGINE_VERSION} {comparison.embedding_version}",
            "calibration": comparison.calibration,
        },
    )


_BAND_OUTCOMES: dict[Band, tuple[StepStatus, FaceReason | None]] = {
    Band.MATCH: (StepStatus.PASSED, None),
    Band.UNCERTAIN: (StepStatus.REVIEW, FaceReason.FACE_UNCERTAIN),
    Band.MISMATCH: (StepStatus.FAILED, FaceReason.FACE_MISMATCH),
}


def _face_view(face: MeasuredFace | None) -> dict[str, Any] | None:
    if face is None:
        return None
    return {"side": face.side, "sharpness": face.sharpness, "certainty": face.certainty}


def _translation_parts(step: TranslationInput) -> tuple[Part, ...]:
    similarity = step.result.get("similarity")
    score = None if similarity is None else {"score": round(similarity * 100)}
    selfie = None if step.selfie_url is None else {"selfiePhotoUrl": step.selfie_url}
    return Part("facematch", score), Part("selfie", selfie, Place.PERSON)


register(
    StepEntry(
        kind=kind_of(FACE_MATCH),
        job=match_faces,
        translation=StepTranslation(parts=_translation_parts, initial_id="selfie"),
    )
)
