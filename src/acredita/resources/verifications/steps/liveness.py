"""LIVENESS: check that a living person followed the challenge."""

import asyncio
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.liveness import cue_timing, light
from acredita.domain.liveness.challenge import (
    FASTEST_SECONDS_A_PROMPT,
    LIGHT_PROMPT,
    RULES,
    Examination,
    LivenessJudgement,
    judge,
    judge_passively,
    judge_speech,
)
from acredita.domain.liveness.cue_timing import Moments, before_cue
from acredita.domain.liveness.light import Observation, Option, Reflection
from acredita.domain.reasons import LivenessReason
from acredita.domain.steps import kind_of
from acredita.domain.steps.kind import Config
from acredita.domain.steps.liveness import LIVENESS, expects_speech, judges_passively
from acredita.domain.steps.liveness import light as light_option
from acredita.domain.subject import Face
from acredita.domain.verification import DocumentRole, StepStatus
from acredita.engines.liveness.process import ENGINE_VERSION, examine, measure_frames
from acredita.jobs import JobContext, Queue
from acredita.kit.processes import ProcessDied, TaskTimedOut
from acredita.models import Document, LivenessChallenge, Media
from acredita.ports import LivenessChecks
from acredita.resources.files import service as files
from acredita.resources.images import media
from acredita.resources.verifications import pipeline, repeated_recordings, subjects
from acredita.resources.verifications.outcome import StepOutcome
from acredita.resources.verifications.step_table import StepEntry, register
from acredita.resources.verifications.step_translation import (
    Part,
    Place,
    StepTranslation,
    TranslationInput,
)
from acredita.resources.verifications.steps import running
from acredita.resources.verifications.steps.running import RunningStep

if TYPE_CHECKING:
    # It imports the engine, which only engine processes do.
    from acredita.engines.liveness.measure_frames import MeasuredFrame

# Seconds. At most 76 frames, at 0.1 s each.
EXAMINATION_TIMEOUT = 90.0
JUDGED_ROLES = (DocumentRole.LIVENESS, DocumentRole.SELFIE)
NO_EXAMINATION = Examination((), None, None)
LIGHT_SIGNAL = "liveness.light"
MOMENTS_SIGNAL = "liveness.moments"


@running.step_job("verification.judge_liveness", queue=Queue.ENGINES, timeout=240, max_attempts=4)
async def judge_liveness(context: JobContext, step_id: UUID) -> None:
    services = context.services
    async with services.database.transaction() as session:
        found = await running.load(session, step_id)
        if found is None:
            return
        document = found.documents[DocumentRole.LIVENESS]
        # Without a challenge every upload is judged, and one spoofed image fails all.
        uploads = found.files[DocumentRole.LIVENESS]
        challenge = await _find_challenge(session, document)
        frames = await media.frames_of(session, document.id)
        selfies = found.files.get(DocumentRole.SELFIE, ())
    if challenge is not None:
        examined = await _examine(services, challenge.frame_prompts or [], frames, selfies)
        is_repeated = await repeated_recordings.is_repeated(services, challenge, examined)
        finding = _judge(challenge, examined, is_repeated=is_repeated)
        option = light_option(found.step.config)
        reflection = None if option is Option.OFF else _reflection(challenge, examined)
        if reflection is not None:
            finding = _apply_light(finding, reflection, option)
        timing = cue_timing.judge(repeated_recordings.challenge_prompts(challenge), examined.frames)
        outcome = _outcome(finding, examined, active=True, reflection=reflection, timing=timing)
    else:
        # The frames of a film replace the picture that stands for it.
        others = [each for each in uploads if each.id != document.id]
        pictures: Sequence[Media | Document] = [*others, *frames] if frames else uploads
        examined, finding = await _judge_unasked(
            services, found.step.config, frames, pictures, selfies
        )
        outcome = _outcome(finding, examined, active=False)
    living = None
    if examined.embedding is not None:
        seen = examined.embedding
        living = Face(document.id, seen.embedding, seen.version, seen.scale)
    await _finish(context, step_id, outcome, living, judged=_judged_files(found))


