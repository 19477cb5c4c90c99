from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from identifier_strategies import birth_dates, digit_strings, names, sexes, states

from acredita.domain.identifiers import clave_elector
from acredita.domain.identifiers.formatting import Sex
from acredita.domain.identifiers.problems import FaultCode, Severity
from acredita.domain.identifiers.states import BORN_ABROAD, BY_CODE, STATES
from acredita.domain.names import PersonName, fold

MARGARITA = PersonName("Margarita", "Gómez", "Velázquez")
SPECIMEN = "GMVLMR80070501M100"


def has_letters(name):
    return fold(name.given) and fold(name.paterno)


def test_the_specimen_is_composed_and_read():
    composed = clave_elector.compose(
        MARGARITA, date(1980, 7, 5), Sex.FEMALE, BY_CODE["AS"], assigned="100"
    )
    assert str(composed) == SPECIMEN
    assert clave_elector.parse(SPECIMEN).value == composed
    assert (composed.letters, composed.control, composed.homonymy) == ("GMVLMR", "1", "00")
    assert composed.birth_dates == (date(1980, 7, 5), date(2080, 7, 5))


@given(names.filter(has_letters), birth_dates, sexes, states, digit_strings(3))
def test_what_is_composed_reads_back_and_contradicts_nothing(name, born, sex, state, assigned):
    composed = clave_elector.compose(name, born, sex, state, assigned=assigned)
    assert clave_elector.parse(str(composed)).value == composed
    known = {"name": name, "birth_date": born, "sex": sex, "state": state}
    assert clave_elector.contradictions(composed, **known) == ()


@pytest.mark.parametrize("clave", ["HRGRAL82050602H900", "HRGRJS82050602H900"])
def test_jose_may_count_or_not(clave):
    name = PersonName("José Alonso", "Hernández", "García")
    read = clave_elector.parse(clave).value
    assert clave_elector.contradictions(read, name=name) == ()


@pytest.mark.parametrize("clave", ["MXGRAN82050602M900", "MNGRAN82050602M900"])
def test_enye_may_be_written_either_way(clave):
    read = clave_elector.parse(clave).value
    assert clave_elector.contradictions(read, name=PersonName("Ana", "Muñoz", "García")) == ()


@pytest.mark.parametrize(
    ("known", "field", "severity"),
    [
        ({"name": PersonName("Margarita", "Pérez", "Velázquez")}, "paterno", Severity.WARNING),
        ({"name": PersonName("Margarita", "Gómez")}, "materno", Severity.WARNING),
        ({"name": PersonName("Rita", "Gómez", "Velázquez")}, "given", Severity.WARNING),
        ({"birth_date": date(1980, 7, 6)}, "birth_date", Severity.ERROR),
        ({"sex": Sex.MALE}, "sex", Severity.ERROR),
        ({"state": BORN_ABROAD}, "state", Severity.ERROR),
    ],
)
def test_each_disagreement_is_named(known, field, severity):
    read = clave_elector.parse(SPECIMEN).value
    (fault,) = clave_elector.contradictions(read, **known)
    assert (fault.field, fault.severity) == (field, severity)


def test_a_birth_abroad_has_a_number_of_its_own():
    for number in ("87", "88"):
        assert clave_elector.parse(f"GMVLMR800705{number}M100").value.state is BORN_ABROAD


def test_every_fault_is_named_at_once():
    faults = clave_elector.parse("1MVLMR80133233Q1A0").faults
    assert {fault.field for fault in faults} == {
        "letters",
        "birth_date",
        "state",
        "sex",
        "control",
    }
    assert clave_elector.parse("GMVLMR80070500M100").faults[0].code is FaultCode.STATE
    assert clave_elector.parse("GMVLMR").faults[0].code is FaultCode.LENGTH


@given(st.text() | st.text("ABC0123HMX9٣", min_size=18, max_size=18))
def test_any_text_gets_a_reading(text):
    reading = clave_elector.parse(text)
    assert reading.valid or reading.faults


@pytest.mark.parametrize(
    ("name", "assigned"), [(PersonName("", "Gómez"), "100"), (MARGARITA, "10"), (MARGARITA, "A00")]
)
def test_compose_refuses_what_can_have_no_clave(name, assigned):
    with pytest.raises(ValueError, match="clave de elector"):
        clave_elector.compose(name, date(1980, 7, 5), Sex.FEMALE, STATES[0], assigned=assigned)
