"""Changes of a picture with which an attacker hides that it is a copy."""

from collections.abc import Callable
from random import Random
from typing import Final

import cv2
import numpy as np

from acredita.domain.liveness.challenge import Move
from acredita_synthetic.capture import Difficulty, capture
from benchmarks.attack.pictures import Pixels, jpeg, pixels

Copy = Callable[[bytes], bytes]
MIRRORED: Final = {Move.TURN_LEFT: Move.TURN_RIGHT, Move.TURN_RIGHT: Move.TURN_LEFT}
"""Moves that a mirrored picture turns into another move."""
_START_OF_IMAGE, _COMMENT = b"\xff\xd8", b"\xff\xfe"


def commented(picture: bytes) -> bytes:
    """Add a comment of eight random bytes to a JPEG: another file with the same picture."""
    text = Random(picture[:4096]).randbytes(8).replace(b"\xff", b"\x00")
    comment = _COMMENT + (len(text) + 2).to_bytes(2, "big") + text
    return _START_OF_IMAGE + comment + picture.removeprefix(_START_OF_IMAGE)


def reencoded(picture: bytes) -> bytes:
    return jpeg(pixels(picture), 72)


def mirrored(picture: bytes) -> bytes:
    return _changed(picture, lambda image: cv2.flip(image, 1))


def brighter(picture: bytes) -> bytes:
    return _changed(picture, lambda image: cv2.convertScaleAbs(image, alpha=1.08, beta=14))


def noisy(picture: bytes) -> bytes:
    def spoil(image: Pixels) -> Pixels:
        noise = np.random.default_rng(len(picture)).normal(0, 5, image.shape)
        return np.clip(image + noise, 0, 255).astype(np.uint8)

    return _changed(picture, spoil)


def trimmed(picture: bytes) -> bytes:
    """Cut a margin of 5 % off each side."""

    def trim(image: Pixels) -> Pixels:
        height, width = image.shape[:2]
        down, right = height // 20, width // 20
        return np.ascontiguousarray(image[down : height - down, right : width - right])

    return _changed(picture, trim)


def enlarged(picture: bytes) -> bytes:
    return _changed(picture, lambda image: _scaled(image, 2.0))


def reduced(picture: bytes) -> bytes:
    return _changed(picture, lambda image: _scaled(image, 0.9))


def tilted(picture: bytes) -> bytes:
    """Rotate by seven degrees."""

    def tilt(image: Pixels) -> Pixels:
        height, width = image.shape[:2]
        turn = cv2.getRotationMatrix2D((width / 2, height / 2), 7, 1)
        turned = cv2.warpAffine(image, turn, (width, height), borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(turned, np.uint8)

    return _changed(picture, tilt)


def rephotographed(picture: bytes) -> bytes:
    """Photograph the picture on a table."""
    return jpeg(capture(pixels(picture), Difficulty.PHOTO, len(picture)).pixels, 85)


def framed(picture: bytes) -> bytes:
    """Add a plain wall around a tightly cropped portrait, as in a selfie."""

    def frame(image: Pixels) -> Pixels:
        height, width = image.shape[:2]
        wall = np.full((int(height * 1.5), int(width * 1.5), 3), (176, 180, 184), np.uint8)
        top, left = wall.shape[0] - height, (wall.shape[1] - width) // 2
        wall[top:, left : left + width] = image
        return wall

    return _changed(picture, frame)


def _changed(picture: bytes, change: Callable[[Pixels], Pixels]) -> bytes:
    return jpeg(np.asarray(change(pixels(picture)), np.uint8), 90)


def _scaled(image: Pixels, scale: float) -> Pixels:
    return np.asarray(
        cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC), np.uint8
    )
