"""Driver's licences of synthetic people, drawn as specimens on ID-1 sheets: one design per state.

The designs are our own. They follow public descriptions of each state's card (issuer, fields,
terms), not its appearance. The licence numbers are invented.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random

import cv2

from acredita_synthetic.canvas import (
    Canvas,
    Colour,
    Pixels,
    security_background,
    watermark,
)
from acredita_synthetic.people import REFERENCE_DATE, Person
from acredita_synthetic.typefaces import FAMILIES

SIZE = (1012, 638)
_LABEL_INKS: tuple[Colour, ...] = ((90, 60, 60), (110, 90, 50), (60, 60, 110), (80, 80, 80))
_MONTHS = ("ENE", "FEB", "MAR", "ABR", "MAY", "JUN", "JUL", "AGO", "SEP", "OCT", "NOV", "DIC")
_BLOOD = ("O+", "A+", "B+", "O-", "AB+", "A-")
_CLASSES = ("AUTOMOVILISTA", "CHOFER", "MOTOCICLISTA")


@dataclass(frozen=True, slots=True)
class Entry:
    """A caption and its field. The value is below it, or beside it at `value_left`."""

    caption: str
    field: str
    at: tuple[int, int]
    width: int = 320
    value_left: int | None = None


@dataclass(frozen=True, slots=True)
class Design:
    """One state's card. `number`: A is a letter, 9 a digit. `terms`: in years; 0 is a permanent
    licence.
    """

    state: str
    heading: tuple[str, str, str]
    entries: tuple[Entry, ...]
    number: str
    terms: tuple[int, ...]
    classes: tuple[str, ...]
    paper: Colour
    portrait: tuple[int, int, int, int] = (36, 168, 250, 324)
    dates: str = "{day:02}/{month:02}/{year}"
    never: str = "PERMANENTE"
    surnames_first: bool = True

    @property
    def fields(self) -> tuple[str, ...]:
        return tuple(entry.field for entry in self.entries)


@dataclass(frozen=True, slots=True)
class Licence:
    """A person's licence. `expires` is None for a permanent one."""

    state: str
    number: str
    kind: str
    blood_group: str
    issued: date
    expires: date | None


def _column(left: int, *rows: tuple[str, str, int], width: int = 320) -> tuple[Entry, ...]:
    return tuple(Entry(caption, field, (left, top), width) for caption, field, top in rows)


