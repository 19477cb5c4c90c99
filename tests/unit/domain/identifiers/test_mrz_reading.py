from datetime import date
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_mrz import INE, PASSPORT, cards, ine_zones, passports

from acredita.domain.identifiers import mrz
from acredita.domain.identifiers.formatting import Sex
from acredita.domain.identifiers.mrz import MrzFormat, RepairReason
from acredita.domain.identifiers.problems import FaultCode
from acredita.domain.names import PersonName
from acredita_synthetic import mrz_zones

FOREIGN = (
    "P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<",
    "L898902C36UTO7408122F1204159ZE184226B<<<<<10",
)
CARD = (
    "I<UTOD231458907<<<<<<<<<<<<<<<",
    "7408122F1204159UTO<<<<<<<<<<<6",
    "ERIKSSON<<ANNA<MARIA<<<<<<<<<<",
)


def ambiguous(reading):
    return {fault.field for fault in reading.faults if fault.code is FaultCode.AMBIGUOUS}


def reasons(reading):
    return [repair.reason for repair in reading.repairs]


@pytest.mark.parametrize("lines", [INE, PASSPORT, FOREIGN, CARD])
def test_clean_lines_are_read_as_they_are(lines):
    reading = mrz.read(lines)
    assert reading.value == mrz.parse(lines).value
    assert reading.valid
    assert reading.faults == ()
    assert reading.repairs == ()


@given(st.one_of(ine_zones, passports, cards), st.randoms(use_true_random=False))
def test_a_zone_is_found_among_captions_in_any_order(lines, random):
    shuffled = [*lines, "INSTITUTO NACIONAL ELECTORAL", "CREDENCIAL PARA VOTAR", "", "1234"]
    random.shuffle(shuffled)
    reading = mrz.read(shuffled)
    assert reading.value.lines[1] == lines[1] or ambiguous(reading)
    assert reading.value.format == mrz.parse(lines).value.format


def test_letters_among_digits_are_repaired_and_told():
    reading = mrz.read(
        (INE[0].replace("123456789", "I23A56789"), INE[1].replace("05", "O5"), INE[2])
    )
    assert reading.valid
    assert reading.value == mrz.parse(INE).value
    assert [(r.line, r.position, r.read, r.taken) for r in reading.repairs] == [
        (0, 5, "I", "1"),
        (0, 8, "A", "4"),
        (1, 2, "O", "0"),
    ]
    assert set(reasons(reading)) == {RepairReason.FIELD}


def test_digits_among_letters_and_a_bent_beginning_are_repaired():
    reading = mrz.read(("1OMEX" + INE[0][5:], INE[1], "PEREZ<GARC1A<<JUAN<<<<<<<<<<<<"))
    assert reading.valid
    assert reading.value.lines == INE


def test_a_look_alike_in_a_mixed_field_is_settled_by_its_check_digit():
    reading = mrz.read((FOREIGN[0], FOREIGN[1].replace("L898902C3", "L8989O2C3")))
    assert reading.valid
    assert reading.value.lines == FOREIGN
    (repair,) = reading.repairs
    assert (repair.line, repair.position, repair.read, repair.taken) == (1, 5, "O", "0")
    assert repair.reason is RepairReason.CHECK_DIGIT


def test_a_second_reading_of_a_letter_is_tried_where_the_first_fails():
    assert INE[0].startswith("IDMEX123")
    reading = mrz.read((INE[0].replace("123", "12B"), INE[1], INE[2]))
    assert reading.valid
    (repair,) = reading.repairs
    assert (repair.read, repair.taken, repair.reason) == ("B", "3", RepairReason.CHECK_DIGIT)


def test_two_repairs_that_pass_are_named_and_neither_is_taken():
    # 1 and I differ by 17, 8 and B by 3: by their weights of 7 and 3 both shift the digit by 9.
    number = "187777777"
    assert mrz.check_digit("I87777777") == mrz.check_digit("1B7777777")
    digit = mrz.check_digit("I" + number[1:])
    lines = ("I<UTO" + number + digit + "<" * 15, CARD[1], CARD[2])
    reading = mrz.read(lines)
    assert "document_number" in ambiguous(reading)
    assert not reading.valid
    assert reading.value.document_number == number


def test_the_optional_data_is_settled_by_the_composite_digit():
    lines = mrz_zones.compose_td1(
        PersonName("Ana", "Paz"),
        date(1990, 1, 1),
        Sex.FEMALE,
        number="A77",
        expiry=date(2030, 1, 1),
        optional="XO7",
    )
    reading = mrz.read((lines[0].replace("XO7", "X07"), lines[1], lines[2]))
    assert reading.valid
    assert reading.value.optional == "XO7"
    assert reasons(reading) == [RepairReason.CHECK_DIGIT]


def test_fillers_lost_in_a_run_are_put_back():
    reading = mrz.read((PASSPORT[0].rstrip("<"), PASSPORT[1].replace("<<<<<<<<", "<<<<<")))
    assert reading.valid
    assert reading.value.lines == PASSPORT
    assert reasons(reading) == [RepairReason.LENGTH]
    assert reading.repairs[0].taken == "<<<"