async def _judge_unasked(
    services: LivenessChecks,
    config: Config,
    film: Sequence[Media],
    pictures: Sequence[Media | Document],
    selfies: Sequence[Document],
) -> tuple[Examination, LivenessJudgement]:
    """Judge pictures that answer no challenge."""
    if judges_passively(config) and services.settings.liveness_model is not None:
        examined = await _examine(services, [""] * len(pictures), pictures, selfies)
        return examined, judge_passively(examined)
    if expects_speech(config) and film:
        examined = await _examine(services, [""] * len(film), film, selfies)
        return examined, judge_speech(examined)
    return NO_EXAMINATION, LivenessJudgement(LivenessReason.LIVENESS_NOT_PROVEN)


def _judged_files(found: RunningStep) -> set[UUID]:
    return {document.id for role in JUDGED_ROLES for document in found.files.get(role, ())}


async def _finish(
    context: JobContext,
    step_id: UUID,
    outcome: StepOutcome,
    living: Face | None,
    *,
    judged: set[UUID],
) -> None:
    """Finish the step, or run the job again if the judged files were replaced meanwhile.

    `living` is the judged face. It becomes part of the subject, so later steps must show the same
    face.
    """
    async with context.finish() as session:
        current = await running.load(session, step_id, lock=True)
        if current is None:
            return
        if _judged_files(current) != judged:
            context.run_again(delay=0)
            return
        services, verification = context.services, current.verification
        subject = subjects.load(services.keys, verification, current.steps)
        if living is not None:
            subject = replace(subject, living=living)
        await pipeline.finish_step(
            session, services, verification, current.step, outcome, subject=subject
        )


async def _find_challenge(session: AsyncSession, document: Document) -> LivenessChallenge | None:
    query = select(LivenessChallenge).where(LivenessChallenge.document_id == document.id)
    return (await session.scalars(query)).one_or_none()


async def _examine(
    services: LivenessChecks,
    prompts: Sequence[str],
    frames: Sequence[Media | Document],
    selfies: Sequence[Document],
) -> Examination:
    pictures = [
        (
            await files.fetch(services, frame),
            frame.mime_type if isinstance(frame, Document) else "image/jpeg",
        )
        for frame in frames
    ]
    selfie_images = [(await files.fetch(services, selfie), selfie.mime_type) for selfie in selfies]
    try:
        return await services.faces.run(
            examine,
            prompts,
            await _measure(services, pictures),
            selfie_images,
            services.settings.liveness_model,
            timeout=EXAMINATION_TIMEOUT,
        )
    except (TaskTimedOut, ProcessDied):
        return NO_EXAMINATION


async def _measure(
    services: LivenessChecks, pictures: Sequence[tuple[bytes, str]]
) -> "list[MeasuredFrame | None]":
    """Measure the frames in all engine processes at once: the person waits for the answer."""
    settings, pool = services.settings, services.faces
    length = max(1, math.ceil(len(pictures) / pool.size))
    try:
        async with asyncio.TaskGroup() as group:
            parts = [
                group.create_task(
                    pool.run(
                        measure_frames,
                        pictures[start : start + length],
                        settings.liveness_model,
                        settings.engine_threads,
                        timeout=EXAMINATION_TIMEOUT,
                    )
                )
                for start in range(0, len(pictures), length)
            ]
    except ExceptionGroup as faults:
        raise faults.exceptions[0] from None
    return [frame for part in parts for frame in part.result()]


