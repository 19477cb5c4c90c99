"""GET /v1/aml/screenings/{id}/certificate: a page in Spanish that shows a screening to an auditor.

The record is attached as JSON, and the seal covers it. The page names the person.
"""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import Any
from uuid import UUID

import orjson
from anyascii import anyascii

from acredita.domain.audit import Action
from acredita.domain.caller import Caller
from acredita.engines.signing.package import Attachment, Certificate, Package
from acredita.engines.signing.seal import SealName
from acredita.models import Organization
from acredita.ports import EvidenceMaking
from acredita.resources.aml.screening import records
from acredita.resources.audit import service as audit
from acredita.sealed_report import DEVELOPMENT, UNSIGNED, sealed_report

ATTACHED = "consulta.json"
STATES = {
    "open": "sin revisar",
    "needs_information": "falta información",
    "true_hit": "confirmada por una persona revisora",
    "false_hit": "descartada por una persona revisora",
}
TYPES = {
    "person": "Persona",
    "company": "Empresa",
    "vessel": "Buque",
    "aircraft": "Aeronave",
    "other": "Otro",
}
CALLERS = {
    "client": "clave de API",
    "user": "usuario",
    "step": "paso de la verificación",
    "monitor": "monitoreo",
}
GENDERS = {"male": "Hombre", "female": "Mujer"}
NOT_SCREENED = "NO SE CONSULTÓ NINGUNA LISTA"
SANDBOX = "LISTA DE PRUEBA: la consulta comparó únicamente nombres inventados."
INCOMPLETE = (
    "La respuesta no es completa: no se consultó ninguna lista o hay más coincidencias que las que"
    " contiene el registro."
)
ALTERED = (
    "REGISTRO ALTERADO: la bitácora no tiene la huella de este registro. No es el que se guardó al"
    " hacer la consulta."
)
SCOPE = (
    "Esta constancia dice qué se consultó, en qué versiones de las listas y con qué resultado. No"
    " dice que una coincidencia sea la misma persona: eso lo decide una persona revisora. La"
    f" respuesta entera está en el archivo adjunto {ATTACHED}."
)
NOTHING = "—"
# Of the typefaces.
SCRIPTS = ("LATIN ", "GREEK ", "CYRILLIC ", "MODIFIER ", "FEMININE ", "MASCULINE ")
Facts = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Room:
    """How much a page shows: matches, lists, characters of a name."""

    matches: int
    lists: int
    name: int


# Tried in this order until one page is enough.
ROOMS = (Room(12, 12, 200), Room(6, 10, 120), Room(4, 5, 80), Room(2, 2, 50), Room(0, 1, 40))


async def certificate(services: EvidenceMaking, caller: Caller, screening_id: UUID) -> bytes:
    """Return the PDF, and write it to the audit log. Raise NotFound, ServiceUnavailable."""
    async with services.database.transaction() as session:
        record = await records.view(session, services.keys, caller, screening_id)
        organization = await session.get_one(Organization, caller.organization_id)
        name = organization.name
    attached = orjson.dumps(record, option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS)
    digest = sha256(attached).hexdigest()
    content = await sealed_report(
        services,
        caller.organization_id,
        [partial(package_of, record, name, digest, room) for room in ROOMS],
        [Attachment(ATTACHED, "La pregunta y la respuesta de la consulta", attached)],
        "Constancia de una consulta en listas",
    )
    async with services.database.transaction() as session:
        audit.record(
            session,
            caller,
            Action.AML_SCREENING_CERTIFIED,
            screening_id,
            file=sha256(content).digest(),
        )
    return content


def package_of(
    record: Mapping[str, Any],
    organization: str,
    attached_sha256: str,
    room: Room,
    seal: SealName | None,
    is_development: bool,  # noqa: FBT001 (called by position)
) -> Package:
    """`record`: a ScreeningShape as plain data. `seal`: None without a certificate."""
    sections: tuple[tuple[str, Facts], ...] = (
        ("Consulta", _screening(record, organization, room)),
        ("A quién se consultó", _person(record["question"], room)),
        ("Listas consultadas", _lists(record["lists"], room)),
        ("Resultado", _result(record)),
        ("Coincidencias", _matches(record["answer"], room)),
        (
            "Comprobación",
            (
                ("SHA-256 del registro", record["digest"]),
                (f"SHA-256 de {ATTACHED}", attached_sha256),
                *(() if seal is None else (("Certificado", seal.subject),)),
                *(() if seal is None else (("Huella SHA-256", seal.fingerprint),)),
            ),
        ),
    )
    statements = (
        *([UNSIGNED] if seal is None else []),
        *([DEVELOPMENT] if is_development and seal is not None else []),
        *([SANDBOX] if record["sandbox"] else []),
        *([] if record["complete"] else [INCOMPLETE]),
        *([] if record["intact"] else [ALTERED]),
        SCOPE,
    )
    return Package(
        id=record["id"],
        documents=(),
        signer=_headline(record["answer"]),
        drawing=b"",
        certificate=Certificate(
            tuple((heading, facts) for heading, facts in sections if facts), statements
        ),
        heading="Constancia de consulta en listas",
        id_label="Consulta",
    )


