"""Other drawing styles of the same documents: they show whether a reader knows documents or only
the drawing that it was developed with.

A style has its own typefaces, layout and security prints. The printed texts are those of the
classic style, so both have the same ground truth. A layout is a list of rows (`flow`).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from random import Random
from typing import Final

from acredita_synthetic import driver_licences, passport, voter_card
from acredita_synthetic.canvas import Box, Canvas, Colour, Pixels
from acredita_synthetic.flow import Cell, Type, height_of, in_rows, lay_out
from acredita_synthetic.ground_truth import SpecimenKind
from acredita_synthetic.people import REFERENCE_DATE, CardModel, Person
from acredita_synthetic.security_prints import add_hologram, rosettes, waves
from acredita_synthetic.typefaces import ORNATE_FAMILIES


class Style(StrEnum):
    CLASSIC = "classic"
    """Fixed places (`voter_card`, `passport`, `driver_licences`)."""
    ORNATE = "ornate"
    """Jittered places, rosettes, holograms over fields, a second portrait that may be very pale."""
    SPARSE = "sparse"
    """Fixed rows on paper with waves, one portrait, small captions, a wide zone."""


@dataclass(frozen=True, slots=True)
class _Look:
    families: tuple[str, ...]
    background: Callable[[tuple[int, int], Colour, Random], Pixels]
    caption_sizes: tuple[int, int]
    value_sizes: tuple[int, int]
    jitter: int
    """Pixels by which portraits, zones and personal data move."""
    holograms: tuple[int, int]
    second_portrait: tuple[float, float] | None
    """Range of its opacity."""
    strokes: tuple[float, float]
    """Range of the width of the zone's strokes, in tenths of a millimetre."""
    wide_zone: bool
    beside: float
    """Share of the cards whose captions are on the line of their value, where there is room."""
    rows: Mapping[SpecimenKind, Sequence[Sequence[str]]]


_FRONT_ROWS = (
    ("name", "sex", "dateOfBirth", "age"),
    ("address",),
    ("clave", "folio"),
    ("curp", "registrationYear"),
    ("state", "municipality", "section"),
    ("locality", "emissionYear", "expiryYear"),
)
_FRONT_ROWS_SINCE_2019 = (
    ("name", "sex"),
    ("address",),
    ("clave",),
    ("curp", "registrationYear"),
    ("dateOfBirth", "section", "validity"),
)
_NARROW = (*_FRONT_ROWS[4], *_FRONT_ROWS[5])
"""The fields of a front before 2019 that have room for a caption beside them."""
_LOOKS: Final = {
    Style.ORNATE: _Look(
        families=ORNATE_FAMILIES,
        background=rosettes,
        caption_sizes=(14, 17),
        value_sizes=(21, 25),
        jitter=8,
        holograms=(2, 3),
        second_portrait=(0.22, 0.6),
        strokes=(2.9, 3.8),
        wide_zone=False,
        beside=0.4,
        rows={
            SpecimenKind.PASSPORT: (
                ("type", "issuer", "documentNumber"),
                ("surnames",),
                ("givenNames",),
                ("dateOfBirth", "sex", "nationality"),
                ("curp",),
                ("placeOfBirth",),
                ("dateOfIssue", "dateOfExpiry"),
                ("authority",),
            )
        },
    ),
    Style.SPARSE: _Look(
        families=("arimo",),
        background=waves,
        caption_sizes=(16, 16),
        value_sizes=(23, 23),
        jitter=0,
        holograms=(0, 0),
        second_portrait=None,
        strokes=(3.3, 3.3),
        wide_zone=True,
        beside=0.0,
        rows={
            SpecimenKind.PASSPORT: (
                ("type", "issuer", "documentNumber"),
                ("surnames",),
                ("givenNames",),
                ("nationality", "authority"),
                ("dateOfBirth", "curp"),
                ("sex", "placeOfBirth"),
                ("dateOfIssue", "dateOfExpiry"),
            )
        },
    ),
}
_PASSPORT_HEADING: tuple[str, ...] = ("ESTADOS UNIDOS MEXICANOS", "PASAPORTE / PASSPORT")
_LABEL_INKS: tuple[Colour, ...] = ((90, 60, 120), (60, 90, 30), (110, 80, 40), (60, 60, 60))
_PAPER: Colour = (234, 238, 240)


def draw_back_in_style(person: Person, style: Style) -> Canvas:
    """Draw the back of a voter card in a style other than the classic one.

    Raise ValueError for model C.
    """
    sheet = _sheet(SpecimenKind.INE_BACK, person, style)
    sheet.print_back(person)
    return sheet.canvas


