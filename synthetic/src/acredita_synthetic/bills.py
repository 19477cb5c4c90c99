"""Bills and bank statements of synthetic people, as proofs of address.

The layouts, colours and marks are our own. No real bill was available: what the captions say and
where name, address and dates stand follows public descriptions.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from pathlib import Path
from random import Random
from typing import Final

import cv2
from reportlab.lib.colors import Color

from acredita.domain.documents.spelled_dates import MONTHS, spelled
from acredita.domain.identifiers.postal_codes import state_of_postal_code
from acredita.domain.names import fold
from acredita_synthetic.capture import Difficulty, capture
from acredita_synthetic.pdf_sheets import GREY, Sheets, rasterised
from acredita_synthetic.people import REFERENCE_DATE, Person, make_person

Address = tuple[str, str, str]
"""Street, neighbourhood with the postal code, municipality with the state: as a voter card."""


class BillKind(StrEnum):
    ELECTRICITY = "electricity_bill"
    TELEPHONE = "telephone_bill"
    WATER = "water_bill"
    BANK = "bank_statement"


@dataclass(frozen=True, slots=True)
class Bill:
    """`values`: the expected reading, by the names of fields in the API."""

    kind: BillKind
    pdf: bytes
    values: dict[str, str]

    def picture(self, difficulty: Difficulty, seed: int) -> bytes:
        """Return a photograph of the printed page, as JPEG."""
        taken = capture(rasterised(self.pdf), difficulty, seed)
        quality = [cv2.IMWRITE_JPEG_QUALITY, taken.jpeg_quality]
        _, encoded = cv2.imencode(".jpg", taken.pixels, quality)
        return encoded.tobytes()


def make_bill(
    kind: BillKind,
    person: Person,
    seed: int,
    *,
    on: date = REFERENCE_DATE,
    days_old: int | None = None,
    address: Address | None = None,
    issuer: str | None = None,
) -> Bill:
    """Make a bill for a person, issued `days_old` days before `on` (by default up to seven weeks).

    The address is that of the person's voter card, as companies write it, unless another one is
    given. `issuer` replaces the company's name. Raise ValueError for an address abroad.
    """
    rng = Random(f"bill {kind} {seed}")
    issued = on - timedelta(days=rng.randint(3, 49) if days_old is None else days_old)
    name = rng.choice((person.name.full, person.name.surnames_first))
    name = rng.choice((name, fold(name, enye="Ñ")))
    lines = as_companies_write(address or person.voter_card.address, rng)
    company = issuer or rng.choice(_COMPANIES[kind])
    sheets = Sheets()
    sheets.stamp()
    shown = _Shown(company, name, lines, issued, rng)
    period_end = _LAYOUTS[kind](sheets, shown)
    values = {
        "fullName": name,
        "address": ", ".join(lines),
        "issueDate": issued.isoformat(),
        "periodEnd": period_end.isoformat(),
    }
    return Bill(kind, sheets.finish(), values)


def write_bills(
    folder: Path,
    count: int,
    seed: int = 1,
    kinds: Sequence[BillKind] = tuple(BillKind),
    difficulties: Sequence[Difficulty] = (Difficulty.CLEAN,),
    *,
    on: date = REFERENCE_DATE,
) -> list[Path]:
    """Write a bill of each kind as PDF for the people of `count` seeds, except those who live
    abroad, with the ground truth as JSON and a picture in each difficulty. They are issued up to
    seven weeks before `on`. Return the paths of PDFs and pictures.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    people = (make_person(number) for number in range(seed, seed + count))
    for person in (each for each in people if not each.voter_card.model.issued_abroad):
        for kind in kinds:
            bill = make_bill(kind, person, person.seed, on=on)
            file = folder / f"{person.seed:06}-{kind}.pdf"
            file.write_bytes(bill.pdf)
            written.append(file)
            for difficulty in difficulties:
                picture = folder / f"{person.seed:06}-{kind}-{difficulty}.jpg"
                picture.write_bytes(bill.picture(difficulty, person.seed))
                written.append(picture)
            truth = {
                "specimen": True,
                "kind": kind.value,
                "seed": person.seed,
                "values": bill.values,
            }
            text = json.dumps(truth, ensure_ascii=False, indent=2)
            file.with_suffix(".json").write_text(text + "\n", encoding="utf-8")
    return written


@dataclass(frozen=True, slots=True)
class _Shown:
    company: str
    name: str
    lines: list[str]
    issued: date
    rng: Random


