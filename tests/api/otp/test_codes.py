"""OTP-02 to OTP-05: a code takes five guesses at most, works once, and is nowhere in clear."""

import asyncio
import re
from datetime import timedelta
from uuid import UUID, uuid4

import pytest
import redis.asyncio
from sqlalchemy import select, text

from acredita.models import Job, OneTimePassword
from acredita.resources.otp import jobs as otp_jobs
from tests.api.otp.conftest import EMAIL, PHONE, Holder, other_than
from tests.factories.dumps import dump_database, dump_files, dump_redis, found_in

UNKNOWN = "00868cd2-409f-441a-a9f4-146f90f551c9"


async def test_a_code_is_sent_and_confirmed(holder, sends):
    answer = await holder.send()
    assert answer.status_code == 200
    assert answer.json() == {"sent": True, "channel": "sms", "expiresIn": 300}
    (message,) = await sends.arrive()
    assert (message["channel"], message["destination"]) == ("sms", PHONE)
    assert await holder.guess(await sends.last_code()) == (True, 4)


async def test_a_code_goes_by_mail(holder, sends):
    answer = await holder.send(EMAIL, "email")
    assert answer.json() == {"sent": True, "channel": "email", "expiresIn": 300}
    (message,) = await sends.arrive()
    assert (message["channel"], message["destination"]) == ("email", EMAIL)
    assert await holder.guess(await sends.last_code(), "email") == (True, 4)


async def test_wrong_guesses_are_counted_down_and_end_the_code(holder, sends):
    await holder.send()
    code = await sends.last_code()
    guesses = [await holder.guess(other_than(code)) for _ in range(6)]
    assert guesses == [(False, left) for left in (4, 3, 2, 1, 0, 0)]
    assert await holder.guess(code) == (False, 0)
    await holder.send()
    assert await holder.guess(await sends.last_code()) == (True, 4)


async def test_of_fifty_guesses_at_once_exactly_five_count(holder, sends, services):
    """OTP-02"""
    await holder.send()
    code = await sends.last_code()
    wrong = [f"{(int(code) + n) % 1_000_000:06d}" for n in range(1, 51)]
    answers = await asyncio.gather(*(holder.guess(guess) for guess in wrong))
    assert not any(valid for valid, _ in answers)
    left = sorted((remaining for _, remaining in answers), reverse=True)
    assert left == [4, 3, 2, 1, *[0] * 46]
    async with services.database.reading() as connection:
        assert (await connection.execute(select(OneTimePassword.guesses))).scalar_one() == 5
    assert await holder.guess(code) == (False, 0)


async def test_of_twenty_right_guesses_at_once_one_is_right(holder, sends):
    await holder.send()
    code = await sends.last_code()
    answers = await asyncio.gather(*(holder.guess(code) for _ in range(20)))
    assert sorted(valid for valid, _ in answers) == [False] * 19 + [True]


async def test_a_code_works_once(holder, sends):
    """OTP-03"""
    await holder.send()
    code = await sends.last_code()
    assert await holder.guess(code) == (True, 4)
    assert await holder.guess(code) == (False, 0)


@pytest.mark.parametrize(("seconds", "valid"), [(280, True), (300, False), (301, False)])
async def test_a_code_lives_for_three_hundred_seconds(holder, sends, clock, seconds, valid):
    await holder.send()
    code = await sends.last_code()
    clock.ahead = timedelta(seconds=seconds)
    assert (await holder.guess(code))[0] is valid


async def test_a_new_code_replaces_the_former_one(holder, sends):
    await holder.send()
    former = await sends.last_code()
    await holder.send()
    latter = await sends.last_code()
    if former != latter:
        assert await holder.guess(former) == (False, 4)
        assert await holder.guess(latter) == (True, 3)


async def test_a_code_that_went_to_another_destination_first_is_void(holder, sends):
    await holder.send()
    await sends.last_code()
    await holder.send("+525587654321")
    messages = await sends.arrive()
    assert [message["destination"] for message in messages] == [PHONE, "+525587654321"]
    former, latter = (re.findall(r"\d{6}", message["body"])[0] for message in messages)
    if former != latter:
        assert not (await holder.guess(former))[0]


