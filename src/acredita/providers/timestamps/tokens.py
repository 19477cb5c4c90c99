"""RFC 3161 requests and responses, with the checks of section 2.4.2 on every response.

A token is valid if the authority granted it, its digest and nonce equal the request's, and a
timestamping certificate made its signature. If trusted certificates are configured, the chain must
lead to one of them.
"""

import os
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any, ClassVar, Final

from asn1crypto import algos, cms, core, tsp, x509
from pyhanko.keys import load_certs_from_pemder
from pyhanko.sign.validation.generic_cms import validate_tst_signed_data
from pyhanko_certvalidator import ValidationContext

from acredita.providers.timestamps.protocol import (
    Timestamp,
    TimestampRefused,
    TimestampUnavailable,
)

ALGORITHM: Final = "sha256"
# Maximum difference between the authority's clock and ours. Beyond it, a timestamp proves nothing.
FURTHEST_CLOCK: Final = timedelta(minutes=10)
GRANTED: Final = frozenset({"granted", "granted_with_mods"})
# Failures that a retry cannot fix.
REFUSALS: Final = frozenset({"bad_alg", "bad_request", "bad_data_format", "unaccepted_policy"})


class TimeStampResponse(core.Sequence):  # type: ignore[misc]
    """RFC 3161, 2.4.2. asn1crypto's class requires a token even in a refusal."""

    _fields: ClassVar = [
        ("status", tsp.PKIStatusInfo),
        ("time_stamp_token", cms.ContentInfo, {"optional": True}),
    ]


class TimestampRequest:
    def __init__(self, digest: bytes) -> None:
        if len(digest) != sha256().digest_size:
            raise ValueError("a timestamp needs a SHA-256 digest of 32 bytes")
        self.digest = digest
        self.nonce = int.from_bytes(b"\x01" + os.urandom(8), "big")
        self.der: bytes = tsp.TimeStampReq(
            {
                "version": 1,
                "message_imprint": {
                    "hash_algorithm": algos.DigestAlgorithm({"algorithm": ALGORITHM}),
                    "hashed_message": digest,
                },
                "nonce": self.nonce,
                "cert_req": True,
            }
        ).dump()


def read_certificates(file: Path) -> list[x509.Certificate]:
    """Read PEM or DER certificates. Raise ValueError if there is none; OSError."""
    certificates = list(load_certs_from_pemder([str(file)]))
    if not certificates:
        raise ValueError(f"{file.name} has no certificate")
    return certificates


async def parse_response(
    answer: bytes, request: TimestampRequest, *, trusted: Sequence[x509.Certificate] | None
) -> Timestamp:
    """Parse and verify a DER TimeStampResp. Raise TimestampRefused, TimestampUnavailable."""
    try:
        response = TimeStampResponse.load(answer, strict=True)
        status = response["status"]["status"].native
        failure = response["status"]["fail_info"].native or set()
    except Exception:
        raise TimestampUnavailable("unreadable_answer") from None
    if status not in GRANTED:
        if failure & REFUSALS:
            raise TimestampRefused("request_refused")
        raise TimestampUnavailable("not_granted")
    try:
        return await _checked(response["time_stamp_token"], request, trusted)
    except TimestampUnavailable:
        raise
    except Exception:
        raise TimestampUnavailable("unreadable_token") from None


async def _checked(
    token: cms.ContentInfo, request: TimestampRequest, trusted: Sequence[x509.Certificate] | None
) -> Timestamp:
    signed = token["content"]
    info = signed["encap_content_info"]["content"].parsed
    imprint = info["message_imprint"]
    if imprint["hash_algorithm"]["algorithm"].native != ALGORITHM:
        raise TimestampUnavailable("wrong_algorithm")
    if imprint["hashed_message"].native != request.digest:
        raise TimestampUnavailable("wrong_imprint")
    if info["nonce"].native != request.nonce:
        raise TimestampUnavailable("wrong_nonce")
    moment: datetime = info["gen_time"].native
    if abs(moment - datetime.now(UTC)) > FURTHEST_CLOCK:
        raise TimestampUnavailable("wrong_clock")
    result = await _validate(signed, request.digest, trusted)
    if not (result["valid"] and result["intact"]):
        raise TimestampUnavailable("wrong_signature")
    if trusted is not None and result.get("trust_problem_indic") is not None:
        raise TimestampUnavailable("untrusted_authority")
    certificate = result["signing_cert"]
    usage = certificate.extended_key_usage_value
    if usage is None or "time_stamping" not in usage.native:
        raise TimestampUnavailable("not_for_time_stamping")
    return Timestamp(token.dump(), moment.astimezone(UTC), certificate.subject.human_friendly)


async def _validate(
    signed: cms.SignedData, digest: bytes, trusted: Sequence[x509.Certificate] | None
) -> dict[str, Any]:
    context = ValidationContext(trust_roots=list(trusted or ()), allow_fetching=False)
    result: dict[str, Any] = await validate_tst_signed_data(signed, context, lambda _: digest)
    return result
