"""The extracted values of a document, by field and source."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any
from uuid import UUID

from acredita.domain.documents import PageReading, Source
from acredita.domain.documents.mrz_evidence import zone_of
from acredita.domain.labelling import FIELDS, Read
from acredita.kit.crypto import KeyRing
from acredita.models import Document, Media, MediaKind
from acredita.resources.training.schemas import CodeShape, FieldShape, SourceShape

# Keys of a registry's record, and the fields that they belong to.
_REGISTERED = {
    "curp": "curp",
    "given": "givenNames",
    "paterno": "paternalSurname",
    "materno": "maternalSurname",
    "birthDate": "dateOfBirth",
    "sex": "sex",
}


# Parts of the printed text, and the fields that they belong to.
_PIECES = {
    "address1": "address",
    "address2": "address",
    "address3": "address",
    "address4": "address",
    "address5": "address",
    "dateOfExpiry": "expiryDate",
    "dateOfIssue": "issueDate",
}


def pages_of(keys: KeyRing, document: Document) -> list[PageReading]:
    return document.reading.open(keys) or []


def read_fields(evidence: Sequence[Mapping[str, Any]], document_id: UUID) -> dict[str, Read]:
    """Return the readings of that document, by field."""
    return {
        item["field"]: Read(
            item["value"],
            item["confidence"],
            item["decision"],
            item["source"],
            item.get("confirmation"),
            tuple(item["reasons"]),
        )
        for item in evidence
        if item["documentId"] == str(document_id)
    }


def fields_and_codes(
    pages: Sequence[PageReading],
    media: Sequence[Media],
    read: Mapping[str, Read],
    registered: Mapping[str, Any],
    today: date,
) -> tuple[list[FieldShape], list[CodeShape]]:
    """Return the fields (first those that were read, then those of other sources) and the barcodes.

    `registered` is a registry's record of the person; empty if no registry was queried.
    """
    pictures = {row.position: row.id for row in media if row.kind == MediaKind.PAGE}
    sources: dict[str, list[SourceShape]] = defaultdict(list)
    codes = []
    for position, page in enumerate(pages):
        media_id = pictures.get(position)
        for field, source in _printed(page, media_id):
            sources[field].append(source)
        for field, source in _in_zone(page, media_id, today):
            sources[field].append(source)
        codes += [
            CodeShape(symbology=code.symbology, text=code.text, media_id=media_id, box=code.box)
            for code in page.codes
        ]
    for key, field in _REGISTERED.items():
        if registered.get(key) and (field in read or field in sources):
            sources[field].append(_source(Source.GOVERNMENT, registered[key], None, None))
    names = dict.fromkeys((*read, *(name for name in sources if name in FIELDS)))
    return [_field(name, read.get(name), sources[name]) for name in names], codes


def _field(name: str, read: Read | None, sources: list[SourceShape]) -> FieldShape:
    return FieldShape(
        field=name,
        value=read and read.value,
        confidence=read and read.confidence,
        decision=read and read.decision,
        source=read and read.source,
        reasons=list(read.reasons) if read else [],
        sources=sources,
    )


def _printed(page: PageReading, media_id: UUID | None) -> Iterator[tuple[str, SourceShape]]:
    for sighting in page.sightings:
        yield (
            _PIECES.get(sighting.field, sighting.field),
            SourceShape(
                source=Source.OCR,
                value=sighting.value,
                confidence=sighting.confidence,
                alternatives=list(sighting.alternatives),
                media_id=media_id,
                box=sighting.box,
            ),
        )


def _in_zone(
    page: PageReading, media_id: UUID | None, today: date
) -> Iterator[tuple[str, SourceShape]]:
    zone = zone_of(page)
    if zone is None:
        return
    value = zone.value
    born, expires = value.birth_date(today), value.expiry_date
    values = {
        "mrz": "\n".join(value.lines),
        "surnames": value.surnames,
        "givenNames": value.given,
        "documentNumber": value.document_number,
        "dateOfBirth": born and born.isoformat(),
        "sex": value.sex and value.sex.value,
        "expiryDate": expires and expires.isoformat(),
        "issuingState": value.issuer,
    }
    for field, text in values.items():
        if text:
            yield field, _source(Source.MRZ, text, zone.confidence, media_id)


def _source(
    source: Source, value: str, confidence: float | None, media_id: UUID | None
) -> SourceShape:
    return SourceShape(
        source=source,
        value=value,
        confidence=confidence,
        alternatives=[],
        media_id=media_id,
        box=None,
    )
