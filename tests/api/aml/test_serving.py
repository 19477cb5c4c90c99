"""One index for all processes, exchanged while they answer."""

import asyncio
import os
import threading
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest
from sqlalchemy import text

from acredita.engines.screening import ScreeningIndex, tables
from acredita.jobs import JobContext
from acredita.kit import ids
from acredita.models import ScreeningIndexFile
from acredita.resources.aml.folder import sweep
from acredita.resources.aml.index import building
from acredita.resources.aml.jobs import build_index, build_index_if_due, delete_old_indexes
from acredita.resources.aml.lists import queries
from acredita.resources.aml.lists.jobs import refresh_lists
from acredita.screener import Screener
from acredita.settings import Environment

SCREEN = "/v1/aml/screen"
NAME = "Evaristo Quimbaya Lunario"
OTHERS = [f"{number},person,Persona Inventada {number},,,MX," for number in range(200)]


def screener_of(services, folder: Path) -> Screener:
    return Screener(
        services.settings.redis_url, services.reads, services.storage, services.keys, folder
    )


async def test_without_any_list_nothing_is_screened_and_the_answer_says_so(banco):
    answer = await banco.post(SCREEN, json={"fullName": NAME})
    assert answer.status_code == 200
    found = answer.json()
    assert found.pop("screeningId")
    assert found.pop("screenedAt")
    assert found == {
        "matches": [],
        "totalMatches": 0,
        "openMatches": 0,
        "screened": False,
        "sandbox": False,
        "lists": [],
    }
    batch = await banco.post(f"{SCREEN}/batch", json={"queries": [{"fullName": NAME}] * 3})
    assert [each["screened"] for each in batch.json()["results"]] == [False] * 3
    assert (await banco.get("/v1/aml/lists")).json() == {"lists": []}


async def test_the_health_of_the_lists_names_what_is_missing_old_or_not_in_the_index(banco, lists):
    async def health():
        return (await banco.get("/v1/aml/health")).json()

    empty = await health()
    assert (empty["status"], empty["index"], empty["lists"]) == ("degraded", None, [])
    await lists.write(*OTHERS)
    loaded = await health()
    assert [(one["id"], one["indexed"]) for one in loaded["lists"]] == [("private", False)]
    assert loaded["status"] == "degraded"
    await lists.serve()
    served = await health()
    assert served["status"] == "ok"
    [own] = served["lists"]
    assert (own["entries"], own["indexed"], own["downloaded"]) == (len(OTHERS), True, False)
    assert served["index"]["entries"] == len(OTHERS)

    async with lists.services.database.transaction() as session:
        old = datetime.now(UTC) - timedelta(days=30)
        found = await queries.health(session, old + timedelta(days=30), refreshed=frozenset({"un"}))
        await session.execute(text("UPDATE aml_list SET confirmed_at = :old"), {"old": old})
        stale = await queries.health(
            session, old + timedelta(days=30), refreshed=frozenset({"private"})
        )
    assert (found.status, found.never_loaded) == ("degraded", ["un"])
    assert stale.status == "degraded"
    assert (stale.lists[0].status, stale.lists[0].confirmed_days) == ("stale", 30)


async def test_a_new_version_is_announced_and_served_without_being_asked_for(banco, lists):
    await lists.write(*OTHERS)
    await lists.serve()
    await lists.write(f"x,person,{NAME},,,MX,", *OTHERS)
    await building.build(lists.services)
    async with asyncio.timeout(5):
        while not (await banco.post(SCREEN, json={"fullName": NAME})).json()["matches"]:  # noqa: ASYNC110
            await asyncio.sleep(0.02)