async def test_a_code_is_for_its_channel_and_its_verification(holder, another, sends):
    await holder.send()
    code = await sends.last_code()
    assert await holder.guess(code, "email") == (False, 0)
    assert await another.guess(code) == (False, 0)
    assert await holder.guess(code) == (True, 4)


async def test_both_channels_of_one_verification_can_be_confirmed(holder, sends):
    await holder.send()
    by_sms = await sends.last_code()
    await holder.send(EMAIL, "email")
    by_mail = await sends.last_code()
    assert await holder.guess(by_mail, "email") == (True, 4)
    assert await holder.guess(by_sms) == (True, 4)


async def test_guesses_are_not_forgotten_with_redis(holder, sends, services):
    """OTP-04"""
    await holder.send()
    code = await sends.last_code()
    redis_client = redis.asyncio.from_url(services.settings.redis_url)
    for left in (4, 3, 2, 1, 0):
        assert await holder.guess(other_than(code)) == (False, left)
        await redis_client.flushdb()
    await redis_client.aclose()
    assert await holder.guess(code) == (False, 0)


async def test_nothing_to_verify_is_not_valid(holder):
    assert await holder.guess("123456") == (False, 0)


async def test_a_code_that_was_replaced_before_it_was_sent_is_never_sent(holder, sends):
    await holder.send()
    await holder.send()
    (message,) = await sends.arrive()
    assert await holder.guess(re.findall(r"\d{6}", message["body"])[0]) == (True, 4)


async def test_a_code_is_nowhere_in_clear(holder, banco, sends, services, clock, capfd):
    """OTP-05: neither before it is sent nor after, neither it nor where it goes."""
    answers, before = [], []
    for destination, channel in ((PHONE, "sms"), (EMAIL, "email")):
        answers.append((await holder.send(destination, channel)).text)
        before.append(await dump_database(services))
        await sends.arrive()
    codes = [re.findall(r"\d{6}", message["body"])[0] for message in await sends.arrive()]
    answers.append((await holder.verify(other_than(codes[0]))).text)
    answers.append((await holder.verify(codes[0])).text)
    answers.append((await banco.get("/v1/audit-logs")).text)
    lines = capfd.readouterr()
    dumps = {
        "answers": "\n".join(answers).encode(),
        "PostgreSQL": b"\n".join([*before, await dump_database(services)]),
        "Redis": await dump_redis(services),
        "storage": dump_files(services),
        "log": (lines.out + lines.err).encode(),
    }
    assert b"otp.send" in dumps["PostgreSQL"]
    for place, dump in dumps.items():
        for number in (PHONE, PHONE.removeprefix("+52"), EMAIL):
            assert not found_in(dump, number), place
        # Six digits stand in many a moment and id: a code is looked for by itself.
        for code in codes:
            assert not re.search(rb"(?<![0-9a-f-])%s(?![0-9a-f-])" % code.encode(), dump), place


async def test_of_a_message_that_was_sent_nothing_can_be_read_any_more(holder, sends, services):
    await holder.send()
    async with services.database.reading() as connection:
        assert (await connection.execute(select(OneTimePassword.message_sealed))).scalar_one()
        payload = (
            await connection.execute(select(Job.payload).where(Job.kind == "otp.send"))
        ).scalar_one()
    assert set(payload) == {"password_id"}
    UUID(payload["password_id"])
    await sends.arrive()
    async with services.database.reading() as connection:
        sealed = (await connection.execute(select(OneTimePassword.message_sealed))).scalar_one()
    assert sealed is None


async def test_expired_codes_are_deleted(holder, sends, services, clock):
    await holder.send()
    await sends.arrive()
    for minutes, left in ((4, 1), (6, 0)):
        clock.ahead = timedelta(minutes=minutes)
        await _purge(services)
        async with services.database.reading() as connection:
            count = await connection.execute(text("SELECT count(*) FROM one_time_password"))
        assert count.scalar_one() == left


