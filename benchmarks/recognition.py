"""How well and how fast documents are read.

Run as `python -m benchmarks.recognition --count 300 --seed N`.

Synthetic people the engine has never seen, each document in the difficulty of its turn. Drawn
documents are easier than real cards: read the figures as the floor that the code must keep, not as
a promise about a worn card. Exits with 1 when a bar is missed.
"""

import argparse
import os
import resource
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from acredita.domain.documents import Outcome, PageReading, Verdict, judge
from acredita.domain.identifiers import mrz
from acredita.engines.documents import read_pages, warm_up
from acredita.engines.synthetic.people import REFERENCE_DATE
from acredita.engines.synthetic.specimens import Difficulty, SpecimenKind, make_specimen

ACCURACY_BARS = {
    "curp": 0.99,
    "clave": 0.99,
    "name lines": 0.97,
    "name lines with Ñ": 0.95,
    "mrz": 0.98,
}
SECONDS_BARS = {SpecimenKind.INE_FRONT: 1.0, SpecimenKind.INE_BACK: 0.5}
MEMORY_BAR_MB = 700
NAME_FIELDS = ("paternalSurname", "maternalSurname", "givenNames", "surnames")


@dataclass
class Tally:
    """Right and total, by field, kind and difficulty; and what took how long."""

    right: dict[tuple[str, str, str], int] = field(default_factory=lambda: defaultdict(int))
    total: dict[tuple[str, str, str], int] = field(default_factory=lambda: defaultdict(int))
    accepted: dict[tuple[str, str], int] = field(default_factory=lambda: defaultdict(int))
    judged: dict[tuple[str, str], int] = field(default_factory=lambda: defaultdict(int))
    wrong_accepted: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    outcomes: dict[tuple[str, str], int] = field(default_factory=lambda: defaultdict(int))
    wall: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    cpu: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

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


def measure(count: int, seed: int) -> Tally:
    """Read and judge `count` documents of each kind, of people `seed`, `seed` + 1, …"""
    tally = Tally()
    difficulties = list(Difficulty)
    for number in range(count):
        person, difficulty = seed + number, difficulties[number % len(difficulties)]
        pages: dict[SpecimenKind, PageReading] = {}
        truths: dict[SpecimenKind, dict[str, str]] = {}
        for kind in SpecimenKind:
            turns = 2 if number % 10 == 9 else 0  # one in ten lies upside down
            specimen = make_specimen(kind, person, difficulty, quarter_turns=turns)
            pages[kind] = timed(tally, kind, specimen.image_bytes, specimen.mime_type)
            truths[kind] = truth_of(kind, specimen.truth)
            score_reading(tally, kind, difficulty, pages[kind], truths[kind])
        score_verdicts(tally, f"{person} {difficulty}", pages, truths)
    return tally


def timed(tally: Tally, kind: SpecimenKind, data: bytes, mime_type: str) -> PageReading:
    wall, cpu = time.perf_counter(), time.process_time()
    (page,) = read_pages(data, mime_type)
    tally.wall[kind].append(time.perf_counter() - wall)
    tally.cpu[kind].append(time.process_time() - cpu)
    return page


def score_reading(
    tally: Tally, kind: str, difficulty: str, page: PageReading, truth: dict[str, str]
) -> None:
    """Each field as first read, before anything is judged."""
    tally.count("kind", kind, difficulty, right=page.kind.value.lower() == kind)
    printed = {"issueDate": "dateOfIssue", "expiryDate": "dateOfExpiry"}
    for name, value in truth.items():
        sighting = page.sighting(printed.get(name, name))
        if name in NAME_FIELDS and value and (kind == "ine_front") == (name != "surnames"):
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
    front, back, book = (pages[kind] for kind in SpecimenKind)
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


def wrong_yet_accepted(verdict: Verdict, truth: dict[str, str], label: str) -> list[str]:
    found = [
        f"{label} {finding.field}: {finding.value} for {truth.get(finding.field)}"
        for finding in verdict.fields
        if finding.accepted and finding.value != truth.get(finding.field)
    ]
    if verdict.outcome is Outcome.FAILED:
        found.append(f"{label} FAILED: {verdict.code}")
    return found


def report(tally: Tally) -> Iterator[str]:
    yield "accuracy of the first reading"
    for name in ("kind", *ACCURACY_BARS):
        for kind in SpecimenKind:
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
    yield "seconds a document: wall median, p95; CPU median"
    for kind in SpecimenKind:
        wall, cpu = sorted(tally.wall[kind]), tally.cpu[kind]
        p95 = wall[int(0.95 * (len(wall) - 1))]
        yield (f"  {kind:10} {statistics.median(wall):.2f} {p95:.2f}; {statistics.median(cpu):.2f}")
    yield "read wrong"
    yield from (f"  {line}" for line in tally.wrong)


def bars(tally: Tally, memory_mb: float, *, time_counts: bool) -> Iterator[tuple[str, bool]]:
    """Each bar as a line, and whether it is met."""
    for name, least in ACCURACY_BARS.items():
        right, total = tally.share(name)
        share = right / total if total else 1.0
        yield f"{name} {right}/{total} = {share:.2%} (bar {least:.0%})", share >= least
    count = len(tally.wrong_accepted)
    yield f"wrong yet accepted {count} (bar 0)", count == 0
    for kind, most in SECONDS_BARS.items() if time_counts else ():
        median = statistics.median(tally.wall[kind])
        yield f"{kind} {median:.2f} s (bar {most} s)", median <= most
    yield f"peak memory {memory_mb:.0f} MB (bar {MEMORY_BAR_MB} MB)", memory_mb < MEMORY_BAR_MB


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=300, help="documents of each kind")
    parser.add_argument("--seed", type=int, default=1_000_000, help="the first person")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--ignore-time", action="store_true", help="on a machine that is not quiet")
    options = parser.parse_args(arguments)
    warm_up(options.threads)
    print(f"load before: {os.getloadavg()[0]:.2f}, processors: {os.cpu_count()}")
    tally = measure(options.count, options.seed)
    memory_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print("\n".join(report(tally)))
    print("wrong yet accepted")
    print("\n".join(f"  {line}" for line in tally.wrong_accepted))
    print(f"load after: {os.getloadavg()[0]:.2f}")
    missed = False
    for line, met in bars(tally, memory_mb, time_counts=not options.ignore_time):
        print(f"{'met   ' if met else 'MISSED'} {line}")
        missed |= not met
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