def _headline(answer: Mapping[str, Any]) -> str:
    if not answer["screened"]:
        return NOT_SCREENED
    total = answer["totalMatches"]
    if not total:
        return "SIN COINCIDENCIAS"
    return "1 COINCIDENCIA" if total == 1 else f"{total} COINCIDENCIAS"


def _screening(record: Mapping[str, Any], organization: str, room: Room) -> Facts:
    caller = record["caller"]
    return (
        ("Fecha y hora (UTC)", record["screenedAt"]),
        ("Organización", _cut(organization, room)),
        ("La pidió", f"{CALLERS[caller['type']]} {caller['id']}"),
        ("Verificación", record["verificationId"] or NOTHING),
        *_confirmed(record["confirmed"]),
    )


def _confirmed(confirmed: Mapping[str, Any] | None) -> Facts:
    if confirmed is None:
        return ()
    again = f"{confirmed['at']}, índice {confirmed['indexVersion']}; listas en {ATTACHED}"
    return (("Igual el (UTC)", again),)


def _person(question: Mapping[str, Any], room: Room) -> Facts:
    documents = (f"{each['kind']} {each['value']}" for each in question.get("identifiers") or ())
    year = question.get("birthYear")
    known = (
        ("Nombre", _cut(question["fullName"], room)),
        ("Otros nombres", _cut("; ".join(question.get("aliases") or ()), room)),
        ("Fecha de nacimiento", question.get("dateOfBirth")),
        ("Año de nacimiento", None if year is None else str(year)),
        ("Sexo", GENDERS.get(question.get("gender") or "")),
        ("Nacionalidad", ", ".join(question.get("nationalities") or ())),
        ("RFC", question.get("rfc")),
        ("CURP", question.get("curp")),
        ("Documentos", _cut("; ".join(documents), room)),
        ("Tipo", TYPES.get(question.get("entityType") or "")),
        ("País", question.get("country")),
        ("Cliente", _cut(question.get("externalId") or "", room)),
    )
    return tuple((label, value) for label, value in known if value)


def _cut(text: str, room: Room) -> str:
    """The text as the page can show it: not too long, and in a script that its typefaces have."""
    drawn = all(map(_is_drawn, text))
    shown = text if drawn else anyascii(text)
    if len(shown) > room.name:
        shown = f"{shown[: room.name]}…"
    return shown if drawn else f"{shown} (en letras latinas; el original está en {ATTACHED})"


def _is_drawn(char: str) -> bool:
    is_letter = unicodedata.category(char)[0] == "L"
    return not is_letter or unicodedata.name(char, "").startswith(SCRIPTS)


def _lists(lists: list[dict[str, Any]], room: Room) -> Facts:
    shown = [(each["id"], _version(each)) for each in lists[: room.lists]]
    return (*shown, *_rest(len(lists) - room.lists))


def _version(listed: Mapping[str, Any]) -> str:
    published, loaded = _day(listed["asOf"]), _day(listed.get("loadedAt"))
    return f"versión {listed['version']}, publicada: {published}, cargada: {loaded}"


def _day(moment: str | None) -> str:
    return (moment or NOTHING)[:10]


def _rest(count: int) -> Facts:
    return (("…", f"y {count} más en {ATTACHED}"),) if count > 0 else ()


def _result(record: Mapping[str, Any]) -> Facts:
    answer = record["answer"]
    # Answers of former releases have no number of open matches.
    still_open = answer.get("openMatches", answer["totalMatches"])
    return (
        ("Coincidencias", f"{answer['totalMatches']}, sin descartar: {still_open}"),
        ("Umbral", f"{record['threshold']:g}"),
        ("Versión del servicio", f"{record['engineVersion']}, índice {record['indexVersion']}"),
    )


def _matches(answer: Mapping[str, Any], room: Room) -> Facts:
    shown = tuple(
        (f"{match['list']} {match['entryId'][:40]}", _match(match, room))
        for match in answer["matches"][: room.matches]
    )
    return shown + _rest(answer["totalMatches"] - len(shown))


def _match(match: Mapping[str, Any], room: Room) -> str:
    state = STATES[match["review"]["state"]] if "review" in match else ""
    parts = (_cut(match["name"], room), f"puntuación {match['score']:.2f}", state)
    return ", ".join(filter(None, parts))
