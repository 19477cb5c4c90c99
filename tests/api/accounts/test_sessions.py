"""Sessions of browsers: the cookie, forged requests, time-outs, what ends them."""

from datetime import timedelta
from http.cookies import SimpleCookie

import httpx
import pytest
from sqlalchemy import select, update

from acredita.models import AuditEntry, User, UserSession
from acredita.resources.sessions import queries
from tests.api.accounts.browsers import COOKIE, Tab
from tests.factories.organizations import PASSWORD

ME = "/v1/organizations/me"
SESSION = "/v1/auth/session"
NAME = {"name": "Banco Nuevo"}


@pytest.fixture(autouse=True)
def checks_are_not_remembered(monkeypatch):
    monkeypatch.setattr("acredita.api.session_credentials.CACHE_SECONDS", 0)


@pytest.fixture
def clock(app, clock):
    """Moves the time of the checks of sessions as well."""
    app.state.credentials.sessions._clock = clock
    return clock


@pytest.fixture
async def tab(client, ana) -> Tab:
    tab = Tab(client)
    answer = await tab.sign_in(ana.email, headers={"User-Agent": "Navegador 1"})
    assert answer.status_code == 201, answer.text
    return tab


def code(answer: httpx.Response) -> str:
    return answer.json()["error"]["code"]


async def test_a_user_signs_in_reads_and_changes_with_the_cookie_and_signs_out(
    client, ana, banco, tab, services
):
    again = await tab.sign_in(ana.email)
    cookie = SimpleCookie(again.headers["set-cookie"])[COOKIE]
    assert cookie["httponly"]
    assert cookie["secure"]
    assert (cookie["samesite"], cookie["path"], cookie["domain"]) == ("strict", "/", "")
    body = again.json()
    assert body["state"] == "ACTIVE"
    assert body["user"] == banco.registration["user"]
    assert body["organization"] == {"id": banco.organization_id, "name": "Banco Uno"}
    assert (await tab.request("GET", SESSION)).json() == body
    assert (await tab.request("GET", ME)).status_code == 200
    changed = await tab.request("PATCH", ME, json=NAME)
    assert changed.json()["org"]["name"] == NAME["name"]
    former = tab.cookie
    assert (await tab.request("DELETE", SESSION)).status_code == 204
    assert tab.cookie == ""
    tab.cookie = former
    assert (await tab.request("GET", ME)).status_code == 401
    async with services.database.reading() as connection:
        query = select(AuditEntry.action).where(AuditEntry.action.like("user.signed%"))
        actions = [row.action for row in await connection.execute(query)]
    assert sorted(actions) == ["user.signed_in", "user.signed_in", "user.signed_out"]


async def test_the_database_has_neither_the_token_nor_where_the_user_is(tab, services):
    async with services.database.reading() as connection:
        (row,) = (await connection.execute(select(UserSession.__table__))).all()
    assert tab.cookie.encode() not in b"".join(v for v in row if isinstance(v, bytes))
    assert b"Navegador" not in row.browser_sealed
    listed = (await tab.request("GET", "/v1/auth/sessions")).json()["sessions"]
    assert [(one["userAgent"], one["current"]) for one in listed] == [("Navegador 1", True)]


async def test_a_change_needs_the_token_of_the_session_and_a_page_of_this_service(
    client, ana, tab, rosa
):
    other = Tab(client)
    await other.sign_in(rosa.email)
    for headers in ({"X-CSRF-Token": ""}, {"X-CSRF-Token": other.csrf}, {"X-CSRF-Token": "x" * 43}):
        answer = await tab.request("PATCH", ME, json=NAME, headers=headers)
        assert (answer.status_code, code(answer)) == (403, "CSRF_TOKEN_MISSING")
    for attempt in (
        await tab.request("PATCH", ME, json=NAME, headers={"Origin": "https://evil.example"}),
        await other.sign_in(ana.email, headers={"Origin": "https://evil.example"}),
    ):
        assert (attempt.status_code, code(attempt)) == (403, "ORIGIN_NOT_ALLOWED")
    own = await tab.request("PATCH", ME, json=NAME, headers={"Origin": "http://test"})
    assert own.status_code == 200
    # A form of another site can send no JSON.
    form = await client.post(SESSION, data={"email": ana.email, "password": PASSWORD})
    assert form.status_code == 415


async def test_a_planted_cookie_and_a_doubtful_request_open_nothing(client, ana, tab):
    # Session fixation: the attacker's token is not taken over.
    planted = Tab(client)
    planted.cookie = "a" * 43
    await planted.sign_in(ana.email)
    assert planted.cookie not in {"a" * 43, tab.cookie}
    # Cookie tossing: which of two cookies comes first is the attacker's choice.
    twice = f"{COOKIE}={tab.cookie}; {COOKIE}={planted.cookie}"
    assert (await client.get(ME, headers={"Cookie": twice})).status_code == 401
    plain = {"Cookie": f"acredita_session={tab.cookie}"}
    assert (await client.get(ME, headers=plain)).status_code == 401
    # A header that is sent on purpose decides, also if it is wrong.
    wrong = await tab.request("GET", ME, headers={"Authorization": "Bearer a.b.c"})
    assert wrong.status_code == 401