def draw_in_style(
    kind: SpecimenKind,
    person: Person,
    portrait: Pixels,
    style: Style,
    on: date = REFERENCE_DATE,
) -> Canvas:
    """Draw the side with the portrait (uint8, BGR) in a style other than the classic one."""
    sheet = _sheet(kind, person, style)
    if kind is SpecimenKind.PASSPORT:
        heading, cells = _PASSPORT_HEADING, _passport_cells(person)
        sheet.print_zone(person.passport.mrz)
    elif kind is SpecimenKind.INE_FRONT:
        heading, cells = _front_heading(person), _front_cells(person)
        if not person.voter_card.model.has_qr:
            sheet.put_captions_beside(cells, _NARROW)
    else:
        heading, cells = _licence(person, on)
        sheet.put_captions_beside(cells, tuple(cells))
    sheet.print_heading(heading)
    sheet.print_portraits(portrait)
    sheet.print_values(cells, _rows_of(kind, person, _LOOKS[style]))
    return sheet.canvas


def _sheet(kind: SpecimenKind, person: Person, style: Style) -> "_Sheet":
    return _Sheet(_LOOKS[style], Random(f"{style} {kind} {person.seed}"), kind)


def _rows_of(kind: SpecimenKind, person: Person, look: _Look) -> Sequence[Sequence[str]] | None:
    if kind is SpecimenKind.INE_FRONT:
        return _FRONT_ROWS_SINCE_2019 if person.voter_card.model.has_qr else _FRONT_ROWS
    return look.rows.get(kind)


def _cell(caption: str, field_name: str, text: str) -> Cell:
    lines = text.split("\n")
    if len(lines) == 1:
        return Cell(caption, ((field_name, text),))
    return Cell(caption, tuple((f"{field_name}{n}", line) for n, line in enumerate(lines, 1)))


def _front_heading(person: Person) -> tuple[str, ...]:
    model = person.voter_card.model
    institute = "FEDERAL" if model.by_ife else "NACIONAL"
    abroad = " DESDE EL EXTRANJERO" if model.issued_abroad else ""
    return "MÉXICO", f"INSTITUTO {institute} ELECTORAL", f"CREDENCIAL PARA VOTAR{abroad}"


def _licence(person: Person, on: date) -> tuple[tuple[str, ...], dict[str, Cell]]:
    """Return the heading and the cells, in the order of the state's design."""
    licence = driver_licences.make_licence(person, on=on)
    design = driver_licences.design_of(licence)
    texts = driver_licences.printed_texts(person, licence, design)
    return design.heading, {
        entry.field: _cell(entry.caption, entry.field, texts[entry.field])
        for entry in design.entries
        if texts[entry.field]
    }


def _front_cells(person: Person) -> dict[str, Cell]:
    name = person.name
    names = (
        ("paternalSurname", name.paterno),
        ("maternalSurname", name.materno),
        ("givenNames", name.given),
    )
    values = voter_card.captioned_values(person)
    return {
        "name": Cell("NOMBRE", tuple(line for line in names if line[1])),
        "address": _cell("DOMICILIO", "address", "\n".join(person.voter_card.address)),
        **{each.field_name: _cell(each.caption, each.field_name, each.value) for each in values},
    }


def _passport_cells(person: Person) -> dict[str, Cell]:
    values = passport.captioned_values(person)
    return {each.field_name: _cell(each.caption, each.field_name, each.value) for each in values}


