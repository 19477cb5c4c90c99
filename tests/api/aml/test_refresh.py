"""Lists fetched from a publisher that speaks HTTPS, and everything that may be wrong with it."""

import asyncio
import json
from dataclasses import dataclass, field, replace

import pytest
from aiohttp import web

from acredita.jobs import JobContext
from acredita.kit.clock import SystemClock
from acredita.providers.watchlists.catalogue import BY_ID, KnownList
from acredita.providers.watchlists.download import DownloadFailed
from acredita.providers.watchlists.protocol import ListFault
from acredita.resources.aml.lists import refreshing
from acredita.resources.aml.lists.jobs import refresh_list, refresh_lists
from acredita.resources.aml.lists.loading import ListShrank
from tests.api.aml.conftest import HEADER
from tests.factories.receiver import answer, endless_body, gzip_bomb, hang

HOST = "localhost"
ROWS = [f"{number},person,Persona Inventada {number},,,MX," for number in range(10)]


@dataclass
class Publisher:
    """Publishes a list as servers do: with an ETag, and 304 for a client with the current one."""

    text: str = ""
    etag: str = '"1"'
    asked: list[dict[str, str]] = field(default_factory=list)

    def publish(self, *rows: str, etag: str) -> None:
        self.text, self.etag = "\n".join([HEADER, *rows]), etag

    async def __call__(self, receiver, request: web.Request) -> web.StreamResponse:
        self.asked.append(dict(request.headers))
        if request.headers.get("If-None-Match") == self.etag:
            return web.Response(status=304)
        return web.Response(text=self.text, headers={"ETag": self.etag})


@pytest.fixture
async def publisher(authority):
    """A publisher, and the list that is fetched from it."""
    publisher = Publisher()
    async with authority.receiver(host=HOST) as receiver:
        receiver.otherwise = publisher
        publisher.receiver = receiver
        publisher.list = KnownList(
            "private", "Ours", "", ("csv",), (receiver.url("/list.csv", HOST),)
        )
        yield publisher


@pytest.fixture
def refresh(lists, publisher):
    async def refresh(**terms):
        change = await refreshing.refresh(lists.services, publisher.list, **terms)
        await lists.serve()
        return change

    return refresh


async def status(banco):
    answer = await banco.get("/v1/aml/lists")
    assert answer.status_code == 200, answer.text
    return {each["id"]: each for each in answer.json()["lists"]}


async def test_a_published_list_is_taken_and_only_what_changed_is_changed(
    banco, publisher, refresh
):
    publisher.publish(*ROWS, etag='"1"')
    change = await refresh()
    assert (change.version, change.added, change.removed) == (1, 10, 0)
    publisher.publish(
        ROWS[0], ROWS[1].replace("MX", "US"), *ROWS[3:], "99,person,Nueva Persona,,,,", etag='"2"'
    )
    change = await refresh()
    assert (change.version, change.added, change.changed, change.removed) == (2, 1, 1, 1)
    shown = (await status(banco))["private"]
    assert (shown["entries"], shown["version"], shown["status"]) == (10, 2, "current")


async def test_what_the_publisher_calls_unchanged_is_not_sent_again(publisher, refresh):
    publisher.publish(*ROWS, etag='"1"')
    await refresh()
    assert await refresh() is None
    assert publisher.asked[1]["If-None-Match"] == '"1"'


async def test_the_same_bytes_under_another_etag_are_no_new_version(banco, publisher, refresh):
    publisher.publish(*ROWS, etag='"1"')
    await refresh()
    publisher.etag = '"other"'
    assert await refresh() is None
    assert (await status(banco))["private"]["version"] == 1


async def test_a_list_that_shrank_by_more_than_a_fifth_is_refused_unless_forced(
    banco, publisher, refresh
):
    publisher.publish(*ROWS, etag='"1"')
    await refresh()
    publisher.publish(*ROWS[:7], etag='"2"')
    with pytest.raises(ListShrank, match="7 entries instead of 10"):
        await refresh()
    shown = (await status(banco))["private"]
    assert (shown["entries"], shown["status"], shown["problem"]) == (10, "stale", "SHRANK")
    change = await refresh(force=True)
    assert change.removed == 3
    shown = (await status(banco))["private"]
    assert (shown["entries"], shown["status"], shown["problem"]) == (7, "current", None)


async def test_exactly_a_fifth_less_is_taken(publisher, refresh):
    publisher.publish(*ROWS, etag='"1"')
    await refresh()
    publisher.publish(*ROWS[:8], etag='"2"')
    assert (await refresh()).removed == 2


DAMAGED = {
    "empty": "",
    "blank": "\n\n  \n",
    "header alone": HEADER,
    "an error page": "<html><body>Service unavailable</body></html>",
    "cut short": "\n".join([HEADER, *ROWS])[:-20] + '"unclosed',
    "a row twice": "\n".join([HEADER, *ROWS, ROWS[3]]),
    "another format": '{"id": "x", "schema": "Person", "properties": {"name": ["Uno"]}}',
}


