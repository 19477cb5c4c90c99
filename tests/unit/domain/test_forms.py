"""What a form may ask and what may be answered, whatever is written."""

import re
import time
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acredita.domain.forms import LONGEST_VALUE, Field, FieldType, answers, check, faults
from acredita.domain.languages import Language

ES, EN = Language.SPANISH, Language.ENGLISH
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)


def text(**rules) -> Field:
    return Field("f", FieldType.TEXT, **{"required": False, **rules})


def is_valid(field: Field, value: object) -> bool:
    return not check([field], {"f": value}, ES)


FIELDS = st.builds(
    Field,
    id=st.text(min_size=1, max_size=5),
    type=st.sampled_from(FieldType),
    required=st.booleans(),
    options=st.lists(st.text(max_size=5), min_size=1, max_size=3, unique=True).map(tuple),
    min_length=st.none() | st.integers(0, 20),
    max_length=st.none() | st.integers(1, 40),
    pattern=st.none() | st.sampled_from(["", "[a-z]+", "^(a+)+$", r"\d{5}", ".", r"\C+"]),
)
FORMS = st.lists(FIELDS, min_size=1, max_size=6, unique_by=lambda field: field.id)


@given(FORMS, st.data())
def test_whatever_is_answered_is_judged_with_at_most_one_error_a_field(form, data):
    ids = st.sampled_from([field.id for field in form]) | st.text(max_size=5)
    values = data.draw(st.dictionaries(ids, JSON, max_size=8))
    spanish, english = (check(form, values, language) for language in (ES, EN))
    assert [error.field_id for error in spanish] == [error.field_id for error in english]
    assert all(error.message for error in spanish + english)
    known = [error.field_id for error in spanish if error.field_id in {f.id for f in form}]
    assert len(known) == len(set(known))
    if not spanish:
        kept = answers(form, values)
        assert set(kept) <= set(values)
        assert check(form, kept, ES) == []
        assert {f.id for f in form if f.required} <= set(kept)


@given(st.text(max_size=50), st.integers(0, 50), st.integers(1, 50))
def test_a_texts_length_is_counted_in_characters(value, shortest, longest):
    accepted = not value.strip() or shortest <= len(value) <= longest
    assert is_valid(text(min_length=shortest, max_length=longest), value) is accepted


@given(st.dates())
def test_every_day_of_the_calendar_is_a_date(day):
    assert is_valid(Field("f", FieldType.DATE, required=True), day.isoformat())


@given(st.integers(0, 9999), st.integers(0, 99), st.integers(0, 99))
def test_what_is_no_day_of_the_calendar_is_no_date(year, month, day):
    try:
        date(year, month, day)
        exists = True
    except ValueError:
        exists = False
    written = f"{year:04d}-{month:02d}-{day:02d}"
    assert is_valid(Field("f", FieldType.DATE, required=False), written) is exists


@pytest.mark.parametrize(
    "written",
    [
        "2026-02-29",
        "2026-1-31",
        "31/01/2026",
        "20260131",
        "2026-W05-6",
        "2026-01-31T00:00:00",
        " 2026-01-31",
        "2026-01-31\n",
        "２０２６-01-31",
        20260131,
        True,
    ],
)
def test_a_date_is_written_in_one_way_only(written):
    assert not is_valid(Field("f", FieldType.DATE, required=False), written)


@given(JSON)
def test_a_checkbox_is_true_or_false_and_true_where_it_is_required(value):
    blank = value is None or (isinstance(value, str) and not value.strip())
    optional = Field("f", FieldType.CHECKBOX, required=False)
    assert is_valid(optional, value) is (blank or isinstance(value, bool))
    assert is_valid(Field("f", FieldType.CHECKBOX, required=True), value) is (value is True)


@given(st.lists(st.text(max_size=5), min_size=1, unique=True), JSON | st.text(max_size=5))
def test_a_select_takes_its_own_options_and_nothing_else(options, value):
    field = Field("f", FieldType.SELECT, required=False, options=tuple(options))
    blank = value is None or (isinstance(value, str) and not value.strip())
    assert is_valid(field, value) is (blank or (isinstance(value, str) and value in options))
    for option in options:
        assert is_valid(field, option)


@pytest.mark.parametrize("kind", FieldType)
@pytest.mark.parametrize("blank", [None, "", "   ", "\u00a0\n"])
def test_a_blank_is_no_answer(kind, blank):
    rules = {"options": ("a",), "min_length": 5, "pattern": "a+"}
    assert is_valid(Field("f", kind, required=False, **rules), blank)
    assert not is_valid(Field("f", kind, required=True, **rules), blank)
    assert answers([Field("f", kind, required=False)], {"f": blank}) == {}


