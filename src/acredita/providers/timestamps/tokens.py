"""Questions and answers of RFC 3161, and the checks of section 2.4.2 on every answer.

A token counts if the authority granted it, for the very digest and nonce of the question, and its
signature is sound and made by a certificate for time stamping, whose chain leads to a trusted one
where any are named.
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
# Authorities' clocks and ours; a stamp further off would be worth nothing as evidence.
FURTHEST_CLOCK: Final = timedelta(minutes=10)
GRANTED: Final = frozenset({"granted", "granted_with_mods"})
# What no repetition mends.
REFUSALS: Final = frozenset({"bad_alg", "bad_request", "bad_data_format", "unaccepted_policy"})


class TimeStampResponse(core.Sequence):  # type: ignore[misc]
    """RFC 3161, 2.4.2. asn1crypto's own asks for a token where there was a refusal, too."""

    _fields: ClassVar = [
        ("status", tsp.PKIStatusInfo),
        ("time_stamp_token", cms.ContentInfo, {"optional": True}),
    ]


class Question:
    def __init__(self, digest: bytes) -> None:
        if len(digest) != sha256().digest_size:
            raise ValueError("a time stamp is asked for a SHA-256 digest")
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
    """Raise ValueError, OSError."""
    certificates = list(load_certs_from_pemder([str(file)]))
    if not certificates:
        raise ValueError(f"{file.name} holds no certificate")
    return certificates


async def read_answer(
    answer: bytes, question: Question, *, trusted: Sequence[x509.Certificate] | None
) -> Timestamp:
    """Raise TimestampRefused, TimestampUnavailable."""
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
        return await _checked(response["time_stamp_token"], question, trusted)
    except TimestampUnavailable:
        raise
    except Exception:
        raise TimestampUnavailable("unreadable_token") from None


async def _checked(
    token: cms.ContentInfo, question: Question, trusted: Sequence[x509.Certificate] | None
) -> Timestamp:
    signed = token["content"]
    info = signed["encap_content_info"]["content"].parsed
    imprint = info["message_imprint"]
    if imprint["hash_algorithm"]["algorithm"].native != ALGORITHM:
        raise TimestampUnavailable("wrong_algorithm")
    if imprint["hashed_message"].native != question.digest:
        raise TimestampUnavailable("wrong_imprint")
    if info["nonce"].native != question.nonce:
        raise TimestampUnavailable("wrong_nonce")
    moment: datetime = info["gen_time"].native
    if abs(moment - datetime.now(UTC)) > FURTHEST_CLOCK:
        raise TimestampUnavailable("wrong_clock")
    verdict = await _validate(signed, question.digest, trusted)
    if not (verdict["valid"] and verdict["intact"]):
        raise TimestampUnavailable("wrong_signature")
    if trusted is not None and verdict.get("trust_problem_indic") is not None:
        raise TimestampUnavailable("untrusted_authority")
    certificate = verdict["signing_cert"]
    usage = certificate.extended_key_usage_value
    if usage is None or "time_stamping" not in usage.native:
        raise TimestampUnavailable("not_for_time_stamping")
    return Timestamp(token.dump(), moment.astimezone(UTC), certificate.subject.human_friendly)


async def _validate(
    signed: cms.SignedData, digest: bytes, trusted: Sequence[x509.Certificate] | None
) -> dict[str, Any]:
    context = ValidationContext(trust_roots=list(trusted or ()), allow_fetching=False)
    verdict: dict[str, Any] = await validate_tst_signed_data(signed, context, lambda _: digest)
    return verdict