DESIGNS: tuple[Design, ...] = (
    Design(
        "DF",
        (
            "GOBIERNO DE LA CIUDAD DE MÉXICO",
            "SECRETARÍA DE MOVILIDAD",
            "LICENCIA PARA CONDUCIR",
        ),
        (
            *_column(
                316, ("NOMBRE", "fullName", 190), ("CURP", "curp", 270), width=660
            ),
            *_column(316, ("No. DE LICENCIA", "documentNumber", 350),
                     ("FECHA DE EXPEDICIÓN", "issueDate", 430)),
            *_column(680, ("TIPO DE LICENCIA", "licenceClass", 350),
                     ("VÁLIDA HASTA", "expiryDate", 430), width=290),
        ),
        "A99999999",
        (3, 3, 0),
        ("TIPO A", "TIPO B", "TIPO E1"),
        (232, 236, 240),
    ),
    Design(
        "MC",
        (
            "GOBIERNO DEL ESTADO DE MÉXICO",
            "SECRETARÍA DE MOVILIDAD",
            "LICENCIA DE CONDUCIR",
        ),
        (
            *_column(316, ("APELLIDO PATERNO", "paternalSurname", 170),
                     ("APELLIDO MATERNO", "maternalSurname", 236),
                     ("NOMBRE(S)", "givenNames", 302), ("CURP", "curp", 368), width=380),
            *_column(720, ("LICENCIA No.", "documentNumber", 170),
                     ("TIPO DE LICENCIA", "licenceClass", 236),
                     ("FECHA DE EXPEDICIÓN", "issueDate", 302),
                     ("FECHA DE VENCIMIENTO", "expiryDate", 368),
                     ("GRUPO SANGUÍNEO", "bloodGroup", 434), width=260),
            *_column(316, ("DOMICILIO", "address", 434), width=380),
        ),
        "A999999999",
        (1, 2, 4),
        ("A", "B", "C"),
        (236, 240, 232),
    ),
    Design(
        "JC",
        (
            "GOBIERNO DEL ESTADO DE JALISCO",
            "SECRETARÍA DE TRANSPORTE",
            "LICENCIA DE CONDUCIR",
        ),
        (
            *_column(44, ("NOMBRE", "fullName", 190), ("CURP", "curp", 270), width=640),
            *_column(44, ("NÚMERO DE LICENCIA", "documentNumber", 350),
                     ("FECHA DE NACIMIENTO", "dateOfBirth", 430),
                     ("TIPO DE SANGRE", "bloodGroup", 510), width=290),
            *_column(390, ("MODALIDAD", "licenceClass", 350),
                     ("FECHA DE EXPEDICIÓN", "issueDate", 430),
                     ("FECHA DE VENCIMIENTO", "expiryDate", 510), width=300),
        ),
        "AA99999999",
        (4, 4, 0),
        _CLASSES,
        (238, 236, 230),
        portrait=(724, 168, 250, 324),
        surnames_first=False,
    ),
    Design(
        "NL",
        (
            "GOBIERNO DEL ESTADO DE NUEVO LEÓN",
            "INSTITUTO DE CONTROL VEHICULAR",
            "LICENCIA DE CONDUCIR",
        ),
        (
            *_column(316, ("APELLIDOS", "surnames", 170), ("NOMBRES", "givenNames", 236),
                     width=380),
            *_column(316, ("CURP", "curp", 302), ("FECHA DE NACIMIENTO", "dateOfBirth", 368)),
            *_column(316, ("DOMICILIO", "address", 434), width=380),
            *_column(720, ("LICENCIA No.", "documentNumber", 170),
                     ("TIPO DE LICENCIA", "licenceClass", 236), ("EXPEDICIÓN", "issueDate", 302),
                     ("VENCIMIENTO", "expiryDate", 368), width=260),
        ),
        "99999999",
        (3, 4, 5),
        _CLASSES,
        (240, 236, 236),
        dates="{day:02}/{name}/{year}",
    ),
    Design(
        "PL",
        (
            "GOBIERNO DEL ESTADO DE PUEBLA",
            "SECRETARÍA DE MOVILIDAD Y TRANSPORTE",
            "LICENCIA PARA CONDUCIR",
        ),
        tuple(
            Entry(caption, field, (316, 190 + 46 * row), 400, 580)
            for row, (caption, field) in enumerate(
                (
                    ("No. DE LICENCIA", "documentNumber"),
                    ("PRIMER APELLIDO", "paternalSurname"),
                    ("SEGUNDO APELLIDO", "maternalSurname"),
                    ("NOMBRE(S)", "givenNames"),
                    ("FECHA DE NACIMIENTO", "dateOfBirth"),
                    ("CURP", "curp"),
                    ("TIPO DE LICENCIA", "licenceClass"),
                    ("FECHA DE EXPEDICIÓN", "issueDate"),
                    ("FECHA DE VENCIMIENTO", "expiryDate"),
                )
            )
        ),
        "AA9999999",
        (3, 5, 0),
        _CLASSES,
        (236, 232, 240),
    ),
    Design(
        "VZ",
        (
            "GOBIERNO DEL ESTADO DE VERACRUZ",
            "DIRECCIÓN GENERAL DE TRÁNSITO",
            "LICENCIA PARA CONDUCIR",
        ),
        (
            *_column(316, ("NOMBRE(S)", "givenNames", 170), ("APELLIDOS", "surnames", 236),
                     ("CURP", "curp", 302), ("FOLIO DE LICENCIA", "documentNumber", 368),
                     ("DOMICILIO", "address", 434), width=380),
            *_column(720, ("TIPO DE LICENCIA", "licenceClass", 170),
                     ("GRUPO SANGUÍNEO", "bloodGroup", 236),
                     ("FECHA DE EXPEDICIÓN", "issueDate", 302),
                     ("VIGENCIA HASTA", "expiryDate", 368), width=260),
        ),
        "A9999999999",
        (2, 3, 5),
        ("TIPO A", "TIPO B", "TIPO C", "TIPO D"),
        (232, 240, 238),
    ),
    Design(
        "GT",
        (
            "GOBIERNO DEL ESTADO DE GUANAJUATO",
            "SECRETARÍA DE GOBIERNO",
            "LICENCIA DE CONDUCIR",
        ),
        (
            *_column(44, ("NOMBRE DEL CONDUCTOR", "fullName", 170), ("CURP", "curp", 236),
                     width=640),
            *_column(44, ("No. DE LICENCIA", "documentNumber", 302),
                     ("FECHA DE NACIMIENTO", "dateOfBirth", 368)),
            *_column(390, ("TIPO DE LICENCIA", "licenceClass", 302),
                     ("TIPO DE SANGRE", "bloodGroup", 368),
                     ("FECHA DE EXPEDICIÓN", "issueDate", 434),
                     ("FECHA DE VENCIMIENTO", "expiryDate", 500), width=300),
            *_column(44, ("DOMICILIO", "address", 434), width=330),
        ),
        "AA999999999",
        (2, 3, 5),
        ("A", "B", "C", "D"),
        (240, 240, 232),
        portrait=(724, 168, 250, 324),
        dates="{year}-{month:02}-{day:02}",
        surnames_first=False,
    ),
    Design(
        "YN",
        (
            "GOBIERNO DEL ESTADO DE YUCATÁN",
            "SECRETARÍA DE SEGURIDAD PÚBLICA",
            "LICENCIA DE CONDUCTOR",
        ),
        (
            *_column(316, ("APELLIDO PATERNO", "paternalSurname", 170),
                     ("APELLIDO MATERNO", "maternalSurname", 236), ("NOMBRES", "givenNames", 302),
                     ("FECHA DE NACIMIENTO", "dateOfBirth", 368), ("DOMICILIO", "address", 434),
                     width=380),
            *_column(720, ("LICENCIA No.", "documentNumber", 170),
                     ("TIPO DE CONDUCTOR", "licenceClass", 236), ("RFC", "rfc", 302),
                     ("FECHA DE EXPEDICIÓN", "issueDate", 368),
                     ("FECHA DE VENCIMIENTO", "expiryDate", 434),
                     ("GRUPO SANGUÍNEO", "bloodGroup", 500), width=260),
        ),
        "9999999",
        (2, 3, 5),
        _CLASSES,
        (236, 238, 242),
    ),
)  # fmt: skip
_BY_STATE: Mapping[str, Design] = {design.state: design for design in DESIGNS}
STATES: Sequence[str] = tuple(_BY_STATE)


