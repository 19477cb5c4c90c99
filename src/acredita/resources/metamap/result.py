"""A verification as the compatible API shows it: our steps, documents and fields in its words."""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import cached_property
from typing import Any
from uuid import UUID

import orjson
from asyncpg import Record

from acredita.domain.local_time import MEXICO_CITY
from acredita.domain.steps import DOCUMENT_OCR
from acredita.domain.verification import DocumentRole, StepStatus, StepType, VerificationStatus
from acredita.domain.workflow import missing_roles
from acredita.models import VerificationStep
from acredita.resources.metamap import codes
from acredita.resources.metamap.naming import alias_of
from acredita.resources.verifications.step_table import entry_of
from acredita.resources.verifications.step_translation import Part, Place, TranslationInput
from acredita.services import Services

CARD, LICENCE, PASSPORT = "national-id", "driving-license", "passport"
# A card's sides may turn out to be those of a licence.
KINDS = {
    DocumentRole.FRONT: CARD,
    DocumentRole.BACK: CARD,
    DocumentRole.PASSPORT: PASSPORT,
}
# Our field: its name there, its label, its format.
FIELDS = {
    "givenNames": ("firstName", "First Name", None),
    "surnames": ("surname", "Surname", None),
    "address": ("address", "Address", None),
    "cic": ("documentNumber", "Document Number", None),
    "documentNumber": ("documentNumber", "Document Number", None),
    "dateOfBirth": ("dateOfBirth", "Day of Birth", "date"),
    "expiryDate": ("expirationDate", "Date of Expiration", "date"),
    "issueDate": ("emissionDate", "Emission Date", "date"),
    "sex": ("sex", "Sex", None),
    "curp": ("curp", "CURP", None),
    "clave": ("cde", "Clave de Elector", None),
    "emission": ("ne", "Numero de Emision", None),
    "ocr": ("ocrNumber", "OCR Number", None),
}
# What is asked for there: its id, the roles of which one serves, and what else is said of it.
INPUTS: Sequence[tuple[str, Set[DocumentRole], dict[str, int]]] = (
    ("document-photo", KINDS.keys(), {"group": 0}),
    ("selfie-photo", {DocumentRole.SELFIE}, {}),
    ("selfie-video", {DocumentRole.LIVENESS}, {}),
)
# A part of a step of ours, and its form on the wire.
Translated = tuple[Part, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Step:
    id: UUID
    type: StepType
    status: StepStatus
    result: Mapping[str, Any]
    evidence: Sequence[Mapping[str, Any]]
    code: str | None
    config: Mapping[str, Any]


@dataclass(frozen=True)
class Seen:
    """What a row of queries.VERIFICATION says, opened."""

    row: Record
    steps: Sequence[Step]
    # By role the newest, and the role of each that ever was.
    documents: Mapping[DocumentRole, UUID]
    roles: Mapping[str, DocumentRole]
    public_url: str

    @property
    def alias(self) -> str:
        return alias_of(self.row["id"])

    @property
    def flow(self) -> dict[str, str]:
        alias = self.row["flow_alias"] or alias_of(self.row["workflow_id"])
        return {"id": alias, "name": self.row["flow_name"]}

    @property
    def metadata(self) -> dict[str, Any]:
        given = self.row["metadata"]
        found: dict[str, Any] = {} if given is None else orjson.loads(given)
        return found

    @property
    def device(self) -> dict[str, Any]:
        return device(None, self.row["ip_address"])

    @property
    def resource(self) -> str:
        return f"{self.public_url}/v1/metamap/v2/verifications/{self.alias}"

    @cached_property
    def kind_of(self) -> dict[DocumentRole, str]:
        """The type of each document that is there. What a card is, is known once it was read."""
        reading = next((s.result for s in self.steps if s.type == DOCUMENT_OCR), {})
        # Of all results a licence's alone names the state that issued it.
        card = LICENCE if "state" in reading else CARD
        return {
            role: card if kind == CARD else kind
            for role, kind in KINDS.items()
            if role in self.documents
        }

    @property
    def kinds(self) -> list[str]:
        return list(
            dict.fromkeys(self.kind_of[role] for role in self.documents if role in self.kind_of)
        )

    @cached_property
    def fields(self) -> dict[str, dict[str, Any]]:
        return {kind: _fields(self, kind) for kind in self.kinds}

    def photo(self, role: DocumentRole) -> str | None:
        document_id = self.documents.get(role)
        if document_id is None:
            return None
        return f"{self.public_url}/v1/metamap/file?location={document_id}"


def seen(services: Services, row: Record, *, until: datetime | None = None) -> Seen:
    """`until`: as if no document had come after that."""
    documents = [
        (document_id, DocumentRole(role))
        for document_id, role, created_at in row["documents"]
        if until is None or created_at <= until
    ]
    return Seen(
        row,
        [_step(services, step) for step in row["steps"]],
        {role: document_id for document_id, role in documents},
        {str(document_id): role for document_id, role in documents},
        services.settings.public_url,
    )


def _step(services: Services, row: Record) -> Step:
    step_id, step_type, status, result, evidence, code, config = row
    return Step(
        step_id,
        StepType(step_type),
        StepStatus(status),
        VerificationStep.result.open(services.keys, step_id, result) or {},
        VerificationStep.evidence.open(services.keys, step_id, evidence) or [],
        code,
        orjson.loads(config),
    )


def device(user_agent: str | None, address: str | None) -> dict[str, Any]:
    """Of whoever called: no browser's data are collected."""
    return {"ua": user_agent, "ip": address, "vpnDetectionEnabled": False}


def day_of(moment: datetime) -> date:
    """The day by which documents expire and people grow older."""
    return moment.astimezone(MEXICO_CITY).date()


def shown(verification: Seen, today: date) -> dict[str, Any]:
    """The answer of GET /v2/verifications/{id}."""
    row = verification.row
    by_kind = {kind: _steps(verification, kind) for kind in verification.kinds}
    documents = [_document(verification, kind, steps) for kind, steps in by_kind.items()]
    # The person's own steps are the same beside each document. What registries said of metadata
    # alone has no document to stand at.
    steps = next(iter(by_kind.values())) if by_kind else _steps(verification, CARD)
    of_person = [
        shape
        for part, shape in steps
        if part.place is Place.PERSON or (not by_kind and part.place is Place.DOCUMENT_IF_ANY)
    ]
    everywhere = [*of_person, *(step for document in documents for step in document["steps"])]
    return {
        "id": verification.alias,
        "expired": row["status"] == VerificationStatus.EXPIRED,
        "identity": {
            "id": alias_of(row["identity_id"] or row["id"]),
            "status": codes.DELETED
            if row["purged_at"] is not None
            else codes.IDENTITY_STATUSES[VerificationStatus(row["status"])],
        },
        "flow": verification.flow,
        "steps": of_person,
        "documents": documents,
        "inputs": inputs([step.type for step in verification.steps], verification.documents),
        "hasProblem": any(step["error"] is not None for step in everywhere),
        "computed": computed(verification, today),
        "metadata": verification.metadata,
        "deviceFingerprint": verification.device,
    }


def inputs(
    step_types: Sequence[StepType], present: Mapping[DocumentRole, UUID]
) -> list[dict[str, Any]]:
    """What a verification asks for, and whether it is there."""
    asked: list[dict[str, Any]] = [{"id": "connection-data", "status": 200, "optional": False}]
    needed = {role for each in step_types for role in missing_roles(each, {}, frozenset())}
    for input_id, roles, further in INPUTS:
        if needed & roles:
            there = any(role in present for role in roles)
            asked.append({"id": input_id, "status": 200 if there else 0, **further})
    return asked


def computed(verification: Seen, today: date) -> dict[str, Any]:
    """Age and validity, as far as the documents were read; null where they were not."""
    by_kind = verification.fields
    born = next((f["dateOfBirth"]["value"] for f in by_kind.values() if "dateOfBirth" in f), None)
    return {
        "age": {"data": _age(_date(born), today)},
        "isDocumentExpired": {
            "data": {
                kind: _is_past(_date(fields.get("expirationDate", {}).get("value")), today)
                for kind, fields in by_kind.items()
            }
        },
    }


def translated(verification: Seen, step_id: str) -> dict[str, Any] | None:
    """The one step there that tells most of one of ours, with the type of its document."""
    place = next((n for n, s in enumerate(verification.steps) if str(s.id) == step_id), None)
    if place is None:
        return None
    ours = verification.steps[place]
    # What later steps found was not known when it ended.
    verification = replace(verification, steps=verification.steps[: place + 1])
    kind = next(iter(verification.kinds), None)
    parts = list(_translated(verification, ours, kind or CARD))
    shapes = [shape for _, shape in parts]
    told = next((shape for shape in shapes if shape["error"] is not None), shapes[0])
    is_of_person = all(part.place is Place.PERSON for part, _ in parts)
    return {**told, "documentType": None if is_of_person else kind}


def _steps(verification: Seen, kind: str) -> list[Translated]:
    """All that our steps are there, beside one kind of document."""
    return [step for ours in verification.steps for step in _translated(verification, ours, kind)]


def _document(verification: Seen, kind: str, steps: Sequence[Translated]) -> dict[str, Any]:
    photos = [verification.photo(role) for role, of in verification.kind_of.items() if of == kind]
    return {
        "country": "MX",
        "region": None,
        "type": kind,
        "steps": [shape for part, shape in steps if part.place is not Place.PERSON],
        "fields": verification.fields[kind],
        "photos": photos,
    }


def _translated(verification: Seen, ours: Step, kind: str) -> Iterator[Translated]:
    """What one of our steps is there, the part that tells most first."""
    code = ours.code if ours.status.is_final else None
    seen_step = TranslationInput(
        ours.result,
        ours.config,
        code,
        verification.fields.get(kind, {}),
        verification.photo(DocumentRole.SELFIE),
    )
    parts = entry_of(ours.type).translation.parts(seen_step)
    place = codes.translation_of(code).step or parts[0].id
    for part in parts:
        found = part.codes
        if found is None:
            found = [code] if code and part.id == place else []
        fault = None
        if found:
            message = ours.result.get("message")
            fault = codes.error(found[0], message, part.id, part.registry)
        status = codes.STEP_STATUSES[ours.status]
        yield part, {"status": status, "id": part.id, "data": part.data, "error": fault}


def _fields(verification: Seen, kind: str) -> dict[str, Any]:
    """What was read of one kind of document."""
    fields: dict[str, Any] = {}
    values: dict[str, str] = {}
    of_first = next(iter(verification.kinds), None)
    for item in (item for step in verification.steps for item in step.evidence):
        role = verification.roles.get(item["documentId"] or "")
        # What two documents say together goes to the first.
        shown_on = of_first if role is None else verification.kind_of.get(role)
        if shown_on != kind:
            continue
        values.setdefault(item["field"], item["value"])
        if item["field"] in FIELDS:
            name, label, form = FIELDS[item["field"]]
            fields.setdefault(name, _field(item["value"], label, form))
    surnames = [values.get(part, "") for part in ("paternalSurname", "maternalSurname")]
    surname = values.get("surnames") or " ".join(filter(None, surnames))
    if surname:
        fields["surname"] = _field(surname, "Surname", None)
    parts = " ".join(filter(None, (values.get("givenNames"), surname)))
    if full := parts or values.get("fullName"):
        fields["fullName"] = _field(full, "Full Name", None)
    return fields


def _field(value: str, label: str, form: str | None) -> dict[str, str]:
    return {"value": value, "label": label} | ({"format": form} if form else {})


def _date(text: str | None) -> date | None:
    try:
        return date.fromisoformat(text or "")
    except ValueError:
        return None


def _age(born: date | None, today: date) -> int | None:
    if born is None:
        return None
    return today.year - born.year - ((today.month, today.day) < (born.month, born.day))


def _is_past(until: date | None, today: date) -> bool | None:
    return None if until is None else until < today
