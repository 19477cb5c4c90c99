"""Starting a liveness challenge, and taking its frames in. Judged by the LIVENESS step's job."""

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

from acredita.domain import light, moments
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
from acredita.domain.liveness import (
    FEWEST_FRAMES,
    LIGHT_PROMPT,
    MOST_FRAMES,
    MOVES,
    PROMPT_MILLISECONDS,
    SPARE_SECONDS,
    draw_prompts,
)
from acredita.domain.moments import before_cue, draw_stills
from acredita.domain.steps.liveness import light as light_option
from acredita.domain.verification import DocumentRole
from acredita.engines.documents.inspection import InspectionBusy
from acredita.kit import ids
from acredita.kit.storage import StorageUnavailable
from acredita.kit.uploads import Limits, UploadedFile
from acredita.models import LivenessChallenge
from acredita.resources.audit import service as audit
from acredita.resources.documents import files
from acredita.resources.documents import service as documents
from acredita.resources.media import service as media
from acredita.resources.sdk import queries
from acredita.resources.verifications import pipeline
from acredita.resources.verifications import queries as verifications
from acredita.services import Services

NONCES = "liveness-nonce"
MOST_CHALLENGES = 10
PROMPTS = MOVES + 1
LIMITS = Limits(
    files=PROMPTS * MOST_FRAMES + MOVES * moments.MOST_FRAMES + light.LENGTH, file_bytes=1024 * 1024
)
# With an `s` where the frame was taken before the prompt's cue.
FRAME_NAME = re.compile(r"(p[1-9])-([0-9]{1,3})(s?)\.jpe?g")
FRAMES = "body.frames"
JPEG = "image/jpeg"


async def start(
    session: AsyncSession, services: Services, caller: Caller, verification_id: UUID
) -> tuple[LivenessChallenge, str]:
    """A new challenge, which replaces the former one, and its nonce.

    Raise NotFound, VerificationClosed, LivenessNotAsked, TooManyChallenges.
    """
    verification = await documents.lock(session, caller, verification_id)
    if not pipeline.is_open(verification):
        raise VerificationClosed
    step = await verifications.step_for_challenge(session, verification_id)
    if step is None:
        raise LivenessNotAsked
    if await queries.count_challenges(session, verification_id) >= MOST_CHALLENGES:
        raise TooManyChallenges
    await queries.close_challenges(session, verification_id)
    challenge_id, nonce = ids.capability(), secrets.token_urlsafe(24)
    chance = SystemRandom()
    prompts = draw_stills(draw_prompts(chance), chance)
    patience = timedelta(
        milliseconds=sum(PROMPT_MILLISECONDS + prompt.still for prompt in prompts),
        seconds=SPARE_SECONDS,
    )
    colours = None
    if light_option(step.config) is not light.Option.OFF:
        colours = light.draw_colours(chance)
        patience += timedelta(milliseconds=light.MILLISECONDS)
    now = services.clock.now()
    challenge = LivenessChallenge(
        id=challenge_id,
        organization_id=caller.organization_id,
        verification_id=verification_id,
        nonce_digest=services.signer.digest(NONCES, nonce.encode()),
        prompts=[{"id": p.id, "move": p.move.value, "still_ms": p.still} for p in prompts],
        light_colours=colours,
        created_at=now,
        expires_at=now + patience,
    )
    session.add(challenge)
    audit.record(session, caller, Action.CHALLENGE_STARTED, verification_id, challenge=challenge_id)
    await session.flush()
    return challenge, nonce


async def answer(
    services: Services,
    caller: Caller,
    verification_id: UUID,
    *,
    challenge_id: UUID,
    nonce: str,
    uploads: Sequence[UploadedFile],
) -> int:
    """Store a challenge's frames, all or none, and set the step going; how many they are.

    Raise ChallengeClosed, VerificationClosed, NotFound, ValidationFailed, UnsupportedFileType,
    ServiceUnavailable.
    """
    prompts = _prompts_of(uploads)
    frames = [await _jpeg(services, upload) for upload in uploads]
    # In the middle of the resting face, which the first prompt asks for.
    resting = prompts.count(prompts[0]) // 2
    roles = {DocumentRole.LIVENESS: 0, DocumentRole.SELFIE: resting}
    rows = [
        documents.new_row(services, caller, verification_id, role, uploads[place], JPEG)
        for role, place in roles.items()
    ]
    pictures = media.describe_frames(services, rows[0], len(frames))
    try:
        for row, place in zip(rows, roles.values(), strict=True):
            await files.store(services, row, frames[place])
        for picture, content in zip(pictures, frames, strict=True):
            await files.store(services, picture, content)
        async with services.database.transaction() as session:
            has_selfie = await queries.has_selfie(session, verification_id)
            kept = rows[:1] if has_selfie else rows
            await documents.record(session, services, caller, verification_id, kept, pictures)
            challenge = await _open_challenge(
                session, services, verification_id, challenge_id, nonce
            )
            _check_order(challenge, prompts)
            digests = [upload.sha256 for upload in uploads]
            challenge.repeats_frames = len(set(digests)) < len(digests) or (
                await queries.is_any_known(session, caller.organization_id, digests)
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
        await asyncio.shield(documents.withdraw(services, caller, verification_id, rows, pictures))
        if isinstance(fault, StorageUnavailable | InspectionBusy):
            raise ServiceUnavailable from None
        raise
    if has_selfie:
        await services.storage.delete(rows[1].storage_key)
    return len(frames)


def _prompts_of(uploads: Sequence[UploadedFile]) -> list[str]:
    """The prompt of each frame, by the frames' names, or what stands for the time before its cue
    (`before_cue`). Raise ValidationFailed."""
    prompts: list[str] = []
    former = ("", False, -1)
    for upload in uploads:
        named = FRAME_NAME.fullmatch(upload.name)
        if named is None:
            raise ValidationFailed(details=[f"{FRAMES}: are named like p2-1.jpg"])
        prompt, number, is_asked_for = named[1], int(named[2]), not named[3]
        if (prompt, is_asked_for, number) <= former:
            raise ValidationFailed(details=[f"{FRAMES}: are not in their order"])
        former = (prompt, is_asked_for, number)
        prompts.append(prompt if is_asked_for else before_cue(prompt))
    return prompts


async def _jpeg(services: Services, upload: UploadedFile) -> bytes:
    if await documents.inspect(services, upload) != JPEG:
        raise UnsupportedFileType
    return await asyncio.to_thread(upload.read)


async def _open_challenge(
    session: AsyncSession,
    services: Services,
    verification_id: UUID,
    challenge_id: UUID,
    nonce: str,
) -> LivenessChallenge:
    challenge = await queries.open_challenge(session, verification_id, challenge_id)
    digest = services.signer.digest(NONCES, nonce.encode())
    if challenge is None or not hmac.compare_digest(challenge.nonce_digest, digest):
        raise ChallengeClosed
    return challenge


def _check_order(challenge: LivenessChallenge, prompts: list[str]) -> None:
    """Raise ValidationFailed unless there are frames enough of each prompt, and of no other. In the
    light there is one for each colour, or none at all. Before a cue there may be a few."""
    counted = Counter(prompts)
    lit = counted.pop(LIGHT_PROMPT, 0)
    if lit not in (0, len(challenge.light_colours or ())):
        raise ValidationFailed(details=[f"{FRAMES}: must be one of each colour of the light"])
    for prompt in challenge.prompts:
        most = moments.MOST_FRAMES if prompt.get("still_ms") else 0
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
