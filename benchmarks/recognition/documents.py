"""Accuracy and speed on drawn documents.

The engine has never read the documents of these synthetic people. Difficulties take turns. Drawn
documents are easier than real cards: the figures are a minimum that the code must keep, and no
claim about worn cards.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from acredita.domain.documents import (
    DocumentJudgement,
    DocumentOutcome,
    PageKind,
    PageReading,
    judge,
)
from acredita.domain.identifiers import mrz
from acredita.domain.verification import DocumentRole
from acredita.engines.documents import read_pages, warm_up
from acredita_synthetic.capture import Difficulty
from acredita_synthetic.ground_truth import SpecimenKind
from acredita_synthetic.people import REFERENCE_DATE
from acredita_synthetic.specimens import Specimen, make_specimen
from acredita_synthetic.styles import Style
from benchmarks.recognition.drawing import Order, difficulty_of, drawn
from benchmarks.recognition.kinds import Classification, classify, label_of, model_of
from benchmarks.recognition.report import Part, Scale, Stopwatch, ratio, table

ACCURACY_BARS = {
    "curp": 0.99,
    "clave": 0.99,
    "name lines": 0.97,
    "name lines with Ñ": 0.95,
    "mrz": 0.98,
}
FIELDS_BAR = 0.97
SECONDS_BARS = {
    SpecimenKind.INE_FRONT: 0.6,
    SpecimenKind.INE_BACK: 0.35,
    SpecimenKind.PASSPORT: 0.8,
}
CHECKED = ("curp", "clave", "cic", "ocr", "citizenId", "mrz", "documentNumber", "dateOfBirth")
"""Fields that a check digit confirms, directly or through the zone."""
# Licences and certificates are measured in separate parts.
KINDS = (SpecimenKind.INE_FRONT, SpecimenKind.INE_BACK, SpecimenKind.PASSPORT)
_ROLES = dict(
    zip(KINDS, (DocumentRole.FRONT, DocumentRole.BACK, DocumentRole.PASSPORT), strict=True)
)
"""The service knows what a file should show, and need not look for it beside another document."""
NAMES_ON = {
    SpecimenKind.INE_FRONT: ("paternalSurname", "maternalSurname", "givenNames"),
    SpecimenKind.INE_BACK: (),
    SpecimenKind.PASSPORT: ("surnames",),
}


@dataclass
class Counts:
    """Correct values and all values, by field, kind and difficulty."""

    right: dict[tuple[str, str, str], int] = field(default_factory=lambda: defaultdict(int))
    total: dict[tuple[str, str, str], int] = field(default_factory=lambda: defaultdict(int))

    def add(self, name: str, kind: str, difficulty: str, *, right: bool) -> None:
        self.total[name, kind, difficulty] += 1
        self.right[name, kind, difficulty] += right

    def share(self, name: str, kind: str = "", difficulty: str = "") -> tuple[int, int]:
        keys = [
            key
            for key in self.total
            if key[0] == name and kind in ("", key[1]) and difficulty in ("", key[2])
        ]
        return sum(self.right[key] for key in keys), sum(self.total[key] for key in keys)

    def table(self, last: str, at_end: Callable[[str, str], object]) -> Iterator[str]:
        """Yield one row per kind and field, one column per difficulty, and the column `at_end`."""
        rows = [("", "", *Difficulty, "all", last)]
        for kind, name in dict.fromkeys((key[1], key[0]) for key in self.total):
            shares = (self.share(name, kind, difficulty) for difficulty in (*Difficulty, ""))
            cells = [f"{right}/{total}" if total else "" for right, total in shares]
            rows.append((kind, name, *cells, str(at_end(kind, name))))
        yield from (f"  {row}" for row in table(rows))


@dataclass
class Tally:
    """The values as read (`first`), the values after judging (`judged`), and the times."""

    first: Counts = field(default_factory=Counts)
    judged: Counts = field(default_factory=Counts)
    accepted: dict[tuple[str, str], int] = field(default_factory=lambda: defaultdict(int))
    wrong_accepted: list[tuple[str, str]] = field(default_factory=list)
    """The field, and the accepted and the printed value."""
    wrong: list[str] = field(default_factory=list)
    outcomes: dict[tuple[str, str], int] = field(default_factory=lambda: defaultdict(int))
    watches: dict[str, Stopwatch] = field(default_factory=lambda: defaultdict(Stopwatch))
    pages: list[Classification] = field(default_factory=list)


def truth_of(kind: SpecimenKind, truth: dict[str, Any]) -> dict[str, str]:
    """Return the fields printed on that side, by their names in the API."""
    person = truth["person"]
    card, book = person["voter_card"], person["passport"]
    if kind is SpecimenKind.INE_BACK:
        return {
            "cic": card["cic"],
            "ocr": card["ocr"],
            "citizenId": card["citizen_id"],
            "mrz": "\n".join(card["mrz"]),
        }
    shared = {
        "givenNames": person["given"],
        "paternalSurname": person["paterno"],
        "maternalSurname": person["materno"],
        "curp": person["curp"],
        "sex": person["sex"],
        "dateOfBirth": person["birth_date"],
    }
    if kind is SpecimenKind.INE_FRONT:
        return shared | {
            "clave": person["clave_elector"],
            "address": ", ".join(card["address"]),
            "section": card["section"],
            "registrationYear": str(card["registration_year"]),
            "emission": card["emission_number"],
            "emissionYear": str(card["issued_year"]),
            "expiryYear": str(card["expires_year"]),
            "expiryDate": f"{card['expires_year']}-12-31",
        }
    return shared | {
        "surnames": f"{person['paterno']} {person['materno']}".strip(),
        "documentNumber": book["number"],
        "issueDate": book["issued"],
        "expiryDate": book["expires"],
        "placeOfBirth": book["birth_place"],
        "issuingState": "MEX",
        "mrz": "\n".join(book["mrz"]),
    }


def orders(
    count: int,
    seed: int,
    difficulties: Sequence[Difficulty] = tuple(Difficulty),
    style: Style = Style.CLASSIC,
) -> list[Order]:
    """Return orders for each kind of document of the people `seed`, `seed` + 1, …

    Difficulties take turns. One person in ten holds all documents upside down.
    """
    return [
        partial(
            make_specimen,
            kind,
            seed + number,
            difficulty_of(number, difficulties),
            quarter_turns=2 if number % 10 == 9 else 0,
            style=style,
        )
        for number in range(count)
        for kind in KINDS
    ]


def read_and_judge(specimens: Iterable[Specimen]) -> Tally:
    """Read and judge the documents, which are sorted by person."""
    tally = Tally()
    pages: dict[SpecimenKind, PageReading] = {}
    truths: dict[SpecimenKind, dict[str, str]] = {}
    for specimen in specimens:
        kind, difficulty = SpecimenKind(specimen.truth["kind"]), specimen.truth["difficulty"]
        reading = partial(read_pages, specimen.image_bytes, specimen.mime_type, role=_ROLES[kind])
        (pages[kind],) = tally.watches[kind].run(reading)
        truths[kind] = truth_of(kind, specimen.truth)
        score_reading(tally, kind, difficulty, pages[kind], truths[kind])
        shown, model = label_of(specimen), None
        if kind is not SpecimenKind.PASSPORT:
            model = model_of(specimen)
        page_kind = PageKind(kind.upper())
        tally.pages.append(classify(pages[kind], page_kind, shown, difficulty, model))
        if kind is KINDS[-1]:
            score_verdicts(tally, specimen.truth["seed"], difficulty, pages, truths)
    return tally


def score_reading(
    tally: Tally, kind: SpecimenKind, difficulty: str, page: PageReading, truth: dict[str, str]
) -> None:
    """Count each field as it was read, before it is judged."""
    printed = {"issueDate": "dateOfIssue", "expiryDate": "dateOfExpiry"}
    for name, value in truth.items():
        sighting = page.sighting(printed.get(name, name))
        if name in NAMES_ON[kind] and value:
            right = sighting is not None and sighting.value == value
            tally.first.add("name lines", kind, difficulty, right=right)
            if "Ñ" in value:
                tally.first.add("name lines with Ñ", kind, difficulty, right=right)
        elif name in ("curp", "clave"):
            right = sighting is not None and sighting.value == value
            tally.first.add(name, kind, difficulty, right=right)
        elif name == "mrz":
            zone = mrz.read(page.mrz[0]).value if page.mrz else None
            right = zone is not None and "\n".join(zone.lines) == value
            tally.first.add(name, kind, difficulty, right=right)
        else:
            continue
        if not right:
            tally.wrong.append(f"{kind} {difficulty} {name}: {sighting} for {value}")


def score_verdicts(
    tally: Tally,
    person: int,
    difficulty: str,
    pages: dict[SpecimenKind, PageReading],
    truths: dict[SpecimenKind, dict[str, str]],
) -> None:
    front, back, book = (pages[kind] for kind in KINDS)
    card_truth = truths[SpecimenKind.INE_FRONT] | truths[SpecimenKind.INE_BACK]
    for document, uploaded, truth in (
        ("INE", (front, back), card_truth),
        ("INE without back", (front,), truths[SpecimenKind.INE_FRONT]),
        ("passport", (book,), truths[SpecimenKind.PASSPORT]),
    ):
        verdict = judge(uploaded, REFERENCE_DATE)
        tally.outcomes[document, verdict.outcome] += 1
        found = {finding.field: finding for finding in verdict.fields}
        for name, value in truth.items():
            if not value:
                continue
            finding = found.get(name)
            right = finding is not None and finding.value == value
            tally.judged.add(name, document, difficulty, right=right)
            tally.accepted[document, name] += finding is not None and finding.accepted
        label = f"{document} {person} {difficulty}"
        tally.wrong_accepted += wrong_yet_accepted(verdict, truth, label)


def wrong_yet_accepted(
    verdict: DocumentJudgement, truth: dict[str, str], label: str
) -> list[tuple[str, str]]:
    found = [
        (f.field, f"{label} {f.field}: {f.value} for {truth.get(f.field)}")
        for f in verdict.fields
        if f.accepted and f.field in truth and f.value != truth[f.field]
    ]
    if verdict.outcome is DocumentOutcome.FAILED:
        found.append(("outcome", f"{label} FAILED: {verdict.code}"))
    return found


def lines(tally: Tally) -> Iterator[str]:
    yield "the first reading"
    yield from tally.first.table("", lambda _kind, _name: "")
    yield "every field after judging, and how often it was accepted"
    yield from tally.judged.table("accepted", lambda kind, name: tally.accepted[kind, name])
    yield "outcomes"
    for (document, outcome), number in sorted(tally.outcomes.items()):
        yield f"  {document:17} {outcome} {number}"
    yield "time to read one"
    yield from (f"  {kind:10} {tally.watches[kind]}" for kind in KINDS)
    yield "read wrong"
    yield from (f"  {line}" for line in tally.wrong)
    yield f"wrong but accepted, of {sum(tally.accepted.values())} values"
    yield from (f"  {line}" for _, line in tally.wrong_accepted)


def report(tally: Tally, *, quiet: bool) -> Part:
    part = Part("drawn documents", list(lines(tally)), pages=tally.pages)
    for name, least in ACCURACY_BARS.items():
        part.at_least(name, *tally.first.share(name), least)
    documents = [share for kind in ("INE", "passport") for share in _shares(tally, kind)]
    right, total = (sum(numbers) for numbers in zip(*documents, strict=True))
    part.at_least("every field after judging", right, total, FIELDS_BAR)
    checked = [name for name, _ in tally.wrong_accepted if name in CHECKED or name == "outcome"]
    part.at_most("wrong but accepted, with a check digit", len(checked), 0)
    others = len(tally.wrong_accepted) - len(checked)
    part.lines.append(f"without a check digit: {ratio(others, sum(tally.accepted.values()))}")
    for kind, most in SECONDS_BARS.items() if quiet else ():
        part.at_most(f"{kind}, median", tally.watches[kind].median, most, " s")
    return part


def _shares(tally: Tally, document: str) -> Iterator[tuple[int, int]]:
    """Yield how many values of each field of the document are right, and their number."""
    for name in {key[0] for key in tally.judged.total if key[1] == document}:
        yield tally.judged.share(name, document)


def measure(scale: Scale) -> Part:
    warm_up(2)
    ordered = orders(scale.documents, scale.seed, style=scale.style)
    return report(read_and_judge(drawn(ordered)), quiet=scale.quiet)
