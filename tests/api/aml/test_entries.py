"""An entry is readable with all that its list says, its history, and its sources."""

import asyncio
from uuid import uuid4

import pytest
from sqlalchemy import text

from acredita.providers.watchlists.catalogue import BY_ID, KnownList
from acredita.resources.aml.entries import linking
from acredita.resources.aml.entries.clusters import Facts, clusters, facts_of
from acredita.resources.aml.entries.linking import link_keys_of
from acredita.resources.aml.index import building
from acredita.resources.aml.lists import loading

NAME = "Evaristo Quimbaya Lunario"
HEADER = (
    "id,name,aliases,weak_aliases,dates_of_birth,countries,passport,places_of_birth,nationalities,"
    "gender,addresses,positions,remarks,listed_on,url"
)
FULL = (
    f"1,{NAME},Varo Quimbaya,El Relojero,1961-04-17,MX;US,G12345678,Culiacán,MX,male,"
    "Av. Juárez 1;Calle 2,Gobernador,Linked to: nobody,2 May 2019,https://lists.example/1"
)
OTHERS = [f"{number},Persona Inventada {number},,,,MX,,,,,,,,," for number in range(100, 110)]
OTHER = KnownList("other", "Another list", "", ("csv",))


async def write(lists, *rows, **terms):
    path = lists.folder / "entries.csv"
    path.write_text("\n".join([HEADER, *rows]))
    await lists.load([path], **terms)


async def match_of(member, name=NAME, **body):
    answer = await member.post("/v1/aml/screen", json={"fullName": name, **body})
    assert answer.status_code == 200, answer.text
    return answer.json()["matches"]


async def shown(member, entry_id):
    answer = await member.get(f"/v1/aml/entries/{entry_id}")
    assert answer.status_code == 200, answer.text
    return answer.json()["entry"]


async def test_a_match_and_its_entry_have_all_that_the_list_says(banco, rival, lists):
    await write(lists, FULL, *OTHERS)
    await lists.serve()
    (match,) = await match_of(banco)
    entry = match["entry"]
    assert [(name["text"], name["quality"]) for name in entry["names"]] == [
        (NAME, "strong"),
        ("Varo Quimbaya", "strong"),
        ("El Relojero", "weak"),
    ]
    expected = {
        "entityType": "person",
        "standing": "listed",
        "datesOfBirth": ["1961-04-17"],
        "placesOfBirth": ["Culiacán"],
        "nationalities": ["MX"],
        "countries": ["MX", "US"],
        "genders": ["male"],
        "identifiers": [{"kind": "passport", "value": "G12345678"}],
        "addresses": ["Av. Juárez 1", "Calle 2"],
        "positions": ["Gobernador"],
        "programs": [],
        "remarks": ["Linked to: nobody"],
        "listedOn": "2019-05-02",
        "updatedOn": None,
        "url": "https://lists.example/1",
        "list": "private",
        "entryId": "1",
        "listed": True,
        "clusterId": None,
        "sources": [],
    }
    assert {key: entry[key] for key in expected} == expected
    detail = await shown(rival, entry["id"])
    assert {key: detail[key] for key in entry} == entry
    (form,) = detail["history"]
    assert (form["fromVersion"], form["untilVersion"], form["changed"]) == (1, None, [])
    assert form["from"] is not None
    assert form["content"]["positions"] == ["Gobernador"]
    for unknown in ("0", "999999999", "x", str(uuid4())):
        assert (await banco.get(f"/v1/aml/entries/{unknown}")).status_code == 404


async def test_entries_are_found_by_a_name_without_a_record_or_a_match(banco, lists):
    unloaded = await banco.get("/v1/aml/entries", params={"name": NAME})
    assert unloaded.json() == {"entries": [], "total": 0}
    await write(lists, FULL, *OTHERS)
    await lists.serve()
    found = (await banco.get("/v1/aml/entries", params={"name": "Quimbaya, Evaristo L."})).json()
    (entry,) = found["entries"]
    assert (found["total"], entry["entryId"], entry["matchedName"]) == (1, "1", NAME)
    assert 0.75 <= entry["score"] <= 1
    detail = await shown(banco, entry["id"])
    shared = {key: value for key, value in entry.items() if key not in {"score", "matchedName"}}
    assert {key: detail[key] for key in shared} == shared
    for path, key in (("screenings", "screenings"), ("matches", "matches")):
        assert (await banco.get(f"/v1/aml/{path}")).json()[key] == []
    for name in ("x", "...", "x" * 501):
        answer = await banco.get("/v1/aml/entries", params={"name": name})
        assert answer.status_code == 422, name


