"""POST /verification/v1/pdf/download: the reports of decisions as PDF, posted to a callback URL.

The request is sealed in a row (`callbacks`) until its job has posted the files.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any
from uuid import UUID

import orjson

from acredita.domain.caller import Caller, CallerKind
from acredita.domain.errors import NotFound, NothingToReplay, ValidationFailed
from acredita.domain.roles import Role
from acredita.domain.verification import DECIDED, VerificationStatus
from acredita.kit import ids
from acredita.kit.statement_pool import Reads
from acredita.ports import EvidenceMaking
from acredita.resources.metamap import queries
from acredita.resources.metamap.id_aliases import to_alias
from acredita.resources.verifications.evidence.zip_file import evidence_report

MOST_HEADERS = 20
HEADER = re.compile("[A-Za-z0-9_-]{1,64}")
VALUE = re.compile("[ -~]{0,1024}")
# These are ours: they say where the request goes and what it contains.
RESERVED = {
    "host",
    "content-type",
    "content-length",
    "transfer-encoding",
    "connection",
    "expect",
    "te",
    "trailer",
    "upgrade",
    "user-agent",
    "webhook-id",
    "x-signature",
}


@dataclass(frozen=True, slots=True)
class Report:
    """A request for reports, as it is sealed."""

    request_id: str
    verification_ids: list[str]
    headers: dict[str, str]
    metadata: dict[str, Any] | None
    # Who asked: an API key's id, or a user's.
    organization_id: str
    caller_kind: str
    caller_id: str

    def as_bytes(self) -> bytes:
        return orjson.dumps(asdict(self))

    @property
    def caller(self) -> Caller:
        return Caller(
            UUID(self.organization_id),
            CallerKind(self.caller_kind),
            UUID(self.caller_id),
            Role.REVIEWER,
        )


def request_of(body: bytes) -> Report:
    return Report(**orjson.loads(body))


def checked_headers(given: Mapping[str, str]) -> dict[str, str]:
    """Return the headers that may be sent. Raise ValidationFailed."""
    place = "body.callback_details.headers"
    if len(given) > MOST_HEADERS:
        raise ValidationFailed(details=[f"{place}: has more than {MOST_HEADERS} headers"])
    if any(not HEADER.fullmatch(name) for name in given):
        raise ValidationFailed(details=[f"{place}: has a name that is not valid"])
    if any(not VALUE.fullmatch(value) for value in given.values()):
        raise ValidationFailed(details=[f"{place}: has a value that is not valid"])
    return {name: value for name, value in given.items() if name.lower() not in RESERVED}


async def sort_out(
    reads: Reads, caller: Caller, names: list[str]
) -> tuple[dict[str, UUID], list[str]]:
    """Return the decided verifications by the names of the request, and the other names."""
    accepted: dict[str, UUID] = {}
    rejected = []
    for name in dict.fromkeys(names):
        try:
            row = await queries.get_verification(reads, caller, name)
        except NotFound:
            rejected.append(name)
            continue
        if VerificationStatus(row["status"]) in DECIDED and row["purged_at"] is None:
            accepted[name] = row["id"]
        else:
            rejected.append(name)
    return accepted, rejected


async def form_of(services: EvidenceMaking, request: Report) -> tuple[bytes, str]:
    """Return a form with the reports, and its content type. Raise ServiceUnavailable.

    A verification that was deleted or opened again meanwhile is left out.
    """
    boundary = ids.capability().hex
    parts = [_field(boundary, "request_id", request.request_id)]
    if request.metadata is not None:
        parts.append(_field(boundary, "metadata", json.dumps(request.metadata)))
    for each in request.verification_ids:
        verification_id = UUID(each)
        try:
            report = await evidence_report(services, request.caller, verification_id)
        except (NotFound, NothingToReplay):
            continue
        parts.append(_file(boundary, f"{to_alias(verification_id)}.pdf", report))
    parts.append(f"--{boundary}--\r\n".encode())
    return b"".join(parts), f"multipart/form-data; boundary={boundary}"


def _field(boundary: str, name: str, text: str) -> bytes:
    head = f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n'
    return f"{head}{text}\r\n".encode()


def _file(boundary: str, filename: str, content: bytes) -> bytes:
    head = (
        f"--{boundary}\r\n"
        f'Content-Disposition: form-data; name="file"; filename="{filename}"\r\n'
        "Content-Type: application/pdf\r\n\r\n"
    )
    return head.encode() + content + b"\r\n"
