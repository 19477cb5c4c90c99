"""What is known besides the name is compared, weighed and explained."""

import pytest

from acredita.engines.screening import Entry, ListedName, Question, build_index
from acredita.engines.screening.births import birth_level
from acredita.engines.screening.weights import WEIGHTS

NAME = "Teodulo Quimbaya Zurita"
CURP = "QUZT610417HSLMRD09"
RFC = "QUZT610417AB1"


def entry(entry_id="1", **known):
    return Entry(entry_id, "list", "person", (ListedName(NAME),), **known)


def only_match(listed, name=NAME, **asked):
    (match,) = build_index([listed]).screen_many([Question(name, **asked)])[0].matches
    return match


def evidence(listed, **asked):
    found = only_match(listed, **asked).evidence
    assert all(each.text.endswith(".") for each in found)
    return {each.kind: each.effect for each in found}


@pytest.mark.parametrize(
    ("one", "other", "level"),
    [
        ("1961-04-17", "1961-04-17", "same_day"),
        ("1961-04-07", "1961-07-04", "slip"),
        ("1961-04-17", "1961-04-11", "slip"),
        ("1961-04-17", "1951-04-17", "slip"),
        ("1961-04-17", "1961-05-22", "same_year"),
        ("1961", "1961-05-22", "same_year"),
        ("1961-04", "1961", "same_year"),
        ("1961-04-17", "1962-04-18", "other_year"),
        ("1961", "1962", "other_year"),
    ],
)
def test_dates_of_birth_agree_by_levels(one, other, level):
    assert birth_level(one, other) == birth_level(other, one) == level


def test_each_fact_confirms_or_contradicts_in_words():
    listed = entry(
        dates_of_birth=("1961-04-17",), countries=("MX", "US"), nationalities=("MX",),
        genders=("male",),
    )  # fmt: skip
    assert evidence(
        listed, date_of_birth="1961-04-17", nationalities=("MX",), gender="male"
    ) == dict.fromkeys(["dateOfBirth", "nationality"], "confirms") | {"gender": "neutral"}
    against = {"date_of_birth": "1990", "nationalities": ("US",), "gender": "female"}
    kinds = ["dateOfBirth", "nationality", "gender"]
    assert evidence(listed, **against) == dict.fromkeys(kinds, "contradicts")
    assert only_match(listed, **against).evidence[0].text == (
        "Another year of birth: 1990, 1961-04-17."
    )
    assert evidence(entry(), **against) == {}


def test_contradictions_lower_the_score_add_up_and_hide_nothing():
    listed = entry(dates_of_birth=("1961-04-17",), genders=("male",))
    alone = only_match(listed)
    born = only_match(listed, date_of_birth="1990-01-01")
    both = only_match(listed, date_of_birth="1990-01-01", gender="female")
    assert alone.score > born.score > both.score >= 0.75
    assert alone.likelihood > born.likelihood > both.likelihood
    assert (alone.assessment, both.assessment) == ("likely", "unlikely")
    # The name alone reaches the threshold exactly.
    assert len(build_index([listed]).screen(NAME, date_of_birth="1990", threshold=1.0).matches) == 1


def test_without_evidence_against_it_nothing_is_unlikely():
    listed = entry(dates_of_birth=("1961-04-17",))
    found = build_index([listed]).screen("Teodulo Quimbaya Garcia Lopez", threshold=0.3)
    assert found.matches[0].assessment == "possible"


def test_a_contradicting_curp_is_evidence_by_its_date_sex_and_state():
    other = evidence(entry(identifiers=(("curp", "QUZT700102MOCMRD05"),)), curp=CURP)
    kinds = ["curp", "stateOfBirth", "dateOfBirth", "gender"]
    assert other == dict.fromkeys(kinds, "contradicts")
    # The date and the sex are compared with those of the list, too.
    listed = entry(dates_of_birth=("1970",), genders=("female",))
    assert evidence(listed, curp=CURP) == dict.fromkeys(["dateOfBirth", "gender"], "contradicts")
    assert evidence(entry(dates_of_birth=("1961-04-17",)), rfc=RFC) == {"dateOfBirth": "confirms"}
    assert evidence(entry(identifiers=(("curp", CURP),)), curp=CURP) == {"curp": "confirms"}


