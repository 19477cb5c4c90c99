"""What a search finds, held against a plain reading of the rule."""

import random
import unicodedata

import pytest
from sqlalchemy import delete, func, select, text, update

from acredita.domain.verification import StepStatus
from acredita.models import NameWord, SearchEntry
from acredita.resources.verifications import pipeline, queries, search, search_page
from acredita.resources.verifications.commands import index_identifiers
from acredita.resources.verifications.outcome import StepOutcome
from tests.factories.organizations import make_verification, make_workflow

# Wildcards, quotes and escapes of SQL, LIKE and regular expressions; letters of odd cases.
LETTERS = "aAbB1%_\\'\"*.?[]()|^$áÁñÑßİıſ \t&+#/;:-—😀"


async def found(member, sought, **query):
    answer = await member.get("/v1/verifications", params={"search": sought, "limit": 100, **query})
    assert answer.status_code == 200, answer.text
    shown = answer.json()
    ids = [row["id"] for row in shown["verifications"]]
    assert shown["pagination"]["total"] == len(ids)
    return set(ids)


def folded(text):
    composed = unicodedata.normalize("NFC", text)
    return unicodedata.normalize("NFC", composed.casefold())


def texts_of(value):
    if isinstance(value, dict):
        return [text for member in value.values() for text in texts_of(member)]
    if isinstance(value, list):
        return [text for member in value for text in texts_of(member)]
    if isinstance(value, bool) or value is None:
        return []
    return [str(value)]


def is_hit(body, sought):
    texts = [body.get("externalId") or "", *texts_of(body.get("metadata") or {})]
    return any(folded(sought) in folded(text) for text in texts)


async def test_a_search_finds_what_holds_it_literally_whatever_the_case(banco, monkeypatch):
    chance = random.Random(7)

    def word(longest):
        return "".join(chance.choices(LETTERS, k=chance.randint(0, longest)))

    workflow_id = await make_workflow(banco)
    bodies = [
        {"externalId": word(8), "metadata": {word(3): word(8), "n": chance.randrange(10**6)}}
        for _ in range(30)
    ] + [
        {
            "externalId": "100% seguro_1",
            "metadata": {"a": "C:\\ruta", "b": "d'Artagnan", "c": 3.25},
        },
        {"externalId": None, "metadata": {"anidado": {"lista": ["Uno", {"dos": "TRES"}, 4567]}}},
        {"externalId": "sin metadatos"},
        {"metadata": {"llave": True, "otra": None, "abc": "\u001f"}},
        {},
    ]
    made = {await make_verification(banco, workflow_id, **body): body for body in bodies}
    searches = [word(4) or "a" for _ in range(60)]
    searches += [
        "%", "_", "\\", "'", '"', "%%", "100%", "0% s", "o_1", "'Art", "c:\\RUTA", ".25", "456",
        "uno", "tres", "llave", "true", "null", "lista", "abc", "SIN META", "unotres", ".*", "[a",
        "\u001f", " ", "A", "\\'; DROP TABLE verification; --", "x" * 255, "á" * 255,
    ]  # fmt: skip
    for body in bodies:
        text = chance.choice([body.get("externalId") or "a", *texts_of(body.get("metadata"))])
        start = chance.randrange(len(text) or 1)
        searches.append(text[start : start + chance.randint(1, 6)] or "a")
    hits = 0
    for number, sought in enumerate(searches):
        # Every second one as if it was common: no index is asked.
        for limit in ("COMMON", "COMMON_WORD"):
            monkeypatch.setattr(search_page, limit, number % 2 * 1000)
        expected = {made_id for made_id, body in made.items() if is_hit(body, sought)}
        assert await found(banco, sought) == expected, sought
        hits += len(expected)
    assert hits > 100


async def test_an_empty_search_is_none(banco):
    verification_id = await make_verification(banco)
    assert await found(banco, "") == {verification_id}


