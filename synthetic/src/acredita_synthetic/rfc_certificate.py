"""The RFC certificate (Constancia de Situación Fiscal) as a PDF of two pages."""

from base64 import b64encode
from collections.abc import Mapping
from datetime import date
from hashlib import sha256

from acredita.domain.documents.spelled_dates import spelled
from acredita.domain.identifiers.tax_regimes import TAX_REGIMES
from acredita_synthetic.pdf_sheets import GREY, Sheets

_VALIDATOR = "https://siat.sat.gob.mx/app/qr/faces/pages/mobile/validadorqr.jsf"
_LEFT, _VALUES, _RIGHT = 40, 190, 320


def address_of(values: Mapping[str, str]) -> str:
    """Return the address in one line, as the expected reading has it."""
    inner = values["innerNumber"]
    street = f"{values['streetKind']} {values['street']} {values['outerNumber']}"
    return ", ".join(
        (
            f"{street} INT {inner}" if inner else street,
            values["neighbourhood"],
            values["postalCode"],
            values["municipality"],
            values["state"],
        )
    )


def draw(shown: Mapping[str, str], said: Mapping[str, str]) -> bytes:
    """Return the PDF. `shown` is printed, `said` is encoded."""
    sheets = Sheets()
    sheets.stamp()
    lay_out(sheets, shown)
    sheets.qr_code((44, 88), 86, short_code(said))
    sheets.turn_page()
    sheets.stamp()
    _second_page(sheets, shown)
    sheets.qr_code((60, 330), 130, long_code(said))
    return sheets.finish()


def short_code(said: Mapping[str, str]) -> str:
    return f"{_VALIDATOR}?D1=10&D2=1&D3={said['idCif']}_{said['rfc']}"


def long_code(said: Mapping[str, str]) -> str:
    """Return the text of the last page's code: day, RFC, name and a seal without meaning."""
    chain = f"||{said['issueDate'].replace('-', '/')}|{said['rfc']}|{_name(said)}|"
    seal = b64encode(sha256(chain.encode()).digest() * 4).decode()
    return f"{_VALIDATOR}?D1=1&D2=1&D3={chain}_{seal}"


def _name(values: Mapping[str, str]) -> str:
    parts = ("givenNames", "paternalSurname", "maternalSurname", "companyName")
    return " ".join(part for key in parts if (part := values[key]))


def lay_out(sheets: Sheets, shown: Mapping[str, str], *, unseen: bool = False) -> None:
    """Print the text of the first page."""

    def text(at: tuple[float, float], words: str, size: float = 8.5, *, bold: bool = False) -> None:
        sheets.text(at, words, size, bold=bold, most=600 - at[0], unseen=unseen)

    text((44, 70), "CÉDULA DE IDENTIFICACIÓN FISCAL", 9, bold=True)
    text((330, 70), "CONSTANCIA DE SITUACIÓN FISCAL", 11, bold=True)
    text((140, 100), shown["rfc"], 9, bold=True)
    text((140, 112), "Registro Federal de Contribuyentes", 6.5)
    for number, line in enumerate(_wrapped(_name(shown), 26)):
        text((140, 128 + 11 * number), line, 8, bold=True)
    text((140, 164), "Nombre, denominación o razón social", 6.5)
    text((140, 178), f"idCIF: {shown['idCif']}", 8)
    text((330, 100), "Lugar y Fecha de Emisión", 8)
    issued = spelled(date.fromisoformat(shown["issueDate"])) if shown["issueDate"] else ""
    text((330, 114), f"{shown['municipality']} , {shown['state']} A {issued}", 8, bold=True)
    baseline = 214.0
    text((_LEFT, baseline), "Datos de Identificación del Contribuyente:", 9, bold=True)
    for caption, value in _identity(shown):
        baseline += 17
        text((_LEFT, baseline), caption)
        for number, line in enumerate(_wrapped(value, 40)):
            baseline += 11 if number else 0
            text((_VALUES, baseline), line)
        if not unseen:
            sheets.rule((_LEFT, baseline + 5), (572, baseline + 5))
    baseline += 30
    text((_LEFT, baseline), "Datos del domicilio registrado", 9, bold=True)
    for left, right in _domicile(shown):
        baseline += 17
        for start, (caption, value) in ((_LEFT, left), (_RIGHT, right)):
            end = sheets.text((start, baseline), caption, 8, unseen=unseen)
            most = (_RIGHT if start == _LEFT else 590) - end - 8
            sheets.text((end + 4, baseline), value, 8, most=most, unseen=unseen)
        if not unseen:
            sheets.rule((_LEFT, baseline + 5), (572, baseline + 5))
    text((270, 740), "Página [1] de [2]", 7)


