"""The sandbox of credit bureaus: deterministic by RFC or CURP, and its magic numbers."""

from datetime import date

import pytest

from acredita.domain.credit.person import Stated, prepare
from acredita.domain.identifiers import curp as curps
from acredita.domain.identifiers import rfc as rfcs
from acredita.domain.identifiers.formatting import Sex
from acredita.domain.identifiers.states import BORN_ABROAD, BY_CODE
from acredita.domain.names import PersonName
from acredita.kit.clock import SystemClock
from acredita.providers.credit import Failure, NotConsulted, OutcomeUnknown
from acredita.providers.credit.sandbox import Behaviour, SandboxBureau

NAME = PersonName("Ana María", "de la Cruz", "Ruiz")
BORN = date(1990, 5, 5)
CURP = curps.compose(NAME, BORN, Sex.FEMALE, BY_CODE["DF"]).text
RFC = rfcs.compose_person(NAME, BORN).text
TODAY = date(2026, 11, 21)
XUX = PersonName("XUX", "XUX", "XUX")


def ask(**stated):
    bureau = SandboxBureau(SystemClock(), slowness=0.01)
    question = prepare(Stated(full_name="XUX XUX XUX", **stated), TODAY).question
    return bureau.consult(question)


def magic(behaviour):
    return rfcs.compose_person(XUX, date(1990, 2, behaviour)).text


async def test_the_same_person_has_the_same_file_by_either_number():
    report = await ask(rfc=RFC)
    assert report == await ask(curp=CURP) == await ask(rfc=RFC, curp=CURP)
    assert 300 <= report.scores[0].value <= 850
    assert report.accounts
    another = rfcs.compose_person(NAME, date(1990, 5, 6)).text
    assert report != await ask(rfc=another)


async def test_nobody_is_found_by_a_name_alone():
    assert await ask() is None


async def test_a_company_has_a_file_by_its_rfc():
    assert (await ask(rfc=rfcs.compose_company("Aceros del Norte", BORN).text)).accounts


@pytest.mark.parametrize(
    ("behaviour", "kind", "failure"),
    [
        (Behaviour.UNAVAILABLE, NotConsulted, Failure.UNAVAILABLE),
        (Behaviour.REFUSED, NotConsulted, Failure.REFUSED),
        (Behaviour.NO_ANSWER, OutcomeUnknown, Failure.NO_ANSWER),
    ],
)
async def test_magic_numbers_make_it_fail(behaviour, kind, failure):
    with pytest.raises(kind) as fault:
        await ask(rfc=magic(behaviour))
    assert fault.value.failure is failure


async def test_magic_numbers_choose_the_file():
    assert await ask(rfc=magic(Behaviour.NO_FILE)) is None
    assert (await ask(rfc=magic(Behaviour.SLOW))).accounts
    for behaviour, code in (
        (Behaviour.BLOCKED, "FILE_BLOCKED"),
        (Behaviour.LIST_MATCH, "LIST_MATCH"),
        (Behaviour.PAST_DUE, "PREVENTION_KEY"),
        (Behaviour.ANOTHER_PERSON, "ANOTHER_PERSON"),
    ):
        report = await ask(rfc=magic(behaviour))
        assert [alert.code for alert in report.alerts] == [code]
    past_due = await ask(rfc=magic(Behaviour.PAST_DUE))
    assert past_due.accounts[0].past_due > 0
    thin = await ask(rfc=magic(Behaviour.NO_SCORE))
    assert thin.scores[0].value is None
    assert not thin.accounts


async def test_magic_numbers_are_curps_as_well():
    curp = curps.compose(XUX, date(1990, 2, Behaviour.NO_FILE), Sex.MALE, BORN_ABROAD).text
    assert await ask(curp=curp) is None