async def test_hits_are_newest_first_in_pages_with_exact_totals(banco):
    workflow_id = await make_workflow(banco)
    made = [await make_verification(banco, workflow_id, externalId=f"caso {n}") for n in range(5)]
    await make_verification(banco, workflow_id, externalId="otro")
    for sought in ("caso", "ca"):
        answer = await banco.get(
            "/v1/verifications", params={"search": sought, "limit": 2, "offset": 1}
        )
        shown = answer.json()
        assert [row["id"] for row in shown["verifications"]] == [made[3], made[2]]
        assert shown["pagination"] == {"total": 5, "limit": 2, "offset": 1, "hasMore": True}


async def test_a_common_text_is_counted_in_part_and_found_entirely(banco, rival, monkeypatch):
    for name, value in {"NEWEST": 6, "SAMPLE": 3, "COMMON": 2, "COMMON_WORD": 2}.items():
        monkeypatch.setattr(search_page, name, value)
    workflow_id = await make_workflow(banco)
    for member, its_workflow in ((rival, None), (banco, workflow_id), (banco, workflow_id)):
        await make_verification(member, its_workflow, externalId="viejo caso")
    made = [await make_verification(banco, workflow_id, externalId=f"caso {n}") for n in range(8)]

    async def page(**query):
        answer = (await banco.get("/v1/verifications", params=query)).json()
        return [row["id"] for row in answer["verifications"]], answer

    part = {"total": 6, "totalIsExact": False, "limit": 3, "offset": 0, "hasMore": True}
    ids, answer = await page(search="caso", limit=3)
    assert (ids, answer["pagination"]) == (made[:-4:-1], part)
    # By cursor, each comes once, also those beyond.
    while "nextCursor" in answer:
        more, answer = await page(search="caso", limit=3, cursor=answer["nextCursor"])
        ids += more
        assert answer["pagination"]["total"] >= len(ids) - 3
        assert answer["pagination"]["totalIsExact"] is False
    assert ids[:8] == made[::-1]
    assert len(set(ids)) == 10
    # So far back, and for a rare text, the index is asked: it counts all.
    ids, answer = await page(search="caso", limit=3, offset=5)
    assert (ids, answer["pagination"]["total"]) == (made[2::-1], 10)
    assert "totalIsExact" not in answer["pagination"]
    ids, answer = await page(search="viejo")
    assert (len(ids), answer["pagination"]["total"]) == (2, 2)
    # Two letters are looked for among the newest alone.
    for sought, total in (("ca", 6), ("vi", 0)):
        ids, answer = await page(search=sought, limit=3)
        assert ids == made[: -min(total, 3) - 1 : -1]
        assert answer["pagination"] == part | {"total": total, "hasMore": total > 3}
    # A list that has no more than these is counted exactly.
    for verification_id in made[:2]:
        path = f"/v1/verifications/{verification_id}/status"
        await banco.request("PATCH", path, json={"status": "APPROVED"})
    for sought in ("caso", "ca"):
        ids, answer = await page(search=sought, status="APPROVED")
        assert (ids, answer["pagination"]["total"]) == (made[1::-1], 2)
        assert "totalIsExact" not in answer["pagination"]


