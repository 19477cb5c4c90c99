from datetime import UTC, datetime
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acredita.kit.cursors import LENGTH, Cursor, CursorUnreadable, Window

MOMENTS = st.datetimes(timezones=st.just(UTC))


@given(MOMENTS, st.uuids(), st.integers(0, 2**62), st.integers(0, 2**62))
def test_a_cursor_returns_from_its_text(created_at, id_, before, total):
    cursor = Cursor(created_at, id_, before, total)
    text = cursor.text("list", None, "filter")
    assert len(text) == LENGTH
    assert Cursor.parse(text, "list", None, "filter") == cursor


@pytest.mark.parametrize(
    "scope", [("other",), ("list",), ("list", "x"), ("list", None, None), ("list, None",)]
)
def test_a_cursor_of_another_list_or_filter_is_refused(scope):
    text = Cursor(datetime.now(UTC), uuid4(), 1, 2).text("list", None)
    with pytest.raises(CursorUnreadable, match="other filters"):
        Cursor.parse(text, *scope)


@given(st.text() | st.binary(max_size=60).map(bytes.hex))
def test_any_other_text_is_refused(text):
    with pytest.raises(CursorUnreadable):
        Cursor.parse(text, "list")


def test_a_cursor_of_impossible_numbers_is_refused():
    for cursor in (
        Cursor(datetime.max.replace(tzinfo=UTC), uuid4(), 2**62 + 1, 0),
        Cursor(datetime.max.replace(tzinfo=UTC), uuid4(), 0, 2**63),
    ):
        with pytest.raises(CursorUnreadable):
            Cursor.parse(cursor.text("list"), "list")


def test_the_last_page_has_no_next_cursor():
    assert Window(10).next_cursor(3, None) is None