_COMPANIES: Final = {
    BillKind.ELECTRICITY: ("COMISIÓN FEDERAL DE ELECTRICIDAD", "CFE Suministrador de Servicios"),
    BillKind.TELEPHONE: ("TELÉFONOS DE MÉXICO S.A.B. DE C.V.", "TELMEX"),
    BillKind.WATER: ("COMISIÓN ESTATAL DEL AGUA", "Agua Potable y Alcantarillado"),
    BillKind.BANK: ("BBVA MÉXICO S.A.", "BANCO MERCANTIL DEL NORTE S.A.", "SCOTIABANK INVERLAT"),
}
_KINDS: Final = {
    "C": ("CALLE", "C.", "C", ""), "AV": ("AV.", "AVENIDA", "AV"), "CDA": ("CERRADA", "CDA."),
    "PRIV": ("PRIVADA", "PRIV."), "AND": ("ANDADOR", "AND."), "BLVD": ("BLVD.", "BOULEVARD"),
    "CALZ": ("CALZADA", "CALZ."), "PROL": ("PROLONGACIÓN", "PROL."), "RET": ("RETORNO", "RTNO."),
    "CTO": ("CIRCUITO", "CTO."), "CJON": ("CALLEJÓN", "CJON."),
}  # fmt: skip
_QUARTERS: Final = {
    "COL": ("COL.", "COLONIA", "COL"), "FRACC": ("FRACC.", "FRACCIONAMIENTO"),
    "BARR": ("BARRIO", "BARR."), "PBLO": ("PUEBLO", "PBLO."), "AMPL": ("AMPLIACIÓN", "AMPL."),
}  # fmt: skip


def as_companies_write(address: Address, rng: Random) -> list[str]:
    """Rewrite an address of a card: other abbreviations, other lines, with or without accents."""
    street, quarter, town = address
    kind, _, rest = street.partition(" ")
    street = f"{rng.choice(_KINDS.get(kind, (kind,)))} {rest}".strip()
    if rng.random() < 0.3:
        at = max(street.rfind(word) for word in (" INT ", " "))
        street = f"{street[:at]} DEPTO {street[at + 5 :]}" if " INT " in street else street
    name, _, code = quarter.rpartition(" ")
    state = state_of_postal_code(code)
    if state is None:
        raise ValueError("only an address in Mexico has a bill")
    kind, _, rest = name.partition(" ")
    name = f"{rng.choice(_QUARTERS.get(kind, (kind,)))} {rest}"
    municipality = town.rpartition(",")[0]
    where = rng.choice((town, f"{municipality}, {state.name.upper()}", town.replace(",", "")))
    lines = rng.choice(
        (
            [street, f"{name} C.P. {code}", where],
            [street, name, f"{code} {where}"],
            [street, name, f"C.P. {code}", where],
            [street, name, f"{where} C.P. {code}"],
        )
    )
    return lines if rng.random() < 0.5 else [fold(line, enye="Ñ") for line in lines]


def _short(day: date, rng: Random) -> str:
    month = MONTHS[day.month - 1][:3]
    return rng.choice(
        (
            f"{day:%d} {month} {day:%y}",
            f"{day:%d}-{month}-{day.year}",
            f"{day:%d/%m/%Y}",
            f"{day:%d}/{month}/{day.year}",
            spelled(day),
        )
    )


_GREEN: Final = Color(0.18, 0.42, 0.33)
_PURPLE: Final = Color(0.36, 0.2, 0.45)
_OCHRE: Final = Color(0.6, 0.4, 0.1)
_TEAL: Final = Color(0.1, 0.4, 0.5)


def _block(sheets: Sheets, at: tuple[float, float], lines: list[str], pitch: float = 13) -> None:
    for number, line in enumerate(lines):
        sheets.text((at[0], at[1] + pitch * number), line, 9.5, most=300)


def _rows(sheets: Sheets, top: float, rows: list[tuple[str, str]]) -> None:
    """Print amounts that say nothing about the person."""
    for number, (what, amount) in enumerate(rows):
        sheets.text((60, top + 16 * number), what, 8.5, ink=GREY)
        sheets.text((480, top + 16 * number), amount, 8.5)
        sheets.rule((60, top + 5 + 16 * number), (552, top + 5 + 16 * number))


