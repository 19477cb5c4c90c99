import re
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from identifier_strategies import alphanumerics, birth_dates, digit_strings, names, sexes

from acredita.domain.identifiers import mrz
from acredita.domain.identifiers.formatting import Sex
from acredita.domain.identifiers.mrz import MrzFormat
from acredita.domain.identifiers.problems import FaultCode
from acredita.domain.names import PersonName, fold
from acredita_synthetic import mrz_zones

JUAN = PersonName("Juan", "Pérez", "García")
BORN, EXPIRY = date(1990, 5, 12), date(2032, 12, 31)
TODAY = date(2026, 6, 1)
INE = mrz_zones.compose_ine(
    JUAN,
    BORN,
    Sex.MALE,
    cic="123456789",
    ocr="0747000000001",
    expiry=EXPIRY,
    emission="01",
    serial="00001",
)
PASSPORT = mrz_zones.compose_td3(JUAN, BORN, Sex.MALE, number="G12345678", expiry=EXPIRY)

# Names with a surname that Latin letters can write.
zone_names = names.filter(lambda name: re.search("[A-Z]", fold(name.surnames)))
ine_zones = st.builds(
    mrz_zones.compose_ine,
    zone_names,
    birth_dates,
    sexes,
    cic=digit_strings(9),
    ocr=digit_strings(13),
    expiry=birth_dates,
    emission=digit_strings(2),
    serial=digit_strings(5),
)
passports = st.builds(
    mrz_zones.compose_td3,
    zone_names,
    birth_dates,
    sexes,
    number=st.text(alphanumerics, min_size=1, max_size=9),
    expiry=birth_dates,
    optional=st.text(alphanumerics, max_size=14),
)
cards = st.builds(
    mrz_zones.compose_td1,
    zone_names,
    birth_dates,
    sexes,
    number=st.text(alphanumerics, min_size=1, max_size=9),
    expiry=birth_dates,
    issuer=st.sampled_from(("MEX", "UTO", "D")),
    optional=st.text(alphanumerics, max_size=15),
    optional2=st.text(alphanumerics, max_size=11),
)


def fields(faults):
    return [fault.field for fault in faults]


def test_the_back_of_an_ine_is_composed_and_read():
    assert INE == (
        "IDMEX1234567897<<0747000000001",
        "9005123H3212312MEX<01<<00001<9",
        "PEREZ<GARCIA<<JUAN<<<<<<<<<<<<",
    )
    zone = mrz.parse(INE).value
    assert zone.ine == mrz.IneZone("123456789", "0747000000001", "0747", "000000001", "01")
    assert zone.sex is Sex.MALE
    assert (zone.birth_date(TODAY), zone.expiry_date) == (BORN, EXPIRY)


def test_m_is_a_woman_on_an_ine_and_a_man_in_a_passport():
    card = mrz_zones.compose_ine(JUAN, BORN, Sex.FEMALE, cic="1" * 9, ocr="1" * 13, expiry=EXPIRY)
    assert card[1][7] == "M"
    assert mrz.parse(card).value.sex is Sex.FEMALE
    assert PASSPORT[1][20] == "M"
    assert mrz.parse(PASSPORT).value.sex is Sex.MALE
    assert mrz.parse((INE[0], INE[1].replace("H", "F"), INE[2])).faults[0].code is FaultCode.SEX


@given(zone_names, birth_dates, sexes, birth_dates)
def test_what_is_composed_reads_back_and_contradicts_nothing(name, born, sex, expiry):
    known = {"name": name, "birth_date": born, "sex": sex, "expiry_date": expiry}
    for lines in (
        mrz_zones.compose_ine(name, born, sex, cic="1" * 9, ocr="2" * 13, expiry=expiry),
        mrz_zones.compose_td1(name, born, sex, number="A1", expiry=expiry),
        mrz_zones.compose_td3(name, born, sex, number="G1", expiry=expiry),
    ):
        reading = mrz.parse(lines)
        assert reading.faults == ()
        assert mrz.contradictions(reading.value, **known) == ()


@given(st.data())
def test_a_changed_digit_is_caught_in_every_covered_field(data):
    lines = list(data.draw(ine_zones | passports | cards))
    spans = {30: [(0, 5, 14), (1, 0, 6), (1, 8, 14)], 44: [(1, 0, 9), (1, 13, 19), (1, 21, 27)]}
    number, start, end = data.draw(st.sampled_from(spans[len(lines[0])]))
    at = data.draw(st.integers(start, end - 1))
    line = lines[number]
    if not line[at].isdigit():
        return
    digit = data.draw(st.sampled_from([d for d in "0123456789" if d != line[at]]))
    lines[number] = line[:at] + digit + line[at + 1 :]
    faults = mrz.parse(lines).faults
    assert any(fault.code is FaultCode.CHECK_DIGIT for fault in faults)