def test_the_best_of_name_and_aliases_counts():
    listed = entry()
    assert only_match(listed, name="Nadie Ninguno", aliases=("Otro Tal", NAME)).score == 1.0
    assert build_index([listed]).screen("Nadie Ninguno").total == 0


def test_the_number_of_a_document_matches_whatever_the_name():
    listed = entry(identifiers=(("passport", "G-1234567"), ("national_id", "123")))
    index = build_index([listed])
    found = index.screen_many(
        [
            Question("Nadie Ninguno", identifiers=(("passport", "g1234567"),)),
            Question("Nadie Ninguno", identifiers=(("national_id", "G1234567"),)),
            # Too short to belong to one person.
            Question("Nadie Ninguno", identifiers=(("national_id", "123"),)),
        ]
    )
    assert [screening.total for screening in found] == [1, 0, 0]
    match = found[0].matches[0]
    assert (match.score, match.assessment) == (0.95, "likely")
    assert match.evidence[0].text == "The entry has the same passport."


def test_what_contradicts_an_entry_with_the_same_number_is_counted_and_said():
    listed = entry(
        identifiers=(("passport", "12345"), ("rfc", RFC), ("curp", CURP)),
        dates_of_birth=("1961-04-17",),
        genders=("male",),
        nationalities=("IR",),
    )
    passport = {"name": "Nadie Ninguno", "identifiers": (("passport", "12345"),)}
    other = {"date_of_birth": "1990-01-02", "gender": "female", "nationalities": ("MX",)}
    assert only_match(listed, **passport).assessment == "likely"
    found = only_match(listed, **passport, **other)
    assert {each.kind: each.effect for each in found.evidence} == {
        "passport": "confirms",
        "dateOfBirth": "contradicts",
        "gender": "contradicts",
        "nationality": "contradicts",
    }
    assert (found.score, found.assessment) == (0.95, "possible")
    # Countries number passports independently, but an RFC and a CURP have one person.
    both = only_match(listed, rfc=RFC, curp=CURP, **other)
    effects = {each.kind: each.effect for each in both.evidence}
    assert (effects["rfc"], effects["curp"]) == ("confirms", "confirms")
    assert (both.score, both.assessment) == (1.0, "likely")
    assert evidence(listed, rfc=RFC, curp="QUZT900102MSLMRD01")["curp"] == "contradicts"


def test_a_tax_or_national_number_of_that_shape_is_an_rfc_or_a_curp():
    listed = entry(
        identifiers=(("tax_id", "AIMO-681106-9F7"), ("national_id", "AIMO681106HSLVRS05"))
    )
    index = build_index([listed])
    for asked in (
        {"rfc": "AIMO6811069F7"},
        {"rfc": "AIMO681106"},
        {"curp": "AIMO681106HSLVRS05"},
        {"curp": "AIMO681106HSLVRS"},
        {"identifiers": (("tax_id", "AIMO 6811069F7"),)},
    ):
        assert index.screen_many([Question("Nadie Ninguno", **asked)])[0].total == 1, asked
    assert evidence(listed, rfc="QULE610417AB1")["rfc"] == "contradicts"
    other = entry(identifiers=(("tax_id", "AIMO-689906-9F7"), ("registration", "AIMO6811069F7")))
    asked = Question("Nadie Ninguno", rfc="AIMO6811069F7")
    assert build_index([other]).screen_many([asked])[0].total == 0


def test_evidence_is_weighed_by_how_well_it_agrees():
    levels = ("same_day", "slip", "same_year", "other_year")
    births = [WEIGHTS[f"birth:{level}"] for level in levels]
    assert births == sorted(births, reverse=True)
    assert WEIGHTS["nationality:same"] > 0 > WEIGHTS["nationality:other"]
    assert WEIGHTS["gender:same"] >= 0 > WEIGHTS["gender:other"]