async def test_the_history_of_an_entry_has_each_form_and_its_versions(banco, lists):
    await write(lists, FULL, *OTHERS)
    await lists.serve()
    (match,) = await match_of(banco)
    await write(lists, FULL.replace("Gobernador", "Senador").replace("1961-04-17", "1961"), *OTHERS)
    await write(lists, *OTHERS)
    gone = await shown(banco, match["entry"]["id"])
    assert gone["listed"] is False
    assert [
        (form["fromVersion"], form["untilVersion"], form["changed"]) for form in gone["history"]
    ] == [(2, 3, ["datesOfBirth", "positions"]), (1, 2, [])]
    await write(lists, FULL, *OTHERS)
    again = await shown(banco, match["entry"]["id"])
    assert again["listed"] is True
    assert [
        (form["fromVersion"], form["untilVersion"], form["content"]["positions"])
        for form in again["history"]
    ] == [(4, None, ["Gobernador"]), (2, 3, ["Senador"]), (1, 2, ["Gobernador"])]


@pytest.mark.parametrize("act", ["load", "link"])
async def test_a_load_of_another_process_is_waited_for_longer_than_a_statement_may_take(
    lists, monkeypatch, act
):
    await write(lists, FULL)
    await write(lists, FULL.replace("1,", "A-7,", 1), known=OTHER)
    sleep, pause, waits = asyncio.sleep, 0.0123, []
    monkeypatch.setattr(linking, "PAUSE", pause)
    monkeypatch.setattr(loading, "PAUSE", pause)
    async with lists.services.database.transaction() as another:
        await another.execute(text("SELECT FROM aml_list FOR UPDATE"))

        async def ends_meanwhile(seconds: float) -> None:
            if seconds == pause:
                waits.append(seconds)
                await another.rollback()
            await sleep(0 if seconds == pause else seconds)

        monkeypatch.setattr(asyncio, "sleep", ends_meanwhile)
        if act == "load":
            await write(lists, FULL, OTHERS[0])
        else:
            assert await building.build(lists.services) is not None
    assert waits == [pause]


async def test_one_person_on_two_lists_is_one_cluster_until_a_list_changes(
    banco, lists, monkeypatch
):
    # Lists of a million entries are linked page by page, and by a process of their own.
    monkeypatch.setattr(linking, "PAGE", 2)
    monkeypatch.setattr(linking, "FEW", 0)
    monkeypatch.setattr(linking, "REST", 0.01)
    await write(lists, FULL, *OTHERS)
    rows = (
        "A-7,Lunario Quimbaya Evaristo,,,1961-04-17,CO,,,,,,,,,",
        f"A-8,{NAME},,,1990,MX,,,,,,,,,",
        f"A-9,{NAME},,,1961-04-17,MX,,,,female,,,,,",
    )
    await write(lists, *rows, *OTHERS, known=OTHER)
    await lists.serve()
    by_id = {match["entryId"]: match["entry"] for match in await match_of(banco)}
    assert set(by_id) == {"1", "A-7", "A-8", "A-9"}
    assert by_id["1"]["clusterId"] == by_id["A-7"]["clusterId"] is not None
    assert by_id["A-8"]["clusterId"] is None
    assert by_id["A-9"]["clusterId"] != by_id["1"]["clusterId"]
    assert [(each["list"], each["entryId"]) for each in by_id["1"]["sources"]] == [
        ("other", "A-7"),
        ("private", "1"),
    ]
    await write(lists, *OTHERS, known=OTHER, force=True)
    await lists.serve()
    (alone,) = await match_of(banco)
    assert (alone["entry"]["clusterId"], alone["entry"]["sources"]) == (None, [])


def _row(identifiers=(), births=(), name=NAME, countries=(), entity_type="person", kind="alias"):
    return {
        "entity_type": entity_type,
        "names": [{"text": name, "kind": kind}],
        "dates_of_birth": list(births),
        "countries": list(countries),
        "identifiers": [{"kind": kind, "value": value} for kind, value in identifiers],
    }


