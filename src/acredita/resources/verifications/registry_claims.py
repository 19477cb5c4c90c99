"""Claims about the person, for registry checks: the subject's fields or the caller's metadata."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from acredita.domain.documents.same_person import Holder, holder_from_fields
from acredita.domain.government.queries import Claimed
from acredita.domain.identifiers.formatting import sex_of
from acredita.domain.identifiers.ine import IneModel
from acredita.domain.names import PersonName
from acredita.domain.subject import Subject
from acredita.models import Verification

# Wire name of a field: the attribute of Claimed that takes its text unchanged.
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
_ABSENT = ("", False)
# Origin of the claims: `source` in the result of GOVERNMENT_VERIFY.
DOCUMENTS, METADATA = "documents", "metadata"


def claims_for_registries(subject: Subject, verification: Verification) -> tuple[Claimed, str]:
    """Return the claims to check with the registries, and their source.

    They come from the judged document. If it has no fields, they come from the metadata of an
    authenticated caller. Metadata from a browser are no evidence: anyone can enter another
    person's CURP.
    """
    if subject.fields:
        return claims_of_documents(subject), DOCUMENTS
    if verification.has_session:
        return Claimed(), DOCUMENTS
    return claims_of_metadata(verification.verification_metadata or {}), METADATA


def claims_of_documents(subject: Subject) -> Claimed:
    """Return the claims of the judged document about its holder."""
    return _claimed({name: (said.value, said.accepted) for name, said in subject.fields.items()})


def holder_of_metadata(verification: Verification) -> Holder:
    """Return the person that the caller's metadata name."""
    metadata = verification.verification_metadata or {}
    return holder_from_fields(
        {key: (text, True) for key, text in metadata.items() if isinstance(text, str)}
    )


def claims_of_metadata(metadata: Mapping[str, Any]) -> Claimed:
    """Return the caller's claims about its customer. All count as accepted, because no OCR was
    involved.
    """
    return _claimed({key: (text, True) for key, text in metadata.items() if isinstance(text, str)})


def _claimed(fields: Mapping[str, tuple[str, bool]]) -> Claimed:
    claims: dict[str, tuple[Any, bool]] = {
        attribute: fields[name] for name, attribute in TEXT_FIELDS.items() if name in fields
    }
    born, is_born_sure = fields.get("dateOfBirth", _ABSENT)
    sex, is_sex_sure = fields.get("sex", _ABSENT)
    claims |= {
        "name": _name_in(fields),
        "birth_date": (_date(born), is_born_sure),
        "sex": (sex_of(sex), is_sex_sure),
    }
    # A model in doubt would have the registry asked by the wrong numbers.
    model, is_model_sure = fields.get("ineModel", _ABSENT)
    return Claimed(
        **{attribute: value for attribute, (value, _) in claims.items()},
        ine_model=IneModel.__members__.get(model.upper()) if is_model_sure else None,
        accepted=frozenset(
            attribute for attribute, (value, sure) in claims.items() if sure and value is not None
        ),
    )


def _name_in(fields: Mapping[str, tuple[str, bool]]) -> tuple[PersonName | None, bool]:
    """The name, and whether all its parts are sure. Only the maternal surname may be missing."""
    parts = (fields.get(name, _ABSENT) for name in NAME_FIELDS)
    (given, given_sure), (paterno, paterno_sure), (materno, materno_sure) = parts
    if not given or not paterno:
        return None, False
    name = PersonName(given=given, paterno=paterno, materno=materno)
    return name, given_sure and paterno_sure and (materno_sure or not materno)


def _date(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
