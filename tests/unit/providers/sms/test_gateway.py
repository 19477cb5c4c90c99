"""A gateway that settings describe: no text breaks out of a template, and what counts as sent."""

import json
from urllib.parse import parse_qs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acredita.kit.clock import SystemClock
from acredita.providers.mailbox import Mailbox
from acredita.providers.sms import Gateway, Sms, SmsUnavailable
from acredita.providers.sms.templates import read_form, read_json, read_url, values_of
from tests.factories.receiver import Receiver, answer, endless_body, hang, reset, serve
from tests.factories.text_messages import sms_by

TEXT = 'Tu "clave" {key} & más: 402913 \\ 100%'
MESSAGE = Sms("+525512345678", TEXT, valid_for=300)
JSON_BODY = '{"para": ["{to}"], "texto": "{text}", "nacional": "{national}", "n": 1, "id": "{key}"}'


@pytest.fixture
def mailbox(tmp_path):
    return Mailbox(tmp_path, SystemClock())


async def sent(mailbox, *script, timeout=5.0, path="/sms", **settings):
    """What the gateway received in one attempt, and what came of it."""
    receiver = Receiver(list(script))
    async with serve(receiver, None):
        settings.setdefault("body", JSON_BODY)
        gateway = Gateway(url=receiver.url(path, host="127.0.0.1"), **settings)
        async with sms_by("gateway", mailbox=mailbox, gateway=gateway, timeout=timeout) as sms:
            try:
                await sms.send(MESSAGE, key="job-1")
            except SmsUnavailable as fault:
                return receiver.received[0], fault
            return receiver.received[0], None


async def test_json_is_filled_in_value_by_value(mailbox):
    received, fault = await sent(mailbox, headers="Authorization: Bearer t0ken | X-Id: {key}")
    assert fault is None
    assert json.loads(received.body) == {
        "para": [MESSAGE.to],
        "texto": TEXT,
        "nacional": "5512345678",
        "n": 1,
        "id": "job-1",
    }
    assert received.headers["content-type"] == "application/json"
    assert received.headers["authorization"] == "Bearer t0ken"
    assert (received.headers["x-id"], received.headers["idempotency-key"]) == ("job-1", "job-1")


async def test_a_form_is_filled_in_value_by_value(mailbox):
    received, fault = await sent(
        mailbox, format="form", body="to={digits}&msg={text}&prefix=+52&empty="
    )
    assert fault is None
    assert parse_qs(received.body.decode(), keep_blank_values=True) == {
        "to": ["525512345678"],
        "msg": [TEXT],
        "prefix": ["+52"],
        "empty": [""],
    }
    assert received.headers["content-type"] == "application/x-www-form-urlencoded"


async def test_an_address_is_filled_in_without_a_body(mailbox):
    seen = []

    async def look(_receiver, request):
        seen.append((request.method, dict(request.query)))
        return await answer(200)(_receiver, request)

    received, fault = await sent(
        mailbox, look, path="/send/{digits}?text={text}&from=a+b", method="GET", body=""
    )
    assert fault is None
    assert received.path == "/send/525512345678"
    assert received.body == b""
    assert seen == [("GET", {"text": TEXT, "from": "a b"})]


@given(text=st.text(max_size=60), key=st.text("abc{}&=\"'", max_size=10))
def test_no_text_breaks_out_of_its_place(text, key):
    values = values_of(Sms(MESSAGE.to, text, 300), key)
    assert json.loads(read_json('{"a": "<{text}>", "b": ["{key}"]}')(values)) == {
        "a": f"<{text}>",
        "b": [key],
    }
    form = read_form("a={text}&b={key}")(values).decode()
    assert parse_qs(form, keep_blank_values=True, encoding="utf-8") == {"a": [text], "b": [key]}
    url = read_url("https://sms.example/{key}?a={text}")(values)
    assert url.count("?") == 1
    assert not set(url.partition("?")[2]) & set("&#\r\n ")


@pytest.mark.parametrize(
    ("rule", "body", "confirmed"),
    [
        ("", b"whatever", True),
        ("status=ok", b'{"status": "ok"}', True),
        ("status=ok|queued", b'{"status": "queued"}', True),
        ("status=ok", b'{"status": "error"}', False),
        ("status=ok", b'{"estado": "ok"}', False),
        ("status=ok", b"<html>ok</html>", False),
        ("status=ok", b"", False),
        ("status=ok", b'["status", "ok"]', False),
        ("data.0.code=0", b'{"data": [{"code": 0}]}', True),
        ("data.0.code=0", b'{"data": [{"code": 1}]}', False),
        ("data.1.code=0", b'{"data": [{"code": 0}]}', False),
        ("data.x.code=0", b'{"data": [{"code": 0}]}', False),
        ("ok=true", b'{"ok": true}', True),
        ("ok=1", b'{"ok": true}', False),
        ("ok=true", b'{"ok": {"true": 1}}', False),
        ("status=ok", b'{"status": "ok", "x": "' + b"x" * 100_000 + b'"}', False),
    ],
)
async def test_the_rule_says_what_counts_as_sent(mailbox, rule, body, confirmed):
    _, fault = await sent(mailbox, answer(200, body), success=rule)
    assert (fault is None) is confirmed
    assert confirmed or str(fault) == "not_confirmed"


@pytest.mark.parametrize("status", [301, 400, 401, 404, 422, 429, 500, 503])
async def test_any_other_status_than_success_may_pass(mailbox, status):
    _, fault = await sent(mailbox, answer(status, b'{"status": "ok"}'), success="status=ok")
    assert str(fault) == f"status_{status}"


async def test_the_seconds_that_the_gateway_asks_for_are_told(mailbox):
    _, fault = await sent(mailbox, answer(429, Retry_After="12"))
    assert fault.retry_after == 12


@pytest.mark.parametrize(("behaviour", "word"), [(hang, "timeout"), (reset, "disconnected")])
async def test_a_gateway_that_hangs_or_breaks_is_unavailable(mailbox, behaviour, word):
    _, fault = await sent(mailbox, behaviour, timeout=0.3)
    assert str(fault) == word
    assert (fault.__cause__, fault.__context__) == (None, None)


async def test_a_flood_is_not_read(mailbox):
    _, fault = await sent(mailbox, endless_body, success="status=ok")
    assert str(fault) == "not_confirmed"


@pytest.mark.parametrize(
    "settings",
    [
        {"url": ""},
        {"url": "ftp://sms.example/"},
        {"url": "https://user:password@sms.example/"},
        {"url": "https://{to}"},
        {"url": "https://sms.example/?to={phone}"},
        {"body": "{to}"},
        {"body": '"{to}"'},
        {"body": '{"to": "{number}"}'},
        {"body": "to", "format": "form"},
        {"headers": "no colon"},
        {"headers": "X: {text}"},
        {"headers": "X: ñ"},
        {"success": "status"},
        {"success": "=ok"},
    ],
)
async def test_settings_that_make_no_request_are_refused_at_the_start(mailbox, settings):
    gateway = Gateway(**({"url": "https://sms.example/", "body": JSON_BODY} | settings))
    with pytest.raises(ValueError, match="gateway") as refusal:
        async with sms_by("gateway", mailbox=mailbox, gateway=gateway):
            pass
    assert "password" not in str(refusal.value)
