"""A bill or a bank statement: who issued it, its holder, the address, and its dates.

Layouts differ by issuer and year, so nothing is looked for at a fixed place. The address is the
block of lines around a postal code under a line that is a person's name; captions take precedence.
The issuer's own address stands under no person's name.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from acredita.domain.documents import PageKind
from acredita.domain.identifiers.postal_codes import state_of_postal_code
from acredita.domain.names import fold
from acredita.domain.proof_of_address.dates import latest_day, read_latest_day
from acredita.domain.proof_of_address.issuers import ISSUERS, STATEMENT, Issuer, Service
from acredita.domain.proof_of_address.judging import MOST_LINES
from acredita.engines.documents.form_pages import Form
from acredita.engines.documents.kind import Clue, KindReader, PageText
from acredita.engines.documents.layout import Layout, squeezed
from acredita.engines.documents.second_reading import Spot
from acredita.engines.text import LATIN, Line

_NAMED: Final = ("Nombre del titular:", "Nombre del cliente:", "Nombre:", "Titular:", "Cliente:")
_LIVES: Final = (
    "Domicilio:",
    "Dirección del servicio:",
    "Domicilio del servicio:",
    "Dirección de suministro:",
    "Dirección:",
)
_ISSUED: Final = (
    "Fecha de emisión:",
    "Fecha de expedición:",
    "Fecha de facturación:",
    "Fecha de impresión:",
    "Fecha de corte:",
    "Mes de facturación:",
)
_PERIOD: Final = ("Periodo facturado:", "Periodo de consumo:", "Periodo:")
_DUE: Final = ("Fecha límite de pago:", "Pagar antes de:", "Límite de pago:", "Vencimiento:")
_OTHERS: Final = (
    "No. de servicio:",
    "Número de servicio:",
    "Total a pagar:",
    "No. de cliente:",
    "Número de cliente:",
    "No. de cuenta:",
    "Número de cuenta:",
    "Número telefónico:",
    "RFC:",
    "CLABE:",
    "Tarifa:",
    "Saldo anterior:",
    "Medidor:",
)
_USUAL_FIELDS: Final = 6
"""Issuer, name, three lines of the address and a date."""
_CAPTIONS: Final = (*_NAMED, *_LIVES, *_ISSUED, *_PERIOD, *_DUE, *_OTHERS)
_OF_BILLS: Final = (*_ISSUED, *_PERIOD, *_DUE, *_OTHERS, STATEMENT)
_FEWEST_CAPTIONS: Final = 2
"""Captions of bills that a page of an unknown issuer needs."""
_POSTAL_CODE: Final = re.compile(r"(?<![0-9])[0-9]{5}(?![0-9])")
_NAME: Final = re.compile(r"[A-ZÑ][A-ZÑ'.\- ]+")
_NO_NAME: Final = frozenset(
    ("AV", "AVENIDA", "CALLE", "CALZADA", "CERRADA", "BLVD", "BOULEVARD", "PRIVADA", "COL",
     "COLONIA", "FRACC", "CP", "MEXICO", "CIUDAD", "ESTADO", "EDO", "BANCO", "BANCA", "BANAMEX",
     "BANORTE", "SA", "CV", "SAB", "SC", "RL", "COMISION", "FEDERAL", "ELECTRICIDAD", "CFE",
     "TELMEX", "TELEFONOS", "AGUA", "AGUAS", "GAS", "SISTEMA", "INSTITUCION", "GRUPO", "TOTAL",
     "PAGAR", "PAGO", "PAGUE", "SERVICIO", "SERVICIOS", "CUENTA", "FECHA", "PERIODO", "RECIBO",
     "FACTURA", "AVISO", "CLIENTE", "TARIFA", "NUMERO", "SALDO", "CARGO", "MES", "LIMITE",
     "CORTE", "DOMICILIO", "DIRECCION", "NOMBRE", "TITULAR", "MUESTRA", "VALIDEZ", "OFICIAL",
     "SPECIMEN", "ESTE", "ES", "PARA", "SU", "TU", "CON", "CONSUMO", "MEDIDOR", "PESOS",
     "DETALLE", "RESUMEN", "INFORMACION", "SUCURSAL", "PRODUCTO", "CDMX", "RCHO", "LOC", "AMPL",
     "PBLO", "BARR", "EJIDO", "UNIDAD", "BARRIO", "PUEBLO", "LOCALIDAD", "AMPLIACION",
     "FRACCIONAMIENTO")
)  # fmt: skip
"""Words of bills and addresses that no person's name has."""
_STEEPEST: Final = 20.0
"""Degrees."""
_MOST_ABOVE: Final = 5
_MOST_BELOW: Final = 2
_AT_LEFT: Final = 3.0
_PITCH: Final = 2.3
"""The distance of the lines of an address, in their height."""


def clue(layout: Layout) -> Clue:
    is_known = _issuer(layout) is not None
    captions = layout.count(_OF_BILLS)
    if is_known and captions:
        return Clue.TITLES
    return Clue.HINT if captions >= _FEWEST_CAPTIONS else Clue.NONE


def model(page: PageText) -> str | None:
    """Return the issuer's code; None for an unknown one."""
    found = _issuer(page.layout)
    return found[0].code if found else None


def spots(page: PageText) -> list[Spot]:
    # Stamps and watermarks run across the rows.
    layout = Layout(line for line in page.layout.lines if abs(line.slope) < _STEEPEST)
    form = Form(layout.lines, _CAPTIONS)
    return [*_issued_by(layout), *_holder(layout, form), *_dates(layout, form)]


