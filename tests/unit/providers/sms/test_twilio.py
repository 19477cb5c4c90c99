"""Twilio's adapter against a server that speaks its protocol, and breaks, lies, stalls, floods."""

import time
import traceback
from urllib.parse import parse_qs

import pytest
from aiohttp import web

from acredita.kit.clock import SystemClock
from acredita.providers.mailbox import Mailbox
from acredita.providers.sms import Sms, SmsRefused, SmsUnavailable
from acredita.providers.sms.twilio import REFUSALS
from tests.factories.receiver import (
    answer,
    endless_body,
    gzip_bomb,
    hang,
    huge_header,
    reset,
    slow_body,
)
from tests.factories.text_messages import (
    PATH,
    SECRET,
    SENDER,
    refusing,
    running_twilio,
    sms_by,
)

TEXT = "Tu clave de Peña & Hijos es 402913. ¿Sí? 100% +1"
MESSAGE = Sms("+525512345678", TEXT, valid_for=287)


@pytest.fixture
def mailbox(tmp_path):
    return Mailbox(tmp_path, SystemClock())


async def test_a_message_is_posted_as_twilio_documents_it(mailbox):
    async with running_twilio() as twilio, sms_by("twilio", mailbox=mailbox, twilio=twilio) as sms:
        await sms.send(MESSAGE, key="job")
    (received,) = twilio.receiver.received
    assert received.path == PATH
    assert received.headers["content-type"] == "application/x-www-form-urlencoded"
    assert parse_qs(received.body.decode()) == {
        "From": [SENDER],
        "To": [MESSAGE.to],
        "Body": [TEXT],
        "ValidityPeriod": ["287"],
    }
    assert [message["body"] for message in twilio.messages] == [TEXT]


async def test_a_messaging_service_stands_in_for_a_sender(mailbox):
    service = "MG" + "a" * 32
    async with (
        running_twilio() as twilio,
        sms_by("twilio", mailbox=mailbox, twilio=twilio, sender=service) as sms,
    ):
        await sms.send(MESSAGE, key="job")
    form = parse_qs(twilio.receiver.received[0].body.decode())
    assert form["MessagingServiceSid"] == [service]
    assert "From" not in form


async def outcome(mailbox, *script, timeout=5.0, **options):
    """What became of one attempt, and how often Twilio was asked."""
    async with (
        running_twilio(*script) as twilio,
        sms_by("twilio", mailbox=mailbox, twilio=twilio, timeout=timeout) as sms,
    ):
        try:
            await sms.send(MESSAGE, key="job", **options)
        except (SmsRefused, SmsUnavailable) as fault:
            return fault, twilio
        return None, twilio


@pytest.mark.parametrize(("code", "word"), REFUSALS.items())
async def test_what_the_number_will_never_take_is_refused(mailbox, code, word):
    fault, _ = await outcome(mailbox, refusing(400, code))
    assert isinstance(fault, SmsRefused)
    assert str(fault) == word


@pytest.mark.parametrize(
    ("behaviour", "word"),
    [
        (refusing(401, 20003), "twilio_20003"),
        (refusing(400, 21408), "twilio_21408"),
        (refusing(400, 21606), "twilio_21606"),
        (refusing(400, 99999), "twilio_99999"),
        # The code of a refusal counts with its status alone.
        (refusing(500, 21211), "twilio_21211"),
        (refusing(403, 20005), "twilio_20005"),
        (refusing(429, 20429), "twilio_20429"),
        (answer(500, b"<html>"), "status_500"),
        (answer(503, b'{"code": "not a number"}'), "status_503"),
        (answer(400, b"[1, 2"), "status_400"),
        (answer(200, b'{"sid": "SM0"}'), "status_200"),
        (answer(302, Location="https://elsewhere.example/"), "status_302"),
        (gzip_bomb, "status_200"),
        (reset, "disconnected"),
    ],
)
async def test_what_may_pass_is_unavailable(mailbox, behaviour, word):
    fault, twilio = await outcome(mailbox, behaviour)
    assert isinstance(fault, SmsUnavailable)
    assert str(fault) == word
    assert len(twilio.receiver.received) == 1


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [("7", 7.0), ("999999", 3600.0), ("soon", None), ("-1", None), ("1" * 20, None)],
)
async def test_the_seconds_that_twilio_asks_for_are_told(mailbox, seconds, expected):
    fault, _ = await outcome(mailbox, answer(429, b"{}", Retry_After=seconds))
    assert fault.retry_after == expected


