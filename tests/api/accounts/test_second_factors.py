"""Second factors: what a password alone opens, guessing, replaying, losing them."""

import asyncio
from datetime import timedelta

import pyotp
import pytest
from sqlalchemy import select, update

from acredita.models import AuditEntry, RecoveryCode, TotpSecret, User
from tests.api.accounts.browsers import Tab
from tests.factories.organizations import PASSWORD

ME = "/v1/organizations/me"
SESSION = "/v1/auth/session"
FACTOR = f"{SESSION}/second-factor"


@pytest.fixture(autouse=True)
def checks_are_not_remembered(monkeypatch):
    monkeypatch.setattr("acredita.api.session_credentials.CACHE_SECONDS", 0)
    monkeypatch.setattr("acredita.api.credentials.CACHE_SECONDS", 0)


@pytest.fixture
def clock(app, clock):
    """Moves the time of the checks of sessions and tokens as well."""
    app.state.credentials.sessions._clock = app.state.credentials._clock = clock
    return clock


class App:
    """An authenticator app at the service's time."""

    def __init__(self, clock, secret: str) -> None:
        self._clock, self._totp = clock, pyotp.TOTP(secret)

    def code(self, steps: int = 0) -> str:
        return self._totp.at(int(self._clock.now().timestamp()) + 30 * steps)

    def next(self) -> str:
        self._clock.ahead += timedelta(seconds=60)
        return self.code()


@pytest.fixture
async def tab(client, ana) -> Tab:
    tab = Tab(client)
    assert (await tab.sign_in(ana.email)).status_code == 201
    return tab


async def enrol(tab: Tab, clock) -> tuple[App, list[str]]:
    begun = await tab.request("POST", "/v1/auth/totp")
    assert begun.status_code == 201, begun.text
    assert begun.json()["secret"] in begun.json()["otpauthUri"]
    app = App(clock, begun.json()["secret"])
    done = await tab.request("POST", "/v1/auth/totp/confirm", json={"code": app.code()})
    assert done.status_code == 200, done.text
    return app, done.json()["recoveryCodes"]


def refusal(answer):
    return answer.status_code, answer.json()["error"]["code"]


async def give(tab, code, method="TOTP"):
    return await tab.request("POST", FACTOR, json={"method": method, "code": code})


async def test_with_a_second_factor_a_password_alone_opens_nothing(
    client, ana, tab, clock, services
):
    token = await ana.token()
    app, recovery = await enrol(tab, clock)
    assert (await tab.request("GET", ME)).status_code == 200
    former = await client.get(ME, headers={"Authorization": f"Bearer {token}"})
    assert former.status_code == 401
    other = Tab(client)
    body = (await other.sign_in(ana.email)).json()
    assert (body["state"], body["user"], body["organization"]) == ("SECOND_FACTOR", None, None)
    assert body["factors"] == ["TOTP", "RECOVERY_CODE"]
    for path in (ME, "/v1/auth/sessions", "/v1/auth/second-factors"):
        assert refusal(await other.request("GET", path)) == (403, "SECOND_FACTOR_REQUIRED")
    begun = await other.request("POST", "/v1/auth/totp")
    assert refusal(begun) == (403, "SECOND_FACTOR_REQUIRED")
    before = other.cookie
    assert refusal(await give(other, "000000")) == (401, "SECOND_FACTOR_WRONG")
    code = app.next()
    assert (await give(other, code)).json()["state"] == "ACTIVE"
    assert (await other.request("GET", ME)).status_code == 200
    # The cookie of before the second factor is worth nothing any more.
    stale = Tab(client)
    stale.cookie, stale.csrf = before, other.csrf
    assert (await stale.request("GET", SESSION)).status_code == 401
    # A code works once, so someone who also read it cannot use it.
    third = Tab(client)
    await third.sign_in(ana.email)
    assert refusal(await give(third, code)) == (401, "SECOND_FACTOR_WRONG")
    assert (await give(third, recovery[0].upper(), "RECOVERY_CODE")).status_code == 200
    await third.sign_in(ana.email)
    again = await give(third, recovery[0], "RECOVERY_CODE")
    assert refusal(again) == (401, "SECOND_FACTOR_WRONG")
    left = (await tab.request("GET", "/v1/auth/second-factors")).json()
    assert left["recoveryCodesLeft"] == 9
    async with services.database.reading() as connection:
        stored = (await connection.execute(select(TotpSecret.__table__))).one()
        codes = (await connection.execute(select(RecoveryCode.digest))).scalars().all()
        actions = set((await connection.execute(select(AuditEntry.action))).scalars())
    assert app._totp.secret.encode() not in stored.secret_sealed
    assert {len(digest) for digest in codes} == {32}
    assert {"user.second_factor_added", "user.second_factor_failed"} <= actions


async def begun(services) -> int:
    async with services.database.reading() as connection:
        query = select(AuditEntry).where(AuditEntry.action == "user.sign_in_begun")
        return len((await connection.execute(query)).all())


async def test_a_right_password_without_the_second_factor_is_recorded_ten_times(
    client, ana, tab, clock, services
):
    await enrol(tab, clock)
    thief = Tab(client)
    for number in range(1, 13):
        if number % 2:
            assert refusal(await ana.login()) == (403, "SECOND_FACTOR_REQUIRED")
        else:
            assert (await thief.sign_in(ana.email)).json()["state"] == "SECOND_FACTOR"
        assert await begun(services) == min(number, 10)