@pytest.mark.parametrize(
    ("limits", "searches"),
    [
        # A text, one word of a name, and two.
        ({"MOST_FOUND": 5, "MOST_NAMED": 5}, ("viejo", "paz", "paz ana")),
        # By the statistics, which say nothing of the words of names.
        ({"EVERYWHERE": 5}, ("viejo",)),
    ],
)
async def test_what_only_old_verifications_have_is_found_in_bounded_steps(
    banco, rival, services, monkeypatch, limits, searches
):
    """An index that returns too much is not read on, nor asked if it would: each page compares the
    next ones."""
    small = {"NEWEST": 4, "SAMPLE": 2, "COMMON": 2, "COMMON_WORD": 2}
    for name, value in (small | limits).items():
        monkeypatch.setattr(search_page, name, value)
    workflow_id = await make_workflow(banco)
    made = [await make_verification(banco, workflow_id, externalId=f"viejo {n}") for n in range(7)]
    for verification_id in made:
        await _in_progress(services, verification_id)
        await read_name(services, verification_id, "ANA", "PAZ")
    await make_verification(rival, externalId="viejo")
    new = [await make_verification(banco, workflow_id, externalId=f"caso {n}") for n in range(6)]
    async with services.database.transaction() as session:
        await session.execute(text("ANALYZE verification_search"))

    async def page(**query):
        answer = (await banco.get("/v1/verifications", params=query)).json()
        return [row["id"] for row in answer["verifications"]], answer

    for sought in searches:
        ids, answer = await page(search=sought, limit=3)
        assert (ids, answer["pagination"]) == (
            [],
            {"total": 0, "totalIsExact": False, "limit": 3, "offset": 0, "hasMore": True},
        )
        pages = []
        while "nextCursor" in answer:
            assert len(pages) < 9
            ids, answer = await page(search=sought, limit=3, cursor=answer["nextCursor"])
            assert answer["pagination"]["offset"] == sum(map(len, pages))
            pages.append(ids)
        assert [each for ids in pages for each in ids] == made[::-1]
        assert answer["pagination"] == {
            "total": 7,
            "totalIsExact": False,
            "limit": 3,
            "offset": 7 - len(ids),
            "hasMore": False,
        }
        # An offset goes no further, so a client that counts pages comes to an end.
        ids, answer = await page(search=sought, limit=3, offset=3)
        assert (ids, answer["pagination"]["hasMore"]) == ([], False)
        assert (answer["pagination"]["total"], "nextCursor" in answer) == (0, False)
        # A list that has no more than are compared is counted exactly.
        for verification_id in (made[0], new[0]):
            path = f"/v1/verifications/{verification_id}/status"
            await banco.request("PATCH", path, json={"status": "REJECTED"})
        assert await found(banco, sought, status="REJECTED") == {made[0]}
    for name, value in {"MOST_FOUND": 7, "MOST_NAMED": 7, "EVERYWHERE": 1000}.items():
        monkeypatch.setattr(search_page, name, value)
    for sought in ("viejo", "paz", "paz ana"):
        assert await found(banco, sought) == set(made)


async def test_a_search_and_a_status_hold_together(banco):
    workflow_id = await make_workflow(banco)
    made = [await make_verification(banco, workflow_id, externalId=f"caso {n}") for n in range(3)]
    await banco.request("PATCH", f"/v1/verifications/{made[1]}/status", json={"status": "APPROVED"})
    assert await found(banco, "caso", status="APPROVED") == {made[1]}
    assert await found(banco, "caso", status="PENDING") == {made[0], made[2]}
    assert await found(banco, "caso", status="EXPIRED") == set()


async def read_name(services, verification_id, given, paternal, maternal=""):
    """End the verification's first step as one that read this name."""
    fields = {"givenNames": given, "paternalSurname": paternal, "maternalSurname": maternal}
    evidence = [{"field": field, "value": value} for field, value in fields.items() if value]
    evidence.append({"field": "street", "value": "CALLE REFORMA"})
    async with services.database.transaction() as session:
        verification = await queries.lock(session, verification_id)
        steps = await queries.list_steps(session, verification.id)
        await pipeline.finish_step(
            session,
            services,
            verification,
            next(step for step in steps if not StepStatus(step.status).is_final),
            StepOutcome(StepStatus.PASSED, evidence=evidence),
        )


@pytest.fixture
async def maria(banco, services):
    """A verification with metadata whose document names María José Muñoz García."""
    verification_id = await make_verification(banco, externalId="c-1", metadata={"plan": "oro"})
    await _in_progress(services, verification_id)
    await read_name(services, verification_id, "MARÍA JOSÉ", "MUÑOZ", "GARCÍA")
    return verification_id


async def _in_progress(services, verification_id):
    async with services.database.transaction() as session:
        verification = await queries.lock(session, verification_id)
        verification.status = "IN_PROGRESS"