def _electricity(sheets: Sheets, shown: _Shown) -> date:
    rng, end = shown.rng, shown.issued - timedelta(days=2)
    sheets.text((44, 64), shown.company, 13, bold=True, ink=_GREEN)
    sheets.text((44, 78), "Río Ródano 14, Col. Cuauhtémoc, C.P. 06500, Ciudad de México", 6.5)
    _block(sheets, (44, 108), [shown.name, *shown.lines])
    sheets.text((370, 108), "TOTAL A PAGAR", 10, bold=True)
    sheets.text((370, 130), f"${rng.randint(90, 2900)}", 18, bold=True, ink=_GREEN)
    number = rng.randint(10**11, 10**12 - 1)
    sheets.text((44, 210), f"NO. DE SERVICIO: {number}", 9, bold=True)
    period = f"{_short(end - timedelta(days=61), rng)} - {_short(end, rng)}"
    sheets.text((44, 228), f"PERIODO FACTURADO: {period}", 9)
    due = _short(shown.issued + timedelta(days=16), rng)
    sheets.text((44, 246), f"LÍMITE DE PAGO: {due}", 9)
    sheets.text((330, 228), "TARIFA: 1C   MEDIDOR: 4K1T92", 9)
    if rng.random() < 0.6:
        sheets.text((330, 246), f"FECHA DE EMISIÓN: {_short(shown.issued, rng)}", 9)
    amounts = [
        (f"Energía {step}", f"{rng.randint(10, 900)}.00") for step in ("básica", "excedente")
    ]
    _rows(sheets, 300, [*amounts, ("IVA 16%", f"{rng.randint(10, 90)}.41")])
    sheets.text((44, 700), "Pague en BBVA, Banorte, HSBC, Santander o en tiendas autorizadas", 7)
    return end


def _telephone(sheets: Sheets, shown: _Shown) -> date:
    rng = shown.rng
    end = shown.issued.replace(day=1) - timedelta(days=1)
    sheets.text((330, 60), shown.company, 12, bold=True, ink=_PURPLE)
    sheets.text((330, 74), "Parque Vía 198, Col. Cuauhtémoc, 06599 CDMX", 6.5)
    _block(sheets, (60, 150), [shown.name, *shown.lines], 12)
    sheets.text((380, 150), f"Número telefónico: 55{rng.randint(10**7, 10**8 - 1)}", 9)
    month = f"{MONTHS[end.month - 1].capitalize()} {end.year}"
    sheets.text((380, 166), f"Periodo: {month}", 9)
    sheets.text((380, 182), f"Fecha de facturación: {_short(shown.issued, rng)}", 9)
    due = _short(shown.issued + timedelta(days=20), rng)
    sheets.text((380, 198), f"Pagar antes de: {due}", 9)
    sheets.text((380, 222), f"Total a pagar: ${rng.randint(300, 900)}.00", 11, bold=True)
    _rows(sheets, 320, [("Renta mensual", "389.00"), ("Servicios adicionales", "0.00")])
    return end


def _water(sheets: Sheets, shown: _Shown) -> date:
    rng, end = shown.rng, shown.issued - timedelta(days=5)
    sheets.text((150, 60), shown.company, 13, bold=True, ink=_TEAL)
    sheets.text((150, 76), "RECIBO DE AGUA", 10)
    sheets.text((50, 120), f"Nombre: {shown.name}", 9.5, most=520)
    first, *further = shown.lines
    end_of_caption = sheets.text((50, 140), "Domicilio:", 9.5)
    _block(sheets, (end_of_caption + 6, 140), [first, *further], 13)
    sheets.text((50, 220), f"Número de cuenta: {rng.randint(10**6, 10**7)}", 9)
    start = _short(end - timedelta(days=60), rng)
    sheets.text((50, 238), f"Periodo de consumo: {start} al {_short(end, rng)}", 9)
    sheets.text((330, 220), f"Fecha de emisión: {_short(shown.issued, rng)}", 9)
    _rows(sheets, 300, [("Consumo 24 m3", "212.00"), ("Alcantarillado", "53.00")])
    return end


def _bank(sheets: Sheets, shown: _Shown) -> date:
    rng, end = shown.rng, shown.issued
    start = end - timedelta(days=30)
    sheets.text((60, 60), shown.company, 12, bold=True, ink=_OCHRE)
    sheets.text((400, 60), "ESTADO DE CUENTA", 12, bold=True)
    _block(sheets, (60, 110), [shown.name, *shown.lines], 12)
    if rng.random() < 0.5:
        period = f"DEL {_short(start, rng)} AL {_short(end, rng)}"
    else:
        period = f"{_short(start, rng)} / {_short(end, rng)}"
    sheets.text((360, 110), f"Periodo: {period}", 8.5, most=230)
    sheets.text((360, 124), f"Fecha de corte: {_short(end, rng)}", 8.5)
    sheets.text((360, 138), f"No. de cliente: {rng.randint(10**7, 10**8)}", 8.5)
    sheets.text((360, 152), f"CLABE: {rng.randint(10**17, 10**18 - 1)}", 8.5)
    day = end - timedelta(days=rng.randint(2, 28))
    moves = [(f"{day:%d/%m} COMPRA EN TIENDA", f"{rng.randint(20, 900)}.00") for _ in range(9)]
    _rows(sheets, 240, [("SALDO ANTERIOR", "10,240.16"), *moves])
    return end


_LAYOUTS: Final[dict[BillKind, Callable[[Sheets, _Shown], date]]] = {
    BillKind.ELECTRICITY: _electricity,
    BillKind.TELEPHONE: _telephone,
    BillKind.WATER: _water,
    BillKind.BANK: _bank,
}