DAY = {"births": ["1961-04-17"]}
PASSPORT = {"identifiers": [("passport", "G1234567")]}
LINKED = [
    ({"identifiers": [("rfc", "QULE610417AB1")]}, {"identifiers": [("rfc", "QULE-610417-AB1")]}),
    (PASSPORT | {"countries": ["MX"]}, PASSPORT | {"countries": ["US", "MX"]}),
    (PASSPORT | DAY, PASSPORT | DAY | {"name": "Q. Lunario"}),
    (DAY, DAY | {"name": "Ebaristo Kimbaya Lunario"}),
    (DAY, DAY | {"name": "LUNARIO Quimbaya, Évaristo"}),
]
APART = [
    ({"identifiers": [("rfc", "QULE610417")]},) * 2,
    (PASSPORT | {"countries": ["MX"]}, PASSPORT | {"countries": ["US"]}),
    ({"identifiers": [("passport", "12")], "countries": ["MX"]},) * 2,
    (PASSPORT | {"births": ["1961"], "name": "Lunario"},) * 2,
    ({"births": ["1961"]},) * 2,
    (DAY | {"kind": "weak"},) * 2,
    (DAY | {"name": "Relojero"},) * 2,
    (DAY | {"entity_type": "company"},) * 2,
]


@pytest.mark.parametrize(("one", "other"), LINKED)
def test_the_same_identifier_or_name_with_full_birth_date_links(one, other):
    assert set(link_keys_of(_row(**one))) & set(link_keys_of(_row(**other)))


@pytest.mark.parametrize(("one", "other"), APART)
def test_less_than_that_links_nothing(one, other):
    assert not set(link_keys_of(_row(**one))) & set(link_keys_of(_row(**other)))


def test_a_cluster_never_has_two_members_that_contradict_each_other():
    born, later, unknown = (
        Facts("person", frozenset(births), frozenset())
        for births in (["1961-04-17"], ["1975-01-02"], [])
    )
    assert clusters([[1, 2]], {1: born, 2: later}) == {}
    assert clusters([[1, 3], [2, 3]], {1: born, 2: later, 3: unknown}) == {1: 1, 3: 1}
    woman = Facts("person", frozenset(), frozenset({"female"}))
    man = Facts("person", frozenset(), frozenset({"male"}))
    assert clusters([[1, 2]], {1: woman, 2: man}) == {}
    firm = Facts("company", frozenset(), frozenset())
    assert clusters([[4, 5]], {4: firm, 5: unknown}) == {}
    robleda, manaure = (
        Facts("company", frozenset(), frozenset(), frozenset(words.split()))
        for words in ("agropecuaria robleda", "manaure")
    )
    assert clusters([[1, 2]], {1: robleda, 2: manaure}) == {}
    year = Facts("person", frozenset({"1961"}), frozenset())
    assert clusters([[7, 8], [8, 9]], {7: born, 8: year, 9: unknown}) == {7: 7, 8: 7, 9: 7}


def test_firms_with_the_same_number_have_more_in_common_than_a_legal_form():
    """Publishers mistype numbers: two firms of OFAC's list have one registration."""
    firms = [
        {
            "entity_type": "company",
            "dates_of_birth": [],
            "genders": None,
            "names": [{"text": name}],
        }
        for name in (
            "JOINT STOCK COMPANY ROBLEDA",
            "AKTSIONERNOE OBSHCHESTVO MANAURE",
            "Obshchestvo s ogranichennoi otvetstvennostyu Zempoala",
            "OBSHCHESTVO S OGRANICHENNOI OTVETSTVENNOSTYU TONATICO",
            "Robleda S.A.",
        )
    ]
    facts = dict(enumerate(map(facts_of, firms)))
    assert clusters([[0, 1], [2, 3], [0, 4]], facts) == {0: 0, 4: 0}


def test_each_publishers_page_is_known_except_of_ones_own_lists():
    assert BY_ID["ofac-sdn"].page_of("7173").endswith("?id=7173")
    assert BY_ID["opensanctions"].page_of("a/b") == "https://www.opensanctions.org/entities/a%2Fb/"
    assert BY_ID["pep"].page_of("1") == ""
