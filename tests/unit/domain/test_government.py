"""What registries' answers mean for a person: the questions, the likeness, the judgement."""

import json
from dataclasses import replace
from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acredita.domain.government import name_comparison
from acredita.domain.government.matching import RULES, judge
from acredita.domain.government.name_comparison import Likeness
from acredita.domain.government.queries import (
    Claimed,
    CurpQuestion,
    Registry,
    RfcQuestion,
    plan,
)
from acredita.domain.government.renapo import STATUSES, Annulment, status_of
from acredita.domain.government.responses import (
    CurpAnswer,
    CurpRecord,
    IneAnswer,
    NoAnswer,
    Outcome,
    Receipt,
    RfcAnswer,
)
from acredita.domain.identifiers.formatting import Sex
from acredita.domain.identifiers.ine import CardInputs, CitizenInputs, IneModel, VoterKeyInputs
from acredita.domain.identifiers.states import BY_CODE
from acredita.domain.names import PersonName
from acredita.domain.reasons import RegistryReason
from acredita.domain.verification import StepStatus

CURP = "GOVM800705MCLMLR07"
OTHER_CURP = "GOVM800705MCLMLR15"
CLAVE = "GMVLMR80070506M100"
NAME = PersonName("MARGARITA", "GOMEZ", "VELAZQUEZ")
REAL = Receipt("R-1", datetime(2026, 3, 1, 12, 0, 0, 5000, tzinfo=UTC), sandbox=False)
SANDBOX = replace(REAL, sandbox=True)
EVERYTHING = frozenset(
    ("curp", "name", "birth_date", "sex", "state", "rfc", "clave", "cic", "ocr", "citizen_id")
)
CLAIMED = Claimed(
    curp=CURP,
    name=NAME,
    birth_date=date(1980, 7, 5),
    sex=Sex.FEMALE,
    state=BY_CODE["CL"],
    rfc="GOVM800705AB1",
    clave=CLAVE,
    cic="123456789",
    ocr="0123456789012",
    citizen_id="456789012",
    accepted=EVERYTHING,
)
RECORD = CurpRecord(
    curp=CURP,
    source_status="AN",
    name=NAME,
    birth_date=date(1980, 7, 5),
    sex=Sex.FEMALE,
    state=BY_CODE["CL"],
)
GRAVITY = [StepStatus.PASSED, StepStatus.REVIEW, StepStatus.FAILED]


def renapo(claimed=CLAIMED, receipt=REAL, **changes):
    answer = CurpAnswer(receipt, replace(RECORD, **changes))
    return judge({Registry.RENAPO: answer}, claimed)


def verdict(judgement):
    return judgement.status, judgement.code


# Statuses


@pytest.mark.parametrize("status", STATUSES, ids=lambda it: it.code)
def test_a_status_is_known_by_code_text_and_both(status):
    for source in (
        status.code,
        f" {status.code.lower()} ",
        status.text,
        status.text.title().replace("cion", "ción"),
        f"{status.code} - {status.text}",
        f"{status.code}: {status.text.lower()}.",
    ):
        assert status_of(source) == status
    assert (status.annulment is not None) is status.code.startswith("B")


def test_the_reactivation_is_known_by_its_longer_code():
    assert status_of("CRA CU").code == "CRA"
    assert status_of("CRA CU - CURP REACTIVADA").code == "CRA"


@pytest.mark.parametrize("source", ["BXY", "BX", "BAJA POR CAUSA NUEVA", "Baja por otra razón"])
def test_an_undocumented_baja_is_an_annulment(source):
    assert status_of(source).annulment is Annulment.UNDOCUMENTED


@pytest.mark.parametrize(
    "source",
    ["", " ", "-", "ZZZ", "ANX", "VIGENTE", "BUENO", "BLOQUEADA", "AN BAJA POR DEFUNCION", "B"],
)
def test_other_statuses_and_contradictory_ones_are_unknown(source):
    assert status_of(source) is None


@given(st.text(max_size=60))
def test_any_text_can_be_a_status(text):
    status = status_of(text)
    assert status is None or status.code


# Planning


