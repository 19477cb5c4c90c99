"""Calendar years of retention."""

from datetime import UTC, datetime, timedelta

import pytest

from acredita.domain.retention import kept_since, longest_days


@pytest.mark.parametrize(
    ("now", "years", "before"),
    [
        ("2036-01-31", 10, "2026-01-31"),
        ("2034-03-01", 10, "2024-03-01"),
        # Of a period from 29 February nothing is due before 1 March.
        ("2034-02-28", 10, "2024-02-28"),
        ("2032-02-29", 10, "2022-02-28"),
        ("2100-03-01", 30, "2070-03-01"),
    ],
)
def test_years_are_counted_by_date(now, years, before):
    moment = datetime.fromisoformat(now).replace(tzinfo=UTC)
    assert kept_since(moment, days=1, years=years) == datetime.fromisoformat(before).replace(
        tzinfo=UTC
    )


def test_a_period_of_years_is_never_shorter_than_its_years():
    start = datetime(2024, 2, 29, 12, tzinfo=UTC)
    last_day = datetime(2034, 3, 1, 12, tzinfo=UTC)
    assert not start < kept_since(last_day - timedelta(days=1), days=1, years=10)
    assert start < kept_since(last_day + timedelta(days=1), days=1, years=10)


def test_days_apply_without_years():
    now = datetime(2026, 1, 31, tzinfo=UTC)
    assert kept_since(now, days=30, years=None) == datetime(2026, 1, 1, tzinfo=UTC)


def test_the_page_of_consent_names_no_fewer_days_than_the_years_have():
    assert longest_days(days=365, years=None) == 365
    for years in range(1, 31):
        for first in range(2000, 2030):
            start, end = (
                datetime(first, 1, 1, tzinfo=UTC),
                datetime(first + years, 1, 1, tzinfo=UTC),
            )
            assert (end - start).days <= longest_days(days=1, years=years)