async def test_a_version_whose_announcement_was_lost_is_found_all_the_same(
    banco, lists, monkeypatch
):
    monkeypatch.setattr("acredita.screener.POLL_INTERVAL", 0.1)
    await lists.write(*OTHERS)
    await lists.serve()
    await lists.write(f"x,person,{NAME},,,MX,", *OTHERS)
    monkeypatch.setattr(building, "CHANNEL", "another_channel")
    await building.build(lists.services)
    # Once more: the loop may just have begun to wait for longer.
    async with asyncio.timeout(20):
        while not (await banco.post(SCREEN, json={"fullName": NAME})).json()["matches"]:  # noqa: ASYNC110
            await asyncio.sleep(0.02)


async def test_no_request_fails_while_versions_are_exchanged(banco, lists):
    await lists.write(*OTHERS, f"x,person,{NAME},,,MX,")
    await lists.serve()
    stop = asyncio.Event()
    answers = []

    async def flood():
        while not stop.is_set():
            answers.append(await banco.post(SCREEN, json={"fullName": NAME}))

    async with asyncio.TaskGroup() as group:
        for _ in range(8):
            group.create_task(flood())
        for number in range(6):
            await lists.write(*OTHERS, f"x,person,{NAME},,198{number}-01-01,MX,")
            await building.build(lists.services)
            await asyncio.sleep(0.2)
        stop.set()
    assert len(answers) > 50
    assert {answer.status_code for answer in answers} == {200}
    found = [answer.json() for answer in answers]
    assert all(each["totalMatches"] == 1 and each["screened"] for each in found)
    assert len({each["matches"][0]["listVersion"] for each in found}) > 2


async def test_who_began_with_a_version_ends_with_it(lists):
    await lists.write(*OTHERS)
    await lists.serve()
    old = await lists.services.screener.current()
    await lists.write(f"x,person,{NAME},,,MX,", *OTHERS)
    await lists.serve()
    new = await lists.services.screener.current()
    assert new.version > old.version
    assert old.index.screen(NAME).total == 0
    assert new.index.screen(NAME).total == 1


async def test_another_machine_gets_the_index_from_the_storage(lists, tmp_path):
    await lists.write(f"x,person,{NAME},,,MX,", *OTHERS)
    await building.build(lists.services)
    folder = tmp_path / "another machine"
    async with screener_of(lists.services, folder) as screener:
        await screener.refresh()
        served = await screener.current()
        assert served.index.screen(NAME).total == 1
        (file,) = folder.iterdir()
        assert file.stat().st_mode & 0o077 == 0


