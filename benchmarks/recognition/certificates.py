"""Accuracy on CURP and RFC certificates, as PDF and as pictures.

The certificates are drawn in our own layout. Real ones have other typefaces and longer tables.
"""

import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from acredita.domain.documents import (
    DocumentJudgement,
    DocumentOutcome,
    PageKind,
    PageReading,
    judge,
)
from acredita.engines.documents.read import read_pages, warm_up
from acredita_synthetic.capture import Difficulty
from acredita_synthetic.certificates import CertificateKind, make_certificate
from acredita_synthetic.people import REFERENCE_DATE
from acredita_synthetic.specimens import Specimen
from benchmarks.recognition.drawing import Order, drawn
from benchmarks.recognition.kinds import Classification, classify
from benchmarks.recognition.report import Part, Scale, table

PDF: Final = "pdf"
_PAGES: Final = {
    CertificateKind.CURP: PageKind.CURP_CERTIFICATE,
    CertificateKind.RFC_PERSON: PageKind.RFC_CERTIFICATE,
    CertificateKind.RFC_COMPANY: PageKind.RFC_CERTIFICATE,
}
IDENTIFIERS: Final = ("curp", "rfc")
NAMES: Final = ("givenNames", "paternalSurname", "maternalSurname", "companyName")
BARS: Final = {"codes": 1.0, "identifiers": 0.99, "names": 0.97}
BARRED: Final = (PDF, Difficulty.CLEAN, Difficulty.MILD, Difficulty.PHOTO)
"""The forms to which the bars apply. The others are only printed."""


@dataclass
class Tally:
    """Correct values and all values, by group, kind of certificate and form."""

    right: dict[tuple[str, str, str], int] = field(default_factory=lambda: defaultdict(int))
    total: dict[tuple[str, str, str], int] = field(default_factory=lambda: defaultdict(int))
    wrong: list[str] = field(default_factory=list)
    wrong_accepted: list[str] = field(default_factory=list)
    cpu: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    pages: list[Classification] = field(default_factory=list)

    def count(self, name: str, kind: str, form: str, *, right: bool) -> None:
        self.total[name, kind, form] += 1
        self.right[name, kind, form] += right

    def share(self, name: str, forms: Sequence[str], kind: str = "") -> tuple[int, int]:
        keys = [k for k in self.total if k[0] == name and k[2] in forms and kind in ("", k[1])]
        return sum(self.right[k] for k in keys), sum(self.total[k] for k in keys)


def orders(
    count: int,
    seed: int,
    forms: Sequence[str] = (PDF, *Difficulty),
    kinds: Sequence[CertificateKind] = tuple(CertificateKind),
) -> list[Order]:
    """Return orders for `count` certificates of each kind in each form, each of a new person."""
    return [
        partial(_drawn, kind, seed + number, form)
        for number in range(count)
        for kind in kinds
        for form in forms
    ]


def _drawn(kind: CertificateKind, seed: int, form: str) -> Specimen:
    certificate = make_certificate(kind, seed)
    truth = {"kind": kind.value, "seed": seed, "form": form, "values": certificate.values}
    if form == PDF:
        return Specimen(certificate.pdf, "application/pdf", truth)
    return Specimen(certificate.picture(Difficulty(form), seed), "image/jpeg", truth)


def read_and_judge(certificates: Iterable[Specimen]) -> Tally:
    tally = Tally()
    for each in certificates:
        kind, form = CertificateKind(each.truth["kind"]), each.truth["form"]
        started = time.process_time()
        pages = read_pages(each.image_bytes, each.mime_type)
        tally.cpu[form].append(time.process_time() - started)
        tally.pages.append(classify(pages[0], _PAGES[kind], kind.replace("_", " "), form))
        _score(tally, each, pages, judge(pages, REFERENCE_DATE))
    return tally


def _score(
    tally: Tally, certificate: Specimen, pages: Sequence[PageReading], verdict: DocumentJudgement
) -> None:
    kind, form = certificate.truth["kind"], certificate.truth["form"]
    truth = certificate.truth["values"]
    label = f"{kind} {certificate.truth['seed']} {form}"
    fields = {finding.field: finding for finding in verdict.fields}
    tally.count("codes", kind, form, right=bool(pages[0].codes))
    tally.count("passed", kind, form, right=verdict.outcome is DocumentOutcome.PASSED)
    for name, value in truth.items():
        finding = fields.get(name)
        right = finding is not None and finding.value == value
        group = "identifiers" if name in IDENTIFIERS else "names" if name in NAMES else name
        if group == "taxRegimes" and form != PDF:
            continue  # printed on the second page, which is not in the picture
        if group in ("locality", "streetKind", "street", "outerNumber", "innerNumber"):
            continue  # parts of the address
        if group in ("neighbourhood", "municipality", "state"):
            continue
        tally.count(group, kind, form, right=right)
        if not right:
            tally.wrong.append(f"{label} {name}: {finding and finding.value} for {value}")
    tally.wrong_accepted += [
        f"{label} {name}: {finding.value} for {truth.get(name)}"
        for name, finding in fields.items()
        if finding.accepted and finding.value != truth.get(name)
    ]


def report(tally: Tally) -> Part:
    part = Part("CURP and RFC certificates, drawn", list(_lines(tally)), pages=tally.pages)
    for name, least in BARS.items():
        part.at_least(f"{name}, except the hardest pictures", *tally.share(name, BARRED), least)
    part.at_most("wrong but accepted", len(tally.wrong_accepted), 0)
    return part


def _lines(tally: Tally) -> Iterator[str]:
    forms = list(dict.fromkeys(key[2] for key in tally.total))
    rows = [("", "", *forms)]
    for name in dict.fromkeys(key[0] for key in tally.total):
        for kind in CertificateKind:
            cells = [tally.share(name, [form], kind) for form in forms]
            if any(total for _, total in cells):
                rows.append((name, kind, *(f"{right}/{total}" for right, total in cells)))
    yield from table(rows)
    for form, seconds in tally.cpu.items():
        yield f"CPU seconds per file, {form}: {sorted(seconds)[len(seconds) // 2]:.2f}"
    yield "read wrong"
    yield from tally.wrong
    yield "wrong but accepted"
    yield from tally.wrong_accepted


def measure(scale: Scale) -> Part:
    warm_up(2)
    return report(read_and_judge(drawn(orders(max(1, scale.documents // 10), scale.seed))))
