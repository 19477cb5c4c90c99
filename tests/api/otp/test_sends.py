"""OTP-01 and OTP-04: the number of codes for each recipient, for any spelling of an address."""

import asyncio
import re
from datetime import UTC, datetime, time, timedelta

import pytest
import redis.asyncio

from acredita.resources.otp.send_limits import STOPPED
from tests.api.otp.conftest import EMAIL, PHONE, Holder
from tests.factories.organizations import make_verification

THE_SAME_PHONE = ["+52 55 1234 5678", "+5215512345678", " +52 1 (55) 1234-5678 "]
THE_SAME_MAILBOX = ["ANA@correo.example", " ana@CORREO.example ", "Ana@Correo.Example"]


def assert_refused(answer, *, at_most: int) -> int:
    assert answer.status_code == 429, answer.text
    error = answer.json()["error"]
    assert error["code"] == "RATE_LIMITED"
    assert answer.headers["retry-after"] == str(error["retryAfter"])
    assert 1 <= error["retryAfter"] <= at_most
    return error["retryAfter"]


@pytest.mark.parametrize(
    ("channel", "first", "variants"),
    [("sms", PHONE, THE_SAME_PHONE), ("email", EMAIL, THE_SAME_MAILBOX)],
)
async def test_the_fourth_send_to_a_destination_within_ten_minutes_is_refused(
    holder, another, banco, sends, channel, first, variants
):
    """This holds for every spelling, and across verifications and organizations."""
    colleague = Holder(holder.client, await make_verification(banco))
    for sender, destination in zip((holder, another, colleague), variants, strict=True):
        assert (await sender.send(destination, channel)).status_code == 200
    for sender in (holder, another, colleague):
        assert_refused(await sender.send(first, channel), at_most=600)
    reached = {message["destination"].lower() for message in await sends.arrive()}
    assert reached == {first}


async def test_after_the_time_that_the_refusal_names_it_is_sent(holder, clock):
    for _ in range(3):
        assert (await holder.send()).status_code == 200
        clock.ahead += timedelta(minutes=2)
    wait = assert_refused(await holder.send(), at_most=240)
    clock.ahead += timedelta(seconds=wait - 2)
    assert_refused(await holder.send(), at_most=2)
    clock.ahead += timedelta(seconds=2)
    assert (await holder.send()).status_code == 200
    assert_refused(await holder.send(), at_most=120)


async def test_of_twenty_sends_at_once_three_are_sent(holder, sends):
    answers = await asyncio.gather(*(holder.send() for _ in range(20)))
    assert sorted(answer.status_code for answer in answers) == [200] * 3 + [429] * 17
    # The first two were replaced before a worker looked.
    assert len(await sends.arrive()) == 1


async def test_a_verification_sends_ten_codes_an_hour(holder, banco, clock):
    holder = Holder(banco, holder.verification_id)
    for number in range(10):
        assert (await holder.send(f"+5255123456{number:02d}")).status_code == 200
        clock.ahead += timedelta(minutes=1)
    wait = assert_refused(await holder.send("+525512345699"), at_most=50 * 60)
    assert wait > 49 * 60
    clock.ahead += timedelta(seconds=wait)
    assert (await holder.send("+525512345699")).status_code == 200


async def test_a_refused_send_counts_nowhere_and_leaves_the_code_valid(holder, banco, sends):
    for _ in range(3):
        await holder.send()
    code = await sends.last_code()
    for _ in range(12):
        assert_refused(await holder.send(), at_most=600)
    # Twelve more would have been too many for the verification.
    assert (await holder.send(EMAIL, "email")).status_code == 200
    assert (await holder.guess(code))[0]
    log = await banco.get("/v1/audit-logs", params={"action": "verification.code_sent"})
    assert len(log.json()["auditLogs"]) == 4


async def test_sends_are_not_forgotten_with_redis(holder, services):
    """OTP-04"""
    redis_client = redis.asyncio.from_url(services.settings.redis_url)
    for _ in range(3):
        assert (await holder.send()).status_code == 200
        await redis_client.flushdb()
    await redis_client.aclose()
    assert_refused(await holder.send(), at_most=600)


@pytest.fixture
def five_a_day(app):
    services = app.state.services
    settings = services.settings.model_copy(update={"otp_daily_limit": 5})
    object.__setattr__(services, "settings", settings)