@pytest.mark.parametrize(
    ("sought", "is_found"),
    [
        ("maria", True), ("MARÍA", True), ("muñoz", True), ("Munoz", True), ("jose maria", True),
        ("María José Muñoz García", True), ("garcia, maria", True),
        ("mari", True), ("josé gar", True), ("mar maria", False), ("arcia", False),
        ("maria lopez", False), ("reforma", False),
        ("maria%", True), ("m_ria", False), ("jo", False), ("oro", True), ("c-1", True),
        ("maria oro", False),
    ],
)  # fmt: skip
async def test_words_of_the_extracted_name_are_found_the_last_one_by_its_beginning(
    banco, rival, maria, sought, is_found
):
    assert await found(banco, sought) == ({maria} if is_found else set())
    assert await found(rival, sought) == set()


async def test_a_name_is_found_where_the_caller_gave_nothing_to_search(banco, services):
    verification_id = await make_verification(banco)
    assert await number_of_entries(services) == 0
    await _in_progress(services, verification_id)
    await read_name(services, verification_id, "ANA", "PAZ")
    assert await found(banco, "paz ana") == {verification_id}


def is_name_hit(name, sought):
    words = name.split()
    begins = 3 <= len(sought) <= 10
    return any(word == sought or (begins and word.startswith(sought)) for word in words)


async def test_one_word_finds_each_verification_once_whatever_its_names_share(
    banco, rival, services, settings
):
    """Words of few letters have many beginnings in common. A former release kept no words apart."""
    chance = random.Random(11)

    def word():
        return "".join(chance.choices("AB", k=chance.choice((2, 3, 4, 5, 6, 10, 11, 12))))

    workflow_id = await make_workflow(banco, "DOCUMENT_OCR", "GOVERNMENT_VERIFY")
    made = {}
    for number in range(8):
        names = [" ".join(word() for _ in range(3)) for _ in range(2)]
        stated = names[0].split()[0] if number % 2 else word()
        verification_id = await make_verification(banco, workflow_id, metadata={"alias": stated})
        await _in_progress(services, verification_id)
        # The second step reads another spelling.
        for name in names:
            await read_name(services, verification_id, *name.split())
        made[verification_id] = (" ".join(names), stated)
    await make_verification(rival, metadata={"alias": "ABAB"})
    words = {each for names, _ in made.values() for each in names.split()}
    searches = {each[:length] for each in words for length in (2, 3, 4, 5, 6, 10, 11, 12)}

    async def check():
        for sought in searches:
            expected = {
                made_id
                for made_id, (names, stated) in made.items()
                if is_name_hit(names, sought) or sought in stated
            }
            assert await found(banco, sought) == expected, sought

    await check()
    former = [*made][::2]
    async with services.database.transaction() as session:
        await session.execute(delete(NameWord).where(NameWord.verification_id.in_(former)))
        of_former = SearchEntry.verification_id.in_(former)
        await session.execute(update(SearchEntry).where(of_former).values(hashes_covered=-1))
    await check()
    await index_identifiers(settings, lambda _: None)
    async with services.database.transaction() as session:
        covered = func.cardinality(SearchEntry.name_words) == SearchEntry.hashes_covered
        assert set(await session.scalars(select(covered))) == {True}
    await check()


async def test_one_word_of_a_name_goes_with_status_period_and_pages(banco, services):
    workflow_id = await make_workflow(banco)
    made = []
    for number in range(4):
        made.append(await make_verification(banco, workflow_id, externalId=f"ana {number}"))
        await _in_progress(services, made[-1])
        if number < 3:
            await read_name(services, made[-1], "ANA", "PAZ")
    status = {"status": "APPROVED"}
    assert await found(banco, "ana", status="IN_PROGRESS") == {made[3]}
    assert await found(banco, "paz", **status) == await found(banco, "paz") == set(made[:3])
    listed = (await banco.get("/v1/verifications")).json()["verifications"]
    since = {"createdFrom": listed[2]["createdAt"]}
    assert await found(banco, "paz", **since) == set(made[1:3])
    seen, query = [], {"search": "ana", "limit": 3}
    for total in (4, 4):
        shown = (await banco.get("/v1/verifications", params=query)).json()
        assert shown["pagination"]["total"] == total
        seen += [row["id"] for row in shown["verifications"]]
        query["cursor"] = shown.get("nextCursor")
    assert seen == made[::-1]


