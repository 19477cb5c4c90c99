"""The bytes of an envelope and the signatures over them, against published vectors."""

import hashlib
import hmac
import json
from datetime import UTC, datetime
from uuid import UUID

import pytest
from standardwebhooks import Webhook, WebhookVerificationError

from acredita.domain.events import EventKind
from acredita.resources.webhooks import secrets, signed_request

DELIVERY = UUID("0f8fad5b-d9cb-469f-a165-70867728950e")
ATTEMPT = UUID("7c9e6679-7425-40de-944b-e07fc1f90ae7")
MOMENT = datetime(2026, 1, 31, 18, 5, 9, 120999, tzinfo=UTC)


def test_the_envelope_is_the_frozen_data_in_a_fixed_frame():
    body = signed_request.envelope(
        DELIVERY, EventKind.STEP_FAILED, MOMENT, b'{"b":1, "a":"\xc3\xb1"}'
    )
    assert body == (
        b'{"id":"evt_0f8fad5bd9cb469fa16570867728950e","event":"step.failed",'
        b'"createdAt":"2026-01-31T18:05:09.120Z","data":{"b":1, "a":"\xc3\xb1"}}'
    )
    assert json.loads(body)["data"] == {"b": 1, "a": "ñ"}


def test_the_service_signature_is_the_hmac_of_rfc_4231():
    """Test case 2 of the RFC: a secret and a body of plain text."""
    assert signed_request.signature("Jefe", b"what do ya want for nothing?") == (
        "sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    )


def test_the_standard_signature_is_that_of_the_published_example():
    """The worked example of the Standard Webhooks documentation and libraries."""
    assert (
        signed_request.standard_signature(
            "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
            "msg_p5jXN8AQM9LWM0D4loKWxJek",
            "1614265330",
            b'{"test": 2432232314}',
        )
        == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
    )


def test_a_secret_of_the_callers_own_keys_the_standard_signature_by_its_bytes():
    for secret in ("mi secreto de señas", "whsec_not base64 at all", "whsec_ñññññññññññ"):
        expected = hmac.digest(secret.encode(), b"evt_1.5.{}", hashlib.sha256)
        signed = signed_request.standard_signature(secret, "evt_1", "5", b"{}")
        import base64

        assert base64.b64decode(signed.removeprefix("v1,")) == expected


def test_the_headers_are_exactly_the_specified_ones_and_those_of_standard_webhooks():
    headers = signed_request.headers(
        "0123456789abcdef",
        b"{}",
        kind=EventKind.VERIFICATION_CREATED,
        delivery_id=DELIVERY,
        attempt_id=ATTEMPT,
        now=MOMENT,
    )
    assert headers == {
        "Content-Type": "application/json",
        "User-Agent": "Service-Webhooks/1.0",
        "X-Service-Event": "verification.created",
        "X-Service-Signature": signed_request.signature("0123456789abcdef", b"{}"),
        "X-Service-Delivery": "7c9e6679-7425-40de-944b-e07fc1f90ae7",
        "webhook-id": "evt_0f8fad5bd9cb469fa16570867728950e",
        "webhook-timestamp": "1769882709",
        "webhook-signature": signed_request.standard_signature(
            "0123456789abcdef", "evt_0f8fad5bd9cb469fa16570867728950e", "1769882709", b"{}"
        ),
    }


@pytest.mark.parametrize("make", [secrets.new_secret, lambda: "a secret of the caller's own, ñ"])
def test_a_ready_made_verifier_accepts_it_and_nothing_else(make):
    """The published Python library of Standard Webhooks; a secret of one's own goes in as bytes."""
    secret = make()
    body = signed_request.envelope(
        DELIVERY, EventKind.STEP_FAILED, datetime.now(UTC), b'{"a":"\xc3\xb1"}'
    )
    headers = signed_request.headers(
        secret,
        body,
        kind=EventKind.STEP_FAILED,
        delivery_id=DELIVERY,
        attempt_id=ATTEMPT,
        now=datetime.now(UTC),
    )
    whole = secret if secret.startswith(secrets.PREFIX) else secret.encode()
    verifier = Webhook(whole)
    assert verifier.verify(body, headers)["data"] == {"a": "ñ"}
    with pytest.raises(WebhookVerificationError):
        verifier.verify(body + b" ", headers)
    with pytest.raises(WebhookVerificationError):
        verifier.verify(body, headers | {"webhook-id": "evt_other"})
    replayed = str(int(headers["webhook-timestamp"]) - 3600)
    with pytest.raises(WebhookVerificationError):
        verifier.verify(body, headers | {"webhook-timestamp": replayed})


def test_generated_secrets_are_32_random_bytes_in_the_standard_form():
    made = {secrets.new_secret() for _ in range(50)}
    assert len(made) == 50
    for secret in made:
        assert secret.startswith("whsec_")
        assert 16 <= len(secret) <= 256
        assert signed_request.standard_signature(
            secret, "a", "1", b""
        ) != signed_request.standard_signature(secret.removeprefix("whsec_"), "a", "1", b"")