async def test_an_organization_sends_so_many_a_day(five_a_day, another, banco, clock):
    noon = datetime.combine(datetime.now(UTC).date() + timedelta(days=1), time(12), UTC)
    clock.ahead = noon - datetime.now(UTC)
    for number in range(5):
        holder = Holder(banco, await make_verification(banco))
        assert (await holder.send(f"+5255123456{number:02d}")).status_code == 200
    for number in range(5, 8):
        wait = assert_refused(await holder.send(f"+5255123456{number:02d}"), at_most=43_201)
        assert wait > 43_000
    # Another organization has a day of its own.
    assert (await another.send()).status_code == 200
    clock.ahead += timedelta(seconds=wait)
    assert (await holder.send("+525512345606")).status_code == 200


async def test_of_twenty_sends_at_once_five_are_of_the_day(five_a_day, banco):
    holders = [Holder(banco, await make_verification(banco)) for _ in range(20)]
    answers = await asyncio.gather(
        *(holder.send(f"+5255123456{n:02d}") for n, holder in enumerate(holders))
    )
    assert sorted(answer.status_code for answer in answers) == [200] * 5 + [429] * 15


@pytest.fixture
def limits(app):
    """Lets a test set the limits of anonymous sends."""
    services = app.state.services

    def change(**limits):
        settings = services.settings.model_copy(update=limits)
        object.__setattr__(services, "settings", settings)

    return change


async def test_anonymous_sends_use_up_only_their_own_budget(limits, client, banco, another, clock):
    limits(otp_anonymous_daily_limit=4, otp_daily_limit=2)
    for number in range(4):
        holder = Holder(client, await make_verification(banco))
        assert (await holder.send(f"+5255123456{number:02d}")).status_code == 200
        clock.ahead += timedelta(hours=1)
    wait = assert_refused(await holder.send("+525512345680"), at_most=20 * 3600)
    assert wait > 20 * 3600 - 60
    assert (await another.send()).status_code == 200
    own = Holder(banco, holder.verification_id)
    for number in range(2):
        assert (await own.send(f"+5255123457{number:02d}")).status_code == 200
    assert_refused(await own.send("+525512345790"), at_most=86_401)
    clock.ahead += timedelta(seconds=wait)
    assert (await holder.send("+525512345680", "sms")).status_code == 200


async def test_of_twenty_anonymous_sends_at_once_five_are_of_the_budget(limits, client, banco):
    limits(otp_anonymous_daily_limit=5)
    holders = [Holder(client, await make_verification(banco)) for _ in range(20)]
    answers = await asyncio.gather(
        *(holder.send(f"+5255123456{n:02d}") for n, holder in enumerate(holders))
    )
    assert sorted(answer.status_code for answer in answers) == [200] * 5 + [429] * 15


async def test_anonymous_sends_to_another_country_have_a_budget(limits, client, banco, another):
    limits(otp_anonymous_foreign_limit=2)
    for number in range(2):
        holder = Holder(client, await make_verification(banco))
        assert (await holder.send(f"+3461234567{number}")).status_code == 200
    assert_refused(await holder.send("+34612345679"), at_most=86_400)
    for destination in (PHONE, "+33612345678"):
        assert (await holder.send(destination)).status_code == 200
    assert (await another.send("+34612345679")).status_code == 200
    own = Holder(banco, holder.verification_id)
    assert (await own.send("+34612345679")).status_code == 200


async def test_all_organizations_together_have_a_budget_of_anonymous_sends(
    limits, client, banco, rival, clock
):
    limits(otp_anonymous_installation_limit=2)
    holders = [Holder(client, await make_verification(each)) for each in (banco, rival, rival)]
    for number, holder in enumerate(holders[:2]):
        assert (await holder.send(f"+5255123456{number:02d}")).status_code == 200
    stopped = STOPPED.collect()[0].samples[0].value
    wait = assert_refused(await holders[2].send(), at_most=3600)
    assert STOPPED.collect()[0].samples[0].value == stopped + 1
    assert (await Holder(rival, holders[2].verification_id).send()).status_code == 200
    clock.ahead += timedelta(seconds=wait)
    assert (await holders[0].send("+525512345699")).status_code == 200


async def test_an_anonymous_session_sends_only_to_its_first_destinations(holder, banco, clock):
    phones = [f"+5255123456{number:02d}" for number in range(4)]
    for phone in phones[:3]:
        assert (await holder.send(phone)).status_code == 200
    assert_refused(await holder.send(phones[3]), at_most=86_400)
    clock.ahead += timedelta(minutes=11)
    assert (await holder.send(phones[0])).status_code == 200
    assert (await holder.send(EMAIL, "email")).status_code == 200
    assert (await Holder(banco, holder.verification_id).send(phones[3])).status_code == 200


async def test_of_many_destinations_at_once_a_session_sends_to_three(holder):
    answers = await asyncio.gather(*(holder.send(f"+5255123456{n:02d}") for n in range(8)))
    assert sorted(answer.status_code for answer in answers) == [200] * 3 + [429] * 5


