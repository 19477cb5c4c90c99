"""The compatible API's view of a verification, with its steps, documents and fields."""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import cache, cached_property
from typing import Any
from uuid import UUID

import orjson
from asyncpg import Record

from acredita.domain.ages import age_on
from acredita.domain.steps import DOCUMENT_OCR, PROOF_OF_ADDRESS
from acredita.domain.verification import (
    DOCUMENT_ROLES,
    DocumentRole,
    StepStatus,
    StepType,
    VerificationStatus,
)
from acredita.domain.workflow import missing_roles
from acredita.kit.crypto import KeyRing
from acredita.models import Verification, VerificationStep
from acredita.ports import EventSources, LinkSigning
from acredita.resources.images import links
from acredita.resources.metamap import translation
from acredita.resources.metamap.document_types import CARD, LICENCE, PROOF, TYPES
from acredita.resources.metamap.field_names import FIELD_NAMES, FULL_NAME, field, unread
from acredita.resources.metamap.id_aliases import to_alias, to_identity_alias
from acredita.resources.verifications.step_table import entry_of
from acredita.resources.verifications.step_translation import Part, Place, TranslationInput

# Inputs of the compatible API: id, roles (one is sufficient) and further properties.
INPUTS: Sequence[tuple[str, Set[DocumentRole], dict[str, int]]] = (
    ("document-photo", DOCUMENT_ROLES, {"group": 0}),
    ("document-photo", {DocumentRole.PROOF_OF_ADDRESS}, {"group": 1}),
    ("selfie-photo", {DocumentRole.SELFIE}, {}),
    ("selfie-video", {DocumentRole.LIVENESS}, {}),
)
# Before the id of a liveness document, in a link to the sheet of its frames, and to their film.
SPRITE, FILM = "sprite-", "film-"
# A part of one of our steps, and its JSON form.
TranslatedPart = tuple[Part, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class OpenedStep:
    id: UUID
    type: StepType
    status: StepStatus
    result: Mapping[str, Any]
    evidence: Sequence[Mapping[str, Any]]
    code: str | None
    config: Mapping[str, Any]


@dataclass(frozen=True)
class OpenedVerification:
    """A row of queries.VERIFICATION, unsealed."""

    row: Record
    steps: Sequence[OpenedStep]
    # The newest document of each role, and the role of every document.
    documents: Mapping[DocumentRole, UUID]
    roles: Mapping[str, DocumentRole]
    # The documents that have frames.
    filmed: Set[UUID]
    user_agent: str | None
    link_signing: LinkSigning
    # Links expire some time after it.
    moment: datetime

    @property
    def has_frames(self) -> bool:
        """Whether the newest liveness document has frames; otherwise it is one picture."""
        return self.documents.get(DocumentRole.LIVENESS) in self.filmed

    @property
    def alias(self) -> str:
        return to_alias(self.row["id"])

    @property
    def flow(self) -> dict[str, str]:
        alias = self.row["flow_alias"] or to_alias(self.row["workflow_id"])
        return {"id": alias, "name": self.row["flow_name"]}

    @property
    def metadata(self) -> dict[str, Any]:
        given = self.row["metadata"]
        found: dict[str, Any] = {} if given is None else orjson.loads(given)
        return found

    @property
    def device(self) -> dict[str, Any]:
        return device_view(self.user_agent, self.row["ip_address"])

    @property
    def resource(self) -> str:
        public_url = self.link_signing.settings.public_url
        return f"{public_url}/v1/metamap/v2/verifications/{self.alias}"

    @cached_property
    def kind_of(self) -> dict[DocumentRole, str]:
        """The type of each document. A licence is a card until the reading recognizes it."""
        reading = next((s.result for s in self.steps if s.type == DOCUMENT_OCR), {})
        # Only the result of a driver's licence has the issuing state.
        card = LICENCE if "state" in reading else CARD
        return {
            role: card if kind == CARD else kind
            for role, kind in TYPES.items()
            if role in self.documents
        }

    @cached_property
    def kinds(self) -> list[str]:
        """The types of the documents, those that identify the person first."""
        found = dict.fromkeys(self.kind_of[role] for role in self.documents if role in self.kind_of)
        return sorted(found, key=lambda kind: kind == PROOF)

    @property
    def first_kind(self) -> str:
        """The type of the document that identifies the person; a card before any is uploaded."""
        return next((kind for kind in self.kinds if kind != PROOF), CARD)

    @cached_property
    def fields(self) -> dict[str, dict[str, Any]]:
        return {kind: _fields(self, kind) for kind in self.kinds}

    @cached_property
    def pictures_of_face(self) -> tuple[str | None, str | None, str | None, str | None]:
        """Links to the selfie, the sheet of the liveness frames, the liveness picture, and the film
        of its frames.
        """
        return (
            self.photo(DocumentRole.SELFIE),
            self.photo(DocumentRole.LIVENESS, prefix=SPRITE),
            self.photo(DocumentRole.LIVENESS),
            self.photo(DocumentRole.LIVENESS, prefix=FILM) if self.has_frames else None,
        )

    def was_read(self, kind: str) -> bool:
        """Whether a reading of documents of the kind has ended, whatever it found."""
        reading = PROOF_OF_ADDRESS if kind == PROOF else DOCUMENT_OCR
        return any(step.type == reading and _has_ended(step) for step in self.steps)

    def photo(self, role: DocumentRole, *, prefix: str = "") -> str | None:
        """Return a link to the newest document of the role. `prefix`: of links.compatible_link."""
        document_id = self.documents.get(role)
        if document_id is None:
            return None
        return links.compatible_link(self.link_signing, document_id, self.moment, prefix=prefix)


def open_verification(
    services: EventSources, row: Record, moment: datetime, *, until: datetime | None = None
) -> OpenedVerification:
    """Unseal a row. Documents uploaded after `until` are ignored."""
    documents = [
        (document_id, DocumentRole(role))
        for document_id, role, created_at, _ in row["documents"]
        if until is None or created_at <= until
    ]
    return OpenedVerification(
        row,
        [_open_step(services.keys, step) for step in row["steps"]],
        {role: document_id for document_id, role in documents},
        {str(document_id): role for document_id, role in documents},
        {document_id for document_id, _, _, has_frames in row["documents"] if has_frames},
        Verification.user_agent.open(services.keys, row["id"], row["user_agent_sealed"]),
        services,
        moment,
    )


def _open_step(keys: KeyRing, row: Record) -> OpenedStep:
    step_id, step_type, status, result, evidence, code, config = row
    return OpenedStep(
        step_id,
        StepType(step_type),
        StepStatus(status),
        VerificationStep.result.open(keys, step_id, result) or {},
        VerificationStep.evidence.open(keys, step_id, evidence) or [],
        code,
        orjson.loads(config),
    )


def device_view(user_agent: str | None, address: str | None) -> dict[str, Any]:
    """Return what is known of the client that started the verification."""
    return {"ua": user_agent, "ip": address, "vpnDetectionEnabled": False}


def verification_view(verification: OpenedVerification, today: date) -> dict[str, Any]:
    """Return the response of GET /v2/verifications/{id}."""
    row = verification.row
    by_kind = {kind: _all_parts(verification, kind) for kind in verification.kinds}
    documents = [_document_view(verification, kind, steps) for kind, steps in by_kind.items()]
    # Steps about the person are the same for each document. A registry check of metadata has no
    # document.
    kind = verification.first_kind
    steps = by_kind[kind] if kind in by_kind else _all_parts(verification, kind)
    person_steps = [
        shape
        for part, shape in steps
        if part.place is Place.PERSON
        or (kind not in by_kind and part.place is Place.DOCUMENT_IF_ANY)
    ]
    all_steps = [*person_steps, *(step for document in documents for step in document["steps"])]
    return {
        "id": verification.alias,
        "expired": row["status"] == VerificationStatus.EXPIRED,
        "identity": {
            "id": to_identity_alias(row["identity_id"] or row["id"]),
            "status": translation.identity_status(
                VerificationStatus(row["status"]),
                is_purged=row["purged_at"] is not None,
                is_postponed=any(
                    translation.is_postponed(step.status, step.code) for step in verification.steps
                ),
            ),
        },
        "flow": verification.flow,
        "steps": person_steps,
        "documents": documents,
        "inputs": inputs_view([step.type for step in verification.steps], verification.documents),
        "hasProblem": any(step["error"] is not None for step in all_steps),
        "computed": computed_view(verification, today),
        "metadata": verification.metadata,
        "deviceFingerprint": verification.device,
    }


def inputs_view(
    step_types: Sequence[StepType], present: Mapping[DocumentRole, UUID]
) -> list[dict[str, Any]]:
    """Return the inputs that a verification requires, and whether each is present."""
    asked: list[dict[str, Any]] = [{"id": "connection-data", "status": 200, "optional": False}]
    needed = {role for each in step_types for role in _usual_roles(each)}
    for input_id, roles, further in INPUTS:
        if needed & roles:
            there = any(role in present for role in roles)
            asked.append({"id": input_id, "status": 200 if there else 0, **further})
    return asked


@cache
def _usual_roles(step_type: StepType) -> Set[DocumentRole]:
    """Return the roles that a step without options requires."""
    return frozenset(missing_roles(step_type, {}, frozenset()))


def computed_view(verification: OpenedVerification, today: date) -> dict[str, Any]:
    """Return age and expiry from the documents' fields; None for unknown values."""
    by_kind = verification.fields
    written = (fields.get("dateOfBirth", {}).get("value") for fields in by_kind.values())
    born = _date(next(filter(None, written), None))
    return {
        "age": {"data": None if born is None else age_on(born, today)},
        "isDocumentExpired": {
            "data": {
                kind: _is_too_old(verification)
                if kind == PROOF
                else _is_past(_date(fields.get("expirationDate", {}).get("value")), today)
                for kind, fields in by_kind.items()
            }
        },
    }


def _is_too_old(verification: OpenedVerification) -> bool | None:
    """Return whether the proof of address is; None if its date is unknown."""
    results = (step.result for step in verification.steps if step.type == PROOF_OF_ADDRESS)
    return next((result.get("isTooOld") for result in results), None)


def step_view(verification: OpenedVerification, step_id: str, place: int) -> dict[str, Any] | None:
    """Return one part of one of our steps, with the type of its document.

    `place`: its index. Parts with an error come before the others. Return None for an unknown step;
    raise IndexError for an unknown part.
    """
    number = next((n for n, s in enumerate(verification.steps) if str(s.id) == step_id), None)
    if number is None:
        return None
    ours = verification.steps[number]
    # Later steps had not ended when this one did.
    verification = replace(verification, steps=verification.steps[: number + 1])
    of_document = entry_of(ours.type).translation.document_type
    kind = of_document or verification.first_kind
    parts = sorted(
        _step_parts(verification, ours, kind), key=lambda shown: shown[1]["error"] is None
    )
    part, shape = parts[place]
    is_of_document = part.place is not Place.PERSON and kind in verification.kinds
    return {**shape, "documentType": kind if is_of_document else None}


def _all_parts(verification: OpenedVerification, kind: str) -> list[TranslatedPart]:
    """Return the parts of all our steps for one kind of document."""
    own = PROOF if kind == PROOF else None
    return [
        part
        for ours in verification.steps
        if entry_of(ours.type).translation.document_type == own
        for part in _step_parts(verification, ours, kind)
    ]


def _document_view(
    verification: OpenedVerification, kind: str, steps: Sequence[TranslatedPart]
) -> dict[str, Any]:
    photos = [verification.photo(role) for role, of in verification.kind_of.items() if of == kind]
    return {
        "country": "MX",
        "region": "",
        "type": kind,
        "steps": [shape for part, shape in steps if part.place is not Place.PERSON],
        "fields": verification.fields[kind],
        "photos": photos,
    }


def _step_parts(
    verification: OpenedVerification, ours: OpenedStep, kind: str
) -> Iterator[TranslatedPart]:
    """Yield the parts of one of our steps, the most important first."""
    code = ours.code if _has_ended(ours) else None
    translation_input = TranslationInput(
        ours.result,
        ours.config,
        code,
        verification.fields.get(kind, {}),
        *verification.pictures_of_face,
    )
    parts = entry_of(ours.type).translation.parts(translation_input)
    place = translation.find_translation(code).step or (parts[0].id if parts else None)
    for part in parts:
        found = part.codes
        if found is None:
            found = [code] if code and part.id == place else []
        fault = None
        if found:
            message = ours.result.get("message")
            fault = translation.step_error(found[0], message, part.id, part.registry)
        status = translation.STEP_STATUSES[ours.status]
        yield part, {"status": status, "id": part.id, "data": part.data, "error": fault}


def _has_ended(step: OpenedStep) -> bool:
    # A skipped step never ran; its code says only what it waited for.
    return step.status.is_final and step.status is not StepStatus.SKIPPED


def _fields(verification: OpenedVerification, kind: str) -> dict[str, Any]:
    """Return the fields of one kind of document. After its reading, some have no value."""
    fields: dict[str, Any] = {}
    values: dict[str, str] = {}
    # The kind of each document. A value from several documents belongs to the first.
    kind_of = {name: verification.kind_of.get(role) for name, role in verification.roles.items()}
    first_kind = next(iter(verification.kinds), None)
    for item in (item for step in verification.steps for item in step.evidence):
        read, value = item["field"], item["value"]
        if read in values or kind_of.get(item["documentId"] or "", first_kind) != kind:
            continue
        values[read] = value
        if read in FIELD_NAMES:
            name, label, form = FIELD_NAMES[read]
            fields.setdefault(name, field(value, label, form))
    surnames = [values.get(part, "") for part in ("paternalSurname", "maternalSurname")]
    surname = values.get("surnames") or " ".join(filter(None, surnames))
    if surname:
        fields["surname"] = field(surname, "Surname", None)
    parts = " ".join(filter(None, (values.get("givenNames"), surname)))
    if full := parts or values.get("fullName"):
        fields["fullName"] = field(full, FULL_NAME, None)
    return {**unread(kind), **fields} if verification.was_read(kind) else fields


def _date(text: str | None) -> date | None:
    try:
        return date.fromisoformat(text or "")
    except ValueError:
        return None


def _is_past(until: date | None, today: date) -> bool | None:
    return None if until is None else until < today
