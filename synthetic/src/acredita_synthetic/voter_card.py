"""The voter card (IFE, INE), models C to H, drawn as a specimen on an ID-1 sheet."""

from dataclasses import dataclass
from datetime import date
from random import Random

import cv2
import numpy as np

from acredita_synthetic.canvas import (
    REPETITION,
    Canvas,
    Colour,
    Pixels,
    security_background,
    watermark,
)
from acredita_synthetic.people import CardModel, Person, VoterCard
from acredita_synthetic.typefaces import FAMILIES

SIZE = (1012, 638)
PIXELS_PER_MM = SIZE[0] / 85.6
MRZ_PITCH = PIXELS_PER_MM * 2.54
_LABEL_INKS: tuple[Colour, ...] = ((90, 60, 120), (110, 50, 110), (60, 60, 90), (80, 80, 80))
_TEXT_LEFT = 330
_TEXT_WIDTH = SIZE[0] - _TEXT_LEFT - 24


def draw_front(person: Person, portrait: Pixels) -> Canvas:
    """Draw the front. `canvas.boxes` has one box for each printed field."""
    rng = Random(f"ine front {person.seed}")
    canvas = _blank(rng, (236, 238, 240))
    label_ink = rng.choice(_LABEL_INKS)
    _header(canvas, person.voter_card, label_ink, rng)
    canvas.paste((36, 168, 258, 336), portrait)
    _repeat_portrait(canvas, person, portrait)
    _name_and_address(canvas, person, label_ink)
    for entry in captioned_values(person):
        entry.print_on(canvas, label_ink)
    canvas.specimen_stamp((38, 556), "MUESTRA", size=50)
    canvas.specimen_stamp((38, 600), "SIN VALIDEZ", size=30)
    canvas.specimen_stamp((600, 604), "SPECIMEN", size=40)
    return canvas


def _repeat_portrait(canvas: Canvas, person: Person, portrait: Pixels) -> None:
    """Cards issued by INE repeat the portrait, small and pale."""
    model = person.voter_card.model
    if model.by_ife:
        return
    # A separate random stream, so that other values of a seed do not change.
    strength = Random(f"repetition {person.seed}").uniform(*REPETITION)
    box = (880, 152, 93, 121) if model.has_qr else (868, 528, 82, 106)
    canvas.repetition(box, portrait, strength=strength)


def _blank(rng: Random, paper: Colour) -> Canvas:
    shade = rng.randint(-8, 6)
    blue, green, red = (channel + shade for channel in paper)
    ink = rng.randint(18, 55)
    canvas = Canvas(
        security_background(SIZE, (blue, green, red), rng),
        rng.choice(FAMILIES),
        (ink + rng.randint(0, 8), ink, ink),
        shift=(rng.randint(-4, 4), rng.randint(-3, 3)),
    )
    watermark(canvas, "MUESTRA", size=54)
    return canvas


def _header(canvas: Canvas, card: VoterCard, label_ink: Colour, rng: Random) -> None:
    # A rosette of our own stands where the real card has the national arms.
    for turn in range(0, 180, 20):
        cv2.ellipse(canvas.pixels, (84, 74), (46, 20), turn, 0, 360, label_ink, 1, cv2.LINE_AA)
    if rng.random() < 0.5:
        canvas.text((150, 66), "MÉXICO", size=36, ink=label_ink)
        left = 330
    else:
        canvas.text((150, 96), "MÉXICO", size=30, ink=label_ink)
        left = 310
    institute = "FEDERAL" if card.model.by_ife else "NACIONAL"
    canvas.text(
        (left, 56), f"INSTITUTO {institute} ELECTORAL", size=32, max_width=SIZE[0] - left - 30
    )
    title = "CREDENCIAL PARA VOTAR"
    if card.model.issued_abroad:
        title += " DESDE EL EXTRANJERO"
    canvas.text((left, 94), title, size=26, bold=False, max_width=SIZE[0] - left - 30)


def _name_and_address(canvas: Canvas, person: Person, label_ink: Colour) -> None:
    right_column = 830 if person.voter_card.model.has_qr else 760
    width = right_column - _TEXT_LEFT - 16
    canvas.text((_TEXT_LEFT, 142), "NOMBRE", size=17, ink=label_ink)
    printed = (
        ("paternalSurname", person.name.paterno),
        ("maternalSurname", person.name.materno),
        ("givenNames", person.name.given),
    )
    baseline = 172
    for field_name, text in printed:
        if text:
            canvas.text(
                (_TEXT_LEFT, baseline), text, size=25, field_name=field_name, max_width=width
            )
            baseline += 31
    canvas.text((_TEXT_LEFT, 268), "DOMICILIO", size=17, ink=label_ink)
    for line, text in enumerate(person.voter_card.address):
        canvas.text(
            (_TEXT_LEFT, 299 + line * 29),
            text,
            size=23,
            field_name=f"address{line + 1}",
            max_width=_TEXT_WIDTH,
        )


