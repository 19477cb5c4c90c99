"""What is taken is JSON as the standard library reads it; whatever else is one kind of refusal."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acredita.api import json_body
from acredita.domain import strict_json
from acredita.domain.errors import ValidationFailed

scalars = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))
)
names = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(names, inner, max_size=4)
)


@given(values, st.booleans())
async def test_what_json_can_write_is_read_as_it_was(value, ascii_only):
    written = json.dumps(value, ensure_ascii=ascii_only).encode()
    assert await json_body.parse(written) == value


@given(st.binary(max_size=200) | st.text(max_size=200).map(lambda t: t.encode(errors="replace")))
async def test_whatever_else_is_refused_in_one_way(content):
    refusal = None
    try:
        value = await json_body.parse(content)
    except ValidationFailed as fault:
        refusal = fault
    if refusal is None:
        assert json.loads(content) == value
    else:
        assert refusal.details
        assert all(detail.startswith("body: ") for detail in refusal.details)


@pytest.mark.parametrize("depth", [64, 65])
async def test_the_depth_that_is_taken(depth):
    content = b"[" * depth + b"]" * depth
    if depth == 64:
        assert await json_body.parse(content) is not None
    else:
        with pytest.raises(ValidationFailed):
            await json_body.parse(content)


async def test_brackets_in_text_do_not_count_as_depth():
    assert await json_body.parse(json.dumps("[{" * 500 + '\\"[').encode())


async def test_a_large_body_is_read_off_the_loop_with_the_same_result():
    value = {"text": "x" * 200_000, "list": [1] * 100}
    assert await json_body.parse(json.dumps(value).encode()) == value


async def test_a_body_of_more_members_than_any_of_ours_is_refused_and_commas_in_text_are_none():
    with pytest.raises(ValidationFailed):
        await json_body.parse(b"[" + b"1," * strict_json.MOST_MEMBERS + b"1,1]")
    assert await json_body.parse(json.dumps(["," * 300_000]).encode())


@pytest.mark.parametrize("unit", [b'"\\', b'\\"', b'"', b"[", b'{"a":', b"\\"])
async def test_a_hostile_body_of_megabytes_is_judged_in_seconds(unit):
    content = b'["' + b"," * 300_000 + unit * (4_000_000 // len(unit))
    began = time.process_time()
    with pytest.raises(ValidationFailed):
        await json_body.parse(content)
    assert time.process_time() - began < 3