def _identity(shown: Mapping[str, str]) -> list[tuple[str, str]]:
    began = shown["operationsStart"]
    days = spelled(date.fromisoformat(began)) if began else ""
    shared = [
        ("Fecha inicio de operaciones:", days),
        ("Estatus en el padrón:", shown["taxpayerStatus"]),
        ("Fecha de último cambio de estado:", days),
    ]
    if shown["companyName"]:
        return [
            ("RFC:", shown["rfc"]),
            ("Denominación/Razón Social:", shown["companyName"]),
            ("Régimen Capital:", shown["capitalRegime"]),
            ("Nombre Comercial:", ""),
            *shared,
        ]
    return [
        ("RFC:", shown["rfc"]),
        ("CURP:", shown["curp"]),
        ("Nombre (s):", shown["givenNames"]),
        ("Primer Apellido:", shown["paternalSurname"]),
        ("Segundo Apellido:", shown["maternalSurname"]),
        *shared,
        ("Nombre Comercial:", ""),
    ]


_Pair = tuple[tuple[str, str], tuple[str, str]]


def _domicile(shown: Mapping[str, str]) -> list[_Pair]:
    return [
        (("Código Postal:", shown["postalCode"]), ("Tipo de Vialidad:", shown["streetKind"])),
        (("Nombre de Vialidad:", shown["street"]), ("Número Exterior:", shown["outerNumber"])),
        (
            ("Número Interior:", shown["innerNumber"]),
            ("Nombre de la Colonia:", shown["neighbourhood"]),
        ),
        (
            ("Nombre de la Localidad:", shown["locality"]),
            ("Nombre del Municipio o Demarcación Territorial:", shown["municipality"]),
        ),
        (("Nombre de la Entidad Federativa:", shown["state"]), ("Entre Calle:", "")),
    ]


def _second_page(sheets: Sheets, shown: Mapping[str, str]) -> None:
    def text(at: tuple[float, float], words: str, size: float = 8, *, bold: bool = False) -> None:
        sheets.text(at, words, size, bold=bold, most=600 - at[0])

    text((_LEFT, 70), "Actividades Económicas:", 9, bold=True)
    text((_LEFT, 86), "Orden     Actividad Económica     Porcentaje     Fecha Inicio     Fecha Fin")
    text((_LEFT, 102), "1     Ejemplo de actividad que nadie realiza     100     01/01/2015")
    text((_LEFT, 140), "Regímenes:", 9, bold=True)
    text((_LEFT, 156), "Régimen", bold=True)
    text((400, 156), "Fecha Inicio", bold=True)
    text((490, 156), "Fecha Fin", bold=True)
    baseline = 156.0
    for code in filter(None, shown["taxRegimes"].split(", ")):
        baseline += 16
        name = TAX_REGIMES[code]
        prefix = "" if name.startswith("Régimen") else "Régimen de "
        text((_LEFT, baseline), prefix + name)
        text((400, baseline), "01/01/2015")
    text((_LEFT, 300), "Cadena Original Sello:", bold=True)
    day = shown["issueDate"].replace("-", "/")
    chain = f"||{day}|{shown['rfc']}|CONSTANCIA DE SITUACIÓN FISCAL|200001088888800000031||"
    text((_VALUES, 300), chain)
    sheets.text((220, 400), "Este documento es un ejemplo y no lo emitió el SAT.", 8, ink=GREY)
    text((270, 740), "Página [2] de [2]", 7)


def _wrapped(text: str, most: int) -> list[str]:
    """Wrap text at spaces to lines of at most `most` characters."""
    lines = [""]
    for word in text.split():
        if len(lines[-1]) + len(word) + 1 > most and lines[-1]:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines
