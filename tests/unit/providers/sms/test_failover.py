"""Where one provider cannot, the next one tries."""

import json

import pytest

from acredita.kit.clock import SystemClock
from acredita.providers.mailbox import Mailbox
from acredita.providers.sms import Gateway, Sms, SmsRefused, SmsUnavailable
from acredita.providers.sms.failover import REST
from tests.factories.receiver import Receiver, answer, hang, reset, serve
from tests.factories.text_messages import refusing, running_twilio, sms_by

MESSAGE = Sms("+525512345678", "Tu clave es 402913.", valid_for=300)


@pytest.fixture
def mailbox(tmp_path):
    return Mailbox(tmp_path, SystemClock())


class Both:
    """Twilio first, a gateway after it; `seconds` is the time as the failover sees it."""

    def __init__(self, mailbox, of_twilio=(), of_gateway=(), timeout=5.0):
        self.mailbox, self.timeout = mailbox, timeout
        self.of_twilio, self.gateway = of_twilio, Receiver(list(of_gateway))
        self.now = 0.0

    async def __aenter__(self):
        self._twilio = running_twilio(*self.of_twilio)
        self.twilio = await self._twilio.__aenter__()
        self._gateway = serve(self.gateway, None)
        await self._gateway.__aenter__()
        settings = Gateway(url=self.gateway.url(host="127.0.0.1"), body='{"to": "{to}"}')
        self._sms = sms_by(
            "twilio",
            "gateway",
            mailbox=self.mailbox,
            twilio=self.twilio,
            gateway=settings,
            timeout=self.timeout,
        )
        self.sms = await self._sms.__aenter__()
        self.sms._seconds = lambda: self.now
        return self

    async def __aexit__(self, *fault):
        for part in (self._sms, self._gateway, self._twilio):
            await part.__aexit__(*fault)

    @property
    def asked(self):
        return len(self.twilio.receiver.received), len(self.gateway.received)


async def test_the_first_provider_is_enough_when_it_works(mailbox):
    async with Both(mailbox) as both:
        await both.sms.send(MESSAGE, key="job")
        assert both.asked == (1, 0)


@pytest.mark.parametrize(
    "trouble", [answer(500), refusing(401, 20003), refusing(400, 21211), reset, hang]
)
async def test_the_second_provider_sends_what_the_first_does_not(mailbox, trouble):
    async with Both(mailbox, [trouble], timeout=1.0) as both:
        await both.sms.send(MESSAGE, key="job")
        assert both.asked == (1, 1)


async def test_a_provider_that_failed_is_tried_last_for_a_while(mailbox):
    async with Both(mailbox, [answer(500)]) as both:
        await both.sms.send(MESSAGE, key="1")
        await both.sms.send(MESSAGE, key="2")
        assert both.asked == (1, 2)
        both.now = REST + 1
        await both.sms.send(MESSAGE, key="3")
        assert both.asked == (2, 2)


async def test_a_provider_at_rest_is_tried_when_the_others_fail(mailbox):
    async with Both(mailbox, [answer(500)], [answer(200), answer(500)]) as both:
        await both.sms.send(MESSAGE, key="1")
        await both.sms.send(MESSAGE, key="2")
        assert both.asked == (2, 2)
        assert len(both.twilio.messages) == 1


async def test_when_none_can_it_is_unavailable_and_the_shorter_wait_is_told(mailbox):
    async with Both(
        mailbox, [answer(429, Retry_After="60")], [answer(503, Retry_After="7")]
    ) as both:
        with pytest.raises(SmsUnavailable) as fault:
            await both.sms.send(MESSAGE, key="job")
        assert fault.value.retry_after == 7


async def test_it_is_refused_only_when_nobody_may_take_it_later(mailbox):
    async with Both(mailbox, [refusing(400, 21211)], [answer(500)]) as both:
        with pytest.raises(SmsUnavailable):
            await both.sms.send(MESSAGE, key="job")
    async with (
        running_twilio(refusing(400, 21614)) as twilio,
        sms_by("twilio", mailbox=mailbox, twilio=twilio) as sms,
    ):
        with pytest.raises(SmsRefused):
            await sms.send(MESSAGE, key="job")


async def test_the_sandbox_writes_into_the_mailbox_one_file_a_message(mailbox, tmp_path):
    async with sms_by("sandbox", mailbox=mailbox) as sms:
        for _ in range(2):
            await sms.send(MESSAGE, key="job")
    (file,) = tmp_path.iterdir()
    message = json.loads(file.read_text("utf-8"))
    assert (message["channel"], message["destination"]) == ("sms", MESSAGE.to)
    assert (message["subject"], message["body"]) == (None, MESSAGE.text)


@pytest.mark.parametrize("names", [["pigeon"], ["twilio", "pigeon"]])
async def test_an_unknown_provider_is_refused(mailbox, names):
    with pytest.raises(ValueError, match="twilio, gateway and sandbox"):
        async with sms_by(*names, mailbox=mailbox):
            pass
