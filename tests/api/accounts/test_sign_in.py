"""AUT-07, AUT-11 to AUT-13: signing in, and guessing."""

import asyncio
import time
from collections import Counter
from datetime import timedelta
from statistics import median

import httpx
import pytest
from jose import jwt
from sqlalchemy import event, select, update

from acredita.kit import password_hashing
from acredita.kit.password_hashing import MAX_WAITING, Passwords
from acredita.models import AttemptLog, User
from tests.api.accounts.conftest import Person
from tests.conftest import PRODUCTION_HASHER
from tests.factories.organizations import PASSWORD

ME = "/v1/organizations/me"
WRONG = "a wrong password of some length"
COSTLY = pytest.mark.usefixtures("passwords_at_the_cost_of_production")


@pytest.fixture
def passwords_at_the_cost_of_production(monkeypatch):
    monkeypatch.setattr(password_hashing, "_HASHER", PRODUCTION_HASHER)


@pytest.fixture
def verified(app, monkeypatch):
    """Which hashes were compared with, `None` for an account that is none."""
    compared = []
    passwords = app.state.services.passwords
    verify = passwords.verify

    async def counting(password, hashed):
        compared.append(hashed)
        return await verify(password, hashed)

    # The real comparison runs; only its calls are counted.
    monkeypatch.setattr(passwords, "verify", counting)
    return compared


async def failures_recorded(organization) -> list[int]:
    """The numbers of failures in the entries of the organization's audit log, the newest first."""
    answer = await organization.get("/v1/audit-logs?action=user.sign_in_failed")
    entries = answer.json()["auditLogs"]
    user = organization.registration["user"]["id"]
    for entry in entries:
        assert (entry["actor"], entry["resourceId"]) == ({"type": "service", "id": None}, user)
        assert entry["details"] == {"method": "PASSWORD", "failures": entry["details"]["failures"]}
    return [entry["details"]["failures"] for entry in entries]


async def test_a_user_signs_in_and_acts_as_that_user(client, ana, banco):
    answer = await ana.login()
    assert answer.status_code == 200, answer.text
    body = answer.json()
    assert set(body) == {"access_token", "token_type", "expires_in", "user", "org"}
    assert (body["token_type"], body["expires_in"]) == ("Bearer", 3600)
    assert body["user"] == banco.registration["user"]
    assert banco.registration["org"].items() <= body["org"].items()
    claims = jwt.get_unverified_claims(body["access_token"])
    assert (claims["typ"], claims["role"]) == ("user", "OWNER")
    assert claims["sub"] == body["user"]["id"]
    mine = await client.get(ME, headers={"Authorization": f"Bearer {body['access_token']}"})
    assert mine.json()["org"]["id"] == banco.organization_id


async def test_the_address_is_compared_without_case(client, ana):
    assert (await Person(client, ana.email.upper()).login()).status_code == 200


@COSTLY
async def test_wrong_unknown_and_disabled_are_told_apart_by_nothing(
    services, ana, rosa, nobody, verified, banco, rival
):
    async with services.database.transaction() as session:
        await session.execute(update(User).where(User.email == rosa.email).values(is_active=False))
    statements, answers = [], []
    engine = services.database.engine.sync_engine
    event.listen(engine, "before_cursor_execute", lambda *a: statements[-1].append(a[2]))
    for person, password in ((ana, WRONG), (nobody, PASSWORD), (rosa, PASSWORD)):
        statements.append([])
        answers.append(await person.login(password))
    # The same work: also the entry of the audit log, which the unknown address does not get.
    assert statements[0] == statements[1] == statements[2]
    assert any("INSERT INTO audit_log" in each for each in statements[1])
    assert [await failures_recorded(of) for of in (banco, rival)] == [[1], [1]]
    assert {answer.status_code for answer in answers} == {401}
    errors = [answer.json()["error"] | {"requestId": ""} for answer in answers]
    assert errors[0] == errors[1] == errors[2]
    assert len({tuple(sorted(set(answer.headers) - {"date"})) for answer in answers}) == 1
    # Each cost one comparison.
    assert [hashed is None for hashed in verified] == [False, True, True]


