"""Driver's licences of synthetic people, as specimens on ID-1 sheets: one design per state."""

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
from acredita_synthetic.driver_licence_designs import DESIGNS, Design, Entry
from acredita_synthetic.people import REFERENCE_DATE, Person
from acredita_synthetic.typefaces import FAMILIES

SIZE = (1012, 638)
_LABEL_INKS: tuple[Colour, ...] = ((90, 60, 60), (110, 90, 50), (60, 60, 110), (80, 80, 80))
_MONTHS = ("ENE", "FEB", "MAR", "ABR", "MAY", "JUN", "JUL", "AGO", "SEP", "OCT", "NOV", "DIC")
_BLOOD = ("O+", "A+", "B+", "O-", "AB+", "A-")


@dataclass(frozen=True, slots=True)
class Licence:
    """A person's licence. `expires` is None for a permanent one."""

    state: str
    number: str
    kind: str
    blood_group: str
    issued: date
    expires: date | None


_BY_STATE: Mapping[str, Design] = {design.state: design for design in DESIGNS}
STATES: Sequence[str] = tuple(_BY_STATE)


def state_of(person: Person) -> str:
    """Return the state of a seed's licence: seeds go through all states."""
    return STATES[person.seed % len(STATES)]


def design_of(licence: Licence) -> Design:
    return _BY_STATE[licence.state]


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
    design = design_of(licence)
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
    texts = printed_texts(person, licence, design)
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


def printed_texts(person: Person, licence: Licence, design: Design) -> dict[str, str]:
    """Return the printed text of each field; the lines of an address are separated by `\\n`."""
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
    design = design_of(licence)
    printed = printed_texts(person, licence, design)
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
