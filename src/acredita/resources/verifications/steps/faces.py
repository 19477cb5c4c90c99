"""FACE_MATCH: is the person of the selfie the one of the document's portrait?"""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain import step_options
from acredita.domain.faces import (
    CALIBRATION,
    PORTRAITS_DIFFER,
    Band,
    Code,
    Comparison,
    FaceSeen,
    judge,
)
from acredita.domain.verification import DocumentRole, StepStatus
from acredita.engines.face.process import ENGINE_VERSION, compare_faces
from acredita.jobs import JobContext, Queue, job
from acredita.kit.processes import ProcessDied, TaskTimedOut
from acredita.models import Document, Media
from acredita.resources.documents import files
from acredita.resources.media import service as media
from acredita.resources.verifications import pipeline
from acredita.resources.verifications.outcome import StepOutcome
from acredita.resources.verifications.steps import running
from acredita.resources.verifications.steps.running import RunningStep
from acredita.services import Services

PORTRAIT_ROLES = (DocumentRole.PASSPORT, DocumentRole.FRONT)
SLOWEST_COMPARISON = 30.0
# What breaks the engine shows no face that it could compare.
NOTHING_SEEN = Comparison(None, None, None)
MESSAGES = {
    Code.FACE_MISMATCH: "The selfie shows another person than the document.",
    Code.FACE_UNCERTAIN: "Whether selfie and document show the same person is not certain.",
    Code.PORTRAIT_NOT_FOUND: "No portrait was found on the document.",
    Code.PORTRAIT_TOO_SMALL: "The portrait on the document is too small. Go nearer to it.",
    Code.PORTRAIT_BLURRED: "The portrait on the document is blurred. Hold the camera still.",
    Code.FACE_NOT_FOUND: "No face was found in the selfie.",
    Code.SEVERAL_FACES: "The selfie shows several people. Only one may be in it.",
    Code.FACE_TOO_SMALL: "The face in the selfie is too small. Come nearer.",
    Code.FACE_BLURRED: "The selfie is blurred. Hold the camera still, in better light.",
    Code.PORTRAITS_DIFFER: "The portraits on the document show different people.",
}


@job(
    "verification.compare_faces",
    queue=Queue.ENGINES,
    timeout=90,
    max_attempts=4,
    on_dead=running.give_up,
)
async def match_faces(context: JobContext, step_id: UUID) -> None:
    services = context.services
    async with services.database.transaction() as session:
        found = await running.load(session, step_id)
        if found is None:
            return
        pages = await media.pages_of(session, [d.id for d in _with_portrait(found.documents)])
    compared = _compared(found.documents)
    comparison = await _compare(services, found, pages)
    portrait = await _store_portrait(services, found, comparison)
    current = None
    try:
        async with context.finish() as session:
            current = await running.load(session, step_id, lock=True)
            if current is not None and _compared(current.documents) != compared:
                # Another picture was sent while these were compared.
                current = None
                context.run_again(delay=0)
            elif current is not None:
                session.add_all(portrait)
                await _conclude(session, services, current, comparison)
    finally:
        if current is None:
            await media.withdraw(services, portrait)


def _with_portrait(documents: dict[DocumentRole, Document]) -> list[Document]:
    return [documents[role] for role in PORTRAIT_ROLES if role in documents]


def _compared(documents: dict[DocumentRole, Document]) -> set[UUID]:
    return {d.id for d in (*_with_portrait(documents), documents[DocumentRole.SELFIE])}


async def _compare(services: Services, found: RunningStep, pages: Sequence[Media]) -> Comparison:
    """The pages laid flat come first: on them a portrait is largest, and upright."""
    portraits = [(await files.fetch(services, page), "image/jpeg") for page in pages]
    portraits += [
        (await files.fetch(services, document), document.mime_type)
        for document in _with_portrait(found.documents)
    ]
    selfie = found.documents[DocumentRole.SELFIE]
    try:
        return await services.faces.run(
            compare_faces,
            portraits,
            (await files.fetch(services, selfie), selfie.mime_type),
            timeout=SLOWEST_COMPARISON,
        )
    except (TaskTimedOut, ProcessDied):
        return NOTHING_SEEN


async def _store_portrait(
    services: Services, found: RunningStep, comparison: Comparison
) -> list[Media]:
    if not comparison.portrait_picture:
        return []
    document = _with_portrait(found.documents)[0]
    return [await media.store_portrait(services, document, comparison.portrait_picture)]


async def _conclude(
    session: AsyncSession, services: Services, found: RunningStep, comparison: Comparison
) -> None:
    accept, reject = step_options.face_thresholds(found.step.config)
    outcome = judge_comparison(comparison, accept=accept, reject=reject)
    await pipeline.finish_step(session, services, found.verification, found.step, outcome)


def judge_comparison(comparison: Comparison, *, accept: float, reject: float) -> StepOutcome:
    """What cannot be compared goes to a person: only a clear mismatch fails (DECISIONS)."""
    result: dict[str, Any] = {
        "similarity": None,
        "portrait": _shown(comparison.portrait),
        "selfie": _shown(comparison.selfie),
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
            "calibration": CALIBRATION,
        }
        status, code = _OUTCOMES[likeness.band]
    if comparison.second_portrait is not None:
        result["signals"] = [
            {
                "signal": "tampering.second_portrait",
                "raised": comparison.portraits_differ,
                "measure": round(comparison.second_portrait, 4),
                "threshold": PORTRAITS_DIFFER,
                "version": CALIBRATION,
            }
        ]
    if comparison.portraits_differ and status is not StepStatus.FAILED:
        # Whoever replaced the portrait has the selfie match it: that match says nothing.
        status, code = StepStatus.REVIEW, Code.PORTRAITS_DIFFER
    return StepOutcome(
        status,
        code=code,
        message=None if code is None else MESSAGES[code],
        result=result,
        judged_by={"engine": ENGINE_VERSION, "calibration": CALIBRATION},
    )


_OUTCOMES: dict[Band, tuple[StepStatus, Code | None]] = {
    Band.MATCH: (StepStatus.PASSED, None),
    Band.UNCERTAIN: (StepStatus.REVIEW, Code.FACE_UNCERTAIN),
    Band.MISMATCH: (StepStatus.FAILED, Code.FACE_MISMATCH),
}


def _shown(face: FaceSeen | None) -> dict[str, Any] | None:
    if face is None:
        return None
    return {"side": face.side, "sharpness": face.sharpness, "certainty": face.certainty}
