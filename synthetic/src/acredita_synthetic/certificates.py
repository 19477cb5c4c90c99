"""CURP certificates and RFC certificates (constancias) of synthetic people and companies.

The layouts are our own, with the fields and captions of the real documents in about their order.
Printed, coded and hidden values can be replaced to make a forgery.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from pathlib import Path
from random import Random
from typing import Final

import cv2

from acredita.domain.identifiers import rfc
from acredita.domain.identifiers.states import BORN_ABROAD, STATES, State
from acredita.domain.names import fold
from acredita_synthetic import curp_certificate, places, rfc_certificate
from acredita_synthetic.capture import Difficulty, capture
from acredita_synthetic.pdf_sheets import Sheets, rasterised
from acredita_synthetic.people import REFERENCE_DATE, Person, make_person


class CertificateKind(StrEnum):
    CURP = "curp_certificate"
    RFC_PERSON = "rfc_certificate"
    RFC_COMPANY = "rfc_certificate_company"


@dataclass(frozen=True, slots=True)
class Certificate:
    """`values`: the expected reading, by the names of fields in the API."""

    kind: CertificateKind
    pdf: bytes
    values: dict[str, str]

    def picture(self, difficulty: Difficulty, seed: int, page: int = 0) -> bytes:
        """Return a photograph of a printed page, as JPEG."""
        taken = capture(rasterised(self.pdf, page), difficulty, seed)
        quality = [cv2.IMWRITE_JPEG_QUALITY, taken.jpeg_quality]
        _, encoded = cv2.imencode(".jpg", taken.pixels, quality)
        return encoded.tobytes()


def make_certificate(
    kind: CertificateKind,
    seed: int,
    *,
    on: date = REFERENCE_DATE,
    printed: Mapping[str, str] | None = None,
    coded: Mapping[str, str] | None = None,
) -> Certificate:
    """Make the certificate of a seed's person or company, issued within the month before `on`.

    `printed` and `coded` replace values in print and in the code, for a forgery. `values` stay
    those of the genuine certificate.
    """
    values = _CONTENTS[kind](seed, on)
    shown = values | dict(printed or {})
    said = values | dict(coded or {})
    draw = curp_certificate.draw if kind is CertificateKind.CURP else rfc_certificate.draw
    return Certificate(kind, draw(shown, said), {k: v for k, v in values.items() if v})


def write_certificates(
    folder: Path,
    count: int,
    seed: int = 1,
    kinds: Sequence[CertificateKind] = tuple(CertificateKind),
    difficulties: Sequence[Difficulty] = (Difficulty.CLEAN,),
) -> list[Path]:
    """Write `count` certificates of each kind as PDF, with the ground truth as JSON and a picture
    of the first page in each difficulty. Return the paths of PDFs and pictures.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for number in range(seed, seed + count):
        for kind in kinds:
            certificate = make_certificate(kind, number)
            file = folder / f"{number:06}-{kind}.pdf"
            file.write_bytes(certificate.pdf)
            written.append(file)
            for difficulty in difficulties:
                picture = folder / f"{number:06}-{kind}-{difficulty}.jpg"
                picture.write_bytes(certificate.picture(difficulty, number))
                written.append(picture)
            truth = {
                "specimen": True,
                "kind": kind.value,
                "seed": number,
                "values": certificate.values,
            }
            text = json.dumps(truth, ensure_ascii=False, indent=2)
            file.with_suffix(".json").write_text(text + "\n", encoding="utf-8")
    return written


def with_unseen_text(kind: CertificateKind, seen: int, unseen: int) -> bytes:
    """Make a PDF that shows one person's certificate, with another's in its text layer."""
    shows, says = make_certificate(kind, seen), make_certificate(kind, unseen)
    draw = curp_certificate.lay_out if kind is CertificateKind.CURP else rfc_certificate.lay_out
    sheets = Sheets()
    sheets.picture(rasterised(shows.pdf))
    blank = dict.fromkeys(_CONTENTS[kind](unseen, REFERENCE_DATE), "")
    draw(sheets, blank | says.values, unseen=True)
    return sheets.finish()


def _issued(rng: Random, on: date) -> date:
    return on - timedelta(days=rng.randint(0, 28))


_FULL_NAMES: Final = {
    "CL": "COAHUILA DE ZARAGOZA",
    "MN": "MICHOACÁN DE OCAMPO",
    "VZ": "VERACRUZ DE IGNACIO DE LA LLAVE",
}


def _full_name(state: State) -> str:
    return _FULL_NAMES.get(state.code, state.name.upper())


def _curp(seed: int, on: date) -> dict[str, str]:
    rng = Random(f"curp certificate {seed}")
    person = make_person(seed, on=on)
    abroad = person.birth_state == BORN_ABROAD
    register = rng.choice(STATES) if abroad else person.birth_state
    year = person.birth_date.year + rng.choices((0, 1, 4), (85, 12, 3))[0]
    enrolled = date(max(1997, year), rng.randint(1, 12), rng.randint(1, 28))
    enrolled = min(enrolled, on - timedelta(days=40))
    return {
        "curp": str(person.curp),
        "givenNames": person.name.given,
        "paternalSurname": person.name.paterno,
        "maternalSurname": person.name.materno,
        "dateOfBirth": person.birth_date.isoformat(),
        "sex": person.sex.value,
        "stateOfBirth": person.birth_state.name,
        "birthRecordState": register.name,
        "birthRecordMunicipality": f"{rng.randint(1, 125):03}",
        "birthRecordYear": str(year),
        "birthRecordNumber": f"{rng.randint(1, 9_000):05}",
        "enrolmentDate": enrolled.isoformat(),
        "folio": str(rng.randint(1_000_000, 299_999_999)),
        "issueDate": _issued(rng, on).isoformat(),
    }


