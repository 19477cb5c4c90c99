"""LIVENESS: did a living person do, just now, what was asked for?"""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain import step_options
from acredita.domain.liveness import (
    FASTEST_SECONDS_A_PROMPT,
    RULES,
    Code,
    Examination,
    Finding,
    Move,
    Prompt,
    judge,
    judge_passively,
)
from acredita.domain.verification import DocumentRole, StepStatus
from acredita.engines.liveness.process import ENGINE_VERSION, examine_frames
from acredita.jobs import JobContext, Queue, job
from acredita.kit.processes import ProcessDied, TaskTimedOut
from acredita.models import Document, LivenessChallenge, Media
from acredita.resources.documents import files
from acredita.resources.media import service as media
from acredita.resources.verifications import pipeline
from acredita.resources.verifications.outcome import StepOutcome
from acredita.resources.verifications.steps import running
from acredita.services import Services

# At most sixty frames, each a tenth of a second.
SLOWEST_EXAMINATION = 90.0
JUDGED_ROLES = (DocumentRole.LIVENESS, DocumentRole.SELFIE)
NOTHING_SEEN = Examination((), None, None)
MESSAGES = {
    Code.LIVENESS_NOT_PROVEN: "Pictures prove no living person: no challenge was answered.",
    Code.LIVENESS_FACE_NOT_FOUND: "The face was not in the picture all the time.",
    Code.LIVENESS_SEVERAL_FACES: "Several people were in the picture.",
    Code.LIVENESS_FACE_CHANGED: "The face changed in the course of the challenge.",
    Code.LIVENESS_SELFIE_MISMATCH: "The face is another than the selfie's.",
    Code.LIVENESS_FRAMES_REPEATED: "Frames of the challenge were sent before.",
    Code.LIVENESS_FRAMES_DISORDERED: "The frames are not in the order of a movement.",
    Code.LIVENESS_TOO_FAST: "The challenge was answered faster than a person moves.",
    Code.LIVENESS_MOVE_NOT_SEEN: "Not all of the movements were seen.",
    Code.LIVENESS_SPOOF_SUSPECTED: "The pictures may be of a picture, not of a living face.",
}
# What may be the camera's fault, or no challenge at all, is for a person to judge; the rest fails.
REVIEWED = {Code.LIVENESS_NOT_PROVEN, Code.LIVENESS_FACE_NOT_FOUND}


@job(
    "verification.judge_liveness",
    queue=Queue.ENGINES,
    timeout=240,
    max_attempts=4,
    on_dead=running.give_up,
)
async def judge_liveness(context: JobContext, step_id: UUID) -> None:
    services = context.services
    async with services.database.transaction() as session:
        found = await running.load(session, step_id)
        if found is None:
            return
        document = found.documents[DocumentRole.LIVENESS]
        challenge = await _challenge_of(session, document)
        frames = await media.frames_of(session, document.id)
        selfie = found.documents.get(DocumentRole.SELFIE)
    selfie_id = None if selfie is None else selfie.id
    passively = challenge is None and step_options.judges_passively(found.step.config)
    if challenge is not None:
        examined = await _examine(services, challenge.frame_prompts or [], frames, selfie)
        outcome = _outcome(_judge(challenge, examined), examined, active=True)
    elif passively and services.settings.liveness_model is not None:
        examined = await _examine(services, [""], [document], selfie)
        outcome = _outcome(judge_passively(examined), examined, active=False)
    else:
        outcome = _outcome(Finding(Code.LIVENESS_NOT_PROVEN), NOTHING_SEEN, active=False)
    await _finish(context, step_id, outcome, judged={document.id, selfie_id})


async def _finish(
    context: JobContext, step_id: UUID, outcome: StepOutcome, *, judged: set[UUID | None]
) -> None:
    """End the step, or look again where others were sent while these pictures were judged."""
    async with context.finish() as session:
        current = await running.load(session, step_id, lock=True)
        if current is None:
            return
        newest = (current.documents.get(role) for role in JUDGED_ROLES)
        if {None if document is None else document.id for document in newest} != judged:
            context.run_again(delay=0)
            return
        await pipeline.finish_step(
            session, context.services, current.verification, current.step, outcome
        )


async def _challenge_of(session: AsyncSession, document: Document) -> LivenessChallenge | None:
    query = select(LivenessChallenge).where(LivenessChallenge.document_id == document.id)
    return (await session.scalars(query)).one_or_none()


async def _examine(
    services: Services,
    prompts: Sequence[str],
    frames: Sequence[Media | Document],
    selfie: Document | None,
) -> Examination:
    pictures = [
        (
            prompt,
            await files.fetch(services, frame),
            frame.mime_type if isinstance(frame, Document) else "image/jpeg",
        )
        for prompt, frame in zip(prompts, frames, strict=True)
    ]
    opposite = None
    if selfie is not None:
        opposite = (await files.fetch(services, selfie), selfie.mime_type)
    try:
        return await services.faces.run(
            examine_frames,
            pictures,
            opposite,
            services.settings.liveness_model,
            services.settings.engine_threads,
            timeout=SLOWEST_EXAMINATION,
        )
    except (TaskTimedOut, ProcessDied):
        return NOTHING_SEEN


def _judge(challenge: LivenessChallenge, examined: Examination) -> Finding:
    prompts = [Prompt(prompt["id"], Move(prompt["move"])) for prompt in challenge.prompts]
    if challenge.repeats_frames:
        return Finding(Code.LIVENESS_FRAMES_REPEATED)
    fastest = timedelta(seconds=FASTEST_SECONDS_A_PROMPT * len(prompts))
    submitted_at = challenge.submitted_at or challenge.created_at
    if submitted_at - challenge.created_at < fastest:
        return Finding(Code.LIVENESS_TOO_FAST)
    return judge(prompts, examined.frames, selfie=examined.selfie)


def _outcome(finding: Finding, examined: Examination, *, active: bool) -> StepOutcome:
    passive = examined.passive
    result: dict[str, Any] = {
        # What was carried out: whoever reads the result should not believe more than was done.
        "methods": {"active": active, "passive": "none" if passive is None else passive.model},
        "passiveProbability": None if passive is None else passive.probability,
        "moves": dict(finding.moves),
        "selfieDistance": None if examined.selfie is None else round(examined.selfie, 4),
        # Signs of a picture of a picture. Recorded for a reviewer; they decide nothing.
        "signals": None if examined.signals is None else asdict(examined.signals),
    }
    status = StepStatus.PASSED
    if finding.code is not None:
        status = StepStatus.REVIEW if finding.code in REVIEWED else StepStatus.FAILED
    return StepOutcome(
        status,
        code=finding.code,
        message=None if finding.code is None else MESSAGES[finding.code],
        result=result,
        judged_by={"engine": ENGINE_VERSION, "rules": RULES},
    )
