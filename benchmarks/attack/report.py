"""Report the outcomes of a run, in the terms of ISO/IEC 30107-3.

APCER of a kind of attack (the standard's presentation attack instrument species): the share of its
presentations that was approved. BPCER: the share of honest, bona fide, presentations that was not
approved, but sent to review or rejected. "Unfinished": verifications with a missing upload or a
refused request. "Too late": the decision came before the other person's page, which was refused.
"Own name": approved attacks in which only the attacker's own document was read, so no name was
stolen. "As named": attacks that were stopped with a code that is meant for them.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks.attack.runner import Ended

ENDS = {
    "APPROVED": "approved",
    "MANUAL_REVIEW": "to a person",
    "REJECTED": "rejected",
    "UNFINISHED": "unfinished",
    "TOO_LATE": "too late",
}
CODES_SHOWN = 4
Results = Mapping[int, Sequence[Ended]]
"""By seed."""


def show(results: Results, console: Console) -> None:
    """Yield the tables, the approved attacks and the honest cases that were not approved."""
    every = [ended for of_seed in results.values() for ended in of_seed]
    for title, rate, is_honest in (("Attacks", "APCER", False), ("Honest people", "BPCER", True)):
        rows = [ended for ended in every if ended.case.is_honest == is_honest]
        if rows:
            console.print(_table(title, rate, rows))
    for seed, of_seed in results.items():
        for ended in of_seed:
            if ended.is_approved != ended.case.is_honest:
                what = f"{ended.case.species}: {ended.case.name}: {ended.status}"
                style = "bold red" if ended.is_approved else "default"
                of = f"in the name of {ended.named}" if ended.named else ""
                line = f"seed {seed}: {what} {', '.join(ended.codes)}{of}"
                console.print(line, style=style, highlight=False)


def _table(title: str, rate: str, rows: Sequence[Ended]) -> Table:
    table = Table(title=title, title_justify="left")
    table.add_column("kind", overflow="fold")
    as_named = ("own name", "as named") if rate == "APCER" else ()
    for heading in ("tried", *ENDS.values(), *as_named, rate):
        table.add_column(heading, justify="right")
    table.add_column("codes", overflow="fold")
    for species in dict.fromkeys(ended.case.species for ended in rows):
        of_species = [ended for ended in rows if ended.case.species == species]
        table.add_row(*_cells(species, of_species, rate))
    table.add_section()
    table.add_row(*_cells("all", rows, rate)[:-1], "")
    return table


def _cells(name: str, rows: Sequence[Ended], rate: str) -> list[str]:
    counts = Counter(_end_of(ended) for ended in rows)
    approved = counts["APPROVED"]
    wrong = approved if rate == "APCER" else len(rows) - approved
    codes = Counter(code for ended in rows for code in ended.codes)
    shown = [f"{code} {count}" for code, count in codes.most_common(CODES_SHOWN)]
    return [
        name,
        str(len(rows)),
        *(str(counts[end]) for end in ENDS),
        *(_of_attacks(rows) if rate == "APCER" else []),
        f"{100 * wrong / len(rows):.1f} %",
        ", ".join(shown),
    ]


def _of_attacks(rows: Sequence[Ended]) -> list[str]:
    in_own_name = sum(ended.is_approved and ended.named == "A" for ended in rows)
    return [str(in_own_name), str(sum(map(_is_as_named, rows)))]


def _is_as_named(ended: Ended) -> bool:
    return not ended.is_approved and not ended.case.codes.isdisjoint(ended.codes)


def _end_of(ended: Ended) -> str:
    return ended.status if ended.status in ENDS else "UNFINISHED"


def failures(results: Results, baseline: Path | None = None) -> list[str]:
    """Return a sentence for each missed bar."""
    every = [ended for of_seed in results.values() for ended in of_seed]
    wrongly = sum(ended.is_approved for ended in every if not ended.case.is_honest)
    missed = [f"{wrongly} attacks were approved"] if wrongly else []
    if baseline is not None:
        former = {key for key, end in _read(baseline).items() if end == "APPROVED"}
        missed += [
            f"{', '.join(map(str, key))} was approved before"
            for key, end in _ends(results).items()
            if key in former and end != "APPROVED" and _is_honest(results, key)
        ]
    return missed


Key = tuple[int, str, str]


def _ends(results: Results) -> dict[Key, str]:
    return {
        (seed, ended.case.species, ended.case.name): ended.status
        for seed, of_seed in results.items()
        for ended in of_seed
    }


def _is_honest(results: Results, key: Key) -> bool:
    seed, species, name = key
    return any(
        ended.case.is_honest
        for ended in results[seed]
        if (ended.case.species, ended.case.name) == (species, name)
    )


def _read(file: Path) -> dict[Key, str]:
    rows: list[dict[str, Any]] = json.loads(file.read_text())["cases"]
    return {(row["seed"], row["species"], row["name"]): row["status"] for row in rows}


def write(results: Results, file: Path, **about: Any) -> None:
    """Return all cases with their outcomes as JSON. `about` describes the run."""
    rows = [_row(seed, ended) for seed, of_seed in results.items() for ended in of_seed]
    file.write_text(json.dumps(about | {"cases": rows}, indent=1, ensure_ascii=False) + "\n")


def _row(seed: int, ended: Ended) -> dict[str, Any]:
    case = ended.case
    return {
        "seed": seed,
        "honest": case.is_honest,
        "species": case.species,
        "name": case.name,
        "steps": list(case.steps),
        "session": case.in_browser,
        "status": ended.status,
        "codes": list(ended.codes),
        "named": ended.named,
        "expected": sorted(case.codes),
        "seconds": round(ended.seconds, 2),
    }
