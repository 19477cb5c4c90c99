"""Start a liveness challenge and store its frames. The LIVENESS step's job judges them."""

import asyncio
import hmac
import re
import secrets
from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from random import SystemRandom
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.audit import Action
from acredita.domain.caller import Caller
from acredita.domain.errors import (
    ChallengeClosed,
    LivenessNotAsked,
    ServiceUnavailable,
    TooManyChallenges,
    UnsupportedFileType,
    ValidationFailed,
    VerificationClosed,
)
from acredita.domain.liveness import cue_timing, light
from acredita.domain.liveness.challenge import (
    FEWEST_FRAMES,
    LIGHT_PROMPT,
    MOST_FRAMES,
    MOVES,
    PROMPT_MILLISECONDS,
    SPARE_SECONDS,
    draw_prompts,
)
from acredita.domain.liveness.cue_timing import before_cue, draw_stills
from acredita.domain.steps.liveness import light as light_option
from acredita.domain.verification import DocumentRole
from acredita.engines.documents.inspection import Inspection, InspectionBusy
from acredita.kit import ids
from acredita.kit.clock import Clock
from acredita.kit.crypto import Signer
from acredita.kit.storage import StorageUnavailable
from acredita.kit.upload_limits import Limits, UploadedFile
from acredita.models import LivenessChallenge
from acredita.ports import Intake
from acredita.resources.audit import service as audit
from acredita.resources.documents import service as documents
from acredita.resources.files import service as files
from acredita.resources.images import media
from acredita.resources.sdk import queries
from acredita.resources.verifications import pipeline
from acredita.resources.verifications import queries as verifications
from acredita.resources.verifications.queries import lock_owned

NONCES = "liveness-nonce"
MAX_CHALLENGES = 10
PROMPTS = MOVES + 1
LIMITS = Limits(
    files=PROMPTS * MOST_FRAMES + MOVES * cue_timing.MOST_FRAMES + light.LENGTH,
    file_bytes=1024 * 1024,
)
# The `s` marks a frame taken before the prompt's cue.
FRAME_NAME = re.compile(r"(p[1-9])-([0-9]{1,3})(s?)\.jpe?g")
FRAMES = "body.frames"
JPEG = "image/jpeg"


async def start(
    session: AsyncSession, clock: Clock, signer: Signer, caller: Caller, verification_id: UUID
) -> tuple[LivenessChallenge, str]:
    """Start a challenge, which replaces the previous one. Return it and its nonce.

    Raise NotFound, VerificationClosed, LivenessNotAsked, TooManyChallenges.
    """
    verification = await lock_owned(session, caller, verification_id)
    if not pipeline.is_open(verification):
        raise VerificationClosed
    step = await verifications.step_for_challenge(session, verification_id)
    if step is None:
        raise LivenessNotAsked
    if await queries.count_challenges(session, verification_id) >= MAX_CHALLENGES:
        raise TooManyChallenges
    await queries.close_challenges(session, verification_id)
    challenge_id, nonce = ids.capability(), secrets.token_urlsafe(24)
    random = SystemRandom()
    prompts = draw_stills(draw_prompts(random), random)
    lifetime = timedelta(
        milliseconds=sum(PROMPT_MILLISECONDS + prompt.still for prompt in prompts),
        seconds=SPARE_SECONDS,
    )
    colours = None
    if light_option(step.config) is not light.Option.OFF:
        colours = light.draw_colours(random)
        lifetime += timedelta(milliseconds=light.MILLISECONDS)
    now = clock.now()
    challenge = LivenessChallenge(
        id=challenge_id,
        organization_id=caller.organization_id,
        verification_id=verification_id,
        nonce_digest=signer.digest(NONCES, nonce.encode()),
        prompts=[{"id": p.id, "move": p.move.value, "still_ms": p.still} for p in prompts],
        light_colours=colours,
        created_at=now,
        expires_at=now + lifetime,
    )
    session.add(challenge)
    audit.record(session, caller, Action.CHALLENGE_STARTED, verification_id, challenge=challenge_id)
    await session.flush()
    return challenge, nonce