async def test_a_damaged_file_of_this_machine_is_fetched_anew(lists, tmp_path):
    await lists.write(f"x,person,{NAME},,,MX,", *OTHERS)
    await building.build(lists.services)
    folder = tmp_path / "machine"
    async with screener_of(lists.services, folder) as first:
        await first.refresh()
    (file,) = folder.iterdir()
    whole = file.read_bytes()
    file.unlink()
    file.write_bytes(whole[: len(whole) // 2])
    async with screener_of(lists.services, folder) as second:
        await second.refresh()
        assert (await second.current()).index.screen(NAME).total == 1


async def test_the_index_in_the_storage_is_encrypted(lists):
    await lists.write(f"x,person,{NAME},,,MX,", *OTHERS)
    await building.build(lists.services)
    async with lists.services.database.transaction() as session:
        (row,) = await session.scalars(ScreeningIndexFile.__table__.select())
        (file,) = [await session.get(ScreeningIndexFile, row)]
    content = await lists.services.storage.get(file.storage_key)
    assert b"Quimbaya" not in content


async def test_a_process_that_cannot_get_the_index_says_503_and_not_clean(
    app, banco, lists, tmp_path
):
    await lists.write(f"x,person,{NAME},,,MX,", *OTHERS)
    await building.build(lists.services)
    services = app.state.services
    async with services.database.transaction() as session:
        key = await session.scalar(text("SELECT storage_key FROM aml_index"))
    content = await services.storage.get(key)
    await services.storage.delete(key)
    async with screener_of(services, tmp_path / "new") as screener:
        app.state.services = replace(services, screener=screener)
        answer = await banco.post(SCREEN, json={"fullName": NAME})
        assert answer.status_code == 503, answer.text
        assert answer.json()["error"]["code"] == "SERVICE_UNAVAILABLE"
        await services.storage.put(key, content)
        async with asyncio.timeout(10):
            while (await banco.post(SCREEN, json={"fullName": NAME})).status_code != 200:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
    app.state.services = services


async def test_lists_that_did_not_change_are_not_indexed_again(lists):
    await lists.write(*OTHERS)
    assert await building.build(lists.services) is not None
    assert await building.build(lists.services) is None
    await lists.write(*OTHERS)
    assert await building.build(lists.services) is None


async def test_a_build_waits_until_the_running_one_has_ended(lists):
    await lists.write(*OTHERS)
    async with lists.services.database.transaction() as session:
        running = await session.scalar(
            text(
                "UPDATE job SET state = 'running', lease_token = gen_random_uuid(),"
                " lease_expires_at = now() + interval '1 minute'"
                " WHERE kind = 'aml.build_index' RETURNING id"
            )
        )
    for job_id, is_built in ((ids.sortable(), False), (running, True)):
        job = SimpleNamespace(id=job_id, kind=build_index.kind)
        await build_index(JobContext(lists.services, job))
        assert await building.is_due(lists.services.database) is not is_built


async def test_only_the_two_newest_indexes_are_kept(lists):
    for number in range(4):
        await lists.write(*OTHERS[: 190 + number])
        await building.build(lists.services)
    await delete_old_indexes(JobContext(lists.services, None))
    async with lists.services.database.transaction() as session:
        keys = list(await session.scalars(text("SELECT storage_key FROM aml_index")))
    assert len(keys) == 2
    stored = await lists.services.storage.list("aml")
    assert {file.key for file in stored.files} == set(keys)
    async with screener_of(lists.services, lists.folder / "late") as screener:
        await screener.refresh()
        assert (await screener.current()).index.entries == 193


async def test_a_fresh_installation_gets_invented_names_and_production_does_not(banco, lists, days):
    settings = lists.services.settings
    production = settings.model_copy(update={"env": Environment.PRODUCTION})
    await refresh_lists(JobContext(replace(lists.services, settings=production), None))
    await days.pass_to(0)
    assert (await banco.get("/v1/aml/lists")).json() == {"lists": []}
    await refresh_lists(JobContext(lists.services, None))
    await days.pass_to(0)
    (shown,) = (await banco.get("/v1/aml/lists")).json()["lists"]
    assert (shown["id"], shown["sandbox"], shown["entries"]) == ("sandbox", True, 10)


async def test_the_first_real_list_ends_the_invented_names(banco, sandbox):
    await sandbox.write(*OTHERS)
    await sandbox.serve()
    found = (await banco.post(SCREEN, json={"fullName": "Ottoline Fanshawe-Dubois"})).json()
    assert (found["totalMatches"], found["sandbox"]) == (0, False)
    assert [each["id"] for each in (await banco.get("/v1/aml/lists")).json()["lists"]] == [
        "private"
    ]
    unknown = await banco.post(SCREEN, json={"fullName": NAME, "lists": ["sandbox"]})
    assert unknown.status_code == 422


@pytest.mark.parametrize("names", [0, 10**9])
async def test_answers_are_the_same_on_the_event_loop_and_in_a_thread(
    banco, lists, monkeypatch, names
):
    monkeypatch.setattr("acredita.screener.MOST_NAMES_ON_EVENT_LOOP", names)
    await lists.write(f"x,person,{NAME},,,MX,", *OTHERS)
    await lists.serve()
    found = (await banco.post(SCREEN, json={"fullName": NAME})).json()
    assert [match["score"] for match in found["matches"]] == [1.0]


@pytest.mark.parametrize(
    ("name", "aliases", "is_on_the_loop"),
    [
        (NAME, [], True),
        (" ".join(["Maria"] * 8), [], True),
        (" ".join(["Maria"] * 9), [], False),
        ("-".join(["Maria"] * 83), [], False),
        ("Maria Maria", ["Maria Maria Maria Maria"] * 2, False),
    ],
)
async def test_names_of_more_words_than_people_have_do_not_hold_up_the_event_loop(
    banco, lists, monkeypatch, name, aliases, is_on_the_loop
):
    await lists.write(*OTHERS)
    await lists.serve()
    threads = []
    screen_many = ScreeningIndex.screen_many

    def noting(*args, **terms):
        threads.append(threading.current_thread())
        return screen_many(*args, **terms)

    monkeypatch.setattr(ScreeningIndex, "screen_many", noting)
    answer = await banco.post(SCREEN, json={"fullName": name, "aliases": aliases})
    assert answer.status_code == 200
    assert [thread is threading.current_thread() for thread in threads] == [is_on_the_loop]


async def test_an_index_of_an_older_release_is_built_anew(lists, days):
    await lists.write(f"x,person,{NAME},,,MX,", *OTHERS)
    await building.build(lists.services)
    await days.pass_to(0)
    async with lists.services.database.transaction() as session:
        await session.execute(text("UPDATE aml_index SET form = 0"))
    await build_index_if_due(JobContext(lists.services, None))
    await days.pass_to(0)
    async with lists.services.database.reading() as connection:
        forms = await connection.scalars(text("SELECT form FROM aml_index ORDER BY version"))
    assert list(forms) == [0, building.FORMAT_VERSION]
    assert building.FORMAT_VERSION >= tables._VERSION


async def test_single_names_do_not_wait_for_a_batch(banco, lists, monkeypatch):
    monkeypatch.setattr("acredita.screener.MOST_NAMES_ON_EVENT_LOOP", 0)
    await lists.write(f"x,person,{NAME},,,MX,", *OTHERS)
    await lists.serve()
    queries = [{"fullName": f"Persona Inventada {number}"} for number in range(500)]
    batch = asyncio.create_task(banco.post(f"{SCREEN}/batch", json={"queries": queries}))
    while not batch.done():
        single = await banco.post(SCREEN, json={"fullName": NAME})
        assert single.json()["totalMatches"] == 1
        if not batch.done():
            break
    else:
        pytest.fail("the batch was over before a single name was answered")
    assert len((await batch).json()["results"]) == 500


async def test_a_connection_that_drops_is_made_anew(banco, lists):
    await lists.write(*OTHERS)
    await lists.serve()
    assert await lists.services.redis.execute_command("CLIENT", "KILL", "TYPE", "pubsub")
    await lists.write(f"x,person,{NAME},,,MX,", *OTHERS)
    await building.build(lists.services)
    async with asyncio.timeout(10):
        while not (await banco.post(SCREEN, json={"fullName": NAME})).json()["matches"]:  # noqa: ASYNC110
            await asyncio.sleep(0.05)


def test_what_a_killed_process_left_is_deleted_after_a_day(tmp_path):
    old, young = tmp_path / "work-old", tmp_path / "work-young"
    for folder in (old, young):
        folder.mkdir()
        (folder / "list").write_text("x")
    part, index = tmp_path / ".part", tmp_path / "index-1-abc"
    for file in (part, index):
        file.write_text("x")
    long_ago = time.time() - 2 * 86_400
    for path in (old, part, index):
        os.utime(path, (long_ago, long_ago))
    sweep(tmp_path)
    assert set(tmp_path.iterdir()) == {young, index}


def test_a_file_that_its_process_deletes_meanwhile_stops_nothing(tmp_path):
    # stat() finds no file at the end of a link to nothing, as it does where one was just deleted.
    (tmp_path / ".part").symlink_to(tmp_path / "gone")
    old = tmp_path / "work-old"
    old.mkdir()
    os.utime(old, (0, 0))
    sweep(tmp_path)
    assert not old.exists()