@pytest.mark.parametrize("behaviour", [hang, slow_body])
async def test_an_exchange_ends_with_its_time(mailbox, behaviour):
    started = time.monotonic()
    fault, _ = await outcome(mailbox, behaviour, timeout=0.3)
    assert isinstance(fault, SmsUnavailable)
    assert str(fault) == "timeout"
    assert time.monotonic() - started < 3


async def test_a_flood_is_not_read(mailbox):
    fault, twilio = await outcome(mailbox, endless_body)
    assert str(fault) == "status_200"
    assert twilio.receiver.bytes_sent < 50_000_000


async def test_a_header_without_end_is_no_answer(mailbox):
    fault, _ = await outcome(mailbox, huge_header)
    assert isinstance(fault, SmsUnavailable)


@pytest.mark.parametrize("body", [b"", b"<html>", b'{"sid": ', b"x" * 1_000_000])
async def test_what_was_created_left_whatever_the_answers_body_says(mailbox, body):
    fault, _ = await outcome(mailbox, answer(201, body))
    assert fault is None


async def test_nobody_there_is_unavailable(mailbox):
    async with sms_by("twilio", mailbox=mailbox) as sms:
        with pytest.raises(SmsUnavailable):
            await sms.send(MESSAGE, key="job")


class TestAMessageThatMayHaveLeft:
    async def test_is_not_sent_again_when_it_had(self, mailbox):
        async with (
            running_twilio() as twilio,
            sms_by("twilio", mailbox=mailbox, twilio=twilio) as sms,
        ):
            twilio.receiver.script = [twilio.take_and_say_nothing]
            with pytest.raises(SmsUnavailable):
                await sms.send(MESSAGE, key="job")
            await sms.send(MESSAGE, key="job", may_have_left=True)
        assert len(twilio.messages) == 1

    async def test_is_sent_when_it_had_not(self, mailbox):
        async with (
            running_twilio(reset) as twilio,
            sms_by("twilio", mailbox=mailbox, twilio=twilio) as sms,
        ):
            with pytest.raises(SmsUnavailable):
                await sms.send(MESSAGE, key="job")
            # Messages to the same number with another text, and those that failed, are others.
            twilio.messages += [
                {"to": MESSAGE.to, "body": "Tu clave es 111111", "status": "delivered"},
                {"to": MESSAGE.to, "body": TEXT, "status": "failed"},
                {"to": "+525587654321", "body": TEXT, "status": "sent"},
            ]
            await sms.send(MESSAGE, key="job", may_have_left=True)
        assert len(twilio.messages) == 4
        assert twilio.messages[-1]["to"] == MESSAGE.to

    @pytest.mark.parametrize(
        "behaviour", [answer(500), answer(200, b"{}"), answer(200, b"<html>"), endless_body, reset]
    )
    async def test_is_not_sent_while_that_cannot_be_found_out(self, mailbox, behaviour):
        # Twice: a question that breaks off is put once more by the client itself.
        fault, twilio = await outcome(mailbox, behaviour, behaviour, may_have_left=True)
        assert isinstance(fault, SmsUnavailable)
        assert twilio.messages == []

    async def test_is_looked_for_among_those_of_late(self, mailbox):
        asked = []

        async def listing(_receiver, request):
            asked.append((request.method, dict(request.query)))
            return web.json_response({"messages": []})

        await outcome(mailbox, listing, may_have_left=True)
        ((method, query),) = asked
        assert method == "GET"
        assert set(query) == {"To", "DateSent>", "PageSize"}
        assert query["To"] == MESSAGE.to


@pytest.mark.parametrize("behaviour", [refusing(400, 21211), refusing(401, 20003), reset])
async def test_a_fault_names_neither_number_nor_text_nor_secret(mailbox, behaviour):
    fault, _ = await outcome(mailbox, behaviour)
    shown = "".join(traceback.format_exception(fault))
    chain = [fault, fault.__cause__, fault.__context__]
    for secret in (MESSAGE.to, "402913", SECRET):
        assert secret not in shown
        assert not any(secret in repr(one) for one in chain)
