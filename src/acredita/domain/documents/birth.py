"""Dates and sexes as documents write them, and what the identifiers say of them."""

from datetime import date

from acredita.domain.identifiers.clave_elector import ClaveElector
from acredita.domain.identifiers.curp import Curp
from acredita.domain.identifiers.mrz import Mrz
from acredita.domain.identifiers.notation import Sex


def iso_date(text: str | None) -> date | None:
    """The day of YYYY-MM-DD, None for what is no date."""
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        return None


def passport_sex(text: str) -> Sex | None:
    """M (male), F or X, as a passport prints it."""
    return {"M": Sex.MALE, "F": Sex.FEMALE, "X": Sex.UNSPECIFIED}.get(text)


def born_by_curp(curp: Curp | None) -> str | None:
    return curp.birth_date.isoformat() if curp else None


def born_by_clave(clave: ClaveElector | None, printed: str | None) -> str | None:
    """A clave tells no century: it repeats the printed date where that is one of its two."""
    if clave is None:
        return None
    dates = [day.isoformat() for day in clave.birth_dates]
    return printed if printed in dates else dates[0]


def born_by_zone(zone: Mrz | None, today: date, printed: str | None) -> str | None:
    """A zone tells no century either."""
    if zone is None:
        return None
    day = iso_date(printed)
    if day and f"{day:%y%m%d}" == zone.birth:
        return printed
    born = zone.birth_date(today)
    return born.isoformat() if born else None