def captioned_values(person: Person) -> "list[CaptionedValue]":
    """Return the values that have a caption of their own, in the order of print."""
    clave = str(person.clave_elector)
    printed = _DATA.get(person.voter_card.model, _data_before_2019)
    return [
        CaptionedValue((_TEXT_LEFT, 394), "CLAVE DE ELECTOR", clave, "clave", beside=True),
        *printed(person),
    ]


@dataclass(frozen=True, slots=True)
class CaptionedValue:
    """Print a field's value below its caption, or beside it on the same line."""

    at: tuple[int, int]
    caption: str
    value: str
    field_name: str
    beside: bool = False

    def print_on(self, canvas: Canvas, label_ink: Colour) -> None:
        _, _, width, _ = canvas.text(self.at, self.caption, size=17, ink=label_ink)
        x, y = self.at
        value_at = (x + width + 12, y) if self.beside else (x, y + 30)
        canvas.text(value_at, self.value, size=24, field_name=self.field_name)


def _data_since_2019(person: Person) -> list[CaptionedValue]:
    card = person.voter_card
    registration = f"{card.registration_year} {card.emission_number:02}"
    validity = f"{card.issued_year}-{card.expires_year}"
    birth = f"{person.birth_date:%d/%m/%Y}"
    return [
        CaptionedValue((830, 142), "SEXO", person.sex.value, "sex", beside=True),
        CaptionedValue((_TEXT_LEFT, 426), "CURP", str(person.curp), "curp"),
        CaptionedValue((712, 426), "AÑO DE REGISTRO", registration, "registrationYear"),
        CaptionedValue((_TEXT_LEFT, 496), "FECHA DE NACIMIENTO", birth, "dateOfBirth"),
        CaptionedValue((570, 496), "SECCIÓN", f"{card.section:04}", "section"),
        CaptionedValue((712, 496), "VIGENCIA", validity, "validity"),
    ]


def _data_before_2019(person: Person) -> list[CaptionedValue]:
    birth = f"{person.birth_date:%d/%m/%Y}"
    return [
        CaptionedValue((760, 142), "FECHA DE NACIMIENTO", birth, "dateOfBirth"),
        *_register(person),
    ]


def _data_with_age(person: Person) -> list[CaptionedValue]:
    """Model C: the age when it was issued, and a folio."""
    age = person.age_on(date(person.voter_card.issued_year, 12, 31))
    return [
        CaptionedValue((760, 142), "EDAD", str(age), "age", beside=True),
        CaptionedValue((760, 178), "FOLIO", f"{person.seed % 10**9:09}", "folio", beside=True),
        *_register(person),
    ]


def _register(person: Person) -> list[CaptionedValue]:
    card = person.voter_card
    registration = f"{card.registration_year} {card.emission_number:02}"
    beside = (
        ((760, 214), "SEXO", person.sex.value, "sex"),
        ((_TEXT_LEFT, 434), "CURP", str(person.curp), "curp"),
        ((700, 434), "AÑO DE REGISTRO", registration, "registrationYear"),
        ((_TEXT_LEFT, 476), "ESTADO", f"{card.state:02}", "state"),
        ((485, 476), "MUNICIPIO", f"{card.municipality:03}", "municipality"),
        ((700, 476), "SECCIÓN", f"{card.section:04}", "section"),
        ((_TEXT_LEFT, 518), "LOCALIDAD", f"{card.locality:04}", "locality"),
        ((515, 518), "EMISIÓN", str(card.issued_year), "emissionYear"),
        ((700, 518), "VIGENCIA", str(card.expires_year), "expiryYear"),
    )
    return [CaptionedValue(*entry, beside=True) for entry in beside]


_DATA = {
    CardModel.C: _data_with_age,
    CardModel.G: _data_since_2019,
    CardModel.H: _data_since_2019,
}