@given(st.lists(st.text(), max_size=4))
def test_any_lines_get_a_reading(lines):
    reading = mrz.parse(lines)
    assert reading.valid or reading.faults


@pytest.mark.parametrize(("count", "width"), [(3, 30), (2, 36), (2, 44)])
@given(st.data())
def test_any_lines_of_the_right_shape_get_a_reading(count, width, data):
    line = st.text(alphanumerics + "<", min_size=width, max_size=width)
    lines = data.draw(st.lists(line, min_size=count, max_size=count))
    reading = mrz.parse(lines)
    assert reading.valid or reading.faults
    assert reading.value.birth_date(TODAY) != TODAY or reading.value.birth == "260601"
    mrz.contradictions(reading.value, name=JUAN, birth_date=BORN, sex=Sex.MALE, expiry_date=EXPIRY)


def test_a_two_line_card_and_visas_are_read():
    card = (
        "I<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<",
        "D231458907UTO7408122F1204159<<<<<<<6",
    )
    assert mrz.parse(card).valid
    assert mrz.parse(card).value.format is MrzFormat.TD2
    visa = ("V" + PASSPORT[0][1:], PASSPORT[1])
    assert mrz.parse(visa).value.format is MrzFormat.MRV_A
    assert mrz.parse(visa).valid
    small = ("V" + card[0][1:], card[1])
    assert mrz.parse(small).value.format is MrzFormat.MRV_B
    assert mrz.parse(small).valid


def test_a_long_document_number_goes_on_in_the_optional_data():
    digit = mrz.check_digit("D23145890734")
    lines = ["I<UTOD23145890<734" + digit + "<<<<<<<<<<<", "7408122F1204159UTO<<<<<<<<<<<6"]
    lines.append("ERIKSSON<<ANNA<MARIA<<<<<<<<<<")
    zone = mrz.parse(lines)
    assert zone.value.document_number == "D23145890734"
    assert zone.value.optional == ""
    assert "document_number" not in fields(zone.faults)
    lines[0] = lines[0].replace("734", "735")
    assert "document_number" in fields(mrz.parse(lines).faults)
    lines[0] = "I<UTOD23145890<<<<<<<<<<<<<<<<"
    assert mrz.parse(lines).value.document_number == "D23145890"


def test_every_fault_is_named_at_once():
    lines = ("ID<<<1234567890<<0747000000A01", "901312<H3213312MEX<A1<<00001<0", "<" * 30)
    lines = (lines[0].replace("<<<", "MEX", 1), lines[1], lines[2])
    assert set(fields(mrz.parse(lines).faults)) == {
        "document_number",
        "birth",
        "expiry",
        "composite",
        "ocr",
        "emission",
        "surnames",
    }
    assert fields(mrz.parse(("12345", "123")).faults) == ["lines"]
    assert fields(mrz.parse(("é" * 44, PASSPORT[1])).faults) == ["lines"]
    digits = ("P<M3X" + "P3REZ<<JU4N".ljust(39, "<"), PASSPORT[1])
    assert fields(mrz.parse(digits).faults) == ["issuer", "surnames", "given"]


def test_dates_take_their_century_from_what_is_possible():
    def born(yymmdd, lines):
        second = lines[1].replace("900512", yymmdd, 1)
        changed = (lines[0], second, *lines[2:])
        return mrz.parse(changed).value.birth_date(TODAY)

    assert born("260601", PASSPORT) == date(2026, 6, 1)
    assert born("260602", PASSPORT) == date(1926, 6, 2)
    assert born("260601", INE) == date(1926, 6, 1)  # no voter is a newborn
    assert born("090601", INE) == date(2009, 6, 1)
    assert born("000229", PASSPORT) == date(2000, 2, 29)
    assert born("90<<<<", PASSPORT) is None
    old = (PASSPORT[0], PASSPORT[1].replace("321231", "991231"))
    assert mrz.parse(old).value.expiry_date == date(1999, 12, 31)


def test_a_date_partly_unknown_is_no_fault_but_nonsense_is():
    second = PASSPORT[1].replace("9005123", "90<<<<" + mrz.check_digit("90<<<<"))
    assert "birth" not in fields(mrz.parse((PASSPORT[0], second)).faults)
    second = PASSPORT[1].replace("900512", "9<05<2")
    assert "birth" in fields(mrz.parse((PASSPORT[0], second)).faults)


def test_an_empty_optional_field_may_leave_its_digit_out():
    assert PASSPORT[1][42] == "0"
    assert mrz.parse((PASSPORT[0], PASSPORT[1][:42] + "<" + PASSPORT[1][43])).valid


