"""Judge a proof of address: who issued it, to whom, for which address, and when.

| what | the step passes if |
|---|---|
| issuer | it is one of `issuers` |
| name | it has the same words as that of the identity document |
| address | its postal code is one of its state, and it is that of the identity document, if any |
| date | its newest date, of issue or of the period's end, is not older than the limit |

What the identity document repeats need not be certain by itself. Nothing fails: every problem leads
to review.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any, Final

from acredita.domain.documents.birth_dates import iso_date
from acredita.domain.documents.findings import (
    Confirmation,
    Evidence,
    Finding,
    Reason,
    Zone,
    decide,
    joined,
    missing,
    printed,
)
from acredita.domain.documents.gazetteer import Gazetteer, plain, without_accents
from acredita.domain.documents.pages import PageKind, PageReading
from acredita.domain.documents.picture_problems import causes, objections
from acredita.domain.government import name_comparison
from acredita.domain.government.name_comparison import Likeness
from acredita.domain.names import PersonName, fold, same_words
from acredita.domain.proof_of_address import issuers
from acredita.domain.proof_of_address.addresses import (
    AddressComparison,
    AddressParts,
    compare_addresses,
    parse_address,
)
from acredita.domain.proof_of_address.dates import months_before
from acredita.domain.reasons import DocumentReason, ProofReason, ReasonCode

RULES_VERSION: Final = "proof-of-address-2026.1"
MOST_LINES: Final = 5
"""Lines of an address, as sightings address1 to address5."""
MOST_AHEAD: Final = timedelta(days=31)
_FIELDS: Final = {"street": "street", "number": "outerNumber", "postalCode": "postalCode"}
"""The field of each part that is compared."""
DATES: Final = ("issueDate", "periodEnd")
_CODES: Final[tuple[ReasonCode, ...]] = (
    DocumentReason.SEVERAL_DOCUMENTS,
    DocumentReason.TAMPERING_SUSPECTED,
    *ProofReason,
    *DocumentReason,
)


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of the person: by the judged identity document, or by the caller.

    `address` has the lines joined by commas. A value that is not sure can confirm another one, but
    contradicts none.
    """

    name: str | None = None
    is_name_sure: bool = False
    address: str | None = None
    is_address_sure: bool = False


@dataclass(frozen=True, slots=True)
class Limits:
    """How old a proof may be, and whether the address is compared."""

    months: int
    compares_address: bool = True


@dataclass(frozen=True, slots=True)
class ProofJudgement:
    """The judgement of a person's pages.

    The step passes without a `code`. `reasons` are codes, then "field: REASON" strings, without
    personal data. `place` is the index of the judged page, None if no page is a proof.
    `page_codes` has codes of the pages by their index.
    """

    code: ReasonCode | None
    reasons: tuple[str, ...]
    fields: tuple[Finding, ...]
    result: Mapping[str, Any]
    place: int | None
    page_codes: Mapping[int, ReasonCode]


@dataclass(frozen=True, slots=True)
class _Read:
    """One page, judged by itself."""

    place: int
    fields: tuple[Finding, ...]
    codes: frozenset[ReasonCode]
    result: Mapping[str, Any]


def judge_proofs(
    pages: Sequence[PageReading],
    today: date,
    known: Known,
    limits: Limits,
    gazetteer: Gazetteer | None = None,
) -> ProofJudgement:
    """Judge the pages that were uploaded as proof. The best one counts; pages that are no proof do
    not, because statements go on for pages. But each proof of another person is reported.
    """
    read = [
        _judged(place, page, today, known, limits, gazetteer)
        for place, page in enumerate(pages)
        if page.kind is PageKind.PROOF_OF_ADDRESS
    ]
    if not read:
        return _unrecognized(pages)
    main = min(read, key=lambda each: (_rank(each.codes), each.place))
    codes = set(main.codes)
    if any(ProofReason.PROOF_NAME_DIFFERS in each.codes for each in read):
        codes.add(ProofReason.PROOF_NAME_DIFFERS)
    ordered = _in_order(codes)
    unsure = (field for field in main.fields if not field.accepted)
    return ProofJudgement(
        ordered[0] if ordered else None,
        (
            *(code.value for code in ordered),
            *(f"{field.field}: {reason}" for field in unsure for reason in field.reasons),
        ),
        main.fields,
        main.result,
        main.place,
        {each.place: _in_order(each.codes)[0] for each in read if each.codes},
    )


def _unrecognized(pages: Sequence[PageReading]) -> ProofJudgement:
    code = ProofReason.PROOF_NOT_RECOGNIZED
    if any(page.code == DocumentReason.DOCUMENT_UNREADABLE for page in pages):
        code = ProofReason.PROOF_UNREADABLE
    ordered = _in_order({code, *causes(pages)})
    reasons = tuple(each.value for each in ordered)
    return ProofJudgement(code, reasons, (), {}, None, dict.fromkeys(range(len(pages)), code))


