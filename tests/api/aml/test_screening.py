"""Screening over HTTP: bounds, lists, evidence, and what a match says."""

import json
from pathlib import Path

import pytest

from acredita.providers.watchlists.catalogue import BY_ID, KnownList
from tests.conftest import test_data as data_file

SCREEN = "/v1/aml/screen"
BATCH = "/v1/aml/screen/batch"
NAME = "Evaristo Quimbaya Lunario"
ANSWER = {
    "matches",
    "totalMatches",
    "openMatches",
    "screened",
    "sandbox",
    "screeningId",
    "screenedAt",
    "lists",
}
MATCH = {
    "list",
    "name",
    "score",
    "likelihood",
    "assessment",
    "entityType",
    "country",
    "countries",
    "entryId",
    "matchedName",
    "matchedKind",
    "programs",
    "listVersion",
    "listAsOf",
    "explanation",
    "entry",
    "matchId",
    "review",
}


def content(answer):
    """An answer without its record's id and time."""
    return {key: answer[key] for key in ANSWER - {"screeningId", "screenedAt"}}


async def screen(member, **body):
    answer = await member.post(SCREEN, json={"fullName": NAME} | body)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_a_fresh_installation_screens_invented_names_and_says_so(banco, sandbox):
    found = await screen(banco, fullName="Otolina Fanshawe Dubois")
    assert set(found) == ANSWER
    (screened,) = found["lists"]
    assert (screened["id"], screened["version"], screened["asOf"]) == ("sandbox", 1, None)
    assert screened["loadedAt"]
    assert (found["totalMatches"], found["screened"], found["sandbox"]) == (1, True, True)
    (match,) = found["matches"]
    assert set(match) == MATCH
    assert (match["list"], match["entryId"], match["country"]) == ("sandbox", "S-04", "GB")
    assert match["name"] == "Ottoline Marguerite Fanshawe-Dubois"
    assert (match["entityType"], match["listVersion"]) == ("person", 1)
    assert 0.75 <= match["score"] <= 1
    pairs = match["explanation"]["tokens"]
    assert {"fanshawe", "dubois"} <= {pair["query"] for pair in pairs}
    assert all(pair["reason"] and 0 < pair["similarity"] <= 1 for pair in pairs)


# tests/unit/providers/watchlists reads its files; other lists are loaded and screened below.
@pytest.mark.thorough
async def test_ofacs_list_is_screened_with_its_aliases(banco, lists):
    files = ["sdn.csv", "alt_2025-12.csv", "add_2025-12.csv"]
    paths = [data_file("watchlists", "ofac", name) for name in files]
    change = await lists.load(paths, BY_ID["ofac-sdn"])
    assert (change.added, change.entries) == (11_443, 11_443)
    await lists.serve()
    found = await screen(banco, fullName="Joaquin Guzman Loera", lists=["ofac-sdn"])
    assert found["matches"][0]["name"] == "GUZMAN LOERA, Joaquin"
    assert (found["matches"][0]["score"], found["sandbox"]) == (1.0, False)
    shown = (await banco.get("/v1/aml/lists")).json()["lists"]
    assert {"id": "ofac-sdn", "entries": 11_443}.items() <= shown[0].items()
    assert shown[0]["name"] == "OFAC Specially Designated Nationals"


async def test_whom_sat_clears_is_kept_and_is_no_match(banco, lists):
    path = lists.folder / "sat.csv"
    path.write_text(
        "No,RFC,Nombre del Contribuyente,Situación del contribuyente\n"
        "1,QUA120730823,QUIMBAYA LUNARIO SA DE CV,Definitivo\n"
        "2,TEP120730823,TEPALCINGO ZENDEJAS SA DE CV,Sentencia Favorable\n",
        encoding="latin-1",
    )
    change = await lists.load([path], BY_ID["sat-69b"])
    assert (change.added, change.entries) == (2, 1)
    await lists.serve()
    assert (await screen(banco, fullName="Quimbaya Lunario"))["totalMatches"] == 1
    assert (await screen(banco, fullName="Tepalcingo Zendejas"))["totalMatches"] == 0
    by_rfc = await screen(banco, fullName="Otro Nombre", rfc="QUA120730823")
    assert by_rfc["matches"][0]["score"] == 1.0
    (same,) = by_rfc["matches"][0]["explanation"]["evidence"]
    assert (same["kind"], same["effect"], same["weight"] > 0) == ("rfc", "confirms", True)
    assert same["text"] == "The entry has the same RFC."
    assert (await screen(banco, fullName="Otro Nombre", rfc="TEP120730823"))["totalMatches"] == 0
    # As documents and people write it; the record has it in one form.
    for written in ("QUA-120730-823", "qua 120730 823", " QUA120730-823 "):
        found = await screen(banco, fullName="Otro Nombre", rfc=written)
        assert found["matches"][0]["entryId"] == by_rfc["matches"][0]["entryId"]
    record = await banco.get(f"/v1/aml/screenings/{found['screeningId']}")
    assert record.json()["question"]["rfc"] == "QUA120730823"