def _issuer(layout: Layout) -> tuple[Issuer, Line] | None:
    """Return the issuer and the line that names it: the topmost, but no bank that takes payments
    for a bill.
    """
    is_statement = any(squeezed(STATEMENT) in squeezed(line.text) for line in layout.lines)
    found = [
        (issuer.service is Service.BANK, line.top, issuer, line)
        for issuer in ISSUERS
        if is_statement or issuer.service is not Service.BANK
        for line in layout.lines
        if _names(line, issuer)
    ]
    first = min(found, key=lambda each: each[:2], default=None)
    return first and (first[2], first[3])


def _names(line: Line, issuer: Issuer) -> bool:
    text = f" {' '.join(_words(line.text))} "
    tight = squeezed(line.text)
    return any(
        f" {' '.join(_words(name))} " in text or (len(name) > 9 and squeezed(name) in tight)
        for name in issuer.names
    )


def _issued_by(layout: Layout) -> Iterator[Spot]:
    if found := _issuer(layout):
        issuer, line = found
        yield Spot("issuer", line, write=lambda _text: issuer.code, alphabet=LATIN, repeated=True)


def _holder(layout: Layout, form: Form) -> Iterator[Spot]:
    name, address = _captioned(layout, form)
    if name is None or not address:
        name, address = _block(layout)
    if name is not None:
        yield form.spot("fullName", name)
    for number, line in enumerate(address[:MOST_LINES], start=1):
        yield form.spot(f"address{number}", line)


def _captioned(layout: Layout, form: Form) -> tuple[Line | None, list[Line]]:
    name = next((row[0] for each in _NAMED if (row := form.near(each)) and _is_name(row[0])), None)
    first = next((row[0] for each in _LIVES if (row := form.near(each))), None)
    if first is None:
        return name, []
    lines = [first, *_continued(layout, first)]
    return name, lines if any(_has_postal_code(line) for line in lines) else []


def _continued(layout: Layout, first: Line) -> Iterator[Line]:
    """Yield the lines close below the first line of an address, until the next caption. A value
    cut from the line of its caption has only about its place.
    """
    last = first
    for line in layout.lines:
        drop = line.centre[1] - last.centre[1]
        if drop < 0.5 * last.height or abs(line.left - first.left) > _AT_LEFT * first.height:
            continue
        if drop > _PITCH * max(last.height, line.height) or ":" in line.text:
            return
        yield line
        last = line


def _block(layout: Layout) -> tuple[Line | None, list[Line]]:
    """Return a person's name and the lines of the address under it; (None, []) if there is none."""
    for line in layout.lines:
        if not _has_postal_code(line):
            continue
        above = _neighbours(layout, line, -1, _MOST_ABOVE)
        # The topmost: a neighbourhood without its kind reads like a name, too.
        at = max((at for at, each in enumerate(above) if _is_name(each)), default=0)
        if at == 0:
            continue
        below = [each for each in _neighbours(layout, line, 1, _MOST_BELOW) if _is_place(each)]
        return above[at], [*reversed(above[:at]), line, *below]
    return None, []


def _neighbours(layout: Layout, start: Line, way: int, most: int) -> list[Line]:
    """Return the lines above (`way` -1) or below a line that begin where it begins, nearest first,
    as far as they follow each other closely.
    """
    found: list[Line] = []
    last = start
    for line in sorted(layout.lines, key=lambda each: way * each.centre[1]):
        drop = way * (line.centre[1] - last.centre[1])
        pitch = _PITCH * max(last.height, line.height)
        if abs(line.left - start.left) > 1.5 * start.height or drop < 0.5 * last.height:
            continue
        if drop > pitch or len(found) == most:
            break
        found.append(line)
        last = line
    return found


def _is_name(line: Line) -> bool:
    text = fold(line.text, enye="Ñ")
    words = _words(text)
    return 2 <= len(words) <= 8 and bool(_NAME.fullmatch(text)) and _NO_NAME.isdisjoint(words)


def _is_place(line: Line) -> bool:
    """Whether a line may be the municipality and state, which some print under the code."""
    text = fold(line.text)
    return not any(character.isdigit() or character in ":$" for character in text)


def _has_postal_code(line: Line) -> bool:
    return any(state_of_postal_code(code) for code in _POSTAL_CODE.findall(line.text))


def _words(text: str) -> list[str]:
    return re.findall(r"[A-ZÑ0-9]+", fold(text, enye="Ñ"))


def _dates(layout: Layout, form: Form) -> Iterator[Spot]:
    if issued := _dated(form, _ISSUED):
        yield form.spot("issueDate", issued, _part_with_day, read_latest_day)
    ended = _dated(form, _PERIOD) or next(
        (line for line in layout.lines if _is_period(line.text)), None
    )
    if ended is not None:
        yield form.spot("periodEnd", ended, _part_with_day, read_latest_day)


def _dated(form: Form, captions: Sequence[str]) -> Line | None:
    """Return the first value of these captions that has a date."""
    values = (line for caption in captions for line in form.near(caption))
    return next((line for line in values if latest_day(line.text)), None)


def _is_period(text: str) -> bool:
    """Whether a text without a caption is a period: DEL 1 AL 31 DE ENERO DE 2026."""
    plain = f" {' '.join(_words(text))} "
    return plain.startswith(" DEL ") and " AL " in plain and latest_day(text) is not None


def _part_with_day(line: Line) -> Line | None:
    """Return the part of a line that is its latest date."""
    found = latest_day(line.text)
    return None if found is None else line.part(found.start, found.end)


READER: Final = KindReader(
    PageKind.PROOF_OF_ADDRESS,
    clue,
    spots,
    model=model,
    usual_fields=_USUAL_FIELDS,
    strongest_clue=Clue.TITLES,
)