def test_nothing_is_longer_than_the_longest_value():
    for kind in (FieldType.TEXT, FieldType.DATE, FieldType.SELECT):
        field = Field("f", kind, required=False, max_length=10 * LONGEST_VALUE)
        (error,) = check([field], {"f": "a" * (LONGEST_VALUE + 1)}, EN)
        assert error.message == f"Write at most {LONGEST_VALUE} characters."
    assert is_valid(text(), "a" * LONGEST_VALUE)


@pytest.mark.parametrize("pattern", ["[a-z]+", "^[a-z]+$", "a|ab", "(?i)AB+", "[[:alpha:]]*", ""])
@given(value=st.text(alphabet="ab1\n", min_size=1, max_size=6).filter(str.strip))
def test_a_pattern_fits_the_whole_text(pattern, value):
    if pattern == "":
        expected = True
    else:
        python = pattern.replace("[[:alpha:]]", "[a-zA-Z]").replace("$", r"\Z")
        expected = re.fullmatch(python, value) is not None
    assert is_valid(text(pattern=pattern), value) is expected


def test_a_pattern_sees_characters_not_bytes():
    assert is_valid(text(pattern="."), "ñ")
    assert is_valid(text(pattern=r"\p{L}{3}"), "año")
    assert not is_valid(text(pattern="..."), "ñ")


@pytest.mark.parametrize(
    "pattern",
    [
        "(?=a)b",
        "(?!a)b",
        "(?<=a)b",
        "(?>a)",
        r"(a)\1",
        r"(?P<x>a)(?P=x)",
        "a{1001}",
        "[",
        "(",
        "*",
        "a++",
        r"\Z",
        "(?:[ab]{0,1000}c?){2}",
        r"[\p{L} ]{1,1000}",
    ],
)
def test_what_re2_does_not_know_is_a_fault_of_the_form(pattern, capfd):
    (fault,) = faults([text(pattern=pattern)])
    assert fault.startswith("0.validation.pattern: is not a pattern of RE2")
    assert capfd.readouterr() == ("", "")


COSTLY = "[ab]*a[ab]{999}"


def test_patterns_that_would_take_long_together_need_bounded_texts():
    def form(longest):
        rules = {"pattern": COSTLY, "max_length": longest}
        return [Field(name, FieldType.TEXT, required=False, **rules) for name in "abc"]

    assert faults(form(100)) == []
    (fault,) = faults(form(None))
    assert "maxLength" in fault


@pytest.mark.parametrize(
    ("pattern", "value"),
    [
        ("^(a+)+$", "a" * 28 + "!"),
        ("^(a+)+$", "a" * 9_999 + "!"),
        ("(a|a)*b", "a" * LONGEST_VALUE),
        ("(.*)(.*)(.*)(.*)(.*)b", "a" * LONGEST_VALUE),
        (COSTLY, "".join("ab"[(n * n >> 3) & 1] for n in range(LONGEST_VALUE))),
    ],
)
def test_no_pattern_takes_long(pattern, value):
    form = [text(pattern=pattern)]
    assert faults(form) == []
    check(form, {"f": "aaa"}, ES)
    started = time.process_time()
    check(form, {"f": value}, ES)
    # A hundred times what the first takes, and half a thousandth of what `re` would.
    assert time.process_time() - started < (0.1 if "999" not in pattern else 0.5)


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ([text(), text()], "1.id: "),
        ([Field("f", FieldType.SELECT, required=False)], "0.options: "),
        ([Field("f", FieldType.SELECT, required=False, options=("a", "a"))], "0.options: "),
        ([text(min_length=6, max_length=5)], "0.validation.minLength: "),
        ([text(min_length=LONGEST_VALUE + 1)], "0.validation.minLength: "),
    ],
)
def test_a_form_that_nobody_could_fill_in_is_faulty(fields, fault):
    (found,) = faults(fields)
    assert found.startswith(fault)


@given(FORMS.filter(lambda form: len(form) < 4))
def test_a_form_comes_back_from_the_wire_as_it_was(form):
    for field in form:
        written = {
            "id": field.id,
            "type": field.type.value,
            "required": field.required,
            "options": [{"value": value, "label": value} for value in field.options],
            "validation": {
                "minLength": field.min_length,
                "maxLength": field.max_length,
                "pattern": field.pattern,
            },
        }
        assert Field.from_wire(written) == field


def test_unknown_answers_are_named_and_not_too_many_of_them():
    values = {f"{'x' * 500}{n}": 1 for n in range(1000)}
    errors = check([text()], values, ES)
    assert len(errors) == 20
    assert {error.message for error in errors} == {"El formulario no tiene este campo."}
    assert all(len(error.field_id) == 100 for error in errors)
