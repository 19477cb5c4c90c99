"""JSON that a receiver in JavaScript finds unchanged after JSON.parse and JSON.stringify."""

import json
import struct

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from acredita.kit.javascript_json import stringify
from tests.factories.javascript import running_node

# RFC 8785, appendix B: the bits of a double, and how JavaScript writes it.
PUBLISHED = {
    "0000000000000000": "0",
    "8000000000000000": "0",
    "0000000000000001": "5e-324",
    "8000000000000001": "-5e-324",
    "7fefffffffffffff": "1.7976931348623157e+308",
    "ffefffffffffffff": "-1.7976931348623157e+308",
    "4340000000000000": "9007199254740992",
    "c340000000000000": "-9007199254740992",
    "4430000000000000": "295147905179352830000",
    "44b52d02c7e14af5": "9.999999999999997e+22",
    "44b52d02c7e14af6": "1e+23",
    "44b52d02c7e14af7": "1.0000000000000001e+23",
    "444b1ae4d6e2ef4e": "999999999999999700000",
    "444b1ae4d6e2ef4f": "999999999999999900000",
    "444b1ae4d6e2ef50": "1e+21",
    "3eb0c6f7a0b5ed8c": "9.999999999999997e-7",
    "3eb0c6f7a0b5ed8d": "0.000001",
    "41b3de4355555553": "333333333.3333332",
    "41b3de4355555554": "333333333.33333325",
    "41b3de4355555555": "333333333.3333333",
    "41b3de4355555556": "333333333.3333334",
    "41b3de4355555557": "333333333.33333343",
    "becbf647612f3696": "-0.0000033333333333333333",
    "43143ff3c1cb0959": "1424953923781206.2",
}
ANY_CHARACTER = st.characters(exclude_categories=()) | st.sampled_from(
    '\ud83d\ude00\u2028\u2029\x00\x1f\x7f"\\/\b\t\ufeff\U0001f600'
)
TEXTS = st.text(ANY_CHARACTER)
# Every double, not only those that a generator likes.
DOUBLES = st.floats() | st.integers(0, 2**64 - 1).map(
    lambda bits: struct.unpack(">d", bits.to_bytes(8, "big"))[0]
)
NUMBERS = DOUBLES | st.integers() | st.integers(-(2**64), 2**64) | st.just(10**400)
KEYS = TEXTS | st.integers(0, 2**33).map(str) | st.sampled_from(["00", "-1", "1.0", "__proto__"])
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(KEYS, inner, max_size=6),
    max_leaves=20,
)
HARD = {
    "b": 1.0,
    "10": -0.0,
    "9": 1e21,
    "4294967295": 2**60,
    "4294967294": 1e-7,
    "01": "\ud800 \ude00\ud83d \u2028",
    "\ud83d\ude00": 1,
    "\U0001f600": 2,
    "a": [float("nan"), float("-inf"), 10**400, 2**53 + 1, 123456789012345680000.0],
}


@pytest.mark.parametrize(("bits", "written"), PUBLISHED.items())
def test_a_number_is_written_as_rfc_8785_shows(bits, written):
    (number,) = struct.unpack(">d", bytes.fromhex(bits))
    assert stringify(number) == written.encode()


def test_what_orjson_or_json_would_write_otherwise():
    assert stringify(HARD).decode() == (
        '{"9":1e+21,"10":0,"4294967294":1e-7,"b":1,"4294967295":1152921504606847000,'
        '"01":"\\ud800 \\ude00\\ud83d \u2028","\U0001f600":2,'
        '"a":[null,null,null,9007199254740992,123456789012345680000]}'
    )
    assert stringify([True, None, "á/\x7f\x1f\n", 1424953923781206.25, (1,)]) == (
        b'[true,null,"\xc3\xa1/\x7f\\u001f\\n",1424953923781206.2,[1]]'
    )
    with pytest.raises(TypeError):
        stringify({"a": {1}})


@given(VALUES)
@example(HARD)
def test_a_reader_and_writer_in_between_changes_no_byte(value):
    once = stringify(value)
    assert stringify(json.loads(once)) == once


@given(TEXTS, st.dictionaries(st.text(ANY_CHARACTER.filter(str.isalpha)), st.integers(-9, 9)))
def test_a_text_and_the_order_of_keys_survive(text, members):
    # Halves of a pair that stand together are one character.
    whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    assert json.loads(stringify(text)) == whole
    assert list(json.loads(stringify(members)).items()) == list(members.items())


@given(VALUES)
@example(HARD)
def test_node_writes_the_same_bytes(node, value):
    body = stringify(value)
    assert node.reserialize(body) == body


@pytest.fixture(scope="module")
def node():
    with running_node() as process:
        yield process
