"""What every provider of the government's registries must do, the sandbox and the bridge alike."""

import time
from datetime import date

import pytest

from acredita.domain.government.queries import CurpQuestion, RfcQuestion
from acredita.domain.government.renapo import STATUSES, Annulment
from acredita.domain.government.responses import Outcome
from acredita.domain.identifiers import curp
from acredita.domain.identifiers.formatting import Sex
from acredita.domain.identifiers.ine import CardInputs, CitizenInputs, VoterKeyInputs
from acredita.domain.identifiers.states import BY_CODE
from acredita.providers.government import RegistryRefused, RegistryUnavailable, ask
from acredita.providers.government.sandbox import (
    ANOTHER_BIRTH_DATE,
    ANOTHER_CLAVE,
    ANOTHER_NAME,
    BEHAVIOUR_CURPS,
    NEARLY_THE_NAME,
    STATUS_CURPS,
    Behaviour,
    SandboxRegistries,
)
from tests.factories.government_bridge import NOW, FixedClock, bridge_to, faithful

CURP = "GOVM800705MCLMLR07"
MAGIC = {behaviour: magic for magic, behaviour in BEHAVIOUR_CURPS.items()}
CLAVE = "GMVLMR80070506M100"


@pytest.fixture(params=["sandbox", "bridge"])
async def registries(request):
    """The same registries, asked directly and through the bridge's protocol on a real socket."""
    sandbox = SandboxRegistries(FixedClock(), slowness=0.2)
    if request.param == "sandbox":
        yield sandbox
    else:
        async with bridge_to(otherwise=faithful(sandbox)) as (bridge, _):
            yield bridge


def card(behaviour):
    return CitizenInputs(f"{behaviour:09}", "012345678")


def questions(behaviour):
    """The same behaviour asked of each registry."""
    return [
        CurpQuestion(MAGIC[behaviour]),
        card(behaviour),
        CardInputs(f"{behaviour:09}", "0123456789012"),
        VoterKeyInputs(CLAVE, "00", f"{behaviour:013}"),
        RfcQuestion(f"XUXX9002{behaviour:02}AB1", None),
    ]


async def test_an_ordinary_curp_is_in_force_with_what_it_tells_of_its_holder(registries):
    answer = await registries.lookup_curp(CURP, request_key="job-1")
    assert answer.outcome is Outcome.MATCH
    assert answer.record.curp == CURP
    assert answer.record.birth_date == date(1980, 7, 5)
    assert answer.record.sex is Sex.FEMALE
    assert answer.record.state == BY_CODE["CL"]
    assert answer.record.name is None


async def test_a_receipt_names_the_answer_the_moment_and_the_sandbox(registries):
    answer = await registries.lookup_curp(CURP, request_key="job-1")
    again = await registries.lookup_curp(CURP, request_key="job-1")
    other = await registries.lookup_curp(CURP, request_key="job-2")
    assert answer == again
    assert answer.receipt.sandbox
    assert answer.receipt.checked_at == NOW
    assert answer.receipt.response_id != other.receipt.response_id


@pytest.mark.parametrize("status", STATUSES, ids=lambda status: status.code)
async def test_each_status_has_a_magic_curp(registries, status):
    magic = next(magic for magic, its in STATUS_CURPS.items() if its is status)
    assert curp.parse(magic).valid
    answer = await registries.lookup_curp(magic, request_key="job")
    assert answer.record.status == status
    assert answer.outcome is (Outcome.ANNULLED if status.code[0] == "B" else Outcome.MATCH)
    assert (answer.record.curp != magic) is (status.code in ("RCC", "BCC"))
    assert curp.parse(answer.record.curp).valid


@pytest.mark.parametrize("question", questions(Behaviour.NOT_FOUND), ids=repr)
async def test_a_number_that_is_not_known_is_an_answer(registries, question):
    answer = await ask(registries, question, request_key="job")
    assert answer.outcome is Outcome.NOT_FOUND
    assert answer.receipt.response_id


@pytest.mark.parametrize("question", questions(Behaviour.UNAVAILABLE), ids=repr)
async def test_an_outage_is_no_answer_however_often_one_asks(registries, question):
    for _ in range(2):
        with pytest.raises(RegistryUnavailable) as raised:
            await ask(registries, question, request_key="job")
        assert raised.value.retry_after == 1.0


@pytest.mark.parametrize("question", questions(Behaviour.UNAVAILABLE_ONCE), ids=repr)
async def test_a_hiccup_passes_when_the_same_question_is_asked_again(registries, question):
    for key in ("job-1", "job-2"):
        with pytest.raises(RegistryUnavailable):
            await ask(registries, question, request_key=key)
        answer = await ask(registries, question, request_key=key)
        assert answer.outcome is Outcome.MATCH


@pytest.mark.parametrize("question", questions(Behaviour.REFUSED), ids=repr)
async def test_a_refusal_is_told_apart_from_an_outage(registries, question):
    with pytest.raises(RegistryRefused):
        await ask(registries, question, request_key="job")


async def test_a_slow_registry_answers_in_the_end(registries):
    before = time.monotonic()
    answer = await registries.lookup_curp(MAGIC[Behaviour.SLOW], request_key="job")
    assert answer.outcome is Outcome.MATCH
    assert time.monotonic() - before >= 0.19


@pytest.mark.parametrize("question", questions(Behaviour.ANNULLED), ids=repr)
async def test_what_is_no_longer_in_force_is_annulled(registries, question):
    answer = await ask(registries, question, request_key="job")
    assert answer.outcome is Outcome.ANNULLED


@pytest.mark.parametrize("question", questions(Behaviour.UNDOCUMENTED), ids=repr)
async def test_a_status_that_no_list_has_is_unknown(registries, question):
    answer = await ask(registries, question, request_key="job")
    assert answer.outcome is Outcome.UNKNOWN_STATUS


async def test_other_persons_stand_behind_some_curps(registries):
    async def record(behaviour):
        return (await registries.lookup_curp(MAGIC[behaviour], request_key="job")).record

    assert (await record(Behaviour.ANOTHER_PERSON)).name == ANOTHER_NAME
    assert (await record(Behaviour.NEARLY)).name == NEARLY_THE_NAME
    assert (await record(Behaviour.ANOTHER_BIRTH_DATE)).birth_date == ANOTHER_BIRTH_DATE
    assert (await record(Behaviour.ANNULLED)).status.annulment is Annulment.DECEASED


async def test_cards_and_rfcs_can_belong_to_others(registries):
    mismatch = await registries.check_ine(card(Behaviour.ANOTHER_PERSON), request_key="job")
    assert mismatch.outcome is Outcome.MISMATCH
    anothers = await registries.check_ine(card(Behaviour.NEARLY), request_key="job")
    assert (anothers.outcome, anothers.clave) == (Outcome.MATCH, ANOTHER_CLAVE)
    rfc = await registries.check_rfc("XUXX900206AB1", name="XUX XUX XUX", request_key="job")
    assert rfc.outcome is Outcome.MISMATCH


async def test_ordinary_cards_and_rfcs_match(registries):
    for question in (
        CitizenInputs("123456789", "012345678"),
        CardInputs("123456789", "0123456789012"),
        VoterKeyInputs(CLAVE, "00", "0123456789012"),
        RfcQuestion("GOVM800705AB1", "MARGARITA GOMEZ VELAZQUEZ"),
    ):
        answer = await ask(registries, question, request_key="job")
        assert answer.outcome is Outcome.MATCH


async def test_a_working_provider_can_be_probed(registries):
    await registries.probe()
