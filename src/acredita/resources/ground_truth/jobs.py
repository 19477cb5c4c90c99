"""Jobs that run the engines on samples."""

from typing import Any
from uuid import UUID

import structlog
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.documents import DocumentJudgement, PageReading, judge
from acredita.domain.faces import Comparison
from acredita.domain.faces import judge as judge_faces
from acredita.domain.ground_truth import hold_against
from acredita.domain.time_zone import MEXICO_CITY
from acredita.engines.documents import Undecodable
from acredita.engines.documents.process import ENGINE_VERSION, read_pages
from acredita.engines.face.process import ENGINE_VERSION as FACE_ENGINE
from acredita.engines.face.process import compare_faces
from acredita.jobs import JobContext, LeasedJob, Queue, job
from acredita.jobs.registry import OnDead
from acredita.kit.clock import Clock, timestamp
from acredita.kit.crypto import KeyRing
from acredita.kit.processes import ProcessDied, TaskTimedOut
from acredita.kit.storage import NoSuchFile
from acredita.models import LicenceTruth, SelfieTruth, TrialStatus, TruthFile
from acredita.ports import JobEnding
from acredita.resources.files import service as files
from acredita.resources.ground_truth import templates
from acredita.resources.ground_truth.truths import Truth

log = structlog.get_logger()

SLOWEST_READING = 60.0
SLOWEST_COMPARISON = 30.0


def _fail(table: type[Truth]) -> OnDead:
    async def fail(session: AsyncSession, _services: JobEnding, dead: LeasedJob) -> None:
        truth = await session.get(table, UUID(dead.payload["truth_id"]))
        if truth is not None:
            truth.status = TrialStatus.FAILED.value

    return fail


@job(
    "groundtruth.read_licence",
    queue=Queue.ENGINES,
    timeout=120,
    max_attempts=3,
    on_dead=_fail(LicenceTruth),
)
async def read_licence(context: JobContext, truth_id: UUID) -> None:
    services = context.services
    async with services.database.transaction() as session:
        truth = await session.get(LicenceTruth, truth_id)
        file = None if truth is None else await session.get(TruthFile, truth.file_id)
        if truth is None or file is None:
            return
        own = await templates.of_organization(session, truth.organization_id)
    try:
        content = await files.fetch(services, file)
        pages: list[PageReading] | None = await services.readers.run(
            read_pages, content, file.mime_type, own, timeout=SLOWEST_READING
        )
    except NoSuchFile:
        return
    except (Undecodable, TaskTimedOut, ProcessDied):
        pages = None
    async with context.finish() as session:
        current = await session.get(LicenceTruth, truth_id, with_for_update=True)
        if current is None:
            return
        if pages is None:
            current.status = TrialStatus.FAILED.value
        else:
            _keep_reading(services.clock, services.keys, current, pages)


def _keep_reading(
    clock: Clock, keys: KeyRing, truth: LicenceTruth, pages: list[PageReading]
) -> None:
    now = clock.now()
    verdict = judge(pages, now.astimezone(MEXICO_CITY).date())
    truth.previous_sealed, truth.previously_read_by = truth.reading_sealed, truth.read_by
    read = {
        finding.field: (finding.value, round(finding.confidence, 4))
        for finding in verdict.fields
        if finding.value is not None
    }
    truth.reading.seal(keys, read)
    truth.read_by = {
        "engine": ENGINE_VERSION,
        "rules": verdict.rules_version,
        "kind": verdict.kind.value,
        "state": _state_of(verdict),
        "model": next((page.model for page in pages if page.kind is verdict.kind), None),
        "at": timestamp(now),
    }
    truth.read_at = now
    truth.status = TrialStatus.DONE.value
    count(keys, truth)


def _state_of(verdict: DocumentJudgement) -> str | None:
    return next((f.value for f in verdict.fields if f.field == "state"), None)


def count(keys: KeyRing, truth: LicenceTruth) -> None:
    """Set the numbers of known fields and of those that the last reading has right."""
    known = truth.truth.open(keys)["fields"]
    read = truth.reading.open(keys) or {}
    trials = hold_against(known, read)
    truth.compared = len(trials)
    truth.correct = sum(trial.is_correct for trial in trials)


@job(
    "groundtruth.match_selfie",
    queue=Queue.ENGINES,
    timeout=90,
    max_attempts=3,
    on_dead=_fail(SelfieTruth),
)
async def match_selfie(context: JobContext, truth_id: UUID) -> None:
    services = context.services
    async with services.database.transaction() as session:
        truth = await session.get(SelfieTruth, truth_id)
        if truth is None:
            return
        selfie = await session.get(TruthFile, truth.selfie_file_id)
        document = await session.get(TruthFile, truth.document_file_id)
        if selfie is None or document is None:
            return
    try:
        comparison: Comparison | None = await services.faces.run(
            compare_faces,
            [(await files.fetch(services, document), document.mime_type)],
            (await files.fetch(services, selfie), selfie.mime_type),
            timeout=SLOWEST_COMPARISON,
        )
    except NoSuchFile:
        return
    except (Undecodable, TaskTimedOut, ProcessDied):
        comparison = None
    async with context.finish() as session:
        current = await session.get(SelfieTruth, truth_id, with_for_update=True)
        if current is None:
            return
        if comparison is None:
            current.status = TrialStatus.FAILED.value
            return
        current.previous_result = current.result
        current.result = _result(comparison) | {"at": timestamp(services.clock.now())}
        current.status = TrialStatus.DONE.value


def _result(comparison: Comparison) -> dict[str, Any]:
    result: dict[str, Any] = {
        "code": comparison.fault,
        "distance": None,
        "similarity": None,
        "band": None,
        "engine": f"{FACE_ENGINE} {comparison.embedding_version}",
        "calibration": comparison.calibration,
    }
    if comparison.fault is None and comparison.distance is not None:
        likeness = judge_faces(comparison.distance)
        result |= {
            "distance": round(likeness.distance, 4),
            "similarity": round(likeness.similarity, 4),
            "band": likeness.band.value,
        }
    return result
