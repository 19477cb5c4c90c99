"""Specimen documents of synthetic people: an image with its ground truth."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from io import BytesIO
from pathlib import Path
from typing import Any

import cv2
from PIL import Image

from acredita_synthetic import driver_licences, passport, voter_card
from acredita_synthetic.canvas import Canvas, Pixels
from acredita_synthetic.capture import Capture, Difficulty, capture
from acredita_synthetic.cases import Case, person_of
from acredita_synthetic.faces.people import face_of
from acredita_synthetic.faces.pictures import draw_portrait
from acredita_synthetic.ground_truth import SpecimenKind, person_truth, values_on
from acredita_synthetic.people import (
    REFERENCE_DATE,
    CardModel,
    Person,
    make_person,
    with_model,
)
from acredita_synthetic.styles import Style, draw_back_in_style, draw_in_style


class SpecimenFormat(StrEnum):
    JPEG = "image/jpeg"
    PNG = "image/png"
    PDF = "application/pdf"

    @property
    def suffix(self) -> str:
        return {"image/jpeg": ".jpg", "image/png": ".png", "application/pdf": ".pdf"}[self]


@dataclass(frozen=True, slots=True)
class Specimen:
    """`truth` is ready for JSON.

    `fields`: the printed texts with their boxes on the flat document. `values`: the expected
    reading. `person`: the person's data. `corners`: the document's corners in the picture, from its
    top left, clockwise.
    """

    image_bytes: bytes
    mime_type: str
    truth: dict[str, Any]


def draw_document(
    kind: SpecimenKind,
    person: Person,
    portrait: Pixels | None = None,
    on: date = REFERENCE_DATE,
    style: Style = Style.CLASSIC,
) -> Canvas:
    """Draw a person's flat document, valid on the day `on`. Without `portrait` (uint8, BGR), print
    the face of the person.
    """
    if kind is SpecimenKind.INE_BACK:
        is_classic = style is Style.CLASSIC
        return voter_card.draw_back(person) if is_classic else draw_back_in_style(person, style)
    if portrait is None:
        portrait = draw_portrait(face_of(person))
    if style is not Style.CLASSIC:
        return draw_in_style(kind, person, portrait, style, on)
    if kind is SpecimenKind.INE_FRONT:
        return voter_card.draw_front(person, portrait)
    if kind is SpecimenKind.DRIVER_LICENCE:
        return driver_licences.draw_licence(person, portrait, on=on)
    return passport.draw_page(person, portrait)


def make_specimen(
    kind: SpecimenKind,
    seed: int,
    difficulty: Difficulty = Difficulty.CLEAN,
    *,
    quarter_turns: int = 0,
    file_format: SpecimenFormat = SpecimenFormat.JPEG,
    portrait: Pixels | None = None,
    on: date = REFERENCE_DATE,
    model: CardModel | None = None,
    style: Style = Style.CLASSIC,
    case: Case = Case.ADULT,
) -> Specimen:
    """Make a document of the seed's person. All kinds of one seed belong to one person.

    `model`: the model of the voter card, issued in the years of that model. `case`: another age or
    name of this person. Raise ValueError for a document that a child does not have.
    """
    if case is Case.CHILD and kind is not SpecimenKind.PASSPORT:
        raise ValueError(f"a child has no {kind}: expected passport")
    person = person_of(make_person(seed, on=on), case, on)
    if model is not None:
        person = with_model(person, model)
    canvas = draw_document(kind, person, portrait, on, style)
    taken = _picture(canvas, kind, difficulty, seed, quarter_turns)
    truth = {
        "specimen": True,
        "kind": kind.value,
        "seed": seed,
        "difficulty": difficulty.value,
        "style": style.value,
        "quarter_turns": quarter_turns % 4,
        "image_size": [int(taken.pixels.shape[1]), int(taken.pixels.shape[0])],
        "corners": [[round(float(x), 1), round(float(y), 1)] for x, y in taken.corners],
        "document_size": [canvas.width, canvas.height],
        "fields": {
            name: {"text": text, "box": list(canvas.boxes[name])}
            for name, text in canvas.texts.items()
        },
        "values": values_on(kind, person, on),
        "person": person_truth(person),
    }
    return Specimen(_encoded([taken], file_format), file_format.value, truth)


def document_picture(kind: SpecimenKind, person: Person) -> bytes:
    """Return a JPEG of the person's document."""
    taken = _picture(draw_document(kind, person), kind, Difficulty.CLEAN, person.seed, 0)
    return _encoded([taken], SpecimenFormat.JPEG)


def make_pdf(
    kinds: Sequence[SpecimenKind],
    seed: int,
    difficulty: Difficulty = Difficulty.CLEAN,
    *,
    on: date = REFERENCE_DATE,
) -> bytes:
    """Make a PDF of one person's documents, one picture per page."""
    person = make_person(seed, on=on)
    pages = [
        _picture(draw_document(kind, person, on=on), kind, difficulty, seed, 0) for kind in kinds
    ]
    return _encoded(pages, SpecimenFormat.PDF)


def _picture(
    canvas: Canvas, kind: SpecimenKind, difficulty: Difficulty, seed: int, quarter_turns: int
) -> Capture:
    return capture(
        canvas.pixels,
        difficulty,
        seed,
        quarter_turns=quarter_turns,
        rounded=kind is not SpecimenKind.PASSPORT,
    )


def _encoded(pictures: Sequence[Capture], file_format: SpecimenFormat) -> bytes:
    if file_format is SpecimenFormat.PDF:
        return _pdf(pictures)
    picture = pictures[0]
    options = {
        SpecimenFormat.JPEG: [cv2.IMWRITE_JPEG_QUALITY, picture.jpeg_quality],
        SpecimenFormat.PNG: [cv2.IMWRITE_PNG_COMPRESSION, 3],
    }[file_format]
    done, data = cv2.imencode(file_format.suffix, picture.pixels, options)
    if not done:
        raise ValueError("the picture could not be encoded")
    return data.tobytes()


def _pdf(pictures: Sequence[Capture]) -> bytes:
    first, *others = (
        Image.fromarray(cv2.cvtColor(picture.pixels, cv2.COLOR_BGR2RGB)) for picture in pictures
    )
    target = BytesIO()
    # Without dates: the same seed must give the same bytes.
    first.save(
        target,
        "PDF",
        save_all=True,
        append_images=others,
        resolution=200,
        quality=min(picture.jpeg_quality for picture in pictures),
        creationDate=None,
        modDate=None,
    )
    return target.getvalue()


def write_specimens(
    folder: Path,
    count: int,
    seed: int = 1,
    kinds: Sequence[SpecimenKind] = tuple(SpecimenKind),
    difficulties: Sequence[Difficulty] = (Difficulty.CLEAN,),
    case: Case = Case.ADULT,
) -> list[Path]:
    """Write images and ground truth (JSON) of `count` people in every kind and difficulty.

    Return the images' paths. The JSON is written after its image, so it never exists alone.
    Raise ValueError as `make_specimen`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for person_seed in range(seed, seed + count):
        for kind in kinds:
            for difficulty in difficulties:
                specimen = make_specimen(kind, person_seed, difficulty, case=case)
                of_case = "" if case is Case.ADULT else f"{case}-"
                image = folder / f"{person_seed:06}-{of_case}{kind}-{difficulty}.jpg"
                image.write_bytes(specimen.image_bytes)
                truth = json.dumps(specimen.truth, ensure_ascii=False, indent=2)
                image.with_suffix(".json").write_text(truth + "\n", encoding="utf-8")
                written.append(image)
    return written