def _judge(
    challenge: LivenessChallenge, examined: Examination, *, is_repeated: bool
) -> LivenessJudgement:
    if challenge.repeats_frames or is_repeated:
        return LivenessJudgement(LivenessReason.LIVENESS_FRAMES_REPEATED)
    prompts, sent = repeated_recordings.challenge_prompts(challenge), challenge.frame_prompts or []
    fastest = timedelta(seconds=FASTEST_SECONDS_A_PROMPT * len(prompts))
    fastest += timedelta(milliseconds=sum(p.still for p in prompts if before_cue(p.id) in sent))
    if LIGHT_PROMPT in sent:
        fastest += timedelta(milliseconds=light.MILLISECONDS)
    submitted_at = challenge.submitted_at or challenge.created_at
    if submitted_at - challenge.created_at < fastest:
        return LivenessJudgement(LivenessReason.LIVENESS_TOO_FAST)
    return judge(prompts, examined.frames, selfie=examined.selfie)


def _reflection(challenge: LivenessChallenge, examined: Examination) -> Reflection:
    glows = [
        glow
        for frame, glow in zip(examined.frames, examined.glows, strict=True)
        if frame.prompt == LIGHT_PROMPT
    ]
    if not glows:
        return light.NOT_SHOWN
    return light.judge(challenge.light_colours or [], glows)


def _apply_light(
    finding: LivenessJudgement, reflection: Reflection, option: Option
) -> LivenessJudgement:
    """Fail a passed challenge by its light only if the step requires light."""
    if (
        not finding.passed
        or option is not Option.REQUIRED
        or reflection.verdict is Observation.SEEN
    ):
        return finding
    if reflection.verdict is Observation.DIFFERENT:
        return LivenessJudgement(LivenessReason.LIVENESS_LIGHT_DIFFERS, finding.moves)
    return LivenessJudgement(LivenessReason.LIVENESS_LIGHT_NOT_SEEN, finding.moves)


def _engine_version(examined: Examination) -> str:
    face = examined.embedding
    return ENGINE_VERSION if face is None else f"{ENGINE_VERSION} {face.version}"


def _outcome(
    finding: LivenessJudgement,
    examined: Examination,
    *,
    active: bool,
    reflection: Reflection | None = None,
    timing: Moments | None = None,
) -> StepOutcome:
    passive = examined.passive
    result: dict[str, Any] = {
        # The methods that ran, so that readers of the result do not assume more.
        "methods": {"active": active, "passive": "none" if passive is None else passive.model},
        "passiveProbability": None if passive is None else passive.probability,
        "moves": dict(finding.moves),
        "selfieDistance": None if examined.selfie is None else round(examined.selfie, 4),
        # Signs of a photographed screen or print. For reviewers; they do not affect the decision.
        "signals": None if examined.signals is None else asdict(examined.signals),
        "light": None
        if reflection is None
        else _signal(LIGHT_SIGNAL, reflection, version=light.VERSION),
        "moments": None
        if timing is None
        else _signal(MOMENTS_SIGNAL, timing, version=cue_timing.VERSION),
    }
    status = StepStatus.PASSED
    if finding.code is not None:
        status = StepStatus.FAILED if finding.code.severity.may_fail else StepStatus.REVIEW
    return StepOutcome(
        status,
        code=finding.code,
        result=result,
        judged_by={"engine": _engine_version(examined), "rules": RULES},
    )


def _signal(name: str, measured: Reflection | Moments, *, version: str) -> dict[str, Any]:
    return {
        "signal": name,
        "raised": measured.verdict is not Observation.SEEN,
        **asdict(measured),
        "version": version,
    }


def _translation_parts(step: TranslationInput) -> list[Part]:
    data = None
    if step.sprite_url is not None:
        selfie = step.selfie_url or step.liveness_url
        data = {"videoUrl": step.film_url, "spriteUrl": step.sprite_url, "selfieUrl": selfie}
    moved = step.result.get("methods", {}).get("active", False)
    return [Part("liveness" if moved else _first_id(step.config), data, Place.PERSON)]


def _first_id(config: Mapping[str, Any]) -> str:
    return "voice" if expects_speech(config) else "liveness"


register(
    StepEntry(
        kind=kind_of(LIVENESS),
        job=judge_liveness,
        translation=StepTranslation(parts=_translation_parts, initial_id=_first_id),
    )
)