def test_by_default_curp_and_card_are_asked_and_the_rfc_only_alone():
    assert plan(CLAIMED) == {
        Registry.RENAPO: CurpQuestion(CURP),
        Registry.INE: CitizenInputs("123456789", "456789012"),
    }
    assert plan(Claimed(curp=CURP)) == {Registry.RENAPO: CurpQuestion(CURP)}
    assert plan(Claimed(rfc="govm-800705-ab1")) == {
        Registry.SAT: RfcQuestion("GOVM800705AB1", None)
    }
    assert plan(Claimed()) == {}


def test_a_named_registry_is_asked_or_known_not_to_be():
    assert plan(CLAIMED, [Registry.SAT]) == {
        Registry.SAT: RfcQuestion("GOVM800705AB1", "MARGARITA GOMEZ VELAZQUEZ")
    }
    assert plan(Claimed(curp=CURP), [Registry.INE]) == {Registry.INE: None}
    assert plan(CLAIMED, []) == {}


def test_sat_is_asked_with_the_enye_and_without_accents():
    claimed = Claimed(rfc="PEÑJ800705AB1", name=PersonName("José", "Peña", "Núñez"))
    assert plan(claimed)[Registry.SAT].name == "JOSE PEÑA NUÑEZ"
    company = Claimed(rfc="TPN110405AB1", legal_name="Transportes Peñasco del Norte")
    assert plan(company) == {
        Registry.SAT: RfcQuestion("TPN110405AB1", "TRANSPORTES PEÑASCO DEL NORTE")
    }


@pytest.mark.parametrize(
    "text", ["", "GOVM80", "GOVM800705MCLMLR08", "GOVM801305MCLMLR01", "ü" * 18]
)
def test_a_curp_that_cannot_be_one_is_not_asked(text):
    assert plan(Claimed(curp=text), [Registry.RENAPO]) == {Registry.RENAPO: None}


def test_a_generic_rfc_is_nobodys():
    assert plan(Claimed(rfc="XAXX010101000"), [Registry.SAT]) == {Registry.SAT: None}


def test_the_model_of_the_card_decides_the_question():
    def ine(**fields):
        return plan(Claimed(**fields), [Registry.INE])[Registry.INE]

    card = {"cic": "123456789", "ocr": "0123456789012"}
    old = {"clave": CLAVE, "emission": "00", "ocr": "0123456789012"}
    assert ine(**card) == CitizenInputs("123456789", "456789012")
    assert ine(**card, ine_model=IneModel.G) == CitizenInputs("123456789", "456789012")
    assert ine(**card, ine_model=IneModel.D) == CardInputs("123456789", "0123456789012")
    assert ine(**old) == VoterKeyInputs(CLAVE, "00", "0123456789012")
    assert ine(**old, ine_model=IneModel.C) == VoterKeyInputs(CLAVE, "00", "0123456789012")
    assert ine(**card, ine_model=IneModel.C) is None
    assert ine(cic="12345678", ocr="0123456789012") is None
    assert ine(cic="１２３４５６７８９", ocr="0123456789012") is None


# Likeness


