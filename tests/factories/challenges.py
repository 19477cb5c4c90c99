"""Answers to liveness challenges, as synthetic people would give them."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

import cv2
import httpx

from acredita.domain.liveness.challenge import Move
from acredita_synthetic.faces.identity import Identity
from acredita_synthetic.faces.pictures import Picture, draw_frames, draw_selfie

PATH = "/v1/sdk/verifications/{}/liveness-challenge/{}"
Frames = list[tuple[str, bytes]]
"""Each with its name."""


def jpeg(picture: Picture) -> bytes:
    return cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes()


@lru_cache(maxsize=16)
def selfie(face: Identity, number: int = 1) -> bytes:
    return jpeg(draw_selfie(face, number))


@lru_cache(maxsize=64)
def making(
    face: Identity, *moves: Move, take: int = 0, each: int = 3
) -> tuple[tuple[bytes, ...], ...]:
    """So many frames of each move, no two alike; other takes are other films of the same."""
    drawn = draw_frames(face, moves, take=take, each=each)
    return tuple(tuple(map(jpeg, frames)) for frames in drawn)


async def start(client: httpx.AsyncClient, verification_id: str) -> dict[str, Any]:
    answer = await client.post(PATH.format(verification_id, "start"))
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def moves_of(challenge: dict[str, Any]) -> list[Move]:
    return [Move(prompt["action"]) for prompt in challenge["prompts"]]


def named(
    challenge: dict[str, Any],
    frames: Iterable[Sequence[bytes]],
    stills: Iterable[Sequence[bytes]] | None = None,
) -> Frames:
    """The frames of each prompt under the names that they go by; before them those of `stills`,
    where the person was to keep still."""
    prompts = challenge["prompts"]
    before = [()] * len(prompts) if stills is None else stills
    return [
        (f"{prompt['id']}-{number}{mark}.jpg", frame)
        for prompt, of_prompt, still in zip(prompts, frames, before, strict=True)
        for mark, taken in (("s", still if prompt["stillMs"] else ()), ("", of_prompt))
        for number, frame in enumerate(taken, start=1)
    ]


async def send(
    client: httpx.AsyncClient, verification_id: str, challenge: dict[str, Any], frames: Frames
) -> None:
    answer = await client.post(
        PATH.format(verification_id, "frames"),
        data={"challengeId": challenge["challengeId"], "nonce": challenge["nonce"]},
        files=[("frames", (name, content, "image/jpeg")) for name, content in frames],
    )
    assert answer.status_code == 202, answer.text
