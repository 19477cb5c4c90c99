from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acredita.providers.watchlists.countries import CODES, alpha2, codes
from acredita.providers.watchlists.dates import dates_in, moment, month_first


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("15 Mar 1963", ("1963-03-15",)),
        ("Mar 1963", ("1963-03",)),
        ("1963", ("1963",)),
        ("circa 1963", ("1963",)),
        ("15/03/1963", ("1963-03-15",)),
        ("00/03/1963", ("1963-03",)),
        ("00/00/1963", ("1963",)),
        ("31/02/1963", ("1963-02",)),
        ("1963-03-15", ("1963-03-15",)),
        ("1963-13-15", ("1963",)),
        ("1963 to 1965", ("1963", "1964", "1965")),
        ("01 Jan 1963 to 31 Dec 1964", ("1963", "1964")),
        ("1963-1964", ("1963", "1964")),
        ("1940 to 1965", ()),
        ("15 de marzo de 1963", ("1963-03-15",)),
        ("31 Sept. 1963", ("1963-09",)),
        ("unknown", ()),
        ("", ()),
        ("12345", ()),
    ],
)
def test_dates_are_as_precise_as_they_are_true(text, found):
    assert dates_in(text) == found


@given(st.dates(date(1850, 1, 1), date(2050, 12, 31)))
def test_every_date_is_read_in_every_order(day):
    written = (day.isoformat(), f"{day:%d/%m/%Y}", f"{day:%d %b %Y}", f"{day:%d %B %Y}")
    assert {dates_in(text) for text in written} == {(day.isoformat(),)}


@given(st.text(max_size=40))
def test_no_text_is_too_strange_for_a_date(text):
    for found in dates_in(text):
        assert len(found) in {4, 7, 10}
    moment(text)
    month_first(text)
    alpha2(text)


def test_moments_are_told_in_utc():
    assert moment("2026-02-27T00:00:09.554Z") == datetime(2026, 2, 27, 0, 0, 9, 554_000, UTC)
    assert moment("2026-02-27T01:00:00+01:00") == datetime(2026, 2, 27, tzinfo=UTC)
    assert moment("31 de octubre de 2025") == datetime(2025, 10, 31, tzinfo=UTC)
    assert month_first("08/07/2026") == datetime(2026, 8, 7, tzinfo=UTC)
    assert moment("soon") is None


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("Mexico", "MX"),
        ("México", "MX"),
        ("MEXICO", "MX"),
        ("MX", "MX"),
        ("Korea, North", "KP"),
        ("Democratic People's Republic of Korea", "KP"),
        ("Iran (Islamic Republic of)", "IR"),
        ("Bahamas, The", "BS"),
        ("Türkiye", "TR"),
        ("Congo, Democratic Republic of the", "CD"),
        ("na", None),
        ("Narnia", None),
        ("", None),
        ("Region: Crimea", None),
    ],
)
def test_countries_are_known_by_the_names_that_lists_use(name, code):
    assert alpha2(name) == code


def test_countries_are_told_once_and_in_order():
    assert codes("Mexico", "Narnia", "MX", "Spain") == ("MX", "ES")
    assert len(CODES) == 250