_STREET_KINDS: Final = ("CALLE", "AVENIDA (AV.)", "CERRADA (CDA)", "PRIVADA (PRIV)", "BOULEVARD")
_STATUSES: Final = ("ACTIVO", "REACTIVADO")


def _taxpayer(rng: Random, state: State) -> dict[str, str]:
    municipality, prefix = rng.choice(places.REGIONS[state.code].municipalities)
    plain = {
        "postalCode": f"{prefix}{rng.randint(0, 99):02}",
        "streetKind": rng.choice(_STREET_KINDS),
        "street": rng.choice(places.STREETS),
        "outerNumber": str(rng.randint(1, 2999)),
        "innerNumber": rng.choice(("", "", f"{rng.randint(1, 40)}")),
        "neighbourhood": rng.choice(places.NEIGHBOURHOODS),
        "locality": municipality,
        "municipality": municipality,
        "state": _full_name(state),
        "idCif": f"{rng.randint(10, 25)}{rng.randint(1, 12):02}{rng.randint(0, 9_999_999):07}",
        "taxpayerStatus": rng.choices(_STATUSES, (85, 15))[0],
    }
    written = {name: fold(value, enye="Ñ") for name, value in plain.items()}
    return written | {"address": rfc_certificate.address_of(written)}


def _rfc_person(seed: int, on: date) -> dict[str, str]:
    rng = Random(f"rfc certificate {seed}")
    person: Person = make_person(seed, on=on)
    state = rng.choice(STATES)
    began = person.birth_date.replace(day=1) + timedelta(days=366 * 19)
    regimes = {"605", rng.choice(("605", "606", "612", "626"))}
    return {
        "rfc": str(person.rfc),
        "curp": str(person.curp),
        "givenNames": fold(person.name.given, enye="Ñ"),
        "paternalSurname": fold(person.name.paterno, enye="Ñ"),
        "maternalSurname": fold(person.name.materno, enye="Ñ"),
        "companyName": "",
        "capitalRegime": "",
        "operationsStart": min(began, on - timedelta(days=30)).isoformat(),
        "taxRegimes": ", ".join(sorted(regimes)),
        "issueDate": _issued(rng, on).isoformat(),
        **_taxpayer(rng, state),
    }


_TRADES: Final = (
    "COMERCIALIZADORA", "CONSTRUCTORA", "TRANSPORTES", "SERVICIOS INTEGRALES", "DISTRIBUIDORA",
    "GRUPO EMPRESARIAL", "CONSULTORES", "PRODUCTOS AGRICOLAS", "INMOBILIARIA", "MAQUINADOS",
)  # fmt: skip
_CALLED: Final = (
    "LA ESPERANZA", "DEL BAJIO", "CAÑADA AZUL", "TRES HERMANOS", "PEÑASCO", "SAN MIGUEL", "QUETZAL",
    "NUEVO HORIZONTE", "EL NOGAL", "MONTAÑA & ASOCIADOS", "VALLE DE OAXACA", "TECNOLOGIA Y DISEÑO",
)  # fmt: skip
_OF: Final = ("", "DE MEXICO", "DEL NORTE", "INTERNACIONAL", "DEL SURESTE", "Y CIA")
_CAPITALS: Final = (
    "SOCIEDAD ANONIMA DE CAPITAL VARIABLE",
    "SOCIEDAD DE RESPONSABILIDAD LIMITADA DE CAPITAL VARIABLE",
    "SOCIEDAD CIVIL",
    "ASOCIACION CIVIL",
)


def _rfc_company(seed: int, on: date) -> dict[str, str]:
    rng = Random(f"company {seed}")
    parts = (rng.choice(_TRADES), rng.choice(_CALLED), rng.choice(_OF))
    name = " ".join(part for part in parts if part)
    founded = date(rng.randint(1970, on.year - 1), rng.randint(1, 12), rng.randint(1, 28))
    return {
        "rfc": str(rfc.compose_company(name, founded)),
        "curp": "",
        "givenNames": "",
        "paternalSurname": "",
        "maternalSurname": "",
        "companyName": name,
        "capitalRegime": rng.choice(_CAPITALS),
        "operationsStart": founded.isoformat(),
        "taxRegimes": rng.choice(("601", "603", "626")),
        "issueDate": _issued(rng, on).isoformat(),
        **_taxpayer(rng, rng.choice(STATES)),
    }


_CONTENTS: Final = {
    CertificateKind.CURP: _curp,
    CertificateKind.RFC_PERSON: _rfc_person,
    CertificateKind.RFC_COMPANY: _rfc_company,
}