def _rank(codes: Collection[ReasonCode]) -> int:
    """Prefer a page without codes, then the one with the least grave ones."""
    return -min(map(_CODES.index, codes), default=len(_CODES))


def _in_order(codes: Collection[ReasonCode]) -> list[ReasonCode]:
    return [code for code in dict.fromkeys(_CODES) if code in codes]


def _judged(
    place: int,
    page: PageReading,
    today: date,
    known: Known,
    limits: Limits,
    gazetteer: Gazetteer | None,
) -> _Read:
    name, likeness = _name(page, known)
    lines = _address_lines(page)
    parts = parse_address([line.value for line in lines])
    compared = _compared(parts, known) if limits.compares_address else None
    address = _address(lines, parts, compared, gazetteer)
    issuer = issuers.BY_CODE.get(page.model or "")
    dates = _dates(page, today)
    day, is_day_sure = _day(dates, today)
    codes = set(_against_page(page, parts, issuer))
    if day is not None and day < months_before(today, limits.months):
        codes.add(ProofReason.PROOF_TOO_OLD)
    codes |= set(_against_legibility(name, address, day, is_day_sure=is_day_sure))
    parted = tuple(_parts(parts, lines))
    codes |= set(_against_known(name, likeness, known))
    codes |= set(_against_address(parted, compared, known))
    if not codes.isdisjoint({ProofReason.PROOF_UNREADABLE, ProofReason.PROOF_UNCERTAIN}):
        codes |= causes([page])
    result = {
        **_issuer_shown(issuer),
        "name": name.value,
        "address": address.value,
        "postalCode": parts.postal_code or None,
        "state": parts.state.code if parts.state else None,
        "date": day.isoformat() if day else None,
        "isTooOld": ProofReason.PROOF_TOO_OLD in codes if day else None,
        "nameMatch": likeness.value if likeness else None,
        **_comparison_shown(compared),
    }
    fields = (name, address, *parted, *dates)
    return _Read(place, fields, frozenset(codes), result)


def _against_page(
    page: PageReading, parts: AddressParts, issuer: issuers.Issuer | None
) -> Iterator[ReasonCode]:
    yield from (each for each in objections([page]) if each in _CODES)
    if _contradicts(parts):
        yield ProofReason.PROOF_ADDRESS_INCONSISTENT
    if issuer is None:
        yield ProofReason.PROOF_ISSUER_UNKNOWN


def _issuer_shown(issuer: issuers.Issuer | None) -> dict[str, Any]:
    if issuer is None:
        return {"issuer": None, "service": None}
    return {"issuer": issuer.code, "service": issuer.service}


def _comparison_shown(compared: AddressComparison | None) -> dict[str, Any]:
    if compared is None:
        return {"addressMatch": None, "differing": []}
    return {"addressMatch": compared.likeness.value, "differing": list(compared.differing)}


def _against_legibility(
    name: Finding, address: Finding, day: date | None, *, is_day_sure: bool
) -> Iterator[ReasonCode]:
    if day is None or name.value is None or address.value is None:
        yield ProofReason.PROOF_UNREADABLE
    elif not (is_day_sure and name.accepted and address.accepted):
        yield ProofReason.PROOF_UNCERTAIN


def _against_known(name: Finding, likeness: Likeness | None, known: Known) -> Iterator[ReasonCode]:
    """The codes of the comparison with the known name."""
    if likeness is Likeness.DIFFERENT and name.accepted and known.is_name_sure:
        yield ProofReason.PROOF_NAME_DIFFERS
    elif name.value is not None and likeness is not Likeness.SAME:
        yield ProofReason.PROOF_NOT_COMPARED


def _against_address(
    parted: Sequence[Finding], compared: AddressComparison | None, known: Known
) -> Iterator[ReasonCode]:
    """The codes of the comparison with the known address. Another letter of a line may be
    uncertain: a part that was read twice alike differs.
    """
    if compared is None or compared.likeness is Likeness.SAME or not parted:
        return
    differing = {_FIELDS[part] for part in compared.differing}
    is_sure = any(_is_sure(field) for field in parted if field.field in differing)
    if is_sure and known.is_address_sure:
        yield ProofReason.PROOF_ADDRESS_DIFFERS
    else:
        yield ProofReason.PROOF_NOT_COMPARED


def _is_sure(field: Finding) -> bool:
    enough = field.confidence >= Confirmation.LETTERS.least_confidence
    return field.accepted or (enough and Reason.READINGS_DIFFER not in field.reasons)


