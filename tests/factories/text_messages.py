"""Twilio's Messages API as its documentation has it, on this machine."""

import base64
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from aiohttp import web

from acredita.kit.clock import SystemClock
from acredita.providers.mailbox import Mailbox
from acredita.providers.sms import Gateway, SmsProvider, TwilioAccount, open_sms
from tests.factories.receiver import Behaviour, Receiver, serve

ACCOUNT, KEY, SECRET = "AC" + "0123456789abcdef" * 2, "SK" + "f" * 32, "s3cret/of+twilio"
SENDER = "+525500000000"
PATH = f"/2010-04-01/Accounts/{ACCOUNT}/Messages.json"


@dataclass
class Twilio:
    """What was taken; what was asked is the receiver's to tell."""

    receiver: Receiver = field(default_factory=Receiver)
    messages: list[dict[str, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.receiver.otherwise = self.answer

    async def answer(self, _receiver: Receiver, request: web.Request) -> web.StreamResponse:
        expected = base64.b64encode(f"{KEY}:{SECRET}".encode()).decode()
        if request.headers.get("Authorization") != f"Basic {expected}":
            return error(401, 20003, "Authenticate")
        if request.path != PATH:
            return error(404, 20404, "The requested resource was not found")
        if request.method == "GET":
            to = request.query.get("To")
            found = [m for m in reversed(self.messages) if to in (None, m["to"])]
            return web.json_response({"messages": found, "page": 0, "page_size": 20})
        form = await request.post()
        if not {"To", "Body"} <= form.keys() or not {"From", "MessagingServiceSid"} & form.keys():
            return error(400, 21604, "A 'To' phone number is required")
        message = {
            "sid": f"SM{len(self.messages):032x}",
            "to": str(form["To"]),
            "body": str(form["Body"]),
            "status": "queued",
        }
        self.messages.append(message)
        return web.json_response(message, status=201)

    async def take_and_say_nothing(
        self, receiver: Receiver, request: web.Request
    ) -> web.StreamResponse:
        """The message leaves, and the connection breaks before anybody hears of it."""
        await self.answer(receiver, request)
        assert request.transport is not None
        request.transport.abort()
        return web.Response()


def error(status: int, code: int, message: str) -> web.Response:
    body = {"code": code, "message": message, "status": status, "more_info": "https://…"}
    return web.json_response(body, status=status)


def refusing(status: int, code: int) -> Behaviour:
    async def respond(_receiver: Receiver, _request: web.Request) -> web.StreamResponse:
        return error(status, code, "The 'To' number +525512345678 is not valid")

    return respond


@asynccontextmanager
async def sms_by(
    *names: str,
    mailbox: Mailbox,
    timeout: float = 5.0,
    twilio: Twilio | None = None,
    sender: str = SENDER,
    gateway: Gateway | None = None,
) -> AsyncIterator[SmsProvider]:
    """The providers of these names, as the service would open them."""
    port = twilio.receiver.port if twilio else 1
    async with open_sms(
        names,
        mailbox=mailbox,
        clock=SystemClock(),
        twilio=TwilioAccount(ACCOUNT, KEY, SECRET, sender, f"http://127.0.0.1:{port}/"),
        gateway=gateway or Gateway(url=""),
        timeout=timeout,
    ) as provider:
        yield provider


@asynccontextmanager
async def running_twilio(*script: Behaviour) -> AsyncIterator[Twilio]:
    twilio = Twilio()
    twilio.receiver.script = list(script)
    async with serve(twilio.receiver, None):
        yield twilio
