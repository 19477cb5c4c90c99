"""Make altered documents: altered JPEGs, and documents altered before they are photographed.

A JPEG is saved as a phone or messenger does, opened, altered, and saved again at a higher quality.
No limit of the service was set with these pictures.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from random import Random
from typing import Final

import cv2
import numpy as np
from PIL import Image, ImageDraw

from acredita_synthetic.canvas import Box, Canvas, Pixels
from acredita_synthetic.capture import Capture, Difficulty, capture
from acredita_synthetic.faces.people import face_of
from acredita_synthetic.ground_truth import SpecimenKind, values_on
from acredita_synthetic.people import Person, make_person
from acredita_synthetic.specimens import Specimen, draw_document
from acredita_synthetic.typefaces import FAMILIES, typeface
from benchmarks.recognition.drawing import pictured

_SAVED_AGAIN_AT: Final = (85, 90, 95)
_MARGIN: Final = 4
_PORTRAITS: Final[Mapping[SpecimenKind, Box]] = {
    SpecimenKind.INE_FRONT: (36, 168, 258, 336),
    SpecimenKind.PASSPORT: (52, 148, 330, 430),
}
KINDS: Final = tuple(_PORTRAITS)
_NAMES: Final = {SpecimenKind.INE_FRONT: "paternalSurname", SpecimenKind.PASSPORT: "surnames"}
_DIGITS: Final = {
    SpecimenKind.INE_FRONT: ("curp", "clave", "dateOfBirth"),
    SpecimenKind.PASSPORT: ("curp", "documentNumber", "dateOfBirth"),
}


_UNCHECKED: Final = {SpecimenKind.INE_FRONT: "address1", SpecimenKind.PASSPORT: "placeOfBirth"}
"""Lines that the document does not repeat."""


class Alteration(StrEnum):
    PORTRAIT = "portrait of another picture"
    NAME = "surname of another picture"
    DIGIT = "one digit retyped"
    BEFORE = "one digit retyped, then photographed"
    TYPEFACE = "a line set in another typeface, then photographed"


_PHOTOGRAPHED_LAST: Final = (Alteration.BEFORE, Alteration.TYPEFACE)


@dataclass(frozen=True, slots=True)
class _Document:
    """A flat document, and its picture after it was saved once."""

    person: Person
    canvas: Canvas
    taken: Capture
    pixels: Pixels


def forge(how: Alteration, kind: SpecimenKind, seed: int, difficulty: Difficulty) -> Specimen:
    """Make an altered document. The truth has the genuine `values` and the `altered` field."""
    document = _document(kind, make_person(seed), difficulty)
    pixels, altered = _ALTERED[how](document, kind, difficulty)
    rng = Random(f"forge {how} {seed}")
    again = rng.choice(_SAVED_AGAIN_AT)
    quality = document.taken.jpeg_quality if how in _PHOTOGRAPHED_LAST else again
    return pictured(
        Capture(pixels, document.taken.corners, quality),
        how=how.value,
        kind=kind.value,
        seed=seed,
        difficulty=difficulty.value,
        first=document.taken.jpeg_quality,
        altered=altered,
        values=values_on(kind, document.person),
    )


def saved(pixels: Pixels, quality: int) -> Pixels:
    """Return the picture after saving and opening it as JPEG."""
    data = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def _document(kind: SpecimenKind, person: Person, difficulty: Difficulty) -> _Document:
    canvas = draw_document(kind, person)
    taken = _taken(canvas.pixels, kind, person.seed, difficulty)
    return _Document(person, canvas, taken, saved(taken.pixels, taken.jpeg_quality))


def _taken(pixels: Pixels, kind: SpecimenKind, seed: int, difficulty: Difficulty) -> Capture:
    return capture(pixels, difficulty, seed, rounded=kind is not SpecimenKind.PASSPORT)


def _with_portrait(
    document: _Document, kind: SpecimenKind, difficulty: Difficulty
) -> tuple[Pixels, str]:
    donor = document.person
    while face_of(donor) == face_of(document.person):
        donor = make_person(donor.seed + 7_919)
    return _spliced(document, _document(kind, donor, difficulty), _PORTRAITS[kind]), ""


def _with_name(
    document: _Document, kind: SpecimenKind, difficulty: Difficulty
) -> tuple[Pixels, str]:
    field = _NAMES[kind]
    donor = _document(kind, make_person(document.person.seed + 7_919), difficulty)
    boxes = [each.canvas.boxes[field] for each in (document, donor)]
    left, top = (min(box[axis] for box in boxes) - _MARGIN for axis in (0, 1))
    right, bottom = (max(box[axis] + box[axis + 2] for box in boxes) + _MARGIN for axis in (0, 1))
    return _spliced(document, donor, (left, top, right - left, bottom - top)), field


def _with_digit(
    document: _Document, kind: SpecimenKind, difficulty: Difficulty
) -> tuple[Pixels, str]:
    """Retype a digit with the same paper, light and noise, and paste it at its place."""
    field = _DIGITS[kind][document.person.seed % 3]
    retyped = _taken(_retyped(document, field), kind, document.person.seed, difficulty)
    left, top, width, height = document.canvas.boxes[field]
    box = (left - _MARGIN, top - _MARGIN, width + 2 * _MARGIN, height + 2 * _MARGIN)
    where = _region(document, box)[..., None]
    return np.asarray(np.where(where, retyped.pixels, document.pixels), np.uint8), field


def _photographed(
    document: _Document, kind: SpecimenKind, difficulty: Difficulty
) -> tuple[Pixels, str]:
    field = _DIGITS[kind][document.person.seed % 3]
    return _taken(_retyped(document, field), kind, document.person.seed, difficulty).pixels, field


def _with_typeface(
    document: _Document, kind: SpecimenKind, difficulty: Difficulty
) -> tuple[Pixels, str]:
    """Print another person's line in the old line's height, in another typeface."""
    field, seed = _UNCHECKED[kind], document.person.seed
    rng = Random(f"typeface {seed}")
    canvas = document.canvas
    left, top, _, height = canvas.boxes[field]
    family = rng.choice([each for each in FAMILIES if each != canvas.family])
    sheet = Canvas(_wiped(canvas, field), family, canvas.ink)
    value = draw_document(kind, make_person(seed + 7_919)).texts[field]
    size = next(size for size in range(14, 48) if _capitals(family, size) >= height)
    room = canvas.width - left - _MARGIN
    sheet.text((left, top + height), value, size=size, bold=rng.random() < 0.5, max_width=room)
    return _taken(sheet.pixels, kind, seed, difficulty).pixels, field


def _capitals(family: str, size: int) -> float:
    _, top, _, bottom = typeface(family, size, bold=True).getbbox("H", anchor="ls")
    return bottom - top


_ALTERED: Final[
    Mapping[Alteration, Callable[[_Document, SpecimenKind, Difficulty], tuple[Pixels, str]]]
] = {
    Alteration.PORTRAIT: _with_portrait,
    Alteration.NAME: _with_name,
    Alteration.DIGIT: _with_digit,
    Alteration.BEFORE: _photographed,
    Alteration.TYPEFACE: _with_typeface,
}


def _spliced(document: _Document, donor: _Document, box: Box) -> Pixels:
    """Paste the donor's picture into `box` (of the flat document) of the document's picture."""
    height, width = document.pixels.shape[:2]
    lay = cv2.getPerspectiveTransform(donor.taken.corners, document.taken.corners)
    laid = cv2.warpPerspective(donor.pixels, lay, (width, height), flags=cv2.INTER_CUBIC)
    where = _region(document, box)[..., None]
    return np.asarray(np.where(where, laid, document.pixels), np.uint8)


def _region(document: _Document, box: Box) -> Pixels:
    """Return a mask of the picture: 255 inside the box of the flat document."""
    left, top, width, height = box
    flat = np.array(
        [[left, top], [left + width, top], [left + width, top + height], [left, top + height]],
        np.float32,
    )
    size = document.canvas.width, document.canvas.height
    sheet = np.array([[0, 0], [size[0], 0], [size[0], size[1]], [0, size[1]]], np.float32)
    to_picture = cv2.getPerspectiveTransform(sheet, document.taken.corners)
    corners = cv2.perspectiveTransform(flat[None], to_picture)[0]
    region = np.zeros(document.pixels.shape[:2], np.uint8)
    cv2.fillConvexPoly(region, np.round(corners).astype(np.int32), 255)
    return region


def _retyped(document: _Document, field: str) -> Pixels:
    """Replace one digit of the field on the flat document, in the same typeface and ink."""
    canvas = document.canvas
    left, top, width, height = canvas.boxes[field]
    old = canvas.texts[field]
    rng = Random(f"digit {field} {document.person.seed}")
    place = rng.choice([at for at, letter in enumerate(old) if letter.isdigit()])
    digit = rng.choice([each for each in "0123456789" if each != old[place]])
    new = old[:place] + digit + old[place + 1 :]
    face = min(
        (typeface(canvas.family, size, bold=True) for size in range(14, 48)),
        key=lambda each: abs(each.getlength(old) - width),
    )
    sheet = Image.fromarray(_wiped(canvas, field))
    ImageDraw.Draw(sheet).text((left, top + height), new, fill=canvas.ink, font=face, anchor="ls")
    return np.asarray(sheet, np.uint8)


def _wiped(canvas: Canvas, field: str) -> Pixels:
    """Remove the field's print from the paper."""
    left, top, width, height = canvas.boxes[field]
    pixels = canvas.pixels.copy()
    area = pixels[top - 2 : top + height + 2, left - 2 : left + width + 2]
    ink = (cv2.cvtColor(area, cv2.COLOR_BGR2GRAY) < 165).astype(np.uint8)
    area[:] = cv2.inpaint(area, cv2.dilate(ink, np.ones((5, 5), np.uint8)), 5, cv2.INPAINT_TELEA)
    return pixels