async def test_lists_are_searched_by_their_ids_and_all_of_them_when_none_is_named(banco, lists):
    other = KnownList("other", "Another", "", ("csv",))
    await lists.write(f"a,person,{NAME},,,MX,")
    await lists.write(f"b,person,{NAME},,,US,", known=other)
    await lists.serve()
    everywhere = await screen(banco)
    assert {match["list"] for match in everywhere["matches"]} == {"private", "other"}
    assert (await screen(banco, lists=[]))["totalMatches"] == 2
    assert (await screen(banco, lists=None))["totalMatches"] == 2
    (match,) = (await screen(banco, lists=["other"]))["matches"]
    assert match["entryId"] == "b"
    assert (await screen(banco, lists=["other", "private", "other"]))["totalMatches"] == 2


async def test_a_country_leaves_out_entries_of_others_and_not_those_of_none(banco, lists):
    await lists.write(
        f"a,person,{NAME},,,MX,",
        f"b,person,{NAME},,,US;MX,",
        f"c,person,{NAME},,,,",
        f"d,person,{NAME},,,ES,",
    )
    await lists.serve()
    found = await screen(banco, country="MX")
    assert {match["entryId"] for match in found["matches"]} == {"a", "b", "c"}
    assert found["totalMatches"] == 3
    countries = {match["entryId"]: match["country"] for match in found["matches"]}
    assert countries == {"a": "MX", "b": "US", "c": None}


async def test_an_entity_type_leaves_out_the_others(banco, lists):
    await lists.write(f"a,person,{NAME},,,,", f"b,company,{NAME},,,,", f"c,other,{NAME},,,,")
    await lists.serve()
    found = await screen(banco, entityType="company")
    assert {match["entryId"] for match in found["matches"]} == {"b", "c"}


async def test_a_date_of_birth_confirms_or_contradicts_and_never_rules_out(banco, lists):
    await lists.write(f"a,person,{NAME},,1961-04-17,,", f"b,person,{NAME},,1990,,")
    await lists.serve()
    scores = {
        match["entryId"]: (match["score"], match["likelihood"], match["explanation"]["evidence"])
        for match in (await screen(banco, dateOfBirth="1961-04-17"))["matches"]
    }
    effects = {
        key: [(each["kind"], each["effect"]) for each in found]
        for key, (*_, found) in scores.items()
    }
    assert effects == {"a": [("dateOfBirth", "confirms")], "b": [("dateOfBirth", "contradicts")]}
    assert scores["a"][:2] > scores["b"][:2]
    assert scores["a"][1] > scores["b"][1]


async def test_everything_known_about_a_person_is_compared_and_recorded(banco, lists):
    await lists.write(f"a,person,{NAME},,1961-04-17,MX,")
    await lists.serve()
    known = {
        "fullName": "Nadie Ninguno",
        "aliases": [NAME],
        "birthYear": 1961,
        "nationalities": ["MX", "US"],
        "gender": "male",
        "identifiers": [{"kind": "passport", "value": "G1234567"}],
    }
    answer = await screen(banco, **known)
    (match,) = answer["matches"]
    assert match["assessment"] == "likely"
    kinds = {each["kind"]: each["effect"] for each in match["explanation"]["evidence"]}
    assert kinds == {"dateOfBirth": "confirms", "nationality": "confirms"}
    record = await banco.get(f"/v1/aml/screenings/{answer['screeningId']}")
    question = record.json()["question"]
    assert {key: question[key] for key in known} == known
    (match,) = (await screen(banco, **known | {"birthYear": 1990, "nationalities": ["US"]}))[
        "matches"
    ]
    assert (match["assessment"], match["score"]) == ("unlikely", 0.75)
    for wrong in ({"gender": "x"}, {"nationalities": ["ZZ"]}, {"birthYear": 12}):
        refused = await banco.post("/v1/aml/screen", json={"fullName": NAME, **wrong})
        assert refused.status_code == 422, wrong


async def test_the_threshold_counts_from_its_value_on(banco, lists):
    await lists.write("a,person,Evaristo Quimbaya,,,,", f"b,person,{NAME},,,,")
    await lists.serve()
    scores = {
        m["entryId"]: m["score"] for m in (await screen(banco, fuzzyThreshold=0.3))["matches"]
    }
    assert scores["b"] == 1.0
    assert scores["a"] < 1.0
    found = await screen(banco, fuzzyThreshold=1)
    assert [match["entryId"] for match in found["matches"]] == ["b"]
    default = {match["entryId"] for match in (await screen(banco))["matches"]}
    assert default == {entry for entry, score in scores.items() if score >= 0.75}


async def test_null_is_as_good_as_nothing(banco, sandbox):
    left_out = await screen(banco, fullName="Otolina Fanshawe Dubois")
    keys = ("fuzzyThreshold", "lists", "country", "dateOfBirth", "rfc", "curp", "entityType")
    nulls = dict.fromkeys((*keys, "verificationId"))
    found = await screen(banco, fullName="Otolina Fanshawe Dubois", **nulls)
    assert content(found) == content(left_out)


