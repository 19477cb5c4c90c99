"""What a verification says of its person: the subject's fields, else the caller's metadata."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from acredita.domain.documents.holders import Holder, holder_from_fields
from acredita.domain.government.questions import Claimed
from acredita.domain.identifiers.ine import IneModel
from acredita.domain.identifiers.notation import sex_of
from acredita.domain.names import PersonName
from acredita.domain.subject import Subject
from acredita.models import Verification

# Wire name of a field, and the attribute of Claimed that it fills as it stands.
TEXT_FIELDS = {
    "curp": "curp",
    "rfc": "rfc",
    "companyName": "legal_name",
    "clave": "clave",
    "cic": "cic",
    "ocr": "ocr",
    "citizenId": "citizen_id",
    "emission": "emission",
}
NAME_FIELDS = ("givenNames", "paternalSurname", "maternalSurname")
# Whose word a check rests on; `source` in the result of GOVERNMENT_VERIFY.
DOCUMENTS, METADATA = "documents", "metadata"


def claimed_by(subject: Subject, verification: Verification) -> tuple[Claimed, str]:
    """Whom the registries are asked about, and the source: the judged document; where it says
    nothing, the metadata of a caller that proved who it is.

    What a browser says of itself is no evidence: anyone can write another person's CURP there.
    """
    if subject.fields:
        return claimed_in(subject), DOCUMENTS
    if verification.has_session:
        return Claimed(), DOCUMENTS
    return stated_in(verification.verification_metadata or {}), METADATA


def claimed_in(subject: Subject) -> Claimed:
    """What the judged document says of its holder."""
    return _claimed({name: (said.value, said.accepted) for name, said in subject.fields.items()})


def holder_stated_by(verification: Verification) -> Holder:
    """The person whom the caller's metadata name."""
    metadata = verification.verification_metadata or {}
    return holder_from_fields(
        {key: (text, True) for key, text in metadata.items() if isinstance(text, str)}
    )


def stated_in(metadata: Mapping[str, Any]) -> Claimed:
    """What the caller states of its own customer. It was not read from a picture: it is sure."""
    return _claimed({key: (text, True) for key, text in metadata.items() if isinstance(text, str)})


def _claimed(fields: Mapping[str, tuple[str, bool]]) -> Claimed:
    accepted = {
        TEXT_FIELDS[name] for name, (_, sure) in fields.items() if sure and name in TEXT_FIELDS
    }
    claims: dict[str, Any] = {
        attribute: fields[name][0] for name, attribute in TEXT_FIELDS.items() if name in fields
    }
    given, paterno, materno = (fields.get(name, ("", False)) for name in NAME_FIELDS)
    if given[0] and paterno[0]:
        claims["name"] = PersonName(given=given[0], paterno=paterno[0], materno=materno[0])
        if given[1] and paterno[1] and (materno[1] or not materno[0]):
            accepted.add("name")
    if (born := _date(fields.get("dateOfBirth", ("", False))[0])) is not None:
        claims["birth_date"] = born
        if fields["dateOfBirth"][1]:
            accepted.add("birth_date")
    if (sex := sex_of(fields.get("sex", ("", False))[0])) is not None:
        claims["sex"] = sex
        if fields["sex"][1]:
            accepted.add("sex")
    # A model in doubt would have the registry asked by the wrong numbers.
    model, sure = fields.get("ineModel", ("", False))
    claims["ine_model"] = IneModel.__members__.get(model.upper()) if sure else None
    return Claimed(**claims, accepted=frozenset(accepted))


def _date(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