@pytest.mark.parametrize(
    ("mine", "theirs", "expected"),
    [
        (("José", "Peña", "Núñez"), ("JOSE", "PENA", "NUNEZ"), Likeness.SAME),
        (("MA. GUADALUPE", "LOPEZ", ""), ("MARIA GUADALUPE", "LOPEZ", ""), Likeness.SAME),
        (("MA.GUADALUPE", "LOPEZ", ""), ("MARIA GUADALUPE", "LOPEZ", ""), Likeness.SAME),
        (("JUAN", "DELACRUZ", "PAZ"), ("JUAN", "DE LA CRUZ", "PAZ"), Likeness.SAME),
        (("JUAN", "LOPEZ PAZ", ""), ("JUAN", "LOPEZ", "PAZ"), Likeness.SAME),
        (("JUAN", "O'FARRILL", "PAZ"), ("JUAN", "OFARRILL", "PAZ"), Likeness.SAME),
        (("JUAN", "LOPEZ", "PAZ"), ("JUAN", "PAZ", "LOPEZ"), Likeness.CLOSE),
        (("JUAN", "LOPEZ", ""), ("JUAN", "LOPEZ", "PAZ"), Likeness.CLOSE),
        (("JUAN", "LOPEZ", "PAZ"), ("JUAN CARLOS", "LOPEZ", "PAZ"), Likeness.CLOSE),
        (("JUAN", "LOPES", "PAZ"), ("JUAN", "LOPEZ", "PAZ"), Likeness.CLOSE),
        (("JUAN", "LOPES", "PAZ"), ("JUAN CARLOS", "LOPEZ", "PAZ"), Likeness.CLOSE),
        (("JUAN", "JIMENEZ", "HERNANDEZ"), ("JUAN", "GIMENEZ", "HERNANDES"), Likeness.CLOSE),
        (("王", "小明", ""), ("XIAOMING", "WANG", ""), Likeness.CLOSE),
        (("JOSE", "LOPEZ", "PAZ"), ("JUAN", "LOPEZ", "PAZ"), Likeness.DIFFERENT),
        (("LUZ", "LOPEZ", "PAZ"), ("ANA", "LOPEZ", "PAZ"), Likeness.DIFFERENT),
        (("JUAN", "LOPEZ", "PAZ"), ("JUAN", "GARCIA", "PAZ"), Likeness.DIFFERENT),
        (("JUAN", "LOPEZ", "PAZ"), ("JUAN", "LOPEZ", "RUIZ"), Likeness.DIFFERENT),
        (("ANA", "LOPEZ", ""), ("ADA MARIA", "LOPEZ", "PAZ"), Likeness.DIFFERENT),
        (("JUAN", "", ""), ("JUAN", "LOPEZ", "PAZ"), Likeness.DIFFERENT),
    ],
)
def test_names_are_the_same_close_or_different(mine, theirs, expected):
    assert name_comparison.of_names(PersonName(*mine), PersonName(*theirs)) is expected
    assert name_comparison.of_names(PersonName(*theirs), PersonName(*mine)) is expected


words = st.text(st.sampled_from("ABCDEÑÁ"), min_size=1, max_size=6)
names = st.builds(
    PersonName,
    given=st.lists(words, min_size=1, max_size=2).map(" ".join),
    paterno=words,
    materno=words | st.just(""),
)


@given(names)
def test_a_name_is_the_same_as_itself_in_lower_case_and_without_marks(name):
    plain = name.full.lower(), PersonName(name.given.lower(), name.paterno.lower(), name.materno)
    assert name_comparison.of_names(name, plain[1]) is Likeness.SAME


@given(st.text(st.sampled_from("AB"), max_size=7), st.text(st.sampled_from("AB"), max_size=7))
def test_distance_is_that_of_levenshtein(one, other):
    def distance(a, b):
        if not a or not b:
            return len(a) + len(b)
        return min(
            distance(a[1:], b) + 1,
            distance(a, b[1:]) + 1,
            distance(a[1:], b[1:]) + (a[0] != b[0]),
        )

    true = distance(one[:5], other[:5])
    for limit in range(6):
        assert name_comparison.within(one[:5], other[:5], limit) is (true <= limit)


def test_dates_are_close_by_one_part_or_turned():
    born = date(1980, 7, 5)
    assert name_comparison.of_dates(born, born) is Likeness.SAME
    assert name_comparison.of_dates(born, date(1981, 7, 5)) is Likeness.CLOSE
    assert name_comparison.of_dates(born, date(1980, 5, 7)) is Likeness.CLOSE
    assert name_comparison.of_dates(born, date(1981, 8, 5)) is Likeness.DIFFERENT


# Judging what RENAPO says


def test_a_matching_record_passes_with_nothing_to_say():
    judgement = renapo()
    assert verdict(judgement) == (StepStatus.PASSED, None)
    assert judgement.reasons == ()
    assert judgement.rules == RULES


def test_a_result_is_json_and_keeps_the_evidence():
    result = json.loads(json.dumps(renapo(state=None).result))
    assert result["reasons"] == []
    assert result["registries"]["renapo"] == {
        "outcome": "match",
        "responseId": "R-1",
        "checkedAt": "2026-03-01T12:00:00.005Z",
        "sandbox": False,
        "sourceStatus": "AN",
        "status": "AN",
        "annulment": None,
        "askedCurp": CURP,
        "registered": {
            "curp": CURP,
            "given": "MARGARITA",
            "paterno": "GOMEZ",
            "materno": "VELAZQUEZ",
            "birthDate": "1980-07-05",
            "sex": "M",
            "state": None,
            "nationality": None,
            "gender": "female",
        },
        "undisclosed": ["state", "nationality"],
    }


