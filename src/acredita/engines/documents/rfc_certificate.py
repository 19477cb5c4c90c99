"""The RFC certificate: where each of its values stands, on its first page and on the annex."""

from collections.abc import Iterator
from typing import Final

from acredita.domain.documents import PageKind
from acredita.domain.documents.spelled_dates import read_date
from acredita.domain.identifiers.tax_regimes import regime_named
from acredita.engines.documents.captions import shaped
from acredita.engines.documents.form_pages import Form, as_iso_date, day_in
from acredita.engines.documents.kind import Clue, KindReader, PageText
from acredita.engines.documents.layout import CURP_SHAPE, RFC_SHAPE, Layout, find_shape
from acredita.engines.documents.second_reading import Spot
from acredita.engines.text import LATIN, Line

_TITLES: Final = ("CONSTANCIA DE SITUACIÓN FISCAL", "CÉDULA DE IDENTIFICACIÓN FISCAL")
_COMPANY_RFC: Final = "LLL999999XXX"
_TEXTS: Final = {
    "givenNames": "Nombre (s):",
    "paternalSurname": "Primer Apellido:",
    "maternalSurname": "Segundo Apellido:",
    "companyName": "Denominación/Razón Social:",
    "capitalRegime": "Régimen Capital:",
    "taxpayerStatus": "Estatus en el padrón:",
    "streetKind": "Tipo de Vialidad:",
    "street": "Nombre de Vialidad:",
    "outerNumber": "Número Exterior:",
    "innerNumber": "Número Interior:",
    "neighbourhood": "Nombre de la Colonia:",
    "municipality": "Nombre del Municipio o Demarcación Territorial:",
    "state": "Nombre de la Entidad Federativa:",
}
_RFC_ABOVE: Final = "Registro Federal de Contribuyentes"
_NAME_ABOVE: Final = "Nombre, denominación o razón social"
_PLACE_AND_DAY: Final = "Lugar y Fecha de Emisión"
_CAPTIONS: Final = (
    *_TITLES,
    *_TEXTS.values(),
    _RFC_ABOVE,
    _NAME_ABOVE,
    _PLACE_AND_DAY,
    "RFC:",
    "CURP:",
    "idCIF:",
    "Código Postal:",
    "Nombre Comercial:",
    "Fecha inicio de operaciones:",
    "Fecha de último cambio de estado:",
    "Datos de Identificación del Contribuyente:",
    "Datos del domicilio registrado",
    "Nombre de la Localidad:",
    "Entre Calle:",
    "Y Calle:",
    "VALIDA TU INFORMACIÓN FISCAL",
)
_ANNEX_CAPTIONS: Final = (
    "Actividades Económicas:",
    "Regímenes:",
    "Obligaciones:",
    "Cadena Original Sello:",
    "Sello Digital:",
)
_ANNEX_ALONE: Final = _ANNEX_CAPTIONS[:-1]
_MOST_REGIMES: Final = 8


def clue(layout: Layout) -> Clue:
    titles = layout.count(_TITLES)
    captions = layout.count(("Datos de Identificación del Contribuyente", "Estatus en el padrón"))
    if titles and captions:
        return Clue.TITLES
    return Clue.HINT if titles == len(_TITLES) else Clue.NONE


def annex_clue(layout: Layout) -> Clue:
    """Invoices and opinions have seals and a regime, too, but no line begins with one of these."""
    own = any(
        caption.whole.text.startswith(caption.label.text)
        for each in _ANNEX_ALONE
        for caption in layout.captions(each, exactly=True)
    )
    return Clue.TITLES if own and layout.count(_ANNEX_CAPTIONS) >= 2 else Clue.NONE


def spots(page: PageText) -> list[Spot]:
    """Every field found on the first page."""
    form = Form(page.layout.lines, _CAPTIONS)
    return [*_identifiers(form), *_texts(form), *_dates(form), *_above(form)]


def annex_spots(page: PageText) -> list[Spot]:
    """The regimes: every line that names one of the SAT's catalogue."""
    named = [line for line in page.layout.lines if regime_named(_before_day(line.text))]
    return [
        Spot(f"taxRegime{number}", line, _regime, _regime_code, alphabet=LATIN)
        for number, line in enumerate(named[:_MOST_REGIMES], start=1)
    ]


def _identifiers(form: Form) -> Iterator[Spot]:
    for field, caption, take in (
        ("rfc", "RFC:", _rfc),
        ("curp", "CURP:", shaped(CURP_SHAPE)),
        ("idCif", "idCIF:", shaped("9" * 11)),
        ("postalCode", "Código Postal:", shaped("9" * 5)),
    ):
        for line in form.beside(caption)[:1]:
            if take(line):
                yield form.spot(field, line, take)


def _texts(form: Form) -> Iterator[Spot]:
    for field, caption in _TEXTS.items():
        yield from form.spots(field, form.beside(caption))


def _dates(form: Form) -> Iterator[Spot]:
    for line in form.beside("Fecha inicio de operaciones:")[:1]:
        yield form.spot("operationsStart", line, day_in, as_iso_date)
    under = form.under(_PLACE_AND_DAY)
    if under and read_date(under.text):
        yield form.spot("issueDate", under, day_in, as_iso_date)


def _above(form: Form) -> Iterator[Spot]:
    """The card in the corner repeats RFC and name above their captions."""
    line = form.above(_RFC_ABOVE)
    if line and _rfc(line):
        yield form.spot("rfcAbove", line, _rfc)


def _rfc(line: Line) -> Line | None:
    """By the number of its characters: a company's has one letter less."""
    kept = [c for c in line.text if c.isalnum() or c == "&"]
    shape = {13: RFC_SHAPE, 12: _COMPANY_RFC}.get(len(kept))
    return find_shape(line, shape) if shape else None


def _before_day(text: str) -> str:
    """A row of the table may have been read with the days that stand beside."""
    return text.partition("/")[0].rstrip(" 0123456789")


def _regime(line: Line) -> Line | None:
    return line if regime_named(_before_day(line.text)) else None


def _regime_code(text: str) -> str:
    return regime_named(_before_day(text)) or ""


READER: Final = KindReader(
    PageKind.RFC_CERTIFICATE, clue, spots, has_codes=True, strongest_clue=Clue.TITLES
)
ANNEX_READER: Final = KindReader(
    PageKind.RFC_CERTIFICATE_ANNEX,
    annex_clue,
    annex_spots,
    has_codes=True,
    strongest_clue=Clue.TITLES,
)
