"""Whom a bureau is asked about: derived where there is one possibility, else left open."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acredita.domain.credit import full_names
from acredita.domain.credit.person import Stated, prepare
from acredita.domain.credit.report import (
    Account,
    summarize_accounts,
    summarize_inquiries,
)
from acredita.domain.identifiers import curp as curps
from acredita.domain.identifiers import rfc as rfcs
from acredita.domain.identifiers.formatting import Sex
from acredita.domain.identifiers.states import BY_CODE
from acredita.domain.names import PersonName
from acredita_synthetic import people

TODAY = date(2026, 11, 21)
BORN = date(1990, 5, 5)
MEXICO_CITY = BY_CODE["DF"]

GIVEN = st.sampled_from(
    ["Juan", "Ana María", "María de la Luz", "José", "Luis Ángel", "Ma. Guadalupe", "Íñigo", "Zoé"]
)
SURNAMES = st.sampled_from(
    [
        "Pérez",
        "de la Cruz",
        "Montes de Oca",
        "Ñúñez",
        "O'Farril",
        "San Martín",
        "y Pi",
        "Li",
        "Ruiz",
    ]
)
NAMES = st.builds(PersonName, GIVEN, SURNAMES, st.one_of(st.just(""), SURNAMES))
DATES = st.dates(date(1930, 1, 1), TODAY)


def curp_of(name, born=BORN):
    return curps.compose(name, born, Sex.FEMALE, MEXICO_CITY)


@given(NAMES, DATES, st.booleans())
def test_a_cut_by_the_curp_is_the_right_one_or_none(name, born, surnames_first):
    text = name.surnames_first if surnames_first else name.full
    cut = full_names.cut(text, curp=curp_of(name, born))
    if cut is not None:
        letters = curps.name_letters(cut)
        assert letters == curps.name_letters(name)
        assert sorted(" ".join((cut.given, cut.surnames)).split()) == sorted(text.split())


@given(NAMES, DATES)
def test_a_cut_loses_and_adds_no_word(name, born):
    rfc = rfcs.compose_person(name, born)
    cut = full_names.cut(name.full, rfc=rfc)
    if cut is not None:
        assert rfcs.person_letters(cut) == rfc.letters
        assert sorted(cut.full.split()) == sorted(name.full.split())


@pytest.mark.parametrize(
    "name",
    [
        PersonName("Ana María", "de la Cruz", "Ruiz"),
        PersonName("José", "Montes de Oca", "Peña"),
        PersonName("Juan Carlos", "Pérez", "López"),
        PersonName("María de la Luz", "Hernández", "Gómez"),
        PersonName("Luis", "Pérez"),
    ],
    ids=lambda name: name.full,
)
def test_usual_names_are_cut_in_either_order_by_either_number(name):
    curp, rfc = curp_of(name), rfcs.compose_person(name, BORN)
    for text in (name.full, name.surnames_first, name.full.upper()):
        for number in ({"curp": curp}, {"rfc": rfc}, {"curp": curp, "rfc": rfc}):
            cut = full_names.cut(text, **number)
            assert cut is not None
            assert cut.same_as(name)


def test_nearly_every_person_of_the_specimens_is_cut_rightly():
    """A measure of how often a caller has to state the names: seldom."""
    right = wrong = 0
    for seed in range(300):
        person = people.make_person(seed)
        cut = full_names.cut(person.name.full, curp=person.curp)
        right += cut is not None and cut.same_as(person.name)
        wrong += cut is not None and not cut.same_as(person.name)
    assert wrong == 0
    assert right >= 270


def test_without_a_number_and_by_a_companys_nothing_is_cut():
    company = rfcs.compose_company("Aceros del Norte", BORN)
    assert full_names.cut("Juan Pérez López") is None
    assert full_names.cut("Aceros del Norte", rfc=company) is None
    assert full_names.cut("Juan", curp=curp_of(PersonName("Juan", "Pérez"))) is None
    assert full_names.cut("a b " * 200, curp=curp_of(PersonName("Juan", "Pérez"))) is None


@given(st.text(max_size=60))
def test_no_text_breaks_a_cut(text):
    full_names.cut(text, curp=curp_of(PersonName("Juan", "Pérez", "López")))
    assert " ".join(full_names.parts_of(text)).split() == text.split()


@pytest.mark.parametrize(
    ("year", "derived"),
    [(1990, True), (1927, True), (2005, True), (2016, False), (1916, False), (2026, False)],
)
def test_an_rfc_tells_the_birth_date_only_where_one_century_is_possible(year, derived):
    born = date(year, 1, 5)
    rfc = rfcs.compose_person(PersonName("Juan", "Pérez", "López"), born)
    prepared = prepare(Stated(full_name="Juan Pérez López", rfc=rfc.text), TODAY)
    assert prepared.question.birth_date == (born if derived else None)


@given(
    full_name=st.text(min_size=2, max_size=40),
    rfc=st.one_of(st.none(), st.text(max_size=14)),
    curp=st.one_of(st.none(), st.text(max_size=19)),
    date_of_birth=st.one_of(st.none(), st.text(max_size=11)),
)
def test_whatever_is_stated_is_either_faulty_or_a_question(full_name, rfc, curp, date_of_birth):
    stated = Stated(full_name=full_name, rfc=rfc, curp=curp, date_of_birth=date_of_birth)
    prepared = prepare(stated, TODAY)
    assert (prepared.question is None) is bool(prepared.faults)
    for remark in (*prepared.faults, *prepared.warnings):
        for value in (rfc, curp, date_of_birth):
            assert not value or len(value) < 4 or value not in remark.message


@given(NAMES, DATES, DATES)
def test_different_dates_are_refused_and_equal_ones_are_not(name, born, other):
    stated = Stated(
        full_name=name.full,
        curp=curp_of(name, born).text,
        rfc=rfcs.compose_person(name, born).text,
        date_of_birth=other.isoformat(),
    )
    assert (prepare(stated, TODAY).question is None) is (born != other)


def test_amounts_of_several_currencies_are_not_added_up():
    accounts = [Account(currency=currency, balance=1) for currency in ("US", "MX", "MX")]
    amounts = summarize_accounts(accounts).amounts
    assert [(each.currency, each.balance) for each in amounts] == [("MX", 2), ("US", 1)]
    assert summarize_accounts([]).oldest_opened is None


def test_inquiries_without_a_day_are_counted_but_not_as_recent():
    summary = summarize_inquiries([TODAY, None, date(2020, 1, 1)], TODAY)
    assert (summary.total, summary.last_year) == (3, 1)