async def store_frames(
    services: Intake,
    signer: Signer,
    caller: Caller,
    verification_id: UUID,
    *,
    challenge_id: UUID,
    nonce: str,
    uploads: Sequence[UploadedFile],
) -> int:
    """Store a challenge's frames atomically and start the step. Return the number of frames.

    Raise ChallengeClosed, VerificationClosed, NotFound, ValidationFailed, UnsupportedFileType,
    ServiceUnavailable.
    """
    prompts = _frame_prompts(uploads)
    frames = [await _jpeg(services.inspection, caller, upload) for upload in uploads]
    # The selfie is the middle frame of the first prompt, which asks for a resting face.
    selfie_index = prompts.count(prompts[0]) // 2
    roles = {DocumentRole.LIVENESS: 0, DocumentRole.SELFIE: selfie_index}
    rows = [
        documents.new_row(services.clock, caller, verification_id, role, uploads[place], JPEG)
        for role, place in roles.items()
    ]
    pictures = media.describe_frames(services.clock, rows[0], len(frames))
    try:
        for row, place in zip(rows, roles.values(), strict=True):
            await files.store(services, row, frames[place])
        for picture, content in zip(pictures, frames, strict=True):
            await files.store(services, picture, content)
        async with services.database.transaction() as session:
            has_selfie = await queries.has_selfie(session, verification_id)
            kept = rows[:1] if has_selfie else rows
            await documents.record(session, services.keys, caller, verification_id, kept, pictures)
            challenge = await _open_challenge(session, signer, verification_id, challenge_id, nonce)
            _check_counts(challenge, prompts)
            digests = [upload.sha256 for upload in uploads]
            challenge.repeats_frames = len(set(digests)) < len(digests) or (
                await queries.has_received_any(session, caller.organization_id, digests)
            )
            challenge.submitted_at = services.clock.now()
            challenge.document_id = rows[0].id
            challenge.frame_prompts, challenge.frame_digests = prompts, digests
            audit.record(
                session,
                caller,
                Action.CHALLENGE_ANSWERED,
                verification_id,
                challenge=challenge.id,
                frames=len(frames),
            )
    except BaseException as fault:
        await asyncio.shield(
            documents.withdraw(
                services.database, services.storage, caller, verification_id, rows, pictures
            )
        )
        if isinstance(fault, StorageUnavailable | InspectionBusy):
            raise ServiceUnavailable from fault
        raise
    if has_selfie:
        await services.storage.delete(rows[1].storage_key)
    return len(frames)


def _frame_prompts(uploads: Sequence[UploadedFile]) -> list[str]:
    """Return the prompt id of each frame from its name; `before_cue(id)` for a frame taken before
    the cue. Raise ValidationFailed.
    """
    prompts: list[str] = []
    former = ("", False, -1)
    for upload in uploads:
        named = FRAME_NAME.fullmatch(upload.name)
        if named is None:
            raise ValidationFailed(details=[f"{FRAMES}: are named like p2-1.jpg"])
        prompt, number, is_after_cue = named[1], int(named[2]), not named[3]
        if (prompt, is_after_cue, number) <= former:
            raise ValidationFailed(details=[f"{FRAMES}: are not in their order"])
        former = (prompt, is_after_cue, number)
        prompts.append(prompt if is_after_cue else before_cue(prompt))
    return prompts


async def _jpeg(inspection: Inspection, caller: Caller, upload: UploadedFile) -> bytes:
    if await files.inspect(inspection, caller, upload) != JPEG:
        raise UnsupportedFileType
    return await asyncio.to_thread(upload.read)


async def _open_challenge(
    session: AsyncSession, signer: Signer, verification_id: UUID, challenge_id: UUID, nonce: str
) -> LivenessChallenge:
    challenge = await queries.open_challenge(session, verification_id, challenge_id)
    digest = signer.digest(NONCES, nonce.encode())
    if challenge is None or not hmac.compare_digest(challenge.nonce_digest, digest):
        raise ChallengeClosed
    return challenge


def _check_counts(challenge: LivenessChallenge, prompts: list[str]) -> None:
    """Check the number of frames of each prompt. Raise ValidationFailed.

    Each prompt of the challenge needs FEWEST_FRAMES to MOST_FRAMES, and no other prompt is allowed.
    The light needs one frame for each colour, or none. Frames before a cue are optional.
    """
    counted = Counter(prompts)
    lit = counted.pop(LIGHT_PROMPT, 0)
    if lit not in (0, len(challenge.light_colours or ())):
        raise ValidationFailed(details=[f"{FRAMES}: must be one of each colour of the light"])
    for prompt in challenge.prompts:
        most = cue_timing.MOST_FRAMES if prompt.get("still_ms") else 0
        if counted.pop(before_cue(prompt["id"]), 0) > most:
            raise ValidationFailed(
                details=[f"{FRAMES}: must be at most {most} before the cue of {prompt['id']}"]
            )
    asked = [prompt["id"] for prompt in challenge.prompts]
    if set(counted) != set(asked) or not all(
        FEWEST_FRAMES <= count <= MOST_FRAMES for count in counted.values()
    ):
        number = f"{FEWEST_FRAMES} to {MOST_FRAMES}"
        raise ValidationFailed(details=[f"{FRAMES}: must be {number} of each prompt"])
