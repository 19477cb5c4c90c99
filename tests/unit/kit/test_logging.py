"""Search the log lines for personal data and secrets, for every way of logging."""

import errno
import io
import json
import logging

import pytest
import structlog

from acredita.kit.logging import configure_logging

SECRETS = {
    "curp": "GOHA850101MDFMRN05",
    "rfc": "GOHA850101AB1",
    "clave": "GMHRAN85010109M400",
    "mrz": "IDMEX1234567897<<0123456789012",
    "passport line": "P<MEXGOMEZ<<ANA<<<<<<<<<<<<<<<<<<<<<<<<<<<<",
    "token": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJl",
    "key": "ak_k3j4h5g6_Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cQ",
    "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    "e-mail": "ana.gomez@example.com",
    "phone": "+52 55 1234 5678",
}
NAME = "ANA GÓMEZ HERRERA"


@pytest.fixture
def logged(monkeypatch):
    structlog_before = structlog.get_config()
    stream = io.StringIO()
    monkeypatch.setattr("sys.stderr", stream)
    handlers, level = logging.getLogger().handlers, logging.getLogger().level
    configure_logging(level="DEBUG", as_json=True)
    yield stream.getvalue
    logging.getLogger().handlers, _ = handlers, logging.getLogger().setLevel(level)
    structlog.configure(**structlog_before)


@pytest.mark.parametrize("secret", SECRETS.values(), ids=SECRETS)
def test_no_secret_comes_through_our_own_logger_or_a_librarys(logged, secret):
    log = structlog.get_logger()
    log.info("read %s", secret, event_id=secret, name=secret, field=secret, nested={"a": secret})
    log.warning("list", frames=None, values=[secret])
    logging.getLogger("library").warning("refused %s", secret)
    try:
        raise ValueError(secret) from KeyError(secret)
    except ValueError:
        log.exception("failed")
        logging.getLogger("library").exception("failed with %s", secret)
    assert logged().count("\n") == 5
    assert secret not in logged()


def test_a_name_comes_through_under_no_key_of_its_own(logged):
    log = structlog.get_logger()
    log.info("step finished", person=NAME, full_name=NAME, result={"name": NAME}, text=[NAME])
    try:
        raise LookupError(NAME)
    except LookupError:
        log.exception("step failed")
    assert NAME not in logged()
    assert "LookupError" in logged()


def test_ids_numbers_and_codes_come_through(logged):
    structlog.get_logger().info(
        "request",
        status=201,
        milliseconds=3.5,
        route="/v1/verifications/{id}",
        organization_id="0b6a4c3e-1f7b-4c55-9a51-2f9b8f0d3a11",
    )
    line = json.loads(logged())
    assert line["status"] == 201
    assert line["route"] == "/v1/verifications/{id}"
    assert line["organization_id"] == "0b6a4c3e-1f7b-4c55-9a51-2f9b8f0d3a11"
    assert line["event"] == "request"


def test_what_json_finds_hard_is_logged_all_the_same(logged):
    structlog.get_logger().info("half \ud800", count=2**70)
    line = json.loads(logged())
    assert (line["event"], line["count"]) == ("half \ud800", 2**70)


class FullDisk(io.StringIO):
    def write(self, text):
        raise OSError(errno.ENOSPC, "No space left on device")


def test_a_log_that_cannot_be_written_fails_nothing(monkeypatch, logged):
    monkeypatch.setattr("sys.stderr", FullDisk())
    configure_logging(level="INFO", as_json=True)
    structlog.get_logger().error("no space left")
