"""Checks beside a verification: watchlists, codes, credit, location, signatures, forms.

Fields go by the API's names in snake_case: `full_name` is sent as `fullName`. The API's description
(`GET /v1/openapi.json`) says which there are; one that it does not know is an `ApiError`.
"""

import uuid
from collections.abc import Iterable
from typing import Any

from acredita_client.body import given
from acredita_client.transport import Transport
from acredita_client.types import (
    BatchAnswer,
    CreatedForm,
    CreditCheckShape,
    LocationCheckShape,
    MonitoringAnswer,
    MonitorShape,
    OtpSendAnswer,
    OtpVerifyAnswer,
    ScreenAnswer,
    SignatureRecord,
    SubmitAnswer,
    SubmittedForms,
)


class Aml:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def screen(self, full_name: str, **fields: Any) -> ScreenAnswer:
        """`fuzzy_threshold`, `lists`, `entity_type`, `country`, `date_of_birth`, `curp`, `rfc`."""
        answer: ScreenAnswer = self._transport.json(
            "POST", "/v1/aml/screen", json=given(full_name=full_name, **fields)
        )
        return answer

    def screen_batch(self, queries: Iterable[dict[str, Any]], **fields: Any) -> BatchAnswer:
        """`queries` as the API names them: `{"fullName": …}`; each gets its own matches."""
        answer: BatchAnswer = self._transport.json(
            "POST", "/v1/aml/screen/batch", json=given(queries=list(queries), **fields)
        )
        return answer

    def monitor(
        self,
        verification_id: str,
        full_name: str,
        *,
        enabled: bool = True,
        idempotency_key: str | None = None,
        **fields: Any,
    ) -> MonitoringAnswer:
        """Screen again each day for 90 days; new matches fire the event `aml.match`."""
        answer: MonitoringAnswer = self._transport.json(
            "POST",
            "/v1/aml/monitor",
            json=given(
                verification_id=verification_id, full_name=full_name, enabled=enabled, **fields
            ),
            headers={"Idempotency-Key": idempotency_key or str(uuid.uuid4())},
        )
        return answer

    def monitored(self, verification_id: str) -> MonitorShape:
        answer: MonitorShape = self._transport.json("GET", f"/v1/aml/monitor/{verification_id}")
        return answer


class OneTimePasswords:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def send(self, verification_id: str, channel: str, destination: str) -> OtpSendAnswer:
        """`channel` is `sms` or `email`."""
        answer: OtpSendAnswer = self._transport.json(
            "POST",
            "/v1/otp/send",
            json=given(verification_id=verification_id, channel=channel, destination=destination),
        )
        return answer

    def verify(self, verification_id: str, channel: str, code: str) -> OtpVerifyAnswer:
        answer: OtpVerifyAnswer = self._transport.json(
            "POST",
            "/v1/otp/verify",
            json=given(verification_id=verification_id, channel=channel, code=code),
        )
        return answer


class Credit:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def check(
        self, full_name: str, *, idempotency_key: str | None = None, **fields: Any
    ) -> CreditCheckShape:
        """`curp`, `rfc`, `date_of_birth`, `names`, `address`, `consent_reference`."""
        answer: CreditCheckShape = self._transport.json(
            "POST",
            "/v1/credit/check",
            json=given(full_name=full_name, **fields),
            headers={"Idempotency-Key": idempotency_key or str(uuid.uuid4())},
        )
        return answer

    def get(self, check_id: str) -> CreditCheckShape:
        answer: CreditCheckShape = self._transport.json("GET", f"/v1/credit/check/{check_id}")
        return answer


class Location:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def check(self, ip_address: str, **fields: Any) -> LocationCheckShape:
        """`allowed_countries`, `allowed_cities`, `block_vpn`."""
        answer: LocationCheckShape = self._transport.json(
            "POST", "/v1/location/check", json=given(ip_address=ip_address, **fields)
        )
        return answer


class Signatures:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def sign(self, *, idempotency_key: str | None = None, **fields: Any) -> SignatureRecord:
        """`verification_id`, `signer_name`, `documents`, `touch_signature`, …"""
        answer: SignatureRecord = self._transport.json(
            "POST",
            "/v1/esignature/sign",
            json=given(**fields),
            headers={"Idempotency-Key": idempotency_key or str(uuid.uuid4())},
        )
        return answer

    def get(self, signature_id: str) -> SignatureRecord:
        answer: SignatureRecord = self._transport.json("GET", f"/v1/esignature/{signature_id}")
        return answer

    def pdf(self, signature_id: str) -> bytes:
        """The signed package; an `ApiError` SIGNATURE_NOT_READY says to ask again later."""
        return self._transport.send("GET", f"/v1/esignature/{signature_id}/pdf").content


class Forms:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self, title: str, fields: Iterable[dict[str, Any]], *, description: str | None = None
    ) -> CreatedForm:
        form: CreatedForm = self._transport.json(
            "POST",
            "/v1/custom-input/forms",
            json=given(title=title, fields=list(fields), description=description),
        )
        return form

    def submit(self, verification_id: str, form_id: str, values: dict[str, Any]) -> SubmitAnswer:
        """Values that do not fit come back as `valid` false with an error a field."""
        answer: SubmitAnswer = self._transport.json(
            "POST",
            "/v1/custom-input/submit",
            json={"verificationId": verification_id, "formId": form_id, "values": values},
        )
        return answer

    def submitted(self, verification_id: str) -> SubmittedForms:
        forms: SubmittedForms = self._transport.json("GET", f"/v1/custom-input/{verification_id}")
        return forms
