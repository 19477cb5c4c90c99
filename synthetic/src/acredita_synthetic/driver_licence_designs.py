"""The design of each state's driver's licence, as data.

The designs are our own. They follow public descriptions of each state's card (issuer, fields,
terms), not its appearance. The licence numbers are invented.
"""

from dataclasses import dataclass

from acredita_synthetic.canvas import Colour

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