@pytest.mark.parametrize("status", [it for it in STATUSES if it.annulment], ids=lambda it: it.code)
def test_an_annulled_curp_fails_with_its_reason(status):
    judgement = renapo(source_status=status.text)
    assert verdict(judgement) == (StepStatus.FAILED, "CURP_STATUS_ANNULLED")
    assert judgement.reasons[0].detail == status.annulment
    assert judgement.result["registries"]["renapo"]["annulment"] == status.annulment


def test_a_curp_that_may_be_misread_never_fails():
    doubtful = replace(CLAIMED, accepted=EVERYTHING - {"curp"})
    assert verdict(renapo(doubtful, source_status="BD")) == (
        StepStatus.REVIEW,
        "CURP_STATUS_ANNULLED",
    )
    unknown = CurpAnswer(REAL, None)
    assert verdict(judge({Registry.RENAPO: unknown}, doubtful)) == (
        StepStatus.REVIEW,
        "CURP_NOT_FOUND",
    )
    assert verdict(judge({Registry.RENAPO: unknown}, CLAIMED)) == (
        StepStatus.FAILED,
        "CURP_NOT_FOUND",
    )


@pytest.mark.parametrize(
    ("changes", "status", "code"),
    [
        ({"name": PersonName("ROSA", "RUIZ", "PAZ")}, "FAILED", "NAME_MISMATCH"),
        ({"name": PersonName("MARGARITA", "GOMES", "VELAZQUEZ")}, "REVIEW", "NAME_MISMATCH"),
        ({"name": PersonName("MARGARITA", "VELAZQUEZ", "GOMEZ")}, "REVIEW", "NAME_MISMATCH"),
        ({"name": PersonName("Margarita", "Gómez", "Velázquez")}, "PASSED", None),
        ({"name": None}, "REVIEW", "NAME_NOT_CONFIRMED"),
        ({"birth_date": date(1975, 1, 20)}, "FAILED", "BIRTH_DATE_MISMATCH"),
        ({"birth_date": date(1980, 7, 6)}, "REVIEW", "BIRTH_DATE_MISMATCH"),
        ({"birth_date": None}, "PASSED", None),
        ({"sex": Sex.MALE}, "REVIEW", "SEX_MISMATCH"),
        ({"sex": Sex.UNSPECIFIED}, "REVIEW", "SEX_MISMATCH"),
        ({"sex": None}, "PASSED", None),
        ({"state": BY_CODE["DF"]}, "REVIEW", "STATE_MISMATCH"),
        ({"source_status": "ZZZ"}, "REVIEW", "CURP_STATUS_UNKNOWN"),
        ({"source_status": "RCN"}, "PASSED", None),
        ({"source_status": "RCC"}, "PASSED", None),
        ({"source_status": "RCC", "curp": OTHER_CURP}, "REVIEW", "CURP_CHANGED"),
        ({"curp": OTHER_CURP}, "REVIEW", "CURP_CHANGED"),
    ],
    ids=repr,
)
def test_contradictions_fail_or_go_to_review_by_their_degree(changes, status, code):
    assert verdict(renapo(**changes)) == (status, code)


@pytest.mark.parametrize(
    "changes", [{"source_status": "RCN"}, {"source_status": "RCC"}, {"curp": OTHER_CURP}], ids=repr
)
def test_an_amended_record_may_differ_from_older_documents(changes):
    changes = {"name": PersonName("ROSA", "RUIZ", "PAZ"), "birth_date": date(1970, 1, 1)} | changes
    assert renapo(**changes).status is StepStatus.REVIEW


def test_a_changed_curp_is_told_beside_the_one_asked():
    report = renapo(source_status="RCC", curp=OTHER_CURP).result["registries"]["renapo"]
    assert (report["askedCurp"], report["registered"]["curp"]) == (CURP, OTHER_CURP)