async def test_the_login_of_servers_and_scripts_takes_the_code(client, ana, tab, clock):
    app, recovery = await enrol(tab, clock)
    body = {"email": ana.email, "password": PASSWORD}
    assert refusal(await ana.login()) == (403, "SECOND_FACTOR_REQUIRED")
    for code in (app.next(), recovery[3]):
        answer = await client.post("/v1/auth/login", json=body | {"code": code})
        assert answer.status_code == 200, answer.text
        headers = {"Authorization": f"Bearer {answer.json()['access_token']}"}
        assert (await client.get(ME, headers=headers)).status_code == 200
        again = await client.post("/v1/auth/login", json=body | {"code": code})
        assert refusal(again) == (401, "SECOND_FACTOR_WRONG")
    wrong = await client.post("/v1/auth/login", json=body | {"password": "x", "code": app.next()})
    assert refusal(wrong) == (401, "UNAUTHORIZED")


async def test_an_organization_requires_one_and_users_set_it_up_at_the_next_request(
    client, ana, tab, banco, rosa, clock
):
    token = await ana.token()
    assert (await banco.patch(ME, json={"secondFactorRequired": True})).status_code == 200
    assert refusal(await banco.patch(ME, json={"secondFactorRequired": False}))[0] == 403
    assert refusal(await ana.login()) == (403, "SECOND_FACTOR_SETUP_REQUIRED")
    former = await client.get(ME, headers={"Authorization": f"Bearer {token}"})
    assert former.status_code == 401
    # Keys of servers, and other organizations, go on.
    assert (await banco.get(ME)).status_code == 200
    assert (await rosa.login()).status_code == 200
    session = (await tab.request("GET", SESSION)).json()
    assert (session["state"], session["secondFactorRequired"]) == ("SECOND_FACTOR_SETUP", True)
    assert refusal(await tab.request("GET", ME)) == (403, "SECOND_FACTOR_SETUP_REQUIRED")
    fresh = Tab(client)
    assert (await fresh.sign_in(ana.email)).json()["state"] == "SECOND_FACTOR_SETUP"
    app, _ = await enrol(fresh, clock)
    assert (await fresh.request("GET", SESSION)).json()["state"] == "ACTIVE"
    clock.ahead += timedelta(minutes=20)
    assert (await fresh.request("GET", ME)).status_code == 200
    # The older session asks for the factor that the user has now.
    assert (await tab.request("GET", SESSION)).json()["state"] == "SECOND_FACTOR"
    assert (await give(tab, app.next())).status_code == 200
    assert refusal(await tab.request("DELETE", "/v1/auth/totp")) == (409, "LAST_SECOND_FACTOR")
    off = await tab.request("PATCH", ME, json={"secondFactorRequired": False})
    assert off.json()["org"]["secondFactorRequired"] is False
    assert (await tab.request("DELETE", "/v1/auth/totp")).status_code == 204
    assert (await ana.login()).status_code == 200


async def test_codes_are_guessed_ten_times_over_all_sessions_and_recovery_still_works(
    client, ana, tab, clock, rosa
):
    app, recovery = await enrol(tab, clock)
    tabs = [Tab(client) for _ in range(4)]
    for one in tabs:
        await one.sign_in(ana.email)
    answers = await asyncio.gather(*(give(tabs[n % 4], f"{n:06}") for n in range(30)))
    assert sorted(answer.status_code for answer in answers) == [401] * 10 + [429] * 20
    code = app.next()
    assert (await give(tabs[0], code)).status_code == 429
    body = {"email": ana.email, "password": PASSWORD, "code": code}
    assert (await client.post("/v1/auth/login", json=body)).status_code == 429
    assert (await give(tabs[0], recovery[0], "RECOVERY_CODE")).status_code == 200
    clock.ahead += timedelta(minutes=15)
    late = Tab(client)
    await late.sign_in(ana.email)
    assert (await give(late, app.next())).status_code == 200


async def test_only_a_recent_sign_in_changes_factors_and_an_administrator_resets_them(
    client, ana, tab, banco, services, clock
):
    clock.ahead += timedelta(minutes=16)
    assert refusal(await tab.request("POST", "/v1/auth/totp")) == (403, "SIGN_IN_AGAIN")
    assert refusal(await banco.post("/v1/auth/totp")) == (409, "USER_NEEDED")
    await tab.sign_in(ana.email)
    _, codes = await enrol(tab, clock)
    renewed = await tab.request("POST", "/v1/auth/recovery-codes")
    assert not set(renewed.json()["recoveryCodes"]) & set(codes)
    wrong = await tab.request("POST", "/v1/auth/totp")
    assert wrong.status_code == 201
    bad = await tab.request("POST", "/v1/auth/totp/confirm", json={"code": "000000"})
    assert refusal(bad) == (401, "SECOND_FACTOR_WRONG")
    path = f"{ME}/users/{banco.registration['user']['id']}/second-factors"
    assert (await banco.delete(path)).status_code == 403
    assert (await tab.request("DELETE", path)).status_code == 403
    async with services.database.transaction() as session:
        await session.execute(update(User).where(User.email == ana.email).values(role="REVIEWER"))
    assert (await banco.delete(path)).status_code == 204
    assert (await tab.request("GET", SESSION)).status_code == 401
    assert (await tab.sign_in(ana.email)).json()["state"] == "ACTIVE"
