"""Official specimens and public sample documents, against the fields that a person typed.

The pictures are not ours and not in the repository. Their `truth.json` names the legible fields of
each voter card and licence, and the rows of a back. `specimen_zones.json` has the rows of the other
pictures, documents of other states, and names those that print an impossible date or wrong digits.
"""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any, Final

from acredita.domain.documents import PageKind, PageReading, judge
from acredita.domain.documents.findings import Finding
from acredita.domain.documents.mrz_evidence import zone_of
from acredita.domain.documents.picture_problems import objections
from acredita.engines.documents import read_pages, warm_up
from benchmarks.recognition.report import Part, Scale, Stopwatch, ratio

TODAY: Final = date(2014, 6, 1)
"""A day on which most of the voter cards were valid."""
_LEAST: Final = 0.90
_ZONES: Final = Path(__file__).with_name("specimen_zones.json")
_PICTURES: Final = {".jpg": "image/jpeg", ".png": "image/png"}
_OF_MEXICO: Final = frozenset(
    (PageKind.INE_FRONT, PageKind.INE_BACK, PageKind.DRIVER_LICENCE, PageKind.PASSPORT)
)


@dataclass(frozen=True, slots=True)
class Printed:
    """The legible fields of a picture. `kind` is empty for a document of another state. The zone
    is `invalid` if no reading of it may have valid check digits."""

    file: str
    kind: str = ""
    model: str | None = None
    values: Mapping[str, str] = field(default_factory=dict)
    rows: tuple[str, ...] = ()
    invalid: bool = False

    @property
    def of_mexico(self) -> bool:
        return self.kind in _OF_MEXICO


@dataclass(frozen=True, slots=True)
class Outcome:
    """The reading of one specimen."""

    printed: Printed
    pages: tuple[PageReading, ...]
    fields: Mapping[str, Finding]

    @property
    def right(self) -> list[str]:
        found = self.fields
        return [n for n, v in self.printed.values.items() if n in found and found[n].value == v]

    def wrong(self) -> Iterator[str]:
        """Yield the values that were missed or read wrong, with the reading."""
        for name, value in self.printed.values.items():
            if name not in self.right:
                finding = self.fields.get(name)
                yield f"{name}: {finding.value if finding else None} for {value}"

    @property
    def accepted_wrong(self) -> list[str]:
        """The accepted values that the picture does not print, also of fields that it lacks."""
        said = self.printed.values
        typed = {*said, *(_ON_CARDS if self.printed.kind == PageKind.INE_FRONT else ())}
        accepted = (f for f in self.fields.values() if f.accepted and f.field in typed)
        return [f"{f.field}: {f.value}" for f in accepted if said.get(f.field) != f.value]

    @property
    def zone_read(self) -> bool:
        """Whether the typed rows were read. The check digits of an invented back may be wrong."""
        rows = self.printed.rows
        zones = (zone.value.lines for page in self.pages if (zone := zone_of(page)))
        return any(rows in page.mrz for page in self.pages) or rows in zones


_ON_CARDS: Final = frozenset(
    (
        *("paternalSurname", "maternalSurname", "givenNames", "address", "curp", "clave", "sex"),
        *("dateOfBirth", "section", "registrationYear", "emission", "emissionYear", "expiryYear"),
    )
)
"""The fields that the truth of a voter card's front names wherever they are printed."""


def folder() -> Path:
    data = Path(os.environ.get("ACREDITA_TEST_DATA", "../shared/data"))
    return data / "images" / "specimens"


def specimens() -> list[Printed]:
    """Return every picture of the folder, those with a truth first."""
    pictures = json.loads((folder() / "truth.json").read_text(encoding="utf-8"))["pictures"]
    known = [_printed(file, each) for file, each in pictures.items()]
    typed = json.loads(_ZONES.read_text(encoding="utf-8"))
    valid = [Printed(file, rows=tuple(rows)) for file, rows in typed["zones"].items()]
    return [*known, *valid, *(Printed(file, invalid=True) for file in typed["invalid"])]


def _printed(file: str, truth: Mapping[str, Any]) -> Printed:
    rows = tuple(truth.get("mrz", ()))
    return Printed(file, truth["kind"], truth.get("model"), truth.get("values", {}), rows)


def read_specimen(printed: Printed, watch: Stopwatch) -> Outcome:
    path = folder() / printed.file
    pages = watch.run(partial(read_pages, path.read_bytes(), _PICTURES[path.suffix]))
    fields = judge(pages, TODAY).fields if printed.of_mexico else ()
    return Outcome(printed, tuple(pages), {finding.field: finding for finding in fields})


def measure(_: Scale) -> Part:
    part = Part("official specimens and public samples")
    if not (folder() / "truth.json").is_file():
        part.lines.append(f"skipped: {folder()} does not exist (ACREDITA_TEST_DATA)")
        return part
    warm_up(2)
    watch = Stopwatch()
    outcomes = [read_specimen(printed, watch) for printed in specimens()]
    of_mexico = [each for each in outcomes if each.printed.of_mexico]
    for each in of_mexico:
        part.lines += _lines(each)
    zones = [each for each in outcomes if each.printed.rows]
    part.lines += [f"zone not read: {each.printed.file}" for each in zones if not each.zone_read]
    part.lines += [f"held up: {line}" for each in outcomes for line in _held_up(each)]
    part.lines.append(f"time to read one: {watch}")
    _compare_with_bars(part, outcomes)
    return part


def _compare_with_bars(part: Part, outcomes: Sequence[Outcome]) -> None:
    of_mexico = [each for each in outcomes if each.printed.of_mexico]
    zones = [each for each in outcomes if each.printed.rows]
    right = sum(len(each.right) for each in of_mexico)
    total = sum(len(each.printed.values) for each in of_mexico)
    part.at_least("legible fields of Mexican documents, read exactly", right, total, _LEAST)
    read = sum(each.zone_read for each in zones)
    part.at_least("zones with valid digits, all rows read exactly", read, len(zones), 1.0)
    invalid = (page for each in outcomes if each.printed.invalid for page in each.pages)
    part.at_most("zones with invalid digits, read as valid", sum(map(_has_zone, invalid)), 0)
    part.at_most("wrong values accepted", sum(len(each.accepted_wrong) for each in of_mexico), 0)


def _has_zone(page: PageReading) -> bool:
    return zone_of(page) is not None


def _lines(outcome: Outcome) -> Iterator[str]:
    printed = outcome.printed
    models = [f"{page.kind} {page.model or ''}".strip() for page in outcome.pages]
    fields = ratio(len(outcome.right), len(printed.values))
    yield f"{printed.file} ({printed.kind} {printed.model or ''}): {', '.join(models)}; {fields}"
    yield from (f"    {line}" for line in outcome.wrong())
    yield from (f"    WRONG BUT ACCEPTED {line}" for line in outcome.accepted_wrong)


def _held_up(outcome: Outcome) -> Iterator[str]:
    if codes := sorted(objections(outcome.pages)):
        yield f"{outcome.printed.file}: {', '.join(codes)}"