def state_of(person: Person) -> str:
    """Return the state of a seed's licence: seeds go through all states."""
    return STATES[person.seed % len(STATES)]


def make_licence(person: Person, state: str | None = None, on: date = REFERENCE_DATE) -> Licence:
    """Return the person's licence of the state, valid on the day `on`."""
    design = _BY_STATE[state or state_of(person)]
    rng = Random(f"licence {design.state} {person.seed}")
    years = rng.choice(design.terms)
    issued = on - timedelta(days=rng.randint(20, 350 * (years or 10)))
    if issued < person.birth_date + timedelta(days=18 * 366):
        issued = on - timedelta(days=rng.randint(20, 180))
    leap_day = (issued.month, issued.day) == (2, 29)
    ends = issued.replace(year=issued.year + years, day=28 if leap_day else issued.day)
    return Licence(
        design.state,
        "".join(rng.choice(_OF_SHAPE[kind]) for kind in design.number),
        rng.choice(design.classes),
        rng.choice(_BLOOD),
        issued,
        ends if years else None,
    )


_OF_SHAPE = {"A": "ABCDEFGHJKLMNPRSTUVWXYZ", "9": "0123456789"}


def draw_licence(
    person: Person, portrait: Pixels, state: str | None = None, on: date = REFERENCE_DATE
) -> Canvas:
    """Draw the front. `canvas.boxes` has one box for each printed field."""
    licence = make_licence(person, state, on)
    design = _BY_STATE[licence.state]
    rng = Random(f"licence front {licence.state} {person.seed}")
    shade, ink = rng.randint(-8, 6), rng.randint(18, 55)
    blue, green, red = (channel + shade for channel in design.paper)
    canvas = Canvas(
        security_background(SIZE, (blue, green, red), rng),
        rng.choice(FAMILIES),
        (ink, ink, ink),
        shift=(rng.randint(-4, 4), rng.randint(-3, 3)),
    )
    watermark(canvas, "MUESTRA", size=54)
    label_ink = rng.choice(_LABEL_INKS)
    _heading(canvas, design, label_ink)
    canvas.paste(design.portrait, portrait)
    texts = _printed(person, licence, design)
    for entry in design.entries:
        _print(canvas, entry, texts[entry.field], label_ink)
    canvas.specimen_stamp((design.portrait[0], 560), "MUESTRA", size=50)
    canvas.specimen_stamp((design.portrait[0], 602), "SIN VALIDEZ", size=30)
    canvas.specimen_stamp((440, 622), "SPECIMEN", size=34)
    return canvas