def draw_back(person: Person) -> Canvas:
    """Draw the back: codes, the printed CIC, and the three machine-readable lines."""
    if not person.voter_card.model.has_zone:
        return _draw_back_of_ife(person)
    rng = Random(f"ine back {person.seed}")
    canvas = _blank(rng, (238, 238, 240))
    card = person.voter_card
    payload = f"MUESTRA SIN VALIDEZ {card.cic} {card.ocr} " + "".join(
        rng.choice("0123456789ABCDEF") for _ in range(160)
    )
    if card.model.has_qr:
        canvas.paste((52, 48, 216, 216), qr_code(payload))
        canvas.paste((744, 48, 216, 216), qr_code(payload[::-1]))
        canvas.paste((508, 48, 120, 120), qr_code(f"MUESTRA {card.cic}"))
    else:
        canvas.paste((52, 48, 620, 180), stacked_bars(rng))
    canvas.text((300 if card.model.has_qr else 700, 84), "CIC", size=18, bold=False)
    canvas.text((300 if card.model.has_qr else 700, 116), card.cic, size=26, field_name="cic")
    cv2.line(canvas.pixels, (310, 360), (700, 360), canvas.ink, 1, cv2.LINE_AA)
    canvas.text((430, 386), "FIRMA / SIGNATURE", size=14, bold=False)
    sign(canvas, rng)
    canvas.specimen_stamp((52, 340), "MUESTRA", size=50)
    canvas.specimen_stamp((52, 384), "SIN VALIDEZ", size=32)
    canvas.specimen_stamp((744, 340), "SPECIMEN", size=40)
    left = (SIZE[0] - 30 * MRZ_PITCH) / 2
    for number, line in enumerate(card.mrz):
        canvas.machine_readable(
            (left, 436 + number * 56),
            line,
            pixels_per_mm=PIXELS_PER_MM,
            field_name=f"mrz{number + 1}",
        )
    return canvas


def _draw_back_of_ife(person: Person) -> Canvas:
    """Model C: the OCR number in print, the boxes that were punched at elections."""
    rng = Random(f"ine back {person.seed}")
    canvas = _blank(rng, (238, 238, 240))
    for row, text in enumerate(
        (
            "ESTE DOCUMENTO ES INTRANSFERIBLE, NO ES VÁLIDO SI PRESENTA",
            "TACHADURAS O ENMENDADURAS. EL TITULAR ESTÁ OBLIGADO A",
            "NOTIFICAR EL CAMBIO DE DOMICILIO EN LOS 30 DÍAS SIGUIENTES",
        )
    ):
        canvas.text((52, 70 + 28 * row), text, size=18, bold=False, max_width=620)
    canvas.text((52, 190), "ELECCIONES FEDERALES", size=18)
    canvas.text((52, 270), "LOCALES Y EXTRAORDINARIAS", size=18)
    for number, year in enumerate(("12", "15", "18", "21")):
        canvas.text((52 + 90 * number, 230), year, size=20, bold=False)
    canvas.text((52, 500), person.voter_card.ocr, size=34, field_name="ocr")
    cv2.line(canvas.pixels, (310, 360), (700, 360), canvas.ink, 1, cv2.LINE_AA)
    canvas.text((390, 386), "INSTITUTO FEDERAL ELECTORAL", size=14, bold=False)
    sign(canvas, rng)
    canvas.specimen_stamp((744, 200), "MUESTRA", size=50)
    canvas.specimen_stamp((744, 244), "SIN VALIDEZ", size=32)
    canvas.specimen_stamp((744, 340), "SPECIMEN", size=40)
    return canvas


def qr_code(payload: str) -> Pixels:
    modules = cv2.QRCodeEncoder.create().encode(payload)
    quiet = cv2.copyMakeBorder(modules, 2, 2, 2, 2, cv2.BORDER_CONSTANT, value=(255, 255, 255))
    enlarged = cv2.resize(quiet, None, fx=6, fy=6, interpolation=cv2.INTER_NEAREST)
    return np.asarray(cv2.cvtColor(enlarged, cv2.COLOR_GRAY2BGR), np.uint8)


def stacked_bars(rng: Random) -> Pixels:
    """Draw rows of bars that look like PDF417 without content."""
    rows, codewords = 24, 14
    start, stop = "11111111010101000", "111111101000101001"
    symbol = np.zeros((rows, len(start) + codewords * 17 + len(stop)), np.uint8)
    for row in range(rows):
        bits = start
        for _ in range(codewords):
            widths = [rng.randint(1, 3) for _ in range(7)]
            widths.append(max(1, 17 - sum(widths)))
            word = "".join("10"[i % 2] * width for i, width in enumerate(widths))
            bits += (word + "0" * 17)[:17]
        bits += stop
        symbol[row] = [0 if bit == "1" else 255 for bit in bits]
    enlarged = cv2.resize(symbol, None, fx=4, fy=12, interpolation=cv2.INTER_NEAREST)
    return np.asarray(cv2.cvtColor(enlarged, cv2.COLOR_GRAY2BGR), np.uint8)


def sign(canvas: Canvas, rng: Random) -> None:
    steps = np.linspace(0, 1, 160)
    x = 360 + 280 * steps + rng.uniform(10, 26) * np.cos(steps * rng.uniform(30, 60))
    y = 318 + rng.uniform(12, 26) * np.sin(steps * rng.uniform(25, 50)) * (1 - steps * 0.6)
    points = np.round(np.stack([x, y], axis=1) * 16).astype(np.int32)
    cv2.polylines(canvas.pixels, [points], False, (90, 50, 40), 2, cv2.LINE_AA, 4)