@pytest.mark.parametrize(
    ("known", "field"),
    [
        ({"name": PersonName("Juan", "Pérez", "Garza")}, "surnames"),
        ({"name": PersonName("Juana", "Pérez", "García")}, "given"),
        ({"birth_date": date(1990, 5, 13)}, "birth_date"),
        ({"sex": Sex.FEMALE}, "sex"),
        ({"expiry_date": date(2031, 12, 31)}, "expiry_date"),
    ],
)
def test_each_disagreement_is_named(known, field):
    zone = mrz.parse(INE).value
    assert fields(mrz.contradictions(zone, **known)) == [field]


@pytest.mark.parametrize(
    ("printed", "zone"),
    [
        ("Muñoz Núñez", "MUNOZ NUNEZ"),
        ("Muñoz Núñez", "MUNXXOZ NUNXXEZ"),
        ("Güemes", "GUEMES"),
        ("Müller", "MUELLER"),
        ("Müller", "MUXXLLER"),
        ("Åkerström", "AAKERSTROEM"),
        ("O'Farrill Pérez-Gil", "OFARRILL PEREZ GIL"),
        ("Ma. Luisa", "MA LUISA"),
    ],
)
def test_names_agree_in_each_spelling_that_icao_allows(printed, zone):
    assert mrz.same_name(printed, zone)
    assert not mrz.same_name(printed, zone + "S")
    assert not mrz.same_name(printed, zone[:-1])


def test_a_name_cut_between_words_is_known_to_be_cut():
    surnames = PersonName("Ana María", "Villavicencio", "Huitzilopochtli")
    for first in ("Ana María", "Ana"):
        name = PersonName(first, surnames.paterno, surnames.materno)
        lines = mrz_zones.compose_ine(
            name, BORN, Sex.FEMALE, cic="1" * 9, ocr="1" * 13, expiry=EXPIRY
        )
        zone = mrz.parse(lines).value
        assert (zone.given, zone.names_truncated, zone.surnames_truncated) == ("", True, True)
        assert mrz.contradictions(zone, name=name) == ()
    name = PersonName("Ana María", "Villavicencio", "Huitzilop")
    lines = mrz_zones.compose_ine(name, BORN, Sex.FEMALE, cic="1" * 9, ocr="1" * 13, expiry=EXPIRY)
    assert lines[2] == "VILLAVICENCIO<HUITZILOP<<ANA<M"
    name = PersonName("Anal María", "Villavicencio", "Huitzilop")
    lines = mrz_zones.compose_ine(name, BORN, Sex.FEMALE, cic="1" * 9, ocr="1" * 13, expiry=EXPIRY)
    assert lines[2].endswith("ANAL<")
    assert mrz.contradictions(mrz.parse(lines).value, name=name) == ()


def test_a_cut_name_agrees_with_what_it_was_cut_from():
    long = PersonName("María Guadalupe Concepción", "Hernández", "Villavicencio")
    lines = mrz_zones.compose_ine(long, BORN, Sex.FEMALE, cic="1" * 9, ocr="1" * 13, expiry=EXPIRY)
    zone = mrz.parse(lines).value
    assert lines[2] == "HERNANDEZ<VILLAVICENCIO<<MARIA"
    assert (zone.names_truncated, zone.surnames_truncated) == (True, False)
    assert mrz.contradictions(zone, name=long) == ()
    other = PersonName("Rosa Guadalupe", "Hernández", "Villavicencio")
    assert fields(mrz.contradictions(zone, name=other)) == ["given"]
    # Initials and words left out are other ways to make a name fit.
    assert mrz.same_name("María Guadalupe Concepción", "MARIA G C", truncated=True)
    assert not mrz.same_name("María Guadalupe", "GUADALUPE MARIA", truncated=True)


@pytest.mark.parametrize(
    ("part", "value"), [("cic", "12345678"), ("ocr", "٣" * 13), ("emission", "1"), ("serial", "A")]
)
def test_compose_refuses_other_digits(part, value):
    given = {"cic": "1" * 9, "ocr": "1" * 13, part: value}
    with pytest.raises(ValueError, match="digits"):
        mrz_zones.compose_ine(JUAN, BORN, Sex.MALE, expiry=EXPIRY, **given)


def test_compose_refuses_what_does_not_fit():
    with pytest.raises(ValueError, match="document_number"):
        mrz_zones.compose_td3(JUAN, BORN, Sex.MALE, number="G123456789", expiry=EXPIRY)
    with pytest.raises(ValueError, match="optional2"):
        mrz_zones.compose_td1(JUAN, BORN, Sex.MALE, number="1", expiry=EXPIRY, optional2="é")
    with pytest.raises(ValueError, match="surname"):
        mrz_zones.compose_td3(PersonName("Ana", "木"), BORN, Sex.MALE, number="1", expiry=EXPIRY)
    with pytest.raises(ValueError, match="substring"):
        mrz.check_digit("É")
