"""Facts about an entry that are shown to reviewers and are not compared with names."""

from collections.abc import Iterable

from acredita.providers.watchlists.countries import codes
from acredita.providers.watchlists.dates import dates_in
from acredita.providers.watchlists.protocol import Details

# Characters of one text, and the number of texts of a kind. More are cut off.
LONGEST_TEXT = 8_000
MOST_TEXTS = 100
GENDERS = {
    "m": "male",
    "male": "male",
    "masculino": "male",
    "hombre": "male",
    "f": "female",
    "female": "female",
    "femenino": "female",
    "mujer": "female",
}


def joined(*parts: str) -> str:
    """The parts of a place or an address as one line. A repeated part is left out."""
    return ", ".join(dict.fromkeys(part.strip(" ,.") for part in parts if part.strip(" ,.")))


def details_of(
    *,
    places_of_birth: Iterable[str] = (),
    nationalities: Iterable[str] = (),
    genders: Iterable[str] = (),
    addresses: Iterable[str] = (),
    positions: Iterable[str] = (),
    remarks: Iterable[str] = (),
    listed_on: str = "",
    updated_on: str = "",
    url: str = "",
) -> Details:
    """Convert what a list says. `nationalities` are names or codes of countries, the two dates
    have any form that lists use, an unknown gender is left out, and so is a URL that is not HTTP.
    """
    known = (GENDERS.get(text.strip().casefold(), "") for text in genders)
    return Details(
        places_of_birth=_distinct(places_of_birth),
        nationalities=codes(*nationalities),
        genders=_distinct(known),
        addresses=_distinct(addresses),
        positions=_distinct(positions),
        remarks=_distinct(remarks),
        listed_on=_day(listed_on),
        updated_on=_day(updated_on),
        url=url[:LONGEST_TEXT] if url.startswith(("https://", "http://")) else "",
    )


def _distinct(texts: Iterable[str]) -> tuple[str, ...]:
    found = dict.fromkeys(text[:LONGEST_TEXT] for text in texts if text)
    return tuple(found)[:MOST_TEXTS]


def _day(text: str) -> str:
    return next(iter(dates_in(text)), "") if text else ""
