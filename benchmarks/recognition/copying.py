"""Make copies of a document's portrait, and pictures of people who hold up a document.

Everything is drawn from seeds. Print, screen and camera are simulated.
"""

from collections.abc import Callable, Mapping
from random import Random

import cv2
import numpy as np

from acredita.engines.documents.find_document import find_document, flatten
from acredita.engines.face.find import Face, Image
from acredita_synthetic.capture import Difficulty, capture
from acredita_synthetic.ground_truth import SpecimenKind
from acredita_synthetic.people import make_person
from acredita_synthetic.specimens import draw_document

Alteration = Callable[[Image, int], Image]
_LYING_FLAT = (Difficulty.CLEAN, Difficulty.MILD, Difficulty.LOWRES)
_PORTRAIT = (258, 336)
_CROP_SIDE = 500


def jpeg(picture: Image, quality: int) -> Image:
    encoded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    return np.asarray(cv2.imdecode(encoded, cv2.IMREAD_COLOR), np.uint8)


def scaled(picture: Image, scale: float) -> Image:
    how = cv2.INTER_CUBIC if scale > 1 else cv2.INTER_AREA
    return np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=how), np.uint8)


def cut_out(picture: Image, face: Face, margin: float = 0.5) -> Image:
    """Cut out the face with a margin (a share of its side), 500 pixels long."""
    left, top, right, bottom = face.box
    room = margin * face.side
    part = picture[
        max(0, int(top - room)) : int(bottom + room), max(0, int(left - room)) : int(right + room)
    ]
    return scaled(part, _CROP_SIDE / max(part.shape[:2]))