@pytest.mark.parametrize("text", DAMAGED.values(), ids=DAMAGED)
async def test_a_damaged_list_is_refused_and_the_former_version_stays_in_use(
    banco, publisher, refresh, text
):
    publisher.publish(*ROWS, etag='"1"')
    await refresh()
    publisher.text, publisher.etag = text, '"2"'
    with pytest.raises(ListFault):
        await refresh()
    shown = (await status(banco))["private"]
    assert (shown["entries"], shown["version"]) == (10, 1)
    assert (shown["status"], shown["problem"]) == ("stale", "DAMAGED")
    found = await banco.post("/v1/aml/screen", json={"fullName": "Persona Inventada 3"})
    assert found.json()["totalMatches"] >= 1
    publisher.publish(*ROWS, etag='"3"')
    await refresh()
    assert (await status(banco))["private"]["status"] == "current"


@pytest.mark.parametrize(
    ("behaviour", "why"),
    [
        (answer(500), "answers 500"),
        (answer(403), "answers 403"),
        (endless_body, "larger than 1 MiB"),
        (gzip_bomb, "compressed"),
        (hang, "took over 1 s"),
        (answer(302, Location="https://elsewhere.example/list.csv"), "another host"),
        (answer(302, Location="http://169.254.169.254/latest"), "another host"),
        (answer(302, Location="file:///etc/passwd"), "another host"),
        (answer(302, Location="/list.csv"), "too often"),
    ],
    ids=["500", "403", "endless", "gzip", "hang", "elsewhere", "metadata", "file", "loop"],
)
async def test_an_address_that_misbehaves_is_left_and_the_list_is_stale(
    banco, lists, publisher, refresh, behaviour, why
):
    publisher.publish(*ROWS, etag='"1"')
    await refresh()
    publisher.receiver.otherwise = behaviour
    # Who waits for a time-out waits a moment; the others have time enough on a busy machine.
    timeout = 1.0 if behaviour is hang else 30.0
    hasty = lists.services.settings.model_copy(
        update={"aml_refresh_timeout": timeout, "aml_refresh_limit": 1}
    )
    with pytest.raises(DownloadFailed, match=why):
        await refreshing.refresh(replace(lists.services, settings=hasty), publisher.list)
    shown = (await status(banco))["private"]
    assert (shown["entries"], shown["status"], shown["problem"]) == (10, "stale", "UNREACHABLE")


async def test_a_redirect_to_where_the_publisher_keeps_its_files_is_followed(
    authority, lists, publisher
):
    publisher.publish(*ROWS, etag='"1"')
    target = publisher.receiver.url("/signed?x=1", HOST)
    async with authority.receiver(answer(302, Location=target), host="127.0.0.1") as first:
        known = replace(
            publisher.list, addresses=(first.url("/list.csv", "127.0.0.1"),), redirects_to=(HOST,)
        )
        assert (await refreshing.refresh(lists.services, known)).added == 10
        first.script.append(answer(302, Location=target))
        with pytest.raises(DownloadFailed, match="another host"):
            await refreshing.refresh(lists.services, replace(known, redirects_to=()))


async def test_a_certificate_that_nobody_vouches_for_is_refused(lists, publisher):
    settings = lists.services.settings.model_copy(update={"aml_ca_file": None})
    with pytest.raises(DownloadFailed):
        await refreshing.refresh(replace(lists.services, settings=settings), publisher.list)


async def test_a_list_of_several_files_is_fetched_whole_when_one_of_them_changed(
    banco, lists, authority
):
    primary = '36,"AEROCARIBBEAN AIRLINES",-0- ,"CUBA"' + ",-0- " * 8 + "\r\n\x1a"
    files = {"/SDN.CSV": primary, "/ALT.CSV": '36,12,"aka","AERO-CARIBBEAN",-0- \r\n\x1a'}

    async def publish(receiver, request):
        text = files[request.path]
        etag = f'"{hash(text)}"'
        if request.headers.get("If-None-Match") == etag:
            return web.Response(status=304)
        return web.Response(body=text.encode(), headers={"ETag": etag})

    async with authority.receiver(host=HOST) as receiver:
        receiver.otherwise = publish
        addresses = tuple(receiver.url(path, HOST) for path in files)
        known = replace(BY_ID["ofac-sdn"], addresses=addresses)
        assert (await refreshing.refresh(lists.services, known)).added == 1
        assert await refreshing.refresh(lists.services, known) is None
        files["/ALT.CSV"] = '36,12,"aka","AERO CARIBE",-0- \r\n\x1a'
        change = await refreshing.refresh(lists.services, known)
        assert (change.changed, change.version) == (1, 2)
    await lists.serve()
    found = await banco.post("/v1/aml/screen", json={"fullName": "Aero Caribe"})
    assert found.json()["matches"][0]["matchedName"] == "AERO CARIBE"