def test_what_the_registry_leaves_out_is_taken_from_its_curp():
    older = replace(CLAIMED, birth_date=date(1970, 1, 1), sex=Sex.MALE, state=BY_CODE["DF"])
    judgement = renapo(older, birth_date=None, sex=None, state=None)
    assert {reason.code for reason in judgement.reasons} == {
        "BIRTH_DATE_MISMATCH",
        "SEX_MISMATCH",
        "STATE_MISMATCH",
    }


def test_a_sandbox_without_names_is_held_to_the_letters_of_the_curp():
    assert verdict(renapo(receipt=SANDBOX, name=None)) == (StepStatus.PASSED, None)
    other = replace(CLAIMED, name=PersonName("ROSA", "RUIZ", "PAZ"))
    assert verdict(renapo(other, receipt=SANDBOX, name=None)) == (
        StepStatus.REVIEW,
        "NAME_MISMATCH",
    )


def test_a_curp_alone_is_only_looked_up():
    assert verdict(renapo(Claimed(curp=CURP.lower()))) == (StepStatus.PASSED, None)


# Judging what INE and SAT say


@pytest.mark.parametrize(
    ("outcome", "code"),
    [
        (Outcome.NOT_FOUND, "INE_NOT_FOUND"),
        (Outcome.MISMATCH, "INE_MISMATCH"),
        (Outcome.ANNULLED, "INE_NOT_CURRENT"),
    ],
)
def test_a_card_that_ine_denies_fails_when_its_numbers_are_sure(outcome, code):
    answers = {Registry.INE: IneAnswer(REAL, outcome)}
    assert verdict(judge(answers, CLAIMED)) == (StepStatus.FAILED, code)
    for field in ("cic", "citizen_id"):
        doubtful = replace(CLAIMED, accepted=EVERYTHING - {field})
        assert verdict(judge(answers, doubtful)) == (StepStatus.REVIEW, code)
    assert judge(answers, Claimed(accepted=EVERYTHING)).status is StepStatus.REVIEW


def test_genuine_numbers_on_anothers_card_fail():
    anothers = {Registry.INE: IneAnswer(REAL, Outcome.MATCH, clave="OTDSPR71113009M100")}
    assert verdict(judge(anothers, CLAIMED)) == (StepStatus.FAILED, "INE_MISMATCH")
    own = {Registry.INE: IneAnswer(REAL, Outcome.MATCH, clave=CLAVE)}
    assert judge(own, CLAIMED).status is StepStatus.PASSED
    misread = replace(CLAIMED, accepted=EVERYTHING - {"clave"})
    assert judge(anothers, misread).status is StepStatus.REVIEW


def test_the_years_of_a_card_are_reported_where_the_source_discloses_them():
    told = IneAnswer(REAL, Outcome.MATCH, registration_year="1998", emission_year="2019")
    report = judge({Registry.INE: told}, CLAIMED).result["registries"]["ine"]
    assert (report["registrationYear"], report["emissionYear"]) == ("1998", "2019")
    silent = judge({Registry.INE: IneAnswer(REAL, Outcome.MATCH)}, CLAIMED)
    assert "registrationYear" not in silent.result["registries"]["ine"]


@pytest.mark.parametrize("outcome", [it for it in Outcome if it is not Outcome.MATCH])
def test_sat_never_rejects(outcome):
    judgement = judge({Registry.SAT: RfcAnswer(REAL, outcome)}, CLAIMED)
    assert judgement.status is StepStatus.REVIEW


# Judging all together


@pytest.mark.parametrize(
    ("none", "code"),
    [
        (NoAnswer.UNAVAILABLE, "REGISTRY_UNAVAILABLE"),
        (NoAnswer.REFUSED, "REGISTRY_REFUSED"),
        (NoAnswer.INSUFFICIENT_DATA, "INSUFFICIENT_DATA"),
    ],
)
def test_no_answer_is_a_review(none, code):
    judgement = judge({Registry.RENAPO: none}, CLAIMED)
    assert verdict(judgement) == (StepStatus.REVIEW, code)
    assert judgement.result["registries"] == {"renapo": {"outcome": none.value}}


def test_nothing_asked_is_insufficient_data():
    assert verdict(judge({}, CLAIMED)) == (StepStatus.REVIEW, "INSUFFICIENT_DATA")