def as_portrait(picture: Image, face: Face) -> Image:
    """Frame the face as documents do."""
    width = 1.75 * face.side
    scale = _PORTRAIT[0] / width
    left = (face.box[0] + face.box[2]) / 2 - width / 2
    top = face.box[1] - 0.55 * face.side
    move = np.array([[scale, 0, -left * scale], [0, scale, -top * scale]])
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    framed = cv2.warpAffine(picture, move, _PORTRAIT, flags=how, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(framed, np.uint8)


def in_ink(portrait: Image) -> Image:
    """Make the portrait pale and grey, under a guilloche."""
    grey = portrait.mean(axis=2, keepdims=True)
    pale = (0.25 * portrait + 0.75 * grey) * 0.8 + np.array([34, 36, 30])
    y, x = np.mgrid[0 : portrait.shape[0], 0 : portrait.shape[1]]
    waves = np.sin(x / 2.3 + 4 * np.sin(y / 11)) + np.sin(y / 2.9 + 3 * np.sin(x / 13))
    return np.clip(pale + 6 * waves[..., None], 0, 255).astype(np.uint8)


def page_with(portrait: Image, seed: int, difficulty: Difficulty, shot: int) -> Image:
    """Photograph the seed's voter card with the portrait, and flatten it as the service does.

    Each `shot` is another photograph.
    """
    card = draw_document(SpecimenKind.INE_FRONT, make_person(seed), portrait)
    taken = capture(card.pixels, difficulty, shot, rounded=True)
    picture = jpeg(taken.pixels, taken.jpeg_quality)
    found = None if difficulty in _LYING_FLAT else find_document(picture)
    return picture if found is None else jpeg(np.asarray(flatten(picture, found), np.uint8), 90)


def held_up(person: Image, document: Image, share: float, seed: int) -> Image:
    """Show a document in front of the chest, with this share of the picture's width."""
    rng = Random(f"held {seed}")
    height, width = person.shape[:2]
    card = scaled(document, share * width / document.shape[1])
    down, across = card.shape[:2]
    turn = cv2.getRotationMatrix2D((across / 2, down / 2), rng.uniform(-15, 15), 1)
    turn[:, 2] += (
        rng.uniform(0.3, 0.7) * width - across / 2,
        rng.uniform(0.72, 0.8) * height - down / 2,
    )
    shown = cv2.warpAffine(card, turn, (width, height))
    mask = cv2.warpAffine(np.full((down, across), 255, np.uint8), turn, (width, height)) > 128
    held = np.where(mask[..., None], shown, person).astype(np.uint8)
    return jpeg(np.asarray(cv2.GaussianBlur(held, (0, 0), 0.7), np.uint8), 80)


def _turned(picture: Image, degrees: float) -> Image:
    height, width = picture.shape[:2]
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 1)
    size = round(1.4 * max(height, width))
    turn[:, 2] += (size - width) / 2, (size - height) / 2
    turned = cv2.warpAffine(
        picture, turn, (size, size), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(turned, np.uint8)


def _toned(picture: Image, gamma: float, colours: tuple[float, float, float]) -> Image:
    toned = 255 * (picture / 255) ** gamma * np.array(colours)
    return np.clip(toned, 0, 255).astype(np.uint8)


def _noisy(picture: Image, strength: float, seed: int) -> Image:
    grain = np.random.default_rng(seed).normal(0, strength, picture.shape)
    return np.clip(picture + grain, 0, 255).astype(np.uint8)


def _blurred(picture: Image, share: float) -> Image:
    blurred = cv2.GaussianBlur(picture, (0, 0), share * picture.shape[1])
    return np.asarray(blurred, np.uint8)


def _from_aside(picture: Image, seed: int, jitter: float = 0.08) -> Image:
    height, width = picture.shape[:2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    strayed = np.random.default_rng(seed).uniform(-jitter, jitter, (4, 2)) * [width, height]
    view = cv2.getPerspectiveTransform(corners, (corners + strayed).astype(np.float32))
    seen = cv2.warpPerspective(picture, view, (width, height), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, np.uint8)


def _bent(picture: Image, seed: int, share: float) -> Image:
    """Warp the picture smoothly by up to about this share of its width."""
    height, width = picture.shape[:2]
    rng = np.random.default_rng(seed)
    right, down = (
        cv2.resize(
            rng.normal(0, share * width, (5, 5)).astype(np.float32),
            (width, height),
            interpolation=cv2.INTER_CUBIC,
        )
        for _ in range(2)
    )
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    bent = cv2.remap(picture, x + right, y + down, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(bent, np.uint8)


def _on_screen(picture: Image, seed: int) -> Image:
    """Photograph it from a screen of a few hundred pixels: colour stripes, gaps, moiré."""
    rng = Random(f"screen {seed}")
    shown = scaled(picture, rng.uniform(300, 420) / picture.shape[1])
    large = np.asarray(cv2.resize(shown, None, fx=4, fy=4, interpolation=cv2.INTER_NEAREST))
    stripes = np.zeros((4, 4, 3), np.float32)
    for channel, column in ((2, 0), (1, 1), (0, 2)):
        stripes[:3, column, channel] = 1
    light = large * (0.35 + 1.3 * np.tile(stripes, (*shown.shape[:2], 1))) + 14
    optics = cv2.GaussianBlur(np.clip(light, 0, 255), (0, 0), rng.uniform(1, 2)).astype(np.uint8)
    taken = scaled(np.asarray(optics, np.uint8), rng.uniform(0.35, 0.6))
    return jpeg(_noisy(_turned(_from_aside(taken, seed, 0.05), rng.uniform(-6, 6)), 4, seed), 80)


def _printed(picture: Image, seed: int) -> Image:
    """Print it with coarse ink and photograph it by hand."""
    taken = _turned(_from_aside(in_ink(scaled(picture, 0.8)), seed), 5)
    return jpeg(_noisy(taken, 5, seed), 70)


def _all_at_once(picture: Image, seed: int) -> Image:
    turned = _turned(np.ascontiguousarray(picture[:, ::-1]), 11)
    return jpeg(_noisy(_toned(turned, 0.75, (0.85, 1, 1.1)), 6, seed), 50)


_WHITE = (1.0, 1.0, 1.0)
ALTERATIONS: Mapping[str, Alteration] = {
    "unchanged": lambda picture, _: picture,
    "JPEG 30": lambda picture, _: jpeg(picture, 30),
    "half as large": lambda picture, _: scaled(picture, 0.5),
    "three times as large": lambda picture, _: scaled(picture, 3),
    "turned by 7°": lambda picture, _: _turned(picture, 7),
    "turned by 25°": lambda picture, _: _turned(picture, -25),
    "on its side": lambda picture, _: np.ascontiguousarray(np.rot90(picture)),
    "mirrored": lambda picture, _: np.ascontiguousarray(picture[:, ::-1]),
    "stretched by an eighth": lambda picture, _: np.asarray(
        cv2.resize(picture, None, fx=1.125, fy=1), np.uint8
    ),
    "lighter": lambda picture, _: _toned(picture, 0.5, _WHITE),
    "darker": lambda picture, _: _toned(picture, 2, _WHITE),
    "other colours": lambda picture, _: _toned(picture, 1, (0.7, 1, 1.25)),
    "noisy": lambda picture, seed: _noisy(picture, 12, seed),
    "blurred by 1 %": lambda picture, _: _blurred(picture, 0.01),
    "from aside": _from_aside,
    "from a screen": _on_screen,
    "from a print": _printed,
    "all at once": _all_at_once,
}
ESCAPES: Mapping[str, Alteration] = {
    "blurred by 2 %": lambda picture, _: _blurred(picture, 0.02),
    "bent by 1 %": lambda picture, seed: _bent(picture, seed, 0.008),
    "bent by 2 %": lambda picture, seed: _bent(picture, seed, 0.016),
}
"""Alterations that hide a copy. They are measured to show this limit."""
