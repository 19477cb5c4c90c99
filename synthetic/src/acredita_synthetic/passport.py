"""The passport's data page, drawn as a specimen on a TD3 sheet."""

from dataclasses import dataclass
from datetime import date
from random import Random

import cv2

from acredita_synthetic.canvas import (
    REPETITION,
    Canvas,
    Colour,
    Pixels,
    security_background,
    watermark,
)
from acredita_synthetic.ground_truth import ICAO_SEX
from acredita_synthetic.people import Person
from acredita_synthetic.typefaces import FAMILIES

SIZE = (1250, 880)
PIXELS_PER_MM = 10.0
_LABEL_INKS: tuple[Colour, ...] = ((110, 90, 90), (90, 110, 80), (70, 70, 70))


def draw_page(person: Person, portrait: Pixels) -> Canvas:
    """Draw the data page. `canvas.boxes` has one box for each printed field."""
    rng = Random(f"passport {person.seed}")
    shade = rng.randint(-8, 6)
    paper = (228 + shade, 238 + shade, 232 + shade)
    ink = rng.randint(18, 50)
    canvas = Canvas(
        security_background(SIZE, paper, rng),
        rng.choice(FAMILIES),
        (ink, ink, ink),
        shift=(rng.randint(-6, 6), rng.randint(-4, 3)),
    )
    watermark(canvas, "MUESTRA", size=64)
    _header(canvas)
    canvas.paste((52, 148, 330, 430), portrait)
    # A separate random stream, so that other values of a seed do not change.
    strength = Random(f"repetition {person.seed}").uniform(*REPETITION)
    canvas.repetition((1090, 382, 96, 120), portrait, strength=strength)
    _visual_zone(canvas, person, rng.choice(_LABEL_INKS))
    canvas.specimen_stamp((56, 640), "MUESTRA", size=62)
    canvas.specimen_stamp((56, 688), "SIN VALIDEZ", size=34)
    canvas.specimen_stamp((900, 690), "SPECIMEN", size=48)
    left = (SIZE[0] - 44 * 25.4) / 2
    for number, line in enumerate(person.passport.mrz):
        canvas.machine_readable(
            (left, 744 + number * 62),
            line,
            pixels_per_mm=PIXELS_PER_MM,
            field_name=f"mrz{number + 1}",
        )
    return canvas


def _header(canvas: Canvas) -> None:
    green: Colour = (60, 90, 30)
    # A rosette of our own stands where the real page has the national arms.
    for turn in range(0, 180, 15):
        cv2.ellipse(canvas.pixels, (1172, 66), (46, 20), turn, 0, 360, green, 1, cv2.LINE_AA)
    canvas.text((420, 62), "ESTADOS UNIDOS MEXICANOS", size=36, ink=green)
    canvas.text((56, 62), "PASAPORTE", size=34, ink=green)
    canvas.text((56, 100), "PASSPORT", size=24, bold=False, ink=green)


@dataclass(frozen=True, slots=True)
class CaptionedValue:
    """A value, and its caption above it. `max_width` in pixels."""

    at: tuple[int, int]
    caption: str
    value: str
    field_name: str
    max_width: int


def captioned_values(person: Person) -> list[CaptionedValue]:
    """Return the values of the visual zone, in the order of print."""
    book, place = person.passport, person.passport.birth_place
    birth, issue, expiry = (_day(day) for day in (person.birth_date, book.issued, book.expires))
    rows = (
        ((420, 112), "Tipo / Type", "P", "type", 100),
        ((560, 112), "Clave del país / Issuing state", "MEX", "issuer", 200),
        ((860, 112), "Pasaporte No. / Passport No.", book.number, "documentNumber", 260),
        ((420, 188), "Apellidos / Surname", person.name.surnames, "surnames", 790),
        ((420, 264), "Nombres / Given names", person.name.given, "givenNames", 790),
        ((420, 340), "Nacionalidad / Nationality", "MEXICANA", "nationality", 300),
        ((860, 340), "CURP / Personal No.", str(person.curp), "curp", 360),
        ((420, 416), "Fecha de nacimiento / Date of birth", birth, "dateOfBirth", 300),
        ((860, 416), "Sexo / Sex", ICAO_SEX[person.sex], "sex", 60),
        ((420, 492), "Lugar de nacimiento / Place of birth", place, "placeOfBirth", 790),
        ((420, 568), "Fecha de expedición / Date of issue", issue, "dateOfIssue", 300),
        ((860, 568), "Autoridad / Authority", book.authority, "authority", 300),
        ((420, 644), "Fecha de caducidad / Date of expiry", expiry, "dateOfExpiry", 300),
    )
    return [CaptionedValue(*row) for row in rows]


def _visual_zone(canvas: Canvas, person: Person, label_ink: Colour) -> None:
    for entry in captioned_values(person):
        x, y = entry.at
        canvas.text((x, y), entry.caption, size=17, bold=False, ink=label_ink)
        canvas.text(
            (x, y + 34),
            entry.value,
            size=27,
            field_name=entry.field_name,
            max_width=entry.max_width,
        )


def _day(day: date) -> str:
    return f"{day:%d %m %Y}"
