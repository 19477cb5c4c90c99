"""Parse dates and sexes of documents, and read birth dates from identifiers."""

from datetime import date

from acredita.domain.identifiers.clave_elector import ClaveElector
from acredita.domain.identifiers.curp import Curp
from acredita.domain.identifiers.formatting import Sex
from acredita.domain.identifiers.mrz import Mrz


def iso_date(text: str | None) -> date | None:
    """Parse YYYY-MM-DD; None if the text is not a date."""
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        return None


def passport_sex(text: str) -> Sex | None:
    """Parse the sex on a passport: M (male), F or X; None otherwise."""
    return {"M": Sex.MALE, "F": Sex.FEMALE, "X": Sex.UNSPECIFIED}.get(text)


def birth_date_by_curp(curp: Curp | None) -> str | None:
    """Return the birth date of a CURP, as YYYY-MM-DD."""
    return curp.birth_date.isoformat() if curp else None


def birth_date_by_clave(clave: ClaveElector | None, printed: str | None) -> str | None:
    """Return the birth date of a clave, as YYYY-MM-DD. A clave has no century, so the printed date
    is returned if it is one of the two possible dates."""
    if clave is None:
        return None
    dates = [day.isoformat() for day in clave.birth_dates]
    return printed if printed in dates else dates[0]


def birth_date_by_zone(zone: Mrz | None, today: date, printed: str | None) -> str | None:
    """Return the birth date of a zone, as YYYY-MM-DD. A zone has no century, so the printed date is
    returned if its other digits match."""
    if zone is None:
        return None
    day = iso_date(printed)
    if day and f"{day:%y%m%d}" == zone.birth:
        return printed
    born = zone.birth_date(today)
    return born.isoformat() if born else None
