"""Draw a CURP certificate as a PDF."""

from collections.abc import Mapping
from datetime import date

from acredita.domain.documents.spelled_dates import spelled
from acredita.domain.identifiers import states
from acredita.domain.names import fold
from acredita_synthetic.pdf_sheets import GREY, Sheets

_SEX = {"H": "HOMBRE", "M": "MUJER", "X": "NO BINARIO"}
_PARAGRAPH = (
    "Este documento es un ejemplo hecho por un programa para personas que no existen. Sirve para",
    "probar la lectura de constancias y no acredita la identidad de nadie. La clave que contiene",
    "se compuso con las reglas publicadas y no fue asignada por ninguna autoridad.",
)


def draw(shown: Mapping[str, str], said: Mapping[str, str]) -> bytes:
    """Return the PDF. `shown` is printed, `said` is encoded."""
    sheets = Sheets()
    sheets.stamp()
    lay_out(sheets, shown)
    sheets.qr_code((474, 96), 84, code_text(said))
    return sheets.finish()


def code_text(said: Mapping[str, str]) -> str:
    """Return the text of the certificate's QR code."""
    state = states.BY_CODE[said["curp"][11:13]]
    year, month, day = said["dateOfBirth"].split("-")
    parts = (
        said["curp"],
        "",
        *(fold(said[part], enye="Ñ") for part in ("paternalSurname", "maternalSurname")),
        fold(said["givenNames"], enye="Ñ"),
        _SEX[said["sex"]],
        f"{day}/{month}/{year}",
        fold(state.name),
        f"{state.number or 0:02}",
        "",
    )
    return "|".join(parts)


def lay_out(sheets: Sheets, shown: Mapping[str, str], *, unseen: bool = False) -> None:
    def text(at: tuple[float, float], words: str, size: float = 8.5, *, bold: bool = False) -> None:
        most = 430 - at[0] + 30 if at[1] < 230 else 600 - at[0]
        sheets.text(at, words, size, bold=bold, most=most, unseen=unseen)

    name = " ".join(
        part for key in ("givenNames", "paternalSurname", "maternalSurname") if (part := shown[key])
    )
    record = "".join(
        ("1", *(_number(shown["birthRecordState"]), shown["birthRecordMunicipality"])),
    )
    record += shown["birthRecordYear"] + shown["birthRecordNumber"]
    text((150, 60), "ESTADOS UNIDOS MEXICANOS", 12, bold=True)
    text((150, 78), "CONSTANCIA DE LA CLAVE ÚNICA DE REGISTRO DE POBLACIÓN", 10, bold=True)
    text((150, 108), "Clave:", 9)
    text((150, 128), shown["curp"], 17, bold=True)
    text((150, 148), "Nombre", 9)
    text((150, 166), name, 13, bold=True)
    text((150, 190), "Entidad de registro", 9)
    text((150, 205), fold(shown["birthRecordState"], enye="Ñ"), 11, bold=True)
    text((40, 190), "Fecha de inscripción", 7)
    text((40, 202), _figures(shown["enrolmentDate"]), 9)
    text((40, 216), "Folio", 7)
    text((40, 228), shown["folio"], 9)
    text((330, 228), record, 8)
    text((330, 246), "CURP Certificada: verificada con el Registro Civil", 7.5)
    text((40, 290), name, 10, bold=True)
    text((40, 306), "PRESENTE", 8.5)
    issued = spelled(date.fromisoformat(shown["issueDate"])) if shown["issueDate"] else ""
    text((380, 306), f"Ciudad de México, a {issued.lower()}", 8.5)
    for number, line in enumerate(_PARAGRAPH):
        sheets.text((40, 336 + 13 * number), line, 8.5, ink=GREY, unseen=unseen)
    text((240, 420), "TRÁMITE GRATUITO", 9, bold=True)


def _number(state: str) -> str:
    known = states.named(state)
    return f"{known.number or 0:02}" if known else "00"


def _figures(day: str) -> str:
    return "/".join(reversed(day.split("-")))
