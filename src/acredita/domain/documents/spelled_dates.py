"""Parse dates as certificates spell them: 10 DE ENERO DE 2024."""

import re
from datetime import date
from typing import Final

from acredita.domain.names import fold

MONTHS: Final = (
    "ENERO", "FEBRERO", "MARZO", "ABRIL", "MAYO", "JUNIO",
    "JULIO", "AGOSTO", "SEPTIEMBRE", "OCTUBRE", "NOVIEMBRE", "DICIEMBRE",
)  # fmt: skip
# Print this small often loses its spaces.
_SPELLED: Final = re.compile(rf"([0-9]{{1,2}})\s*DE\s*({'|'.join(MONTHS)})\s*DE[L\s]*([0-9]{{4}})")
_FIGURES: Final = re.compile(r"(?<![0-9])([0-9]{2})\s*[/-]\s*([0-9]{2})\s*[/-]\s*([0-9]{4})")


def spelled(day: date) -> str:
    return f"{day.day:02} DE {MONTHS[day.month - 1]} DE {day.year}"


def read_date(text: str) -> str | None:
    """Return the first date of a text, in words or digits, as YYYY-MM-DD; None without one."""
    plain = fold(text)
    if found := _SPELLED.search(plain):
        day, month, year = found[1], MONTHS.index(found[2]) + 1, found[3]
    elif found := _FIGURES.search(plain):
        day, month, year = found[1], int(found[2]), found[3]
    else:
        return None
    try:
        return date(int(year), month, int(day)).isoformat()
    except ValueError:
        return None
