from typing import Any
from uuid import UUID

from fastapi import Request

from acredita.api import uploads
from acredita.api.caller import Caller, holder
from acredita.api.dependencies import AskedBy, Db, ServicesDep
from acredita.api.errors import (
    ChallengeClosed,
    FileTooLarge,
    LivenessNotAsked,
    NotFound,
    PayloadTooLarge,
    RequestTimeout,
    TooManyChallenges,
    UnsupportedFileType,
    UnsupportedMediaType,
    ValidationFailed,
    VerificationClosed,
    responses,
)
from acredita.api.permissions import public
from acredita.api.routing import router as make_router
from acredita.api.schemas import IdInPath
from acredita.domain.liveness import PROMPT_MILLISECONDS, Move
from acredita.kit import ids
from acredita.resources.documents import service as documents
from acredita.resources.sdk import liveness, queries
from acredita.resources.sdk.schemas import ChallengeAnswer, FramesAnswer, PromptShape
from acredita.services import Services

router = make_router("/v1/sdk", tag="Browser flow")

FRAMES: dict[str, Any] = {
    "required": True,
    "description": (
        "The challenge's id and nonce, and its frames: JPEG, at most 1 MB each, three to twelve of"
        " each prompt, in the order in which they were taken, named `<promptId>-<n>.jpg`."
    ),
    "content": {
        "multipart/form-data": {
            "schema": {
                "type": "object",
                "properties": {
                    "challengeId": {"type": "string", "format": "uuid"},
                    "nonce": {"type": "string"},
                    "frames": {
                        "type": "array",
                        "items": {"type": "string", "format": "binary"},
                        "minItems": 1,
                        "maxItems": liveness.LIMITS.files,
                    },
                },
                "required": ["challengeId", "nonce", "frames"],
                "additionalProperties": False,
            },
            "encoding": {"frames": {"contentType": "image/jpeg"}},
        }
    },
}


async def _holder(services: Services, verification_id: UUID, asked_by: UUID | None) -> Caller:
    """Raise NotFound."""
    async with services.database.reading() as connection:
        organization_id = await queries.owner_of(connection, verification_id)
    if asked_by not in (None, organization_id):
        raise NotFound
    return holder(organization_id, verification_id)


@router.post(
    "/verifications/{id}/liveness-challenge/start",
    summary="Start a liveness challenge",
    description=(
        "What the person is to do, in an order of chance, before the camera. It replaces a"
        " challenge that was started before; ten can be started for one verification."
    ),
    responses=responses(NotFound, VerificationClosed, LivenessNotAsked, TooManyChallenges),
)
@public
async def start_liveness_challenge(
    id: IdInPath,  # noqa: A002 (the specification's name of the path parameter)
    services: ServicesDep,
    asked_by: AskedBy,
    session: Db,
) -> ChallengeAnswer:
    caller = await _holder(services, id, asked_by)
    challenge, nonce = await liveness.start(session, services, caller, id)
    return ChallengeAnswer(
        challenge_id=challenge.id,
        nonce=nonce,
        prompts=[
            PromptShape(
                id=prompt["id"], action=Move(prompt["move"]), timeout_ms=PROMPT_MILLISECONDS
            )
            for prompt in challenge.prompts
        ],
        expires_at=challenge.expires_at,
    )


@router.post(
    "/verifications/{id}/liveness-challenge/frames",
    status_code=202,
    summary="Upload the frames of a liveness challenge",
    description="Each challenge takes frames once, while it lasts. They are judged afterwards.",
    responses=responses(
        NotFound,
        VerificationClosed,
        ChallengeClosed,
        FileTooLarge,
        PayloadTooLarge,
        UnsupportedFileType,
        UnsupportedMediaType,
        RequestTimeout,
        ValidationFailed,
    ),
    openapi_extra={"requestBody": FRAMES},
)
@public
async def upload_liveness_frames(
    id: IdInPath,  # noqa: A002 (the specification's name of the path parameter)
    services: ServicesDep,
    asked_by: AskedBy,
    request: Request,
) -> FramesAnswer:
    caller = await _holder(services, id, asked_by)
    await documents.ensure_open(services, caller, id)
    async with uploads.received(
        request, roles=["frames"], texts=["challengeId", "nonce"], limits=liveness.LIMITS
    ) as form:
        challenge_id = ids.parse(form.texts["challengeId"])
        if challenge_id is None:
            raise ChallengeClosed
        count = await liveness.answer(
            services,
            caller,
            id,
            challenge_id=challenge_id,
            nonce=form.texts["nonce"],
            uploads=form.files,
        )
    return FramesAnswer(
        challenge_id=challenge_id,
        frames=count,
        message=f"{count} frames were stored; they are judged next.",
    )
