from datetime import date

import pytest

from acredita.domain.identifiers import clave_elector, curp, mrz, rfc
from acredita.domain.identifiers.formatting import Sex
from acredita.domain.identifiers.problems import Severity
from acredita.domain.identifiers.states import BORN_ABROAD, STATES
from acredita_synthetic.people import REFERENCE_DATE, CardModel, make_person

SEEDS = range(300)


@pytest.fixture(scope="module")
def people():
    return [make_person(seed) for seed in SEEDS]


def errors(faults):
    return [fault for fault in faults if fault.severity is Severity.ERROR]


def test_the_same_seed_is_the_same_person(people):
    assert [make_person(seed) for seed in SEEDS] == people


def test_different_seeds_are_different_people(people):
    assert len({str(person.curp) for person in people}) == len(people)
    assert len({person.voter_card.cic for person in people}) == len(people)


def test_every_curp_rfc_and_clave_parses_without_a_fault(people):
    for person in people:
        assert curp.parse(str(person.curp)).faults == ()
        assert rfc.parse(str(person.rfc)).faults == ()
        assert clave_elector.parse(str(person.clave_elector)).faults == ()


def test_curp_and_clave_agree_with_their_person_and_the_rfc_contradicts_nothing(people):
    for person in people:
        known = {
            "name": person.name,
            "birth_date": person.birth_date,
            "sex": person.sex,
            "state": person.birth_state,
        }
        assert curp.contradictions(person.curp, **known) == ()
        assert errors(clave_elector.contradictions(person.clave_elector, **known)) == []
        faults = rfc.contradictions(
            person.rfc, curp=person.curp, name=person.name, birth_date=person.birth_date
        )
        assert errors(faults) == []


def test_both_machine_readable_zones_parse_and_agree_with_their_person(people):
    for person in people:
        for lines, name_width, expires in (
            (person.voter_card.mrz, 30, person.voter_card.expires),
            (person.passport.mrz, 39, person.passport.expires),
        ):
            reading = mrz.parse(lines)
            assert errors(reading.faults) == []
            whole = len(f"{person.name.surnames}<<{person.name.given}") <= name_width
            faults = mrz.contradictions(
                reading.value,
                name=person.name if whole else None,
                birth_date=person.birth_date,
                sex=person.sex,
                expiry_date=expires,
            )
            assert errors(faults) == []


def test_the_back_of_the_voter_card_carries_its_cic_section_and_citizen(people):
    for person in people:
        card = person.voter_card
        zone = mrz.parse(card.mrz).value.ine
        assert (zone.cic, zone.ocr) == (card.cic, card.ocr)
        assert zone.section == f"{card.section:04}"
        assert zone.emission == f"{card.emission_number:02}"


@pytest.mark.parametrize("on", [REFERENCE_DATE, date(2012, 2, 29), date(2031, 12, 31)])
def test_documents_are_valid_and_their_holders_adult_on_the_day_asked_for(on):
    for seed in SEEDS:
        person = make_person(seed, on=on)
        card, book = person.voter_card, person.passport
        assert person.age_on(on) >= 19
        assert card.issued_year >= card.registration_year >= person.birth_date.year + 18
        assert card.issued_year <= on.year
        assert card.expires > on
        assert book.issued < on < book.expires


def test_the_hard_cases_are_common(people):
    names = [person.name.full for person in people]
    assert {person.birth_state for person in people} == {*STATES, BORN_ABROAD}
    assert {person.sex for person in people} == set(Sex)
    # C and D are asked for by name: none of them is in force any more.
    in_force = set(CardModel) - {CardModel.C, CardModel.D}
    assert {person.voter_card.model for person in people} == in_force
    assert sum("Ñ" in name for name in names) > 30
    assert sum(any(letter in name for letter in "ÁÉÍÓÚÜ") for name in names) > 60
    assert sum(not person.name.materno for person in people) > 4
    assert any(len(person.name.paterno) == 2 for person in people)
    assert any(person.name.paterno.startswith(("DE ", "DEL ")) for person in people)
    assert any("'" in name for name in names)
    assert any("-" in name for name in names)
    assert max(map(len, names)) > 45
    assert any(person.birth_date.year >= 2000 for person in people)
    assert any(person.birth_date.year < 1945 for person in people)


def test_names_without_accents_keep_their_enye(people):
    unaccented = [p for p in people if not any(a in p.name.full for a in "ÁÉÍÓÚÜ")]
    assert any("Ñ" in person.name.full for person in unaccented)
