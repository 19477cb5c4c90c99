"""Documents of unknown kinds that resemble known ones. All must be refused.

We draw them with the features that such papers share with identity documents: issuers, captions, a
CURP or an RFC, a portrait, a machine-readable zone of another state.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

import numpy as np

from acredita_synthetic.canvas import Canvas, Pixels, security_background, watermark
from acredita_synthetic.capture import Difficulty, capture
from acredita_synthetic.faces.people import face_of
from acredita_synthetic.faces.pictures import draw_portrait, draw_selfie
from acredita_synthetic.mrz_zones import compose_td1, compose_td3
from acredita_synthetic.people import Person, make_person
from acredita_synthetic.specimens import Specimen
from acredita_synthetic.typefaces import FAMILIES
from benchmarks.recognition.drawing import pictured

_CARD, _BOOK, _SHEET = (1012, 638), (1250, 880), (1236, 1600)
_PIXELS_PER_MM = 1012 / 85.6


@dataclass(frozen=True, slots=True)
class Paper:
    """A document: its heading, and captions with values, in which `{name}` is a field of a person.

    `zone` makes the machine-readable lines. `portrait`: whether a portrait is on the left.
    """

    heading: Sequence[str]
    rows: Sequence[tuple[str, str]]
    size: tuple[int, int] = _CARD
    portrait: bool = True
    zone: Callable[[Person], Sequence[str]] | None = None


def _spanish_card(person: Person) -> Sequence[str]:
    return compose_td1(
        person.name, person.birth_date, person.sex, number="BAA000589", issuer="ESP",
        expiry=person.passport.expires, document_code="ID", nationality="ESP",
    )  # fmt: skip


def _american_passport(person: Person) -> Sequence[str]:
    return compose_td3(
        person.name, person.birth_date, person.sex, number="340007237", issuer="USA",
        expiry=person.passport.expires, nationality="USA",
    )  # fmt: skip


_PAPERS: Mapping[str, Paper] = {
    "vehicle card": Paper(
        ("GOBIERNO DEL ESTADO DE JALISCO", "SECRETARÍA DE LA HACIENDA PÚBLICA",
         "TARJETA DE CIRCULACIÓN"),
        (("PROPIETARIO", "{full}"), ("RFC", "{rfc}"), ("PLACA", "JHK-12-{digits}"),
         ("MARCA Y MODELO", "NISSAN VERSA 2019"), ("NÚMERO DE SERIE", "3N1CN7AP9KL8{digits}"),
         ("FECHA DE EXPEDICIÓN", "{issued}"), ("VIGENCIA", "{expires}")),
        portrait=False,
    ),
    "professional's card": Paper(
        ("ESTADOS UNIDOS MEXICANOS", "SECRETARÍA DE EDUCACIÓN PÚBLICA", "CÉDULA PROFESIONAL"),
        (("NOMBRE", "{full}"), ("CURP", "{curp}"), ("CÉDULA", "112{digits}"),
         ("PROFESIÓN", "LICENCIATURA EN DERECHO"), ("FECHA DE EXPEDICIÓN", "{issued}")),
    ),
    "social security card": Paper(
        ("INSTITUTO MEXICANO DEL SEGURO SOCIAL", "CARTILLA NACIONAL DE SALUD"),
        (("NOMBRE", "{full}"), ("CURP", "{curp}"), ("NÚMERO DE SEGURIDAD SOCIAL", "4392{digits}10"),
         ("DOMICILIO", "{address}"), ("UMF", "28"), ("SEXO", "{sex}")),
    ),
    "student's card": Paper(
        ("UNIVERSIDAD AUTÓNOMA DE PUEBLA", "CREDENCIAL DE ESTUDIANTE"),
        (("NOMBRE", "{full}"), ("MATRÍCULA", "2019{digits}"), ("FACULTAD", "INGENIERÍA"),
         ("VIGENCIA", "2024-2027"), ("CURP", "{curp}")),
    ),
    "bank card": Paper(
        ("BANCO DEL BAJÍO NORTE", "TARJETA DE DÉBITO"),
        (("4915 6600 {digits} 0719", "{full}"), ("VÁLIDA HASTA", "08/29")),
        portrait=False,
    ),
    "residence card": Paper(
        ("ESTADOS UNIDOS MEXICANOS", "INSTITUTO NACIONAL DE MIGRACIÓN", "RESIDENTE PERMANENTE"),
        (("NOMBRE", "{full}"), ("CURP", "{curp}"), ("NACIONALIDAD", "COLOMBIA"),
         ("FECHA DE NACIMIENTO", "{birth}"), ("FECHA DE EXPEDICIÓN", "{issued}"),
         ("NUE", "0000{digits}")),
    ),
    "identity card of Spain": Paper(
        ("REINO DE ESPAÑA", "DOCUMENTO NACIONAL DE IDENTIDAD"),
        (("DOMICILIO", "{address}"), ("LUGAR DE NACIMIENTO", "MADRID")),
        zone=_spanish_card, portrait=False,
    ),
    "passport of the United States": Paper(
        ("PASSPORT", "UNITED STATES OF AMERICA"),
        (("Surname / Apellidos", "{surnames}"), ("Given names / Nombres", "{given}"),
         ("Date of birth / Fecha de nacimiento", "{birth}"),
         ("Date of expiration / Fecha de caducidad", "{expires}")),
        size=_BOOK, zone=_american_passport,
    ),
    "birth certificate": Paper(
        ("ESTADOS UNIDOS MEXICANOS", "REGISTRO CIVIL", "ACTA DE NACIMIENTO"),
        (("Entidad de Registro", "{state}"), ("Municipio de Registro", "CENTRO"),
         ("Clave Única de Registro de Población", "{curp}"), ("Nombre(s)", "{given}"),
         ("Primer y segundo apellidos", "{surnames}"), ("Fecha de Nacimiento", "{birth}"),
         ("Sexo", "{sex}"), ("Lugar de Nacimiento", "{state}"),
         ("Identificador Electrónico", "09{digits}00001234567890")),
        size=_SHEET, portrait=False,
    ),
    "invoice": Paper(
        ("SERVICIOS INTEGRALES DEL CENTRO SA DE CV", "FACTURA", "CFDI 4.0 INGRESO"),
        (("RFC emisor", "SIC0503{digits}9"), ("RFC receptor", "{rfc}"),
         ("Nombre receptor", "{full}"),
         ("Régimen fiscal receptor", "605 Sueldos y Salarios"), ("Código postal", "64000"),
         ("Folio fiscal", "5B7A9F10-{digits}-4C11-9E21-0A1B2C3D4E5F"), ("Uso CFDI", "G03"),
         ("Total", "$ 4,640.00"), ("Sello digital del SAT", "aB3dE5fG7hI9jK1lM3nO5p")),
        size=_SHEET, portrait=False,
    ),
    "electricity bill": Paper(
        ("COMISIÓN FEDERAL DE ELECTRICIDAD", "AVISO RECIBO"),
        (("Nombre", "{full}"), ("Domicilio", "{address}"), ("No. de servicio", "7190{digits}1234"),
         ("Periodo facturado", "{issued}"), ("Total a pagar", "$ 612.00"), ("RFC", "CFE370814QI0")),
        size=_SHEET, portrait=False,
    ),
    "tax office's opinion": Paper(
        ("SERVICIO DE ADMINISTRACIÓN TRIBUTARIA",
         "OPINIÓN DEL CUMPLIMIENTO DE OBLIGACIONES FISCALES"),
        (("Clave de R.F.C.", "{rfc}"), ("Nombre, Denominación o Razón social", "{full}"),
         ("Folio", "22NA{digits}821"), ("Sentido", "POSITIVO"),
         ("Fecha y hora de emisión", "{issued}"),
         ("Cadena Original", "||{rfc}|22NA{digits}821|{issued}|P||"),
         ("Sello Digital", "kQ7{digits}bXz0Zr1tYv5nW8pL2mJ4hG6fD9sA3")),
        size=_SHEET, portrait=False,
    ),
}  # fmt: skip
_SELFIE, _TABLE = "selfie", "bare table"
STRANGERS: Sequence[str] = (*_PAPERS, _SELFIE, _TABLE)


def make_stranger(name: str, seed: int, difficulty: Difficulty) -> Specimen:
    person = make_person(seed)
    taken = capture(_pixels(name, person), difficulty, seed)
    return pictured(taken, kind=name, difficulty=difficulty.value)


def _pixels(name: str, person: Person) -> Pixels:
    if name == _SELFIE:
        return np.asarray(draw_selfie(face_of(person), person.seed % 5), np.uint8)
    if name == _TABLE:
        return security_background(_CARD, (90, 120, 150), Random(f"table {person.seed}"))
    return _drawn(_PAPERS[name], person)


def _drawn(paper: Paper, person: Person) -> Pixels:
    rng = Random(f"stranger {person.seed}")
    width, height = paper.size
    canvas = Canvas(
        security_background(paper.size, (236, 238, 240), rng), rng.choice(FAMILIES), (40, 36, 36)
    )
    watermark(canvas, "MUESTRA", size=54)
    for row, heading in enumerate(paper.heading):
        canvas.text((44, 54 + 38 * row), heading, size=28, max_width=width - 88)
    top = 66 + 38 * len(paper.heading)
    left = 320 if paper.portrait else 44
    if paper.portrait:
        canvas.paste((44, top + 20, 230, 300), draw_portrait(face_of(person)))
    bottom = height - (220 if paper.zone else 60)
    step = min(78, (bottom - top) // len(paper.rows))
    words = _words(person, rng)
    for row, (caption, value) in enumerate(paper.rows):
        at = top + 20 + step * row
        canvas.text((left, at), caption.format(**words), size=17, bold=False)
        canvas.text((left, at + 30), value.format(**words), size=25, max_width=width - left - 40)
    canvas.specimen_stamp((width - 300, bottom + 20), "MUESTRA", size=44)
    if paper.zone:
        _print_zone(canvas, paper.zone(person))
    return canvas.pixels


def _print_zone(canvas: Canvas, lines: Sequence[str]) -> None:
    scale = _PIXELS_PER_MM if canvas.width == _CARD[0] else 10.0
    left = (canvas.width - len(lines[0]) * 2.54 * scale) / 2
    for number, line in enumerate(lines):
        top = canvas.height - 60 * (len(lines) - number) - 20
        canvas.machine_readable(
            (left, top), line, pixels_per_mm=scale, field_name=f"mrz{number + 1}"
        )


def _words(person: Person, rng: Random) -> dict[str, str]:
    return {
        "full": f"{person.name.given} {person.name.surnames}",
        "given": person.name.given,
        "surnames": person.name.surnames,
        "curp": str(person.curp),
        "rfc": str(person.rfc),
        "sex": person.sex.value,
        "state": person.birth_state.name.upper(),
        "address": ", ".join(person.voter_card.address),
        "birth": f"{person.birth_date:%d/%m/%Y}",
        "issued": f"{person.passport.issued:%d/%m/%Y}",
        "expires": f"{person.passport.expires:%d/%m/%Y}",
        "digits": f"{rng.randint(1000, 9999)}",
    }
