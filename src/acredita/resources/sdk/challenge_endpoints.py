from typing import Any

from fastapi import Request

from acredita.api import uploads
from acredita.api.dependencies import Db, ServicesDep
from acredita.api.errors import responses
from acredita.api.permissions import public
from acredita.api.routing import make_router
from acredita.domain.errors import (
    ChallengeClosed,
    LivenessNotAsked,
    QueueFull,
    TooManyChallenges,
    VerificationClosed,
)
from acredita.domain.liveness import light
from acredita.domain.liveness.challenge import LIGHT_PROMPT, PROMPT_MILLISECONDS, Move
from acredita.kit import ids
from acredita.resources.documents import service as documents
from acredita.resources.sdk import liveness
from acredita.resources.sdk.schemas import ChallengeAnswer, FramesAnswer, LightShape, PromptShape
from acredita.resources.sdk.visitors import VISITOR_FAULTS, Visitor

router = make_router("/v1/sdk/verifications/{id}/liveness-challenge", tag="Browser flow")

FRAMES: dict[str, Any] = {
    "required": True,
    "description": (
        "The challenge's id and nonce, and its frames: JPEG, at most 1 MB each, three to twelve "
        "for each prompt, in the order in which they were taken, named `<promptId>-<n>.jpg`. Up to "
        "two frames taken during the `stillMs` of a prompt come before these, named "
        "`<promptId>-<n>s.jpg`. For the light, send one frame for each colour, or no frame."
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
                "required": ["challengeId", "nonce"],
                # That is all three. openapi-generator's Go doesn't compile for a required list of
                # files.
                "minProperties": 3,
                "additionalProperties": False,
            },
            "encoding": {"frames": {"contentType": "image/jpeg"}},
        }
    },
}


@router.post(
    "/start",
    summary="Start a liveness challenge",
    responses=responses(*VISITOR_FAULTS, VerificationClosed, LivenessNotAsked, TooManyChallenges),
)
@public
async def start_liveness_challenge(
    visitor: Visitor, services: ServicesDep, session: Db
) -> ChallengeAnswer:
    """The response lists what the person does in front of the camera, in random order. A new
    challenge replaces the previous one. A verification allows ten challenges.
    """
    challenge, nonce = await liveness.start(
        session, services.clock, services.signer, visitor, visitor.id
    )
    return ChallengeAnswer(
        challenge_id=challenge.id,
        nonce=nonce,
        prompts=[
            PromptShape(
                id=prompt["id"],
                action=Move(prompt["move"]),
                timeout_ms=PROMPT_MILLISECONDS,
                still_ms=prompt["still_ms"],
            )
            for prompt in challenge.prompts
        ],
        light=None
        if challenge.light_colours is None
        else LightShape(
            prompt_id=LIGHT_PROMPT,
            colours=challenge.light_colours,
            each_ms=light.EACH_MILLISECONDS,
        ),
        expires_at=challenge.expires_at,
    )


@router.post(
    "/frames",
    status_code=202,
    summary="Upload the frames of a liveness challenge",
    responses=responses(
        *VISITOR_FAULTS, VerificationClosed, ChallengeClosed, QueueFull, *uploads.FAULTS
    ),
    openapi_extra={"requestBody": FRAMES},
)
@public
async def upload_liveness_frames(
    visitor: Visitor, services: ServicesDep, request: Request
) -> FramesAnswer:
    """A challenge accepts frames once, before it expires. They are judged afterwards."""
    await documents.ensure_open(services, visitor, visitor.id)
    async with uploads.received(
        request, roles=["frames"], texts=["challengeId", "nonce"], limits=liveness.LIMITS
    ) as form:
        challenge_id = ids.parse(form.texts["challengeId"])
        if challenge_id is None:
            raise ChallengeClosed
        count = await liveness.store_frames(
            services,
            services.signer,
            visitor,
            visitor.id,
            challenge_id=challenge_id,
            nonce=form.texts["nonce"],
            uploads=form.files,
        )
    return FramesAnswer(
        challenge_id=challenge_id,
        frames=count,
        message=f"{count} frames were stored; they are judged next.",
    )