def test_every_code_has_a_message_fit_for_the_person():
    for message in (code.message.en for code in RegistryReason):
        assert message.endswith(".")
        assert len(message) < 100


outcomes = st.sampled_from(Outcome)
receipts = st.sampled_from([REAL, SANDBOX])
records = st.builds(
    CurpRecord,
    curp=st.sampled_from([CURP, OTHER_CURP]),
    source_status=st.sampled_from([it.code for it in STATUSES] + ["ZZZ"]),
    name=st.none() | st.just(NAME) | names,
    birth_date=st.none() | st.sampled_from([date(1980, 7, 5), date(1980, 7, 6), date(1970, 1, 1)]),
    sex=st.none() | st.sampled_from(Sex),
    state=st.none() | st.sampled_from([BY_CODE["CL"], BY_CODE["DF"]]),
)
silences = st.sampled_from(NoAnswer)
answers_of_all = st.fixed_dictionaries(
    {},
    optional={
        Registry.RENAPO: st.builds(CurpAnswer, receipts, st.none() | records) | silences,
        Registry.INE: st.builds(
            IneAnswer,
            receipts,
            outcomes,
            st.none(),
            st.sampled_from([None, CLAVE, CLAVE[:-1] + "1"]),
        )
        | silences,
        Registry.SAT: st.builds(RfcAnswer, receipts, outcomes) | silences,
    },
)
accepted = st.frozensets(st.sampled_from(sorted(EVERYTHING)))
claims = st.builds(
    lambda left_out, sure: replace(CLAIMED, **dict.fromkeys(left_out), accepted=sure),
    st.sets(st.sampled_from(sorted(EVERYTHING - {"curp"}))),
    accepted,
)


def gravity(answers, claimed):
    return GRAVITY.index(judge(answers, claimed).status)


@given(st.dictionaries(st.sampled_from(Registry), silences), claims)
def test_silence_alone_is_always_a_review(answers, claimed):
    assert judge(answers, claimed).status is StepStatus.REVIEW


@given(answers_of_all, claims, st.sampled_from(Registry), silences)
def test_an_outage_neither_passes_nor_fails_anybody(answers, claimed, registry, silence):
    others = {it: answer for it, answer in answers.items() if it is not registry}
    judgement = judge(others | {registry: silence}, claimed)
    assert judgement.status is not StepStatus.PASSED
    if judgement.status is StepStatus.FAILED:
        assert judge(others, claimed).status is StepStatus.FAILED


@given(answers_of_all, claims)
def test_doubt_about_every_reading_never_fails(answers, claimed):
    doubtful = replace(claimed, accepted=frozenset())
    assert judge(answers, doubtful).status is not StepStatus.FAILED


@given(answers_of_all, claims, accepted)
def test_less_sure_readings_are_never_worse(answers, claimed, kept):
    less_sure = replace(claimed, accepted=claimed.accepted & kept)
    assert gravity(answers, less_sure) <= gravity(answers, claimed)


@given(answers_of_all, claims)
def test_asking_one_more_registry_is_never_better(answers, claimed):
    whole = gravity(answers, claimed)
    for registry in answers:
        rest = {it: answer for it, answer in answers.items() if it is not registry}
        if rest:
            assert gravity(rest, claimed) <= whole


@given(records, claims, st.sampled_from([it.code for it in STATUSES if it.annulment]))
def test_an_annulment_is_never_better_than_being_in_force(record, claimed, annulled):
    def with_status(code):
        answer = CurpAnswer(REAL, replace(record, source_status=code))
        return gravity({Registry.RENAPO: answer}, claimed)

    assert with_status(annulled) >= max(with_status(code) for code in ("AN", "AH", "CRA"))


@given(answers_of_all, claims)
def test_a_judgement_explains_itself(answers, claimed):
    judgement = judge(answers, claimed)
    json.dumps(judgement.result)
    assert (judgement.status is StepStatus.PASSED) is (judgement.reasons == ())
    assert (judgement.status is StepStatus.FAILED) is any(it.decisive for it in judgement.reasons)
    assert (judgement.code is None) is (judgement.reasons == ())
    assert set(judgement.result["registries"]) == {registry.value for registry in answers}
