"""The pictures of the cases: faces and documents of the people of `acredita_synthetic`.

Each picture is drawn once.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from io import BytesIO
from random import Random

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from acredita.domain.liveness.challenge import Move
from acredita_synthetic.capture import Difficulty
from acredita_synthetic.certificates import CertificateKind, make_certificate
from acredita_synthetic.faces.identity import Identity
from acredita_synthetic.faces.people import face_of, people
from acredita_synthetic.faces.pictures import draw_frames, draw_portrait, draw_selfie
from acredita_synthetic.ground_truth import SpecimenKind
from acredita_synthetic.pdf_sheets import rasterised
from acredita_synthetic.people import CardModel, Person, make_person
from acredita_synthetic.specimens import draw_document, make_specimen

Pixels = NDArray[np.uint8]
# The day on which all documents are valid. People and documents depend on their seed and this day.
DAY = datetime.now(UTC).date().replace(day=1)
YOUNGEST, OLDEST = 20, 75
CANDIDATES = range(1, 400)


@dataclass(frozen=True)
class Actor:
    """A person with documents and a face."""

    seed: int

    @property
    def person(self) -> Person:
        return make_person(self.seed, on=DAY)

    @property
    def face(self) -> Identity:
        return face_of(self.person)

    @property
    def curp(self) -> str:
        return str(self.person.curp)

    def front(self, difficulty: Difficulty = Difficulty.CLEAN) -> bytes:
        return document(self, SpecimenKind.INE_FRONT, difficulty)

    def back(self, difficulty: Difficulty = Difficulty.CLEAN) -> bytes:
        return document(self, SpecimenKind.INE_BACK, difficulty)

    def passport(self, difficulty: Difficulty = Difficulty.CLEAN) -> bytes:
        return document(self, SpecimenKind.PASSPORT, difficulty)

    def licence(self, difficulty: Difficulty = Difficulty.CLEAN) -> bytes:
        return document(self, SpecimenKind.DRIVER_LICENCE, difficulty)

    def curp_certificate(self) -> bytes:
        return certificate(self, CertificateKind.CURP)

    def rfc_certificate(self) -> bytes:
        return certificate(self, CertificateKind.RFC_PERSON)

    def photograph(self) -> bytes:
        """Return an ordinary picture of the face."""
        return selfie(self, 90)

    def selfie(self) -> bytes:
        return selfie(self, 1)


@dataclass
class Clips:
    """Return a film with each move once, in the place and light of a number. Other takes are other
    films in the same place.
    """

    actor: Actor
    sitting: int
    take: int = 0
    _clips: dict[Move, list[bytes]] = field(default_factory=dict)

    def develop(self) -> None:
        if not self._clips:
            filmed = draw_frames(self.actor.face, list(Move), sitting=self.sitting, take=self.take)
            developed = [[jpeg(picture) for picture in of_move] for of_move in filmed]
            self._clips.update(zip(Move, developed, strict=True))

    def of(self, moves: Sequence[Move]) -> list[list[bytes]]:
        """Return three frames of each move."""
        self.develop()
        return [self._clips[move] for move in moves]


@lru_cache(maxsize=256)
def document(actor: Actor, kind: SpecimenKind, difficulty: Difficulty) -> bytes:
    return make_specimen(kind, actor.seed, difficulty, on=DAY).image_bytes


@lru_cache(maxsize=64)
def certificate(actor: Actor, kind: CertificateKind) -> bytes:
    return make_certificate(kind, actor.seed, on=DAY).pdf


@lru_cache(maxsize=64)
def selfie(actor: Actor, number: int) -> bytes:
    return jpeg(draw_selfie(actor.face, number), 90)


def cast(number: int, count: int) -> list[Actor]:
    """Return `count` adults with different faces (at most the number of faces)."""
    rng = Random(f"cast {number}")
    seeds = rng.sample(CANDIDATES, len(CANDIDATES))
    chosen: dict[int, Actor] = {}
    for seed in seeds:
        actor = Actor(seed)
        face = people().index(actor.face)
        if face not in chosen and _is_plain(actor.person):
            chosen[face] = actor
        if len(chosen) == len(people()):
            break
    actors = list(chosen.values())
    rng.shuffle(actors)
    return actors[:count]


def _is_plain(person: Person) -> bool:
    model = person.voter_card.model
    is_of_age = YOUNGEST <= person.age_on(DAY) <= OLDEST
    return is_of_age and model in (CardModel.E, CardModel.G) and person.sex.value != "X"


def jpeg(picture: Pixels, quality: int = 90) -> bytes:
    return cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()


def pixels(content: bytes) -> Pixels:
    """Decode a picture or the first page of a PDF (uint8, BGR)."""
    if content.startswith(b"%PDF"):
        return np.asarray(rasterised(content, 0), np.uint8)
    return np.asarray(cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_COLOR), np.uint8)


def pdf(*pages: bytes) -> bytes:
    """Make one file with a page per picture."""
    first, *others = (Image.fromarray(pixels(page)[:, :, ::-1]) for page in pages)
    target = BytesIO()
    first.save(target, "PDF", save_all=True, append_images=others, resolution=200, quality=90)
    return target.getvalue()


def portrait_box(actor: Actor, kind: SpecimenKind) -> tuple[int, int, int, int]:
    """Return the box of the portrait on the flat document: left, top, right, bottom, in pixels.

    Found by drawing the document twice, with the face and with a grey patch in its place, and
    taking the largest area in which the two differ: repetitions of the portrait are smaller.
    """
    portrait = draw_portrait(actor.face)
    grey = np.full_like(portrait, 150)
    grey[..., 0] = 110
    with_face = draw_document(kind, actor.person, portrait, DAY).pixels.astype(np.int16)
    without = draw_document(kind, actor.person, grey, DAY).pixels.astype(np.int16)
    differs = (np.abs(with_face - without).max(2) > 6).astype(np.uint8)
    closed = cv2.morphologyEx(differs, cv2.MORPH_CLOSE, np.ones((15, 15), np.uint8))
    _, _, stats, _ = cv2.connectedComponentsWithStats(closed)
    left, top, width, height, _ = max(stats[1:], key=lambda row: row[cv2.CC_STAT_AREA])
    return int(left), int(top), int(left + width), int(top + height)


@lru_cache(maxsize=32)
def cropped_portrait(actor: Actor, kind: SpecimenKind, difficulty: Difficulty) -> bytes:
    """Crop the portrait from a picture of the document, with a small margin."""
    left, top, right, bottom = portrait_box(actor, kind)
    specimen = make_specimen(kind, actor.seed, difficulty, on=DAY)
    picture = pixels(specimen.image_bytes)
    width, height = specimen.truth["document_size"]
    sheet = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    corners = np.array(specimen.truth["corners"], np.float32)
    flat = cv2.warpPerspective(
        picture, cv2.getPerspectiveTransform(corners, sheet), (width, height)
    )
    return jpeg(np.asarray(flat[top:bottom, left:right], np.uint8), 92)


@lru_cache(maxsize=16)
def covered(actor: Actor, kind: SpecimenKind) -> bytes:
    """Cover the portrait of the document with a grey patch."""
    left, top, right, bottom = portrait_box(actor, kind)
    picture = pixels(document(actor, kind, Difficulty.CLEAN)).copy()
    picture[top:bottom, left:right] = 150
    return jpeg(picture, 94)


@lru_cache(maxsize=16)
def beside(card: bytes, photograph: bytes) -> bytes:
    """Draw a table with the card and a photograph next to it."""
    document_pixels, photo = pixels(card), pixels(photograph)
    scale = 0.7 * document_pixels.shape[0] / photo.shape[0]
    photo = np.asarray(cv2.resize(photo, None, fx=scale, fy=scale), np.uint8)
    height = int(document_pixels.shape[0] * 1.2)
    width = int(document_pixels.shape[1] * 1.08 + photo.shape[1] * 1.2)
    table = np.full((height, width, 3), (70, 80, 90), np.uint8)
    top, left = int(document_pixels.shape[0] * 0.1), int(document_pixels.shape[1] * 0.04)
    table[top : top + document_pixels.shape[0], left : left + document_pixels.shape[1]] = (
        document_pixels
    )
    left += int(document_pixels.shape[1] * 1.04)
    table[top : top + photo.shape[0], left : left + photo.shape[1]] = photo
    return jpeg(table, 92)