def _name(page: PageReading, known: Known) -> tuple[Finding, Likeness | None]:
    """Return the name, and how like that of the identity document it is; None if one is missing."""
    evidence = printed(page, "fullName")
    if evidence is None:
        return missing("fullName", Zone.PROOF), None
    if not known.name:
        return decide("fullName", evidence), None
    likeness = name_comparison.of_names(PersonName("", evidence.value), PersonName("", known.name))
    if same_words(evidence.value, known.name):
        likeness = Likeness.SAME
    return decide("fullName", evidence, confirmation=_confirmation(likeness)), likeness


def _confirmation(likeness: Likeness | None) -> Confirmation:
    return Confirmation.SAME if likeness is Likeness.SAME else Confirmation.NONE


def _address_lines(page: PageReading) -> list[Evidence]:
    lines = (printed(page, f"address{number}") for number in range(1, MOST_LINES + 1))
    return [line for line in lines if line]


def _compared(parts: AddressParts, known: Known) -> AddressComparison | None:
    """Return the comparison with the identity document's address; None if that shows none."""
    if not known.address:
        return None
    return compare_addresses(parts, parse_address(known.address.split(", ")))


def _address(
    lines: Sequence[Evidence],
    parts: AddressParts,
    compared: AddressComparison | None,
    gazetteer: Gazetteer | None,
) -> Finding:
    if not lines:
        return missing("address", Zone.PROOF)
    against = []
    if not parts.is_consistent or not _is_listed(parts, gazetteer):
        against.append(Reason.UNCONFIRMED)
    confirmation = _confirmation(compared.likeness if compared else None)
    if confirmation is Confirmation.SAME and parts.state is None:
        # Its postal code is that of the identity document.
        against = []
    return decide("address", joined(lines), confirmation=confirmation, against=tuple(against))


def _is_listed(parts: AddressParts, gazetteer: Gazetteer | None) -> bool:
    """Whether the catalogue has the municipality under the postal code; true without either."""
    if gazetteer is None or not parts.municipality:
        return True
    area = gazetteer.areas.get(parts.postal_code)
    read = without_accents([plain(parts.municipality)])
    return area is not None and bool(read & without_accents(area.municipalities))


def _parts(parts: AddressParts, lines: Sequence[Evidence]) -> Iterator[Finding]:
    """Yield a finding for each part of the address, as certain as the line that shows it."""
    named = {
        "street": f"{parts.kind} {parts.street}".strip(),
        "outerNumber": parts.number,
        "innerNumber": parts.inner,
        "neighbourhood": parts.neighbourhood,
        "postalCode": parts.postal_code,
        "municipality": parts.municipality,
        "state": parts.state.name if parts.state else "",
    }
    for field, value in named.items():
        if not value:
            continue
        # The last: a street may be named after its town.
        wanted = value.split()[-1]
        shown = [line for line in lines if wanted in fold(line.value, enye="Ñ").replace(".", " ")]
        line = (
            (shown[0] if field in ("street", "outerNumber") else shown[-1]) if shown else lines[-1]
        )
        is_state = field in ("postalCode", "state")
        against = (Reason.CONTRADICTS_PRINT,) if is_state and _contradicts(parts) else ()
        yield decide(
            field,
            replace(line, value=value, alternatives=()),
            confirmation=Confirmation.RULE
            if is_state and parts.is_consistent
            else Confirmation.NONE,
            against=against,
        )


def _contradicts(parts: AddressParts) -> bool:
    return bool(parts.postal_code) and parts.state is not None and not parts.is_consistent


def _dates(page: PageReading, today: date) -> list[Finding]:
    """Return the dates of issue and of the period's end; at least one, which may be missing."""
    read = {field: printed(page, field) for field in DATES}
    found = {field: evidence for field, evidence in read.items() if evidence}
    values = {evidence.value for evidence in found.values()}
    is_repeated = len(found) == len(DATES) and len(values) == 1
    confirmation = Confirmation.SAME if is_repeated else Confirmation.NONE
    return [
        decide(
            field,
            evidence,
            confirmation=confirmation,
            against=() if _valid(evidence.value, today) else (Reason.INVALID,),
        )
        for field, evidence in found.items()
    ] or [missing(DATES[0], Zone.PROOF)]


def _valid(value: str | None, today: date) -> date | None:
    """Return the date; None if it was misread or altered. A bill may name the current month, whose
    last day is ahead.
    """
    day = iso_date(value)
    return day if day and day - today <= MOST_AHEAD else None


def _day(dates: Sequence[Finding], today: date) -> tuple[date | None, bool]:
    """Return the newest date, at most today, and whether it is certain. A certain one comes
    first; None without any.
    """
    for certain in (True, False):
        days = [
            day
            for each in dates
            if each.accepted or not certain
            if (day := _valid(each.value, today))
        ]
        if days:
            return min(max(days), today), certain
    return None, False
