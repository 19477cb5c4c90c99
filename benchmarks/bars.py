"""The bars of a benchmark: what must be true of its figures."""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self


@dataclass(frozen=True, slots=True)
class Bar:
    """A figure, as text with its limit, and whether the limit is kept."""

    name: str
    figure: str
    is_kept: bool

    @classmethod
    def at_most(cls, name: str, figure: float, limit: float, unit: str = "") -> Self:
        return cls(name, f"{figure:.3g}{unit}, at most {limit:g}{unit}", figure <= limit)

    @classmethod
    def at_least(cls, name: str, figure: float, limit: float, unit: str = "") -> Self:
        return cls(name, f"{figure:.3g}{unit}, at least {limit:g}{unit}", figure >= limit)


def report(bars: Iterable[Bar]) -> int:
    """Print a row for each bar and the load of the machine. Return 1 if a bar is missed."""
    bars = list(bars)
    width = max((len(bar.name) for bar in bars), default=0)
    for bar in bars:
        print(f"{'pass' if bar.is_kept else 'MISS'}  {bar.name:<{width}}  {bar.figure}")
    load = " ".join(f"{average:.1f}" for average in os.getloadavg())
    missed = sum(not bar.is_kept for bar in bars)
    print(f"bars missed: {missed} of {len(bars)}; load average {load} on {os.cpu_count()} cores")
    return 1 if missed else 0
