"""How well and how fast drawn documents are read.

Synthetic people the engine has never seen, each document in the difficulty of its turn. Drawn
documents are easier than real cards: read the figures as the floor that the code must keep, not as
a promise about a worn card.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from acredita.domain.documents import Outcome, PageReading, Verdict, judge
from acredita.domain.identifiers import mrz
from acredita.engines.documents import read_pages, warm_up
from acredita.engines.synthetic.people import REFERENCE_DATE
from acredita.engines.synthetic.specimens import Difficulty, SpecimenKind, make_specimen
from benchmarks.recognition.report import Part, Scale, Stopwatch, of

KINDS = (SpecimenKind.INE_FRONT, SpecimenKind.INE_BACK, SpecimenKind.PASSPORT)
ACCURACY_BARS = {
    "kind": 0.99,
    "curp": 0.99,
    "clave": 0.99,
    "name lines": 0.97,
    "name lines with Ñ": 0.95,
    "mrz": 0.98,
}
SECONDS_BARS = {SpecimenKind.INE_FRONT: 1.0, SpecimenKind.INE_BACK: 0.5}
CHECKED = ("curp", "clave", "cic", "ocr", "citizenId", "mrz", "documentNumber", "dateOfBirth")
"""Fields that a check digit speaks for, directly or through the zone."""
# One person's papers; licences and certificates have measurements of their own.
KINDS = (SpecimenKind.INE_FRONT, SpecimenKind.INE_BACK, SpecimenKind.PASSPORT)
NAMES_ON = {
    SpecimenKind.INE_FRONT: ("paternalSurname", "maternalSurname", "givenNames"),
    SpecimenKind.INE_BACK: (),
    SpecimenKind.PASSPORT: ("surnames",),
}


@dataclass
class Tally:
    """Right and total, by field, kind and difficulty; and what took how long."""

    right: dict[tuple[str, str, str], int] = field(default_factory=lambda: defaultdict(int))
    total: dict[tuple[str, str, str], int] = field(default_factory=lambda: defaultdict(int))
    accepted: dict[tuple[str, str], int] = field(default_factory=lambda: defaultdict(int))
    judged: dict[tuple[str, str], int] = field(default_factory=lambda: defaultdict(int))
    wrong_accepted: list[tuple[str, str]] = field(default_factory=list)
    """The field, and what was accepted for what."""
    wrong: list[str] = field(default_factory=list)
    outcomes: dict[tuple[str, str], int] = field(default_factory=lambda: defaultdict(int))
    watches: dict[str, Stopwatch] = field(default_factory=lambda: defaultdict(Stopwatch))

    def count(self, name: str, kind: str, difficulty: str, *, right: bool) -> None:
        self.total[name, kind, difficulty] += 1
        self.right[name, kind, difficulty] += right

    def share(self, name: str, kind: str = "", difficulty: str = "") -> tuple[int, int]:
        keys = [
            key
            for key in self.total
            if key[0] == name and kind in ("", key[1]) and difficulty in ("", key[2])
        ]
        return sum(self.right[key] for key in keys), sum(self.total[key] for key in keys)


def truth_of(kind: SpecimenKind, truth: dict[str, Any]) -> dict[str, str]:
    """The fields printed on that side, by their names on the wire."""
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


def read_and_judge(
    count: int, seed: int, difficulties: Sequence[Difficulty] = tuple(Difficulty)
) -> Tally:
    """Read and judge `count` documents of each kind, of people `seed`, `seed` + 1, …"""
    tally = Tally()
    for number in range(count):
        person, difficulty = seed + number, difficulties[number % len(difficulties)]
        pages: dict[SpecimenKind, PageReading] = {}
        truths: dict[SpecimenKind, dict[str, str]] = {}
        for kind in KINDS:
            turns = 2 if number % 10 == 9 else 0  # one in ten lies upside down
            specimen = make_specimen(kind, person, difficulty, quarter_turns=turns)
            pages[kind] = timed(tally, kind, specimen.image_bytes, specimen.mime_type)
            truths[kind] = truth_of(kind, specimen.truth)
            score_reading(tally, kind, difficulty, pages[kind], truths[kind])
        score_verdicts(tally, f"{person} {difficulty}", pages, truths)
    return tally


def timed(tally: Tally, kind: SpecimenKind, data: bytes, mime_type: str) -> PageReading:
    (page,) = tally.watches[kind].run(lambda: read_pages(data, mime_type))
    return page


def score_reading(
    tally: Tally, kind: SpecimenKind, difficulty: str, page: PageReading, truth: dict[str, str]
) -> None:
    """Each field as first read, before anything is judged."""
    tally.count("kind", kind, difficulty, right=page.kind.value.lower() == kind)
    printed = {"issueDate": "dateOfIssue", "expiryDate": "dateOfExpiry"}
    for name, value in truth.items():
        sighting = page.sighting(printed.get(name, name))
        if name in NAMES_ON[kind] and value:
            right = sighting is not None and sighting.value == value
            tally.count("name lines", kind, difficulty, right=right)
            if "Ñ" in value:
                tally.count("name lines with Ñ", kind, difficulty, right=right)
        elif name in ("curp", "clave"):
            right = sighting is not None and sighting.value == value
            tally.count(name, kind, difficulty, right=right)
        elif name == "mrz":
            zone = mrz.read(page.mrz[0]).value if page.mrz else None
            right = zone is not None and "\n".join(zone.lines) == value
            tally.count(name, kind, difficulty, right=right)
        else:
            continue
        if not right:
            tally.wrong.append(f"{kind} {difficulty} {name}: {sighting} for {value}")


def score_verdicts(
    tally: Tally,
    label: str,
    pages: dict[SpecimenKind, PageReading],
    truths: dict[SpecimenKind, dict[str, str]],
) -> None:
    front, back, book = (pages[kind] for kind in KINDS)
    card_truth = truths[SpecimenKind.INE_FRONT] | truths[SpecimenKind.INE_BACK]
    for document, uploaded, truth in (
        ("INE", (front, back), card_truth),
        ("INE without back", (front,), card_truth),
        ("passport", (book,), truths[SpecimenKind.PASSPORT]),
    ):
        verdict = judge(uploaded, REFERENCE_DATE)
        tally.outcomes[document, verdict.outcome] += 1
        for finding in verdict.fields:
            tally.judged[document, finding.field] += 1
            tally.accepted[document, finding.field] += finding.accepted
        tally.wrong_accepted += wrong_yet_accepted(verdict, truth, f"{document} {label}")


def wrong_yet_accepted(
    verdict: Verdict, truth: dict[str, str], label: str
) -> list[tuple[str, str]]:
    found = [
        (f.field, f"{label} {f.field}: {f.value} for {truth.get(f.field)}")
        for f in verdict.fields
        if f.accepted and f.field in truth and f.value != truth[f.field]
    ]
    if verdict.outcome is Outcome.FAILED:
        found.append(("outcome", f"{label} FAILED: {verdict.code}"))
    return found


def lines(tally: Tally) -> Iterator[str]:
    yield "accuracy of the first reading"
    for name in ACCURACY_BARS:
        for kind in KINDS:
            cells = [(d, *tally.share(name, kind, d)) for d in Difficulty]
            if any(total for _, _, total in cells):
                row = "  ".join(f"{d} {right}/{total}" for d, right, total in cells)
                yield f"  {name:18} {kind:10} {row}"
    yield "accepted"
    for (document, name), judged in sorted(tally.judged.items()):
        yield f"  {document:17} {name:17} {tally.accepted[document, name]}/{judged}"
    yield "outcomes"
    for (document, outcome), number in sorted(tally.outcomes.items()):
        yield f"  {document:17} {outcome} {number}"
    yield "time to read one"
    yield from (f"  {kind:10} {tally.watches[kind]}" for kind in KINDS)
    yield "read wrong"
    yield from (f"  {line}" for line in tally.wrong)
    yield f"wrong yet accepted, of {sum(tally.accepted.values())} values"
    yield from (f"  {line}" for _, line in tally.wrong_accepted)


def report(tally: Tally, *, quiet: bool) -> Part:
    part = Part("drawn documents", list(lines(tally)))
    for name, least in ACCURACY_BARS.items():
        part.at_least(name, *tally.share(name), least)
    checked = [name for name, _ in tally.wrong_accepted if name in CHECKED or name == "outcome"]
    part.at_most("wrong yet accepted, with a check digit", len(checked), 0)
    others = len(tally.wrong_accepted) - len(checked)
    part.lines.append(f"without a check digit: {of(others, sum(tally.accepted.values()))}")
    for kind, most in SECONDS_BARS.items() if quiet else ():
        part.at_most(f"{kind}, median", tally.watches[kind].median, most, " s")
    return part


def measure(scale: Scale) -> Part:
    warm_up(2)
    return report(read_and_judge(scale.documents, scale.seed), quiet=scale.quiet)