@COSTLY
async def test_an_unknown_address_takes_the_time_of_a_known_one():
    """Hash for hash: what else a login does is the same statements for everybody."""
    passwords = Passwords()
    known = await passwords.hash(PASSWORD)
    times = {known: [], None: []}
    for _ in range(15):
        for hashed, taken in times.items():
            # The CPU time does not depend on other work of the machine.
            began = time.process_time()
            assert not await passwords.verify(WRONG, hashed)
            taken.append(time.process_time() - began)
    passwords.close()
    assert not passwords.is_outdated(known)
    ratio = median(times[None]) / median(times[known])
    assert 0.6 < ratio < 1.6, ratio


@COSTLY
async def test_passwords_count_to_their_last_character_and_in_any_script(client):
    for number, password in enumerate(["ñ" * 12, "🔑" * 128, "x" * 73, "p" * 99 + "A" + "p" * 28]):
        person = Person(client, f"p{number}@largo.example", password)
        body = {"orgName": f"Largo {number}", "email": person.email, "password": password}
        assert (await client.post("/v1/auth/register", json=body)).status_code == 201
        assert (await person.login()).status_code == 200
        changed = password[:72] + "B" + password[73:] if number == 2 else password[:-1] + "B"
        assert (await person.login(changed)).status_code == 401
    assert (await person.login(password[:99] + "B" + password[100:])).status_code == 401


@COSTLY
async def test_fifty_guesses_at_once_are_ten(ana, rosa, verified):
    answers = await asyncio.gather(*(ana.login(f"{WRONG} {number}") for number in range(50)))
    assert Counter(answer.status_code for answer in answers) == {401: 10, 429: 40}
    assert len(verified) == 10
    for answer in answers:
        if answer.status_code == 429:
            error = answer.json()["error"]
            assert error["code"] == "RATE_LIMITED"
            assert 1 <= error["retryAfter"] <= 900
            assert answer.headers["retry-after"] == str(error["retryAfter"])
    # The right one, from the same address, must wait; others are not concerned.
    assert (await ana.login()).status_code == 429
    assert len(verified) == 10
    assert (await rosa.login()).status_code == 200


async def test_guesses_at_an_address_that_nobody_has_are_counted_alike(nobody, verified):
    answers = [await nobody.login() for _ in range(12)]
    assert [answer.status_code for answer in answers] == [401] * 10 + [429] * 2
    assert len(verified) == 10


async def test_after_a_quarter_of_an_hour_there_are_ten_guesses_again(ana, clock):
    for _ in range(10):
        await ana.login(WRONG)
    refused = await ana.login()
    assert refused.status_code == 429
    wait = refused.json()["error"]["retryAfter"]
    clock.ahead += timedelta(seconds=wait)
    assert (await ana.login()).status_code == 200


async def test_right_passwords_are_not_counted_one_by_one_or_at_once(ana):
    for _ in range(12):
        assert (await ana.login()).status_code == 200
    at_once = await asyncio.gather(*(ana.login() for _ in range(20)))
    assert {answer.status_code for answer in at_once} == {200}


def from_address(app, address):
    """A client of the application whose peer has this address."""
    transport = httpx.ASGITransport(app=app, raise_app_exceptions=False, client=(address, 5000))
    return httpx.AsyncClient(transport=transport, base_url="http://test")