def _heading(canvas: Canvas, design: Design, label_ink: Colour) -> None:
    # A rosette of our own stands where the real card has the state's arms.
    for turn in range(0, 180, 20):
        cv2.ellipse(canvas.pixels, (84, 74), (46, 20), turn, 0, 360, label_ink, 1, cv2.LINE_AA)
    issuer, office, title = design.heading
    canvas.text((160, 50), issuer, size=30, max_width=820)
    canvas.text((160, 84), office, size=20, bold=False, max_width=820)
    canvas.text((160, 124), title, size=32, ink=label_ink, max_width=820)


def _print(canvas: Canvas, entry: Entry, text: str, label_ink: Colour) -> None:
    left, top = entry.at
    canvas.text((left, top), entry.caption, size=16, ink=label_ink)
    if entry.field == "address":
        for number, line in enumerate(text.split("\n"), start=1):
            canvas.text(
                (left, top + 2 + 27 * number),
                line,
                size=20,
                field_name=f"address{number}",
                max_width=entry.width,
            )
    elif text:
        beside = entry.value_left is not None
        at = (entry.value_left or left, top if beside else top + 29)
        canvas.text(at, text, size=23, field_name=entry.field, max_width=entry.width)


def _printed(person: Person, licence: Licence, design: Design) -> dict[str, str]:
    name = person.name
    in_full = (
        f"{name.surnames} {name.given}"
        if design.surnames_first
        else f"{name.given} {name.surnames}"
    )
    return {
        "fullName": in_full,
        "surnames": name.surnames,
        "paternalSurname": name.paterno,
        "maternalSurname": name.materno,
        "givenNames": name.given,
        "curp": str(person.curp),
        "rfc": str(person.rfc),
        "dateOfBirth": _day(person.birth_date, design),
        "documentNumber": licence.number,
        "licenceClass": licence.kind,
        "bloodGroup": licence.blood_group,
        "issueDate": _day(licence.issued, design),
        "expiryDate": _day(licence.expires, design) if licence.expires else design.never,
        "address": "\n".join(person.voter_card.address),
    }


def _day(day: date, design: Design) -> str:
    name = _MONTHS[day.month - 1]
    return design.dates.format(day=day.day, month=day.month, year=day.year, name=name)


def values_on_licence(
    person: Person, state: str | None = None, on: date = REFERENCE_DATE
) -> dict[str, str]:
    """Return the expected reading: one spelling per field, dates as ISO 8601."""
    licence = make_licence(person, state, on)
    design = _BY_STATE[licence.state]
    printed = _printed(person, licence, design)
    values = {field: printed[field] for field in design.fields if field != "address"}
    if "address" in design.fields:
        values |= {f"address{n}": line for n, line in enumerate(person.voter_card.address, 1)}
    for field, day in (
        ("dateOfBirth", person.birth_date),
        ("issueDate", licence.issued),
        ("expiryDate", licence.expires),
    ):
        if field in values and day:
            values[field] = day.isoformat()
    if licence.expires is None:
        values["validity"] = "PERMANENT"
        del values["expiryDate"]
    values["licenceClass"] = licence.kind.removeprefix("TIPO ")
    values["state"] = licence.state
    return {field: value for field, value in values.items() if value}