async def test_fifty_matches_are_shown_and_all_are_counted(banco, lists):
    await lists.write(*(f"{number},person,{NAME},,,MX," for number in range(70)))
    await lists.serve()
    found = await screen(banco)
    assert (len(found["matches"]), found["totalMatches"]) == (50, 70)


async def test_five_hundred_names_are_screened_as_if_each_were_asked_for(banco, sandbox):
    names = ["Otolina Fanshawe Dubois", "Nadie Con Este Nombre", "Tarek Abdulwahid al-Kunduzi"]
    queries = [{"fullName": names[number % 3]} for number in range(500)]
    answer = await banco.post(BATCH, json={"queries": queries, "fuzzyThreshold": 0.8})
    assert answer.status_code == 200, answer.text
    results = [content(result) for result in answer.json()["results"]]
    singles = [content(await screen(banco, fullName=name, fuzzyThreshold=0.8)) for name in names]
    assert results == [singles[number % 3] for number in range(500)]
    assert [single["totalMatches"] for single in singles] == [1, 0, 1]
    one_more = await banco.post(BATCH, json={"queries": [*queries, queries[0]]})
    assert one_more.status_code == 422


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ({"fullName": "x"}, "body.fullName: "),
        ({"fullName": "x" * 501}, "body.fullName: "),
        ({"fullName": "  "}, "body.fullName: "),
        ({"fullName": "--- ..."}, "body.fullName: has no letters or digits to compare"),
        ({"fullName": "\u200b\u200b\u200b"}, "body.fullName: "),
        ({"fullName": None}, "body.fullName: "),
        ({"fullName": 12}, "body.fullName: "),
        ({"fuzzyThreshold": 1.01}, "body.fuzzyThreshold: "),
        ({"fuzzyThreshold": -0.01}, "body.fuzzyThreshold: "),
        ({"fuzzyThreshold": "0.8"}, "body.fuzzyThreshold: "),
        ({"fuzzyThreshold": True}, "body.fuzzyThreshold: "),
        ({"lists": "sandbox"}, "body.lists: "),
        ({"lists": ["sandbox"] * 21}, "body.lists: "),
        ({"lists": ["x" * 51]}, "body.lists.0: "),
        ({"lists": ["sandbox", "nowhere"]}, "body.lists.1: no list has this id"),
        ({"country": "MEX"}, "body.country: "),
        ({"country": "M"}, "body.country: "),
        ({"country": "UK"}, "body.country: is not an ISO 3166-1 alpha-2 code"),
        ({"dateOfBirth": "1961-02-30"}, "body.dateOfBirth: "),
        ({"dateOfBirth": "17/04/1961"}, "body.dateOfBirth: "),
        ({"rfc": "x"}, "body.rfc: "),
        ({"rfc": "QUA-12-07-30-8-23-45"}, "body.rfc: "),
        ({"curp": "GOCA-850101-HDF"}, "body.curp: "),
        ({"curp": "x"}, "body.curp: "),
        ({"entityType": "robot"}, "body.entityType: "),
        ({"verificationId": "x" * 256}, "body.verificationId: "),
        ({"identityId": "x"}, "body.identityId: "),
    ],
)
async def test_what_is_out_of_bounds_is_refused_and_named(banco, sandbox, body, fault):
    answer = await banco.post(SCREEN, json={"fullName": NAME} | body)
    assert answer.status_code == 422, answer.text
    error = answer.json()["error"]
    assert error["code"] == "VALIDATION_ERROR"
    assert any(detail.startswith(fault) for detail in error["details"]), error["details"]


@pytest.mark.parametrize(
    "name",
    [
        "O'" * 250,
        "a b " * 125,
        "習近平",
        "Людмила Вострикова",
        "طارق القندوزي",
        "🙂🙂 Evaristo",
        "ﷺ" * 250,
        "12345 67890",
        "ñ" * 500,
        "S.A. de C.V.",
    ],
)
async def test_no_name_within_the_bounds_is_too_strange(banco, sandbox, name):
    answer = await banco.post(SCREEN, json={"fullName": name[:500]})
    assert answer.status_code in {200, 422}, answer.text
    if answer.status_code == 422:
        assert "holds nothing" in answer.text


async def test_names_of_other_scripts_are_found_by_their_sound(banco, sandbox):
    for name in ("Lyudmila Vostrikova", "Людмила Вострикова"):
        found = await screen(banco, fullName=name)
        assert [match["entryId"] for match in found["matches"]] == ["S-02"]


async def test_nobody_unknown_screens(client):
    for path in (SCREEN, BATCH, "/v1/aml/monitor"):
        assert (await client.post(path, json={})).status_code == 401
    assert (await client.get("/v1/aml/lists")).status_code == 401


def test_the_description_says_what_the_answer_holds():
    document = json.loads(Path("openapi.json").read_text())
    answer = document["components"]["schemas"]["ScreenAnswer"]
    assert set(answer["required"]) == ANSWER
    assert set(document["components"]["schemas"]["MatchShape"]["required"]) == MATCH
