"""The page of evidence at the end of a package, in Spanish: signer, documents, evidence.

It states only what was recorded. It says so if the name was not verified, or if the seal is from a
development authority.
"""

from datetime import datetime
from typing import Any
from uuid import UUID

from acredita.domain.esignature import Tier
from acredita.domain.time_zone import MEXICO_CITY
from acredita.engines.signing.package import Certificate
from acredita.engines.signing.seal import SealName
from acredita.kit.clock import timestamp

TIERS = {
    Tier.NAME_ONLY: "Nombre declarado; la identidad no fue verificada",
    Tier.ID_AND_NAME: "Identificación verificada y nombre coincidente",
    Tier.FACE_ID_AND_NAME: (
        "Identificación verificada, nombre coincidente y rostro comparado con la identificación"
    ),
}
CONSENT = (
    "La organización que solicitó esta firma declara que mostró estos documentos a la persona"
    " firmante, y que ella manifestó su consentimiento por medios electrónicos para obligarse en"
    " sus términos (Código de Comercio, artículos 89 a 99; Código Civil Federal, artículo 1803)."
    " Texto de consentimiento, versión 1."
)
NATURE = (
    "Es una firma electrónica simple: su fuerza probatoria descansa en la evidencia de esta página."
    " El sello electrónico (PAdES) es del servicio, no de la persona firmante; con su sello de"
    " tiempo muestra que el archivo no cambió desde entonces."
)
DEVELOPMENT = (
    "SELLO DE DESARROLLO: el certificado o el sello de tiempo son de una autoridad de pruebas en la"
    " que nadie confía. Este archivo no sirve como prueba ante terceros."
)
NO_CONSERVATION = (
    "NOM-151-SCFI-2016: no hay prestador de servicios de certificación configurado; no se emite"
    " constancia de conservación."
)
CONSERVATION = (
    "NOM-151-SCFI-2016: la constancia de conservación se pide al prestador después de sellar este"
    " archivo y se entrega por separado."
)
ATTACHED = (
    "El texto exacto de cada documento va adjunto a este PDF; su SHA-256 es el que aquí se indica."
)
NOTHING = "—"


def certificate(
    *,
    package_id: UUID,
    verification_id: UUID,
    tier: Tier,
    created_at: datetime,
    details: dict[str, Any],
    seal: SealName,
    is_development: bool,
    is_conserved: bool,
) -> Certificate:
    """The certificate of evidence of a package. `details`: the decrypted details of its row."""
    signer = (
        ("Nombre", details["signerName"]),
        ("Nivel", TIERS[tier]),
        ("Dirección IP", details["ipAddress"] or NOTHING),
        ("Navegador", details["userAgent"] or NOTHING),
        ("Firma autógrafa digitalizada", "Sí" if details["hasTouchSignature"] else "No"),
        ("Solicitada", _moment(created_at)),
    )
    documents = tuple(
        (
            document["title"],
            f"{document['characters']} caracteres, SHA-256 {document['sha256']}",
        )
        for document in details["documents"]
    )
    sealed = (
        ("Paquete", str(package_id)),
        ("Certificado", seal.subject),
        ("Huella SHA-256", seal.fingerprint),
    )
    return Certificate(
        sections=(
            ("Firmante", signer),
            ("Evidencia de identidad", _evidence(verification_id, details["evidence"])),
            ("Documentos", documents),
            ("Sello electrónico", sealed),
        ),
        statements=(
            *([DEVELOPMENT] if is_development else []),
            CONSENT,
            NATURE,
            ATTACHED,
            CONSERVATION if is_conserved else NO_CONSERVATION,
        ),
    )


def _evidence(verification_id: UUID, evidence: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    facts = [
        ("Verificación", str(verification_id)),
        ("Estado al firmar", evidence["verificationStatus"]),
    ]
    document, face = evidence["document"], evidence["face"]
    if document is None:
        facts.append(("Identificación", "No se exigió"))
    else:
        facts += [
            ("Identificación", f"Leída y aceptada el {document['passedAt']}"),
            ("Nombre en ella", document["name"]),
            ("Paso", document["stepId"]),
        ]
    if face is None:
        facts.append(("Rostro", "No se exigió"))
    else:
        similarity = face["similarity"]
        likeness = NOTHING if similarity is None else f"{similarity:.3f}"
        facts += [
            ("Rostro", f"Coincide desde el {face['passedAt']}; similitud {likeness}"),
            ("Paso", face["stepId"]),
        ]
    return tuple(facts)


def _moment(moment: datetime) -> str:
    local = moment.astimezone(MEXICO_CITY)
    return f"{timestamp(moment)} ({local:%d/%m/%Y %H:%M:%S}, Ciudad de México)"