class _Sheet:
    """A document while it is drawn: a heading, portraits on the left, values on the right."""

    def __init__(self, look: _Look, rng: Random, kind: SpecimenKind) -> None:
        self.look, self.rng, self.kind = look, rng, kind
        self.is_book = kind is SpecimenKind.PASSPORT
        size = passport.SIZE if self.is_book else voter_card.SIZE
        shade, ink = rng.randint(-8, 6), rng.randint(18, 60)
        blue, green, red = (channel + shade for channel in _PAPER)
        self.canvas = Canvas(
            look.background(size, (blue, green, red), rng),
            rng.choice(look.families),
            (ink, ink, ink),
            shift=(self.moved(0.5), self.moved(0.25)),
        )
        self.label_ink = rng.choice(_LABEL_INKS)
        self.left = 410 if self.is_book else 320
        self.right = self.canvas.width - (140 if look.second_portrait else 24)
        self.bottom = 694 if self.is_book else 572

    def moved(self, share: float = 1.0) -> int:
        reach = round(self.look.jitter * share)
        return self.rng.randint(-reach, reach)

    def put_captions_beside(self, cells: dict[str, Cell], names: Iterable[str]) -> None:
        if self.rng.random() < self.look.beside:
            for name in names:
                if name in cells and len(cells[name].lines) == 1:
                    cells[name] = replace(cells[name], beside=True)

    def print_heading(self, lines: Sequence[str]) -> None:
        baseline = 44
        for number, line in enumerate(lines):
            size = 26 if number % 2 else 30
            at = (self.left + self.moved(), baseline + number * 32)
            room = self.canvas.width - at[0] - 30
            self.canvas.text(at, line, size=size, ink=self.label_ink, max_width=room)

    def print_portraits(self, portrait: Pixels) -> None:
        """Print the portrait with the stamps below it, and the second portrait at the right."""
        width, height = (320, 418) if self.is_book else (252, 328)
        left, top = 44 + self.moved(), 138 + self.moved()
        self.canvas.paste((left, top, width, height), portrait)
        self.canvas.fixed_print.append((left, top, width, height))
        below = top + height
        large = 1.25 if self.is_book else 1.0
        self.canvas.specimen_stamp((left, below + 60), "MUESTRA", size=round(52 * large))
        self.canvas.specimen_stamp((left, below + 98), "SIN VALIDEZ", size=round(32 * large))
        baseline = self.bottom + (16 if self.is_book else 44)
        self.canvas.specimen_stamp(
            (self.left + 180 + self.moved(), baseline), "SPECIMEN", size=round(40 * large)
        )
        if self.look.second_portrait:
            strength = self.rng.uniform(*self.look.second_portrait)
            box = (self.right + 24, self.rng.randint(140, self.bottom - 130), 92, 118)
            self.canvas.repetition(box, portrait, strength=strength)

    def print_values(self, cells: Mapping[str, Cell], rows: Sequence[Sequence[str]] | None) -> None:
        larger = 3 if self.is_book else 0
        setting = Type(
            caption=self.rng.randint(*self.look.caption_sizes) + larger,
            value=self.rng.randint(*self.look.value_sizes) + larger,
            label_ink=self.label_ink,
            spread=self.look.jitter > 0,
            bold_captions=not self.is_book,
        )
        region = (self.left, 142, self.right - self.left, self.bottom - 142)
        placed = self.placed(cells, rows, region[2], setting)
        while height_of(placed, setting) > region[3]:
            setting = replace(setting, value=setting.value - 1)
            placed = self.placed(cells, rows, region[2], setting)
        lay_out(self.canvas, region, placed, setting, self.rng)
        self.add_holograms(region)

    def placed(
        self,
        cells: Mapping[str, Cell],
        rows: Sequence[Sequence[str]] | None,
        width: int,
        setting: Type,
    ) -> list[list[Cell]]:
        if rows is None:
            return in_rows(self.canvas, cells.values(), width, setting)
        wanted = ([cells[name] for name in row if name in cells] for row in rows)
        return [row for row in wanted if row]

    def add_holograms(self, region: Box) -> None:
        left, top, width, height = region
        for _ in range(self.rng.randint(*self.look.holograms)):
            centre = left + self.rng.randint(0, width), top + self.rng.randint(0, height)
            radius, strength = self.rng.randint(50, 110), self.rng.uniform(0.12, 0.32)
            add_hologram(self.canvas, centre, radius, strength, self.rng)

    def print_zone(self, lines: Sequence[str]) -> None:
        per_mm = passport.PIXELS_PER_MM if self.is_book else voter_card.PIXELS_PER_MM
        width, columns = self.canvas.width, len(lines[0])
        pitch_mm = (width - 84) / columns / per_mm if self.look.wide_zone else 2.54
        left = (width - columns * pitch_mm * per_mm) / 2
        top = (742 if self.is_book else 436) + self.moved()
        spacing = (64 if self.is_book else 58) + self.moved(0.6)
        stroke = self.rng.uniform(*self.look.strokes)
        for number, line in enumerate(lines):
            self.canvas.machine_readable(
                (left, top + number * spacing),
                line,
                pixels_per_mm=per_mm,
                field_name=f"mrz{number + 1}",
                pitch_mm=pitch_mm,
                stroke=stroke,
            )

    def print_back(self, person: Person) -> None:
        """Print the codes, the CIC, the signature and the zone of a voter card."""
        card, rng = person.voter_card, self.rng
        if card.model is CardModel.C:
            raise ValueError("only the classic style draws the back of model C")
        payload = f"MUESTRA SIN VALIDEZ {card.cic} " + "".join(
            rng.choices("0123456789ABCDEF", k=150)
        )
        if card.model.has_qr:
            side = 200 + self.moved()
            self.canvas.paste((56 + self.moved(), 40 + self.moved(), side, side),
                              voter_card.qr_code(payload))  # fmt: skip
            self.canvas.paste((748 + self.moved(), 44 + self.moved(), side, side),
                              voter_card.qr_code(payload[::-1]))  # fmt: skip
        else:
            self.canvas.paste((48 + self.moved(), 44 + self.moved(), 560, 170),
                              voter_card.stacked_bars(rng))  # fmt: skip
        at = (300 if card.model.has_qr else 690) + self.moved(), 90 + self.moved()
        setting = Type(16, 26, self.label_ink, spread=False)
        lay_out(self.canvas, (*at, 240, 60), [[Cell("CIC", (("cic", card.cic),))]], setting, rng)
        voter_card.sign(self.canvas, rng)
        self.canvas.specimen_stamp((52, 340), "MUESTRA", size=52)
        self.canvas.specimen_stamp((52, 386), "SIN VALIDEZ", size=34)
        self.canvas.specimen_stamp((744, 340), "SPECIMEN", size=42)
        self.print_zone(card.mrz)
        self.add_holograms((40, 240, 930, 320))