async def _purge(services):
    from acredita.jobs import JobContext

    await otp_jobs.purge(JobContext(services, None))


@pytest.mark.parametrize("unknown", [UNKNOWN, UNKNOWN.upper()])
async def test_an_unknown_verification_is_not_found(client, holder, services, unknown):
    stranger = Holder(client, unknown)
    for answer in (await stranger.send(), await stranger.verify("123456")):
        assert answer.status_code == 404
        assert answer.json()["error"]["code"] == "NOT_FOUND"
    assert b"one_time_password:" not in await dump_database(services)


async def test_to_another_organization_a_verification_is_unknown(
    client, holder, banco, rival, sends, services
):
    """TEN-07: nobody has to prove who asks, but who does is held to what is its own."""
    await holder.send()
    code = await sends.last_code()
    before = await dump_database(services)
    foreign = {"verificationId": holder.verification_id, "channel": "sms"}
    unknown = {**foreign, "verificationId": str(uuid4())}
    same = {"X-Request-Id": "the-same"}
    for path, rest in (("send", {"destination": PHONE}), ("verify", {"code": code})):
        answer = await rival.post(f"/v1/otp/{path}", json=foreign | rest, headers=same)
        expected = await rival.post(f"/v1/otp/{path}", json=unknown | rest, headers=same)
        assert (answer.status_code, answer.content) == (404, expected.content)
    assert await dump_database(services) == before
    answer = await banco.post("/v1/otp/verify", json=foreign | {"code": other_than(code)})
    assert answer.json() == {"valid": False, "attemptsRemaining": 4}
    nonsense = {"Authorization": "Bearer of.some.session"}
    answer = await client.post("/v1/otp/verify", json=foreign | {"code": code}, headers=nonsense)
    assert answer.json() == {"valid": True, "attemptsRemaining": 3}


async def test_a_purged_verification_is_not_found(holder, services):
    async with services.database.transaction() as session:
        await session.execute(text("UPDATE verification SET purged_at = now()"))
    for answer in (await holder.send(), await holder.verify("123456")):
        assert answer.status_code == 404


async def test_a_decided_verification_still_confirms(holder, banco, sends):
    decided = await banco.patch(
        f"/v1/verifications/{holder.verification_id}/status", json={"status": "APPROVED"}
    )
    assert decided.status_code == 200
    await holder.send()
    assert await holder.guess(await sends.last_code()) == (True, 4)


async def test_an_unknown_verification_takes_as_many_statements_as_one_with_nothing_to_verify(
    app, client, holder
):
    """OTP-05: the same work, so the same time; a clock would only measure the machine."""
    from sqlalchemy import event

    statements = []
    engine = app.state.services.database.engine.sync_engine
    event.listen(engine, "before_cursor_execute", lambda *a: statements.append(a[2]))
    await holder.verify("123456")
    known, statements[:] = list(statements), []
    await Holder(client, str(uuid4())).verify("123456")
    assert known == statements
    assert len(known) == 2


async def test_what_happens_is_in_the_audit_log_without_a_word_of_whom(holder, banco, sends):
    await holder.send()
    code = await sends.last_code()
    await holder.guess(other_than(code))
    await holder.guess(code)
    await holder.guess(code)
    log = await banco.get("/v1/audit-logs", params={"resourceId": holder.verification_id})
    entries = [entry for entry in log.json()["auditLogs"] if ".code_" in entry["action"]]
    assert [entry["action"] for entry in entries] == [
        "verification.code_confirmed",
        "verification.code_mistaken",
        "verification.code_sent",
    ]
    (destination,) = {entry["details"]["destination"] for entry in entries}
    assert re.fullmatch("[0-9a-f]{64}", destination)
    assert {entry["details"]["channel"] for entry in entries} == {"sms"}
    assert {entry["actor"]["type"] for entry in entries} == {"holder"}
