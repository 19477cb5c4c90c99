"""How well CURP and RFC certificates are read, as PDF and as pictures.

`measure(count, seed)` is what `benchmarks.recognition` calls; run by itself as
`python -m benchmarks.certificates --count 20 --seed N`. Drawn certificates, our own layout: real
ones have other typefaces and longer tables.
"""

import argparse
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from acredita.domain.documents import Outcome, PageReading, Verdict, judge
from acredita.engines.documents.read import read_pages, warm_up
from acredita.engines.synthetic.capture import Difficulty
from acredita.engines.synthetic.certificates import (
    Certificate,
    CertificateKind,
    make_certificate,
)
from acredita.engines.synthetic.people import REFERENCE_DATE

PDF: Final = "pdf"
IDENTIFIERS: Final = ("curp", "rfc")
NAMES: Final = ("givenNames", "paternalSurname", "maternalSurname", "companyName")
BARS: Final = {"codes": 1.0, "identifiers": 0.99, "names": 0.97}
BARRED: Final = (PDF, Difficulty.CLEAN, Difficulty.MILD, Difficulty.PHOTO)
"""The forms in which the bars hold; the others are shown."""


@dataclass
class Tally:
    """Right and total by what was counted, kind of certificate and form."""

    right: dict[tuple[str, str, str], int] = field(default_factory=lambda: defaultdict(int))
    total: dict[tuple[str, str, str], int] = field(default_factory=lambda: defaultdict(int))
    wrong: list[str] = field(default_factory=list)
    wrong_accepted: list[str] = field(default_factory=list)
    cpu: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    def count(self, name: str, kind: str, form: str, *, right: bool) -> None:
        self.total[name, kind, form] += 1
        self.right[name, kind, form] += right

    def share(self, name: str, forms: Sequence[str], kind: str = "") -> tuple[int, int]:
        keys = [k for k in self.total if k[0] == name and k[2] in forms and kind in ("", k[1])]
        return sum(self.right[k] for k in keys), sum(self.total[k] for k in keys)


def measure(
    count: int,
    seed: int,
    forms: Sequence[str] = (PDF, *Difficulty),
    kinds: Sequence[CertificateKind] = tuple(CertificateKind),
) -> Tally:
    """Read and judge `count` certificates of each kind in each form, of new people."""
    tally = Tally()
    for number in range(count):
        for kind in kinds:
            certificate = make_certificate(kind, seed + number)
            for form in forms:
                started = time.process_time()
                pages = _read(certificate, form, seed + number)
                tally.cpu[form].append(time.process_time() - started)
                label = f"{kind} {seed + number} {form}"
                _score(tally, certificate, form, pages, judge(pages, REFERENCE_DATE), label)
    return tally


def _read(certificate: Certificate, form: str, seed: int) -> list[PageReading]:
    if form == PDF:
        return read_pages(certificate.pdf, "application/pdf")
    picture = certificate.picture(Difficulty(form), seed)
    return read_pages(picture, "image/jpeg")


def _score(
    tally: Tally,
    certificate: Certificate,
    form: str,
    pages: Sequence[PageReading],
    verdict: Verdict,
    label: str,
) -> None:
    kind, truth = certificate.kind, certificate.values
    fields = {finding.field: finding for finding in verdict.fields}
    tally.count("codes", kind, form, right=bool(pages[0].codes))
    tally.count("passed", kind, form, right=verdict.outcome is Outcome.PASSED)
    for name, value in truth.items():
        finding = fields.get(name)
        right = finding is not None and finding.value == value
        group = "identifiers" if name in IDENTIFIERS else "names" if name in NAMES else name
        if group == "taxRegimes" and form != PDF:
            continue  # they stand on the second page, which was not pictured
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


def report(tally: Tally) -> Iterator[str]:
    forms = list(dict.fromkeys(key[2] for key in tally.total))
    for name in dict.fromkeys(key[0] for key in tally.total):
        for kind in CertificateKind:
            cells = [(form, *tally.share(name, [form], kind)) for form in forms]
            if any(total for _, _, total in cells):
                row = "  ".join(f"{form} {right}/{total}" for form, right, total in cells)
                yield f"  {name:24} {kind:24} {row}"
    for form, seconds in tally.cpu.items():
        yield f"  CPU seconds a file, {form}: {sorted(seconds)[len(seconds) // 2]:.2f}"


def bars(tally: Tally) -> Iterator[tuple[str, bool]]:
    """Each bar as a line, and whether it is met."""
    for name, least in BARS.items():
        right, total = tally.share(name, BARRED)
        share = right / total if total else 1.0
        yield (
            f"certificates: {name} {right}/{total} = {share:.2%} (bar {least:.0%})",
            share >= least,
        )
    count = len(tally.wrong_accepted)
    yield f"certificates: wrong yet accepted {count} (bar 0)", count == 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1_000_000)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--forms", default=",".join((PDF, *Difficulty)))
    options = parser.parse_args()
    warm_up(options.threads)
    tally = measure(options.count, options.seed, options.forms.split(","))
    print("\n".join(report(tally)))
    print("read wrong", *tally.wrong, sep="\n  ")
    print("wrong yet accepted", *tally.wrong_accepted, sep="\n  ")
    for line, met in bars(tally):
        print(f"{'met   ' if met else 'MISSED'} {line}")


if __name__ == "__main__":
    main()