async def test_the_daily_job_fetches_what_the_settings_name(banco, lists, publisher, days):
    publisher.publish(*ROWS, etag='"1"')
    address = publisher.list.addresses[0]
    settings = lists.services.settings.model_copy(update={"aml_refresh": (f"private={address}",)})
    days.services = replace(lists.services, settings=settings)
    await refresh_lists(JobContext(days.services, None))
    await days.pass_to(0)
    await lists.services.screener.refresh()
    shown = await status(banco)
    # The names that a fresh installation has are gone with the first real list.
    assert set(shown) == {"private"}
    assert shown["private"]["entries"] == 10


async def test_an_address_that_is_away_is_tried_again_and_a_damaged_file_is_not(
    lists, publisher, days
):
    from acredita.jobs import Later

    settings = lists.services.settings.model_copy(
        update={"aml_refresh": (f"private={publisher.list.addresses[0]}",)}
    )
    context = JobContext(replace(lists.services, settings=settings), None)
    publisher.text = HEADER
    await refresh_list(context, list_id="private")
    publisher.receiver.otherwise = answer(503)
    with pytest.raises(Later):
        await refresh_list(context, list_id="private")


async def test_a_list_nobody_was_heard_of_for_days_is_stale(banco, lists, publisher, refresh):
    publisher.publish(*ROWS, etag='"1"')
    await refresh()
    settings = lists.services.settings.model_copy(update={"aml_refresh": ("private=https://x",)})
    from acredita.resources.aml.lists.queries import loaded, shape_of

    assert SystemClock().now()
    async with lists.services.database.transaction() as session:
        (row,) = await loaded(session)
    now = lists.services.clock.now()
    refreshed = frozenset(settings.aml_sources)
    from datetime import timedelta

    assert shape_of(row, now + timedelta(days=2), refreshed=refreshed).status == "current"
    assert shape_of(row, now + timedelta(days=4), refreshed=refreshed).status == "stale"
    assert shape_of(row, now + timedelta(days=400), refreshed=frozenset()).status == "current"


async def test_two_loads_of_one_list_wait_for_each_other(lists, publisher, refresh):
    publisher.publish(*ROWS, etag='"1"')
    await refresh()

    async def again(rows, etag):
        publisher.publish(*rows, etag=etag)
        return await refreshing.refresh(lists.services, publisher.list, force=True)

    await asyncio.gather(again(ROWS[:9], '"2"'), again(ROWS[:9], '"2"'))
    async with lists.services.database.transaction() as session:
        from acredita.models import Watchlist

        row = await session.get(Watchlist, "private")
        assert (row.version, row.entries) == (2, 9)


async def test_opensanctions_is_loaded_whole_once_and_then_by_its_changes(banco, lists, publisher):
    def entity(number, topic="sanction"):
        properties = {"name": [f"Persona Inventada {number}"], "topics": [topic]}
        return {"id": f"q{number}", "schema": "Person", "properties": properties}

    pages = {
        "/whole.json": "\n".join(json.dumps(entity(number)) for number in range(9)),
        "/delta.json": json.dumps({"versions": {"20260101": "/1.json", "20260102": "/2.json"}}),
        "/2.json": "\n".join(
            json.dumps({"op": operation, "entity": changed})
            for operation, changed in (
                ("DEL", {"id": "q1"}),
                ("MOD", entity(2, "role.pep")),
                ("MOD", entity(3) | {"properties": {"name": ["Otro"], "topics": ["sanction"]}}),
                ("ADD", entity(10)),
            )
        ),
    }
    asked = []

    def publish(version, **index):
        resources = [{"name": "entities.ftm.json", "url": "/whole.json"}]
        index = {"version": version, "resources": resources, "delta_url": "/delta.json"} | index
        pages["/index.json"] = json.dumps(index)

    async def serve(_receiver, request):
        asked.append(request.path)
        return web.Response(text=pages[request.path])

    publisher.receiver.otherwise = serve
    known = replace(
        BY_ID["opensanctions-sanctions"], addresses=(publisher.receiver.url("/index.json", HOST),)
    )
    publish("20260101")
    change = await refreshing.refresh(lists.services, known)
    assert (change.added, change.entries, asked.pop()) == (9, 9, "/whole.json")
    assert await refreshing.refresh(lists.services, known) is None
    asked.clear()
    publish("20260102")
    change = await refreshing.refresh(lists.services, known)
    # One is deleted, one has lost the topic of this list.
    assert (change.added, change.changed, change.removed, change.entries) == (1, 1, 2, 8)
    assert asked == ["/index.json", "/delta.json", "/2.json"]
    await lists.serve()
    shown = (await status(banco))["opensanctions-sanctions"]
    assert (shown["entries"], shown["asOf"]) == (8, None)
    publish("20260103", resources=[{"name": "entities.ftm.json", "url": "https://other.example/x"}])
    with pytest.raises(ListFault, match="another host"):
        await refreshing.refresh(lists.services, known)