async def test_another_address_has_its_own_ten_and_an_account_a_hundred_in_all(
    app, ana, rosa, banco, rival
):
    served = []
    for number in range(11):
        async with from_address(app, f"198.51.100.{number}") as client:
            elsewhere = Person(client, ana.email)
            served += [(await elsewhere.login(WRONG)).status_code for _ in range(10)]
    assert Counter(served) == {401: 100, 429: 10}
    async with from_address(app, "198.51.100.200") as client:
        assert (await Person(client, ana.email).login()).status_code == 429
        assert (await Person(client, rosa.email).login()).status_code == 200
    # The audit log records a few of them, so that nobody can fill it.
    assert await failures_recorded(banco) == [100, 50, 10, 5, 1]
    assert await failures_recorded(rival) == []


async def test_failures_around_one_number_are_recorded_five_times(ana, banco, clock):
    for _ in range(40):
        # From the tenth on, each is one of ten within a quarter of an hour.
        assert (await ana.login(WRONG)).status_code == 401
        clock.ahead += timedelta(seconds=91)
    assert len(await failures_recorded(banco)) <= 5 * 4


async def test_a_customers_ipv6_network_is_one_address(app, ana):
    codes = []
    for number in range(11):
        async with from_address(app, f"2001:db8:1:2::{number:x}") as client:
            codes.append((await Person(client, ana.email).login(WRONG)).status_code)
    assert codes == [401] * 10 + [429]
    async with from_address(app, "2001:db8:1:3::1") as client:
        assert (await Person(client, ana.email).login()).status_code == 200


async def test_what_is_counted_holds_no_address(services, ana):
    await ana.login(WRONG)
    async with services.database.reading() as connection:
        rows = (await connection.execute(select(AttemptLog.key, AttemptLog.account))).all()
    assert len(rows) == 3
    assert {len(value) for row in rows for value in row} == {32}


@COSTLY
async def test_a_hash_of_another_cost_is_renewed_at_the_next_sign_in(services, ana):
    from passlib.hash import argon2

    cheap = argon2.using(type="ID", memory_cost=1024, rounds=1, parallelism=1).hash(PASSWORD)
    by_email = User.email == ana.email
    async with services.database.transaction() as session:
        await session.execute(update(User).where(by_email).values(password_hash=cheap))
    assert (await ana.login(WRONG)).status_code == 401
    assert (await ana.login()).status_code == 200
    async with services.database.reading() as connection:
        renewed = (await connection.execute(select(User.password_hash).where(by_email))).scalar()
    assert "m=19456,t=2,p=1" in renewed
    assert (await ana.login()).status_code == 200


async def test_somebody_without_a_password_yet_cannot_sign_in(services, ana):
    async with services.database.transaction() as session:
        await session.execute(update(User).values(password_hash=None))
    assert (await ana.login()).status_code == 401


@COSTLY
async def test_hashing_leaves_the_event_loop_free(client, ana, rosa):
    """AUT-13, measured on the loop itself: how late it comes to what is due."""
    late = []

    async def watch():
        while True:
            due = time.perf_counter() + 0.01
            await asyncio.sleep(0.01)
            late.append(time.perf_counter() - due)
            assert (await client.get("/health")).status_code == 200

    watching = asyncio.create_task(watch())
    answers = await asyncio.gather(*(person.login() for person in [ana, rosa] * 5))
    watching.cancel()
    assert {answer.status_code for answer in answers} == {200}
    assert len(late) > 5
    assert median(late) < 0.1


async def test_more_than_can_be_hashed_in_time_is_refused_at_once(client, app):
    passwords = app.state.services.passwords
    passwords._waiting = MAX_WAITING
    try:
        answer = await Person(client, "x@example.com").login()
    finally:
        passwords._waiting = 0
    assert answer.status_code == 503
    assert answer.json()["error"]["code"] == "SERVICE_UNAVAILABLE"


@pytest.mark.parametrize(
    "change",
    [
        {"password": ""},
        {"password": "x" * 257},
        {"email": None},
        {"email": "x" * 321},
        {"remember": True},
    ],
)
async def test_a_login_of_another_form_is_a_422(client, change):
    body = {"email": "ana@example.com", "password": PASSWORD} | change
    assert (await client.post("/v1/auth/login", json=body)).status_code == 422