async def test_anonymous_sends_to_a_destination_are_ten_a_day(client, banco, clock):
    for _ in range(10):
        holder = Holder(client, await make_verification(banco))
        assert (await holder.send()).status_code == 200
        clock.ahead += timedelta(minutes=10)
    wait = assert_refused(await holder.send(), at_most=86_400)
    assert wait > 20 * 3600
    assert (await Holder(banco, holder.verification_id).send()).status_code == 200


@pytest.mark.parametrize(
    ("channel", "destination"),
    [
        ("sms", "5512345678"),
        ("sms", "+52551234567"),
        ("sms", "+528001234567"),
        ("sms", EMAIL),
        ("sms", "+52 55 1234 5678, +52 55 8765 4321"),
        ("email", PHONE),
        ("email", "ana@correo.example, eva@correo.example"),
        ("email", "ana@correo.example\r\nBcc: eva@correo.example"),
        ("email", "Ana <ana@correo.example>"),
        ("email", " "),
        ("email", ""),
        ("email", f"{'a' * 309}@b.example.x"),
    ],
)
async def test_what_is_no_destination_of_the_channel_is_refused(
    holder, sends, channel, destination
):
    answer = await holder.send(destination, channel)
    assert answer.status_code == 422
    assert answer.json()["error"]["code"] == "VALIDATION_ERROR"
    (detail,) = answer.json()["error"]["details"]
    assert detail.startswith("body.destination: ")
    assert await sends.arrive() == []


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"verificationId": "not-a-uuid"}, "body.verificationId"),
        ({"verificationId": None}, "body.verificationId"),
        ({"channel": "fax"}, "body.channel"),
        ({"channel": None}, "body.channel"),
        ({"destination": 5}, "body.destination"),
        ({"code": "123456"}, "body.code"),
    ],
)
async def test_a_send_that_is_not_valid_is_refused(client, holder, change, place):
    body = {"verificationId": holder.verification_id, "channel": "sms", "destination": PHONE}
    answer = await client.post("/v1/otp/send", json=body | change)
    assert answer.status_code == 422
    assert any(detail.startswith(place) for detail in answer.json()["error"]["details"])


@pytest.mark.parametrize(
    "code", ["12345", "1234567", "12345a", "１２３４５６", "123456\n", 123456, None]
)
async def test_a_code_that_is_not_six_digits_is_refused_and_not_counted(holder, sends, code):
    await holder.send()
    answer = await holder.verify(code)
    assert answer.status_code == 422
    assert answer.json()["error"]["details"][0].startswith("body.code: ")
    assert await holder.guess(await sends.last_code()) == (True, 4)


async def test_only_the_countries_that_the_operator_names_get_messages(app, holder, sends):
    services = app.state.services
    settings = services.settings.model_copy(update={"sms_countries": ("MX", "CA")})
    object.__setattr__(services, "settings", settings)
    for allowed in (PHONE, "+14165550123"):
        assert (await holder.send(allowed)).status_code == 200
    for refused in ("+12025550143", "+18765550123", "+881612345678"):
        answer = await holder.send(refused)
        assert answer.status_code == 422
        assert answer.json()["error"]["details"][0].startswith("body.destination: ")


async def test_where_no_text_messages_are_offered_a_send_says_so(app, holder):
    services = app.state.services
    settings = services.settings.model_copy(update={"sms_providers": ()})
    object.__setattr__(services, "settings", settings)
    answer = await holder.send()
    assert answer.status_code == 422
    assert answer.json()["error"]["details"][0].startswith("body.channel: ")
    assert (await holder.send(EMAIL, "email")).status_code == 200


@pytest.mark.parametrize("channel", ["sms", "email"])
@pytest.mark.parametrize(
    ("accepted", "said"),
    [
        (None, "Nadie te la va a pedir|Nadie te va a pedir"),
        ("es-MX,en;q=0.5", "Nadie te la va a pedir|Nadie te va a pedir"),
        ("en-GB", "Nobody will ask you for"),
    ],
)
async def test_the_message_speaks_the_callers_language_names_the_sender_and_warns(
    holder, banco, sends, channel, accepted, said
):
    named = "Caja 123456789 Número Uno"
    assert (await banco.patch("/v1/organizations/me", json={"name": named})).status_code == 200
    headers = {} if accepted is None else {"Accept-Language": accepted}
    destination = PHONE if channel == "sms" else EMAIL
    await holder.send(destination, channel, **headers)
    (message,) = await sends.arrive()
    assert re.search(said, message["body"])
    assert "Caja N" in message["body"]
    (code,) = re.findall(r"\d{6}", message["body"])
    assert not re.search(r"\d{7}", message["body"])
    assert code not in (message["subject"] or "")
