"""The report of an evidence file, in Spanish: what was decided, by which rules, from what.

It has ids, codes, versions and digests, like the record: no name, no data read from a document.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from acredita.domain import reasons
from acredita.domain.history import ABOUT_DECISIONS
from acredita.engines.evidence.decisions import deciding_service
from acredita.engines.signing.package import Certificate, Package
from acredita.engines.signing.seal import SealName
from acredita.sealed_report import DEVELOPMENT, UNSIGNED

HEADING = "Expediente de la decisión de una verificación de identidad"
STATUSES = {
    "APPROVED": "Aprobada",
    "REJECTED": "Rechazada",
    "MANUAL_REVIEW": "En revisión manual",
}
STEP_STATUSES = {
    "PASSED": "Superado",
    "FAILED": "No superado",
    "REVIEW": "En revisión",
    "SKIPPED": "Omitido",
}
KINDS = {
    "verification.decided": "Decisión de las reglas",
    "verification.overridden": "Decisión de una persona revisora",
    "verification.decision_proposed": "Decisión propuesta por una persona revisora",
    "verification.decision_declined": "Propuesta rechazada por otra persona revisora",
}
COVERED = (
    "La firma electrónica (PAdES) de este PDF abarca también los demás archivos del expediente: el"
    " archivo adjunto manifest.json contiene el SHA-256 de cada uno."
)
SCOPE = (
    "La decisión de las reglas se puede volver a calcular sin el servicio, con el programa"
    " «acredita-verify» (paquete acredita-verifier). Se vuelve a calcular la decisión, no la"
    " lectura de las imágenes."
)
DATA = (
    "El expediente no contiene nombres ni datos leídos de los documentos, salvo en personal.json,"
    " que solo existe si una regla de la política los usa, y en las imágenes, si se pidieron. Los"
    " SHA-256 son datos seudónimos."
)
NOTHING = "—"
# Of `judgedBy`: each in a line of its own.
DIGESTS = {"code": "Código", "models": "Modelos", "libraries": "Bibliotecas"}
DIGITS = 12
_SHA256 = re.compile("[0-9a-f]{64}")
Facts = tuple[tuple[str, str], ...]


def package_of(
    record: Mapping[str, Any],
    manifest_sha256: str,
    seal: SealName | None,
    is_development: bool,  # noqa: FBT001 (called by position)
) -> Package:
    """Return the report to compose. `seal` is None where the installation has no certificate."""
    verification = record["verification"]
    signed = () if seal is None else (("Sello electrónico", _seal(seal)),)
    sections: tuple[tuple[str, Facts], ...] = (
        ("Verificación", _verification(record)),
        ("Decisión de las reglas", _decision(record)),
        ("Pasos", tuple(_step(step) for step in record["steps"])),
        ("Código, modelos y bibliotecas que juzgaron (SHA-256)", tuple(_digests(record))),
        ("Bibliotecas al decidir", tuple(_libraries(record))),
        ("Archivos recibidos", tuple(_input(item) for item in record["inputs"])),
        ("Decisiones en orden", _decisions(record)),
        ("Expediente", (("SHA-256 de manifest.json", manifest_sha256),)),
        *signed,
    )
    statements = (
        *([UNSIGNED] if seal is None else [COVERED]),
        *([DEVELOPMENT] if is_development and seal is not None else []),
        SCOPE,
        DATA,
    )
    return Package(
        id=verification["id"],
        documents=(),
        signer=STATUSES.get(verification["status"], verification["status"]),
        drawing=b"",
        certificate=Certificate(
            tuple((name, facts) for name, facts in sections if facts), statements
        ),
        heading=HEADING,
        id_label="Verificación",
    )


def _verification(record: Mapping[str, Any]) -> Facts:
    verification, service = record["verification"], record["service"]
    return (
        ("Identificador", verification["id"]),
        ("Organización", verification["organizationId"]),
        ("Flujo", verification["workflowId"]),
        ("Creada", verification["createdAt"]),
        ("Concluida", verification["completedAt"]),
        ("Versión del servicio", f"{service['version']} ({service['commit'] or NOTHING})"),
    )


def _decision(record: Mapping[str, Any]) -> Facts:
    decision, policy = record["decision"], record["policy"]
    if decision is None:
        return (("Decisión", "Ninguna: decidió una persona revisora"),)
    facts = [
        ("Decisión", STATUSES.get(decision["status"], decision["status"])),
        ("Motivos", ", ".join(decision["reasons"]) or NOTHING),
        ("Reglas", decision["rules"]),
    ]
    if policy is not None:
        facts += [
            ("Política", f"{policy['id']}, versión {policy['version']}"),
            ("SHA-256 de sus reglas", policy["digest"]),
            ("Regla que decidió", decision["policy"]["rule"] or NOTHING),
        ]
    return tuple(facts)


def _step(step: Mapping[str, Any]) -> tuple[str, str]:
    known = reasons.find(step["code"])
    parts = [STEP_STATUSES.get(step["status"], step["status"])]
    if step["code"]:
        parts.append(step["code"] if known is None else f"{step['code']}: {known.message.es}")
    named = {k: v for k, v in (step["judgedBy"] or {}).items() if k not in DIGESTS}
    if named:
        parts.append(f"({_versions(named)})")
    return step["type"], " ".join(parts)


def _versions(named: Any) -> str:
    """Return the versions of engines, lists and rules, which can be in lists and mappings. Digests
    are shortened: the record has all of their digits."""
    if isinstance(named, Mapping):
        return ", ".join(f"{name} {_versions(value)}" for name, value in sorted(named.items()))
    if isinstance(named, list):
        return " ".join(map(_versions, named))
    text = NOTHING if named is None else str(named)
    return f"{text[:DIGITS]}…" if _SHA256.fullmatch(text) else text


def _digests(record: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield each digest of code, models and libraries once, with the steps that it judged."""
    steps = record["steps"]
    for name, label in DIGESTS.items():
        # A dictionary keeps the order.
        for digest in dict.fromkeys((step["judgedBy"] or {}).get(name) for step in steps):
            of = [s["type"] for s in steps if (s["judgedBy"] or {}).get(name) == digest]
            if digest is not None:
                yield label, f"{digest} ({', '.join(of)})"


def _libraries(record: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the versions of the libraries that the service had when it decided."""
    named = deciding_service(record).get("libraries")
    if named:
        yield "Versiones", _versions(named)


def _input(item: Mapping[str, Any]) -> tuple[str, str]:
    return item["role"], f"{item['receivedAt']}, {item['fileSize']} bytes, SHA-256 {item['sha256']}"


def _decisions(record: Mapping[str, Any]) -> Facts:
    return tuple(
        (entry["createdAt"], _act(entry))
        for entry in record["history"]
        if entry["kind"] in ABOUT_DECISIONS
    )


def _act(entry: Mapping[str, Any]) -> str:
    details = entry["details"]
    status = details.get("newStatus") or details.get("status") or ""
    reason = f", motivo {details['reason']}" if details.get("reason") else ""
    actor = f", {entry['actorType']} {entry['actorId']}" if entry["actorId"] else ""
    return (
        f"{KINDS.get(entry['kind'], entry['kind'])}: {STATUSES.get(status, status)}{reason}{actor}"
    )


def _seal(seal: SealName) -> Facts:
    return (("Certificado", seal.subject), ("Huella SHA-256", seal.fingerprint))
