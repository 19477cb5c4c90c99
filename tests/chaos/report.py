"""The table at the end."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tests.chaos.customers import Account
from tests.chaos.promises import Finding

ROW = "{:<62} {:>8} {:>8} {:>8}  {}".format


@dataclass(frozen=True, slots=True)
class Report:
    findings: Sequence[Finding]
    faults: Mapping[str, int]
    figures: Mapping[str, Any]
    account: Account

    @property
    def is_kept(self) -> bool:
        return all(finding.is_kept for finding in self.findings)

    def text(self) -> str:
        lines = ["Faults: " + _listed(self.faults)]
        for name, figure in self.figures.items():
            lines.append(f"{name[0].upper()}{name[1:]}: {_listed(figure)}")
        lines += [f"Unexpected: {told}" for told in self.account.unexpected[:10]]
        lines += ["", ROW("", "found", "at most", "of", "").rstrip()]
        for finding in self.findings:
            of = "" if finding.of is None else str(finding.of)
            word = "" if finding.is_kept else "BROKEN"
            row = ROW(finding.promise, f"{finding.found:g}", f"{finding.bar:g}", of, word)
            lines.append(row.rstrip())
        return "\n".join(lines)


def _listed(figure: Any) -> str:
    if isinstance(figure, Mapping):
        return ", ".join(f"{value} {name}" for name, value in figure.items()) or "none"
    return str(figure)
