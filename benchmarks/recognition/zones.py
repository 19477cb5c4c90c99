"""Machine-readable zones of official specimens, compared with lines that a person typed.

The pictures belong to others and are not in the repository. `mrz_specimens.json` has the lines, and
the fields whose printed check digits are wrong. The specimens are few: flat scans of
invented people, most of travel documents of other states.
"""

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from acredita.domain.documents import PageReading
from acredita.domain.documents.mrz_evidence import zone_of
from acredita.domain.identifiers import mrz
from acredita.domain.identifiers.mrz import Mrz
from acredita.domain.identifiers.problems import FaultCode
from acredita.engines.documents import read_pages, warm_up
from benchmarks.recognition.kinds import refused
from benchmarks.recognition.report import Part, Scale, Stopwatch

TRUTH = Path(__file__).with_name("mrz_specimens.json")
_LEAST = 0.95
_FIELDS = ("document_number", "nationality", "birth", "expiry", "surnames", "given", "optional")


@dataclass(frozen=True, slots=True)
class Printed:
    """A specimen's lines. `wrong_digits`: the fields whose printed check digits are wrong."""

    file: str
    lines: tuple[str, ...]
    wrong_digits: tuple[str, ...]


def specimens() -> list[Printed]:
    return [
        Printed(each["file"], tuple(each["lines"]), tuple(each["wrongDigits"]))
        for each in json.loads(TRUTH.read_text(encoding="utf-8"))
    ]


def folder() -> Path:
    data = Path(os.environ.get("ACREDITA_TEST_DATA", "../shared/data"))
    return data / "images" / "mrz"


def read(path: Path) -> PageReading:
    (page,) = read_pages(path.read_bytes(), "image/png" if path.suffix == ".png" else "image/jpeg")
    return page


def lines_of(page: PageReading) -> tuple[str, ...] | None:
    """Return the first reading with valid check digits, as the service does."""
    for reading in map(mrz.read, page.mrz):
        wrong = any(fault.code is FaultCode.CHECK_DIGIT for fault in reading.faults)
        if reading.value is not None and not wrong:
            return reading.value.lines
    return None


def accepted_wrong(page: PageReading, printed: Printed) -> Iterator[str]:
    """Yield fields on which all readings agree, but not with the print."""
    zone = zone_of(page)
    truth = mrz.parse([line.replace("Ñ", "N") for line in printed.lines]).value
    for name in _FIELDS if zone else ():

        def value(parsed: Mrz, name: str = name) -> str:
            return str(getattr(parsed, name))

        found = zone.evidence(value) if zone else None
        if found and found.agreed and (printed.wrong_digits or found.value != value(truth)):
            yield f"{printed.file} {name}: {found.value}"


def measure(_: Scale) -> Part:
    part = Part("machine readable zones of official specimens")
    if not folder().is_dir():
        part.lines.append(f"skipped: {folder()} does not exist (ACREDITA_TEST_DATA)")
        return part
    warm_up(2)
    right = total = 0
    wrong: list[str] = []
    watch = Stopwatch()
    for printed in specimens():
        page = watch.run(partial(read, folder() / printed.file))
        found = lines_of(page)
        part.pages.append(refused(page, "none: official specimen of another state", "scan"))
        wrong += accepted_wrong(page, printed)
        if printed.wrong_digits:
            part.lines.append(
                f"{printed.file:20} wrong check digits printed, accepted: {found is not None}"
            )
            continue
        total += 1
        right += found == printed.lines
        if found != printed.lines:
            part.lines.append(f"{printed.file:20} {found} for {printed.lines}")
    part.lines += [f"time to read one: {watch}", *wrong]
    part.at_least("specimens with valid check digits, read exactly", right, total, _LEAST)
    part.at_most("wrong values accepted", len(wrong), 0)
    return part