async def test_a_session_ends_when_idle_and_after_its_lifetime(ana, tab, clock, services):
    settings = services.settings
    idle = timedelta(seconds=settings.session_idle_timeout)
    for _ in range(3):
        clock.ahead += idle * 0.9
        assert (await tab.request("GET", ME)).status_code == 200
    clock.ahead += idle
    assert (await tab.request("GET", ME)).status_code == 401
    await tab.sign_in(ana.email)
    end = clock.ahead + timedelta(seconds=settings.session_lifetime)
    while clock.ahead + idle * 0.9 < end:
        clock.ahead += idle * 0.9
        assert (await tab.request("GET", ME)).status_code == 200
    clock.ahead = end
    assert (await tab.request("GET", ME)).status_code == 401
    # Ended ones are deleted.
    async with services.database.transaction() as session:
        now = clock.now()
        await queries.delete_ended(session, seen_before=now - idle, now=now)
        assert await session.scalar(select(UserSession.id)) is None


@pytest.mark.parametrize(
    "headers",
    [
        {"X-Unattended": "true"},
        {"Accept": "text/event-stream"},
        {"Sec-Fetch-Dest": "image"},
    ],
    ids=lambda headers: next(iter(headers)),
)
async def test_what_a_page_asks_by_itself_keeps_no_session(ana, tab, clock, services, headers):
    idle = timedelta(seconds=services.settings.session_idle_timeout)
    clock.ahead += idle * 0.9
    assert (await tab.request("GET", ME, headers=headers)).status_code == 200
    clock.ahead += idle * 0.2
    assert (await tab.request("GET", ME, headers=headers)).status_code == 401
    assert (await tab.request("GET", ME)).status_code == 401


async def test_what_a_user_asks_counts_right_after_what_the_page_asked(
    ana, tab, clock, services, monkeypatch
):
    monkeypatch.setattr("acredita.api.session_credentials.CACHE_SECONDS", 60)
    idle = timedelta(seconds=services.settings.session_idle_timeout)
    clock.ahead += idle * 0.9
    for headers in ({"X-Unattended": "true"}, {}):
        assert (await tab.request("GET", ME, headers=headers)).status_code == 200
    clock.ahead += idle * 0.9
    assert (await tab.request("GET", ME)).status_code == 200


async def test_a_user_lists_and_ends_sessions_and_nobody_else_does(client, ana, tab, rosa, banco):
    phone, stranger = Tab(client), Tab(client)
    await phone.sign_in(ana.email, headers={"User-Agent": "Phone"})
    await stranger.sign_in(rosa.email)
    listed = (await tab.request("GET", "/v1/auth/sessions")).json()["sessions"]
    assert [one["current"] for one in listed] == [False, True]
    path = f"/v1/auth/sessions/{listed[0]['id']}"
    assert (await stranger.request("DELETE", path)).status_code == 404
    assert (await banco.delete(path)).status_code == 404
    assert (await banco.get("/v1/auth/sessions")).json() == {"sessions": []}
    assert (await tab.request("DELETE", path)).status_code == 204
    assert (await phone.request("GET", ME)).status_code == 401
    await phone.sign_in(ana.email)
    assert (await tab.request("DELETE", "/v1/auth/sessions")).status_code == 204
    assert (await phone.request("GET", ME)).status_code == 401
    assert (await tab.request("GET", ME)).status_code == 200


@pytest.mark.parametrize("change", [{"is_active": False}, {"token_version": 7}], ids=str)
async def test_a_disabled_user_or_one_with_another_role_or_password_is_signed_out(
    ana, tab, services, change
):
    async with services.database.transaction() as session:
        await session.execute(update(User).where(User.email == ana.email).values(**change))
    assert (await tab.request("GET", ME)).status_code == 401
    assert (await tab.request("GET", SESSION)).status_code == 401


async def test_wrong_unknown_and_too_many_are_answered_as_by_the_login(client, ana, nobody):
    tab = Tab(client)
    refused = [await tab.sign_in(ana.email, "a wrong password"), await tab.sign_in(nobody.email)]
    errors = [answer.json()["error"] | {"requestId": ""} for answer in refused]
    assert errors[0] == errors[1]
    for _ in range(9):
        assert (await tab.sign_in(ana.email, "a wrong password")).status_code == 401
    assert (await tab.sign_in(ana.email)).status_code == 429
    assert (await ana.login()).status_code == 429