def test_fillers_read_twice_and_signs_at_the_ends_are_cut():
    reading = mrz.read((PASSPORT[0] + "<<<<", PASSPORT[1].replace("<<<<", "<<<<<<", 1)))
    assert reading.value.lines == PASSPORT
    assert reading.repairs[0].read == "<<"
    assert mrz.read((INE[0] + "7", "4" + INE[1], INE[2])).value.lines == INE


def test_other_signs_for_filler_are_understood():
    first = PASSPORT[0].replace("<<JUAN", "«JUAN").replace("<<<<<<", "<<K<C<", 1)
    assert mrz.read((first, PASSPORT[1].replace("<<<", "くくく"))).value.lines == PASSPORT
    ine = (INE[0].replace("<<", "KK"), INE[1], INE[2].replace("<<<<", "<<EL"))
    assert mrz.read(ine).value.lines == INE


def test_an_enye_in_the_zone_is_read_as_n():
    lines = (INE[0], INE[1], "PEÑA<GARCIA<<JUAN".ljust(30, "<"))
    assert mrz.read(lines).value.surnames == "PENA GARCIA"


def test_a_short_passport_is_not_taken_for_a_smaller_document():
    short = PASSPORT[1].replace("<" * 14, "<" * 6)
    reading = mrz.read((PASSPORT[0], short))
    assert reading.value.format is MrzFormat.TD3
    assert reading.valid


def test_a_mexican_passport_number_has_digits_after_its_first_character():
    reading = mrz.read((PASSPORT[0], PASSPORT[1].replace("G12345678", "G1Z3456T8")))
    assert reading.value.document_number == "G12345678"
    assert reading.valid


def test_a_look_alike_that_no_check_digit_sees_is_named():
    number = "G1234567" + "6"
    lines = mrz_zones.compose_td3(
        PersonName("Ana", "Paz"),
        date(1990, 1, 1),
        Sex.FEMALE,
        number=number,
        expiry=date(2030, 1, 1),
    )
    reading = mrz.read((lines[0], lines[1].replace(number, "G1234567G")))
    assert ambiguous(reading) == {"document_number"}


def test_two_versions_of_the_names_line_are_named():
    reading = mrz.read([*INE, INE[2].replace("JUAN", "JOAN")])
    assert ambiguous(reading) == {"given"}
    assert mrz.read([*INE, INE[2]]).valid


def test_a_wrong_check_digit_is_not_repaired_away():
    reading = mrz.read((INE[0].replace("123456789", "123456799"), INE[1], INE[2]))
    assert {fault.field for fault in reading.errors} == {"document_number", "composite"}
    assert reading.repairs == ()


def test_a_caption_is_not_taken_for_a_line_even_where_the_zone_has_wrong_digits():
    wrong = ("I<UTOD231458907".ljust(30, "<"), "7408121F1204158UTO<<<<<<<<<<<5", CARD[2])
    for caption in ("Caracteres OCR-B de lectura automática", "CARACTERES OCR-B DE LECTURA 26"):
        reading = mrz.read([caption, *wrong])
        assert reading.value.lines == wrong
        assert {fault.field for fault in reading.faults} == {"birth", "expiry", "composite"}


def test_lines_are_not_bent_into_others_roles_to_pass():
    """Found by the property below: the names taken for a number, the CIC for a name of Os."""
    lines = (
        "IDMEX1000000000<<0000000000000",
        "0001018M0001018MEX<00<<00100<9",
        "AAST<AABAATH<<G<<<<<<<<<<<<<<<",
    )
    reading = mrz.read(lines)
    assert reading.value.lines == lines
    assert not reading.valid


@given(st.data())
def test_a_misread_digit_never_passes_as_another_value(data):
    """In a field of digits alone nothing is guessed: the zone is right or a fault is named."""
    lines = list(data.draw(ine_zones))
    number, at = data.draw(st.sampled_from([(0, at) for at in range(5, 14)] + [(1, 2), (1, 9)]))
    digit = data.draw(st.sampled_from("0123456789"))
    truth = mrz.parse(lines).value
    lines[number] = lines[number][:at] + digit + lines[number][at + 1 :]
    reading = mrz.read(lines)
    if reading.valid:
        assert reading.value.ine == truth.ine
        assert (reading.value.birth, reading.value.expiry) == (truth.birth, truth.expiry)


@given(st.lists(st.text() | st.text("<0OI1MEXHP", max_size=50), max_size=6))
def test_any_lines_get_a_reading(lines):
    reading = mrz.read(lines)
    assert reading.valid or reading.faults


def test_the_worst_lines_cost_little():
    lines = ["I<UTO0O0O0O0O00O0O0O0O0O0O0O0O", "OI0OI0M8008000UTOO0O0O0O0O0O01", "A<<B"] * 500
    started = process_time()
    mrz.read(lines)
    mrz.read(["0" * 10**6, "<" * 44] * 100)
    assert process_time() - started < 5