async def test_the_name_itself_is_in_no_entry(services, maria):
    async with services.database.transaction() as session:
        entry = await session.get(SearchEntry, maria)
        assert entry.text == "c-1Aoro"
        # The words, and their beginnings of three letters or more.
        assert len(entry.name_words) == 4 + len({"MAR", "MARI", "JOS", "MUN", "MUNO"}) + 3
        other = search.hash_words(services.signer, maria, ["MARIA"])
        assert not set(other) & set(entry.name_words)


async def test_what_is_forgotten_is_not_found(banco, services, maria):
    async with services.database.transaction() as session:
        await search.delete_entries(session, [maria])
    for sought in ("maria", "oro", "c-1", "c"):
        assert await found(banco, sought) == set()
    assert await found(banco, "") == {maria}


async def number_of_entries(services):
    async with services.database.transaction() as session:
        return await session.scalar(select(func.count()).select_from(SearchEntry))


CURP, RFC = "GOPA900101MDFMRN09", "GOPA900101AB1"


async def test_identifiers_are_found_and_link_verifications_until_they_are_purged(
    banco, rival, services, settings
):
    stated = {"curp": CURP.lower(), "phone": "+52 1 (55) 1234-5678", "email": "Ana@Banco.example"}
    first = await make_verification(banco, externalId="cliente-9", metadata=stated)
    second = await make_verification(banco, externalId="cliente-9")
    third = await make_verification(banco, metadata={"email": "ana@banco.example"})
    await make_verification(rival, metadata=stated)
    await _in_progress(services, second)
    await read_fields(services, second, curp=CURP, rfc=RFC)
    for sought, hits in {
        CURP: {first, second},
        "gopa900101 mdfmrn09": {first, second},
        RFC: {second},
        "5512345678": {first},
        "+525512345678": {first},
        "ANA@banco.example": {first, third},
        CURP[:-1] + "8": set(),
    }.items():
        assert await found(banco, sought) == hits, sought

    async def linked(verification_id):
        answer = await banco.get(f"/v1/verifications/{verification_id}/links")
        assert answer.status_code == 200, answer.text
        return {link["verificationId"]: link["via"] for link in answer.json()["links"]}

    assert await linked(first) == {second: ["CURP", "EXTERNAL_ID"], third: ["EMAIL"]}
    assert await linked(third) == {first: ["EMAIL"]}
    assert (await rival.get(f"/v1/verifications/{first}/links")).status_code == 404
    # Rows of a former release, which the command indexes.
    async with services.database.transaction() as session:
        await session.execute(update(SearchEntry).values(name_words=[]))
    assert await found(banco, RFC) == set()
    assert await index_identifiers(settings, lambda _: None) == 4
    assert await index_identifiers(settings, lambda _: None) == 4
    assert await found(banco, RFC) == {second}
    assert await linked(second) == {first: ["CURP", "EXTERNAL_ID"]}
    async with services.database.transaction() as session:
        await search.delete_entries(session, [second])
    assert await found(banco, CURP) == {first}
    assert await linked(first) == {third: ["EMAIL"]}


async def read_fields(services, verification_id, **values):
    """End the verification's step with the evidence of these fields."""
    evidence = [{"field": name, "value": value} for name, value in values.items()]
    async with services.database.transaction() as session:
        verification = await queries.lock(session, verification_id)
        (step,) = await queries.list_steps(session, verification_id)
        outcome = StepOutcome(StepStatus.REVIEW, evidence=evidence)
        await pipeline.finish_step(session, services, verification, step, outcome)
