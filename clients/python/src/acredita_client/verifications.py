"""Verifications: create, upload, wait, read, decide."""

import mimetypes
import time
import uuid
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, Literal

from acredita_client.body import given
from acredita_client.errors import WaitTimedOut
from acredita_client.transport import Transport
from acredita_client.types import (
    CaptureAnswer,
    CaptureWrite,
    ChangedVerification,
    CreatedVerification,
    UploadAnswer,
    VerificationAnswer,
    VerificationPage,
)

TERMINAL: Final = frozenset({"APPROVED", "REJECTED", "MANUAL_REVIEW", "EXPIRED"})
_SHORTEST_PAUSE, _LONGEST_PAUSE = 0.5, 5.0

Role = Literal["front", "back", "selfie", "passport", "liveness", "proofOfAddress"]
File = Path | str | bytes | tuple[str, bytes]
"""A path, bytes, or a name and bytes."""


class Verifications:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        workflow_id: str,
        *,
        external_id: str | None = None,
        callback_url: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        capture: CaptureWrite | None = None,
        idempotency_key: str | None = None,
    ) -> CreatedVerification:
        """A new verification; `callbackSecret` is shown in this answer alone.

        With `capture`, such as `{"returnUrl": "https://app.example/", "expiresIn": 86_400}` or
        `{}`, the answer has the link for the person in `capture["url"]`.

        Always sent with an `Idempotency-Key`, a random one unless given, so that a repetition after
        a lost connection does not create a second verification.
        """
        answer = self._transport.json(
            "POST",
            "/v1/verifications",
            json=given(
                workflow_id=workflow_id,
                external_id=external_id,
                callback_url=callback_url,
                metadata=metadata,
                capture=capture,
            ),
            headers={"Idempotency-Key": idempotency_key or str(uuid.uuid4())},
        )
        created: CreatedVerification = answer["verification"]
        return created

    def new_link(self, verification_id: str, capture: CaptureWrite | None = None) -> CaptureAnswer:
        """Another link for the person; all earlier ones stop working."""
        answer = self._transport.json(
            "POST", f"/v1/verifications/{verification_id}/capture", json=capture or {}
        )
        made: CaptureAnswer = answer["capture"]
        return made

    def revoke_links(self, verification_id: str) -> None:
        """End the links for the person, and the sessions that they opened."""
        self._transport.send("DELETE", f"/v1/verifications/{verification_id}/capture")

    def upload(self, verification_id: str, **files: File) -> UploadAnswer:
        """Files by role: `upload(id, front="ine.jpg", back="back.jpg", selfie=picture)`.

        The service takes JPEG, PNG, WebP and PDF of at most 10 MB each, and tells them by their
        bytes. A second file in a role replaces the first for steps that have not finished.
        """
        answer: UploadAnswer = self._transport.json(
            "POST",
            f"/v1/verifications/{verification_id}/inputs",
            files=[(role, _part(role, file)) for role, file in files.items()],
        )
        return answer

    def get(
        self, verification_id: str, *, signals: Literal["raised", "all"] | None = None
    ) -> VerificationAnswer:
        """The verification with its steps, documents and what was read of them.

        The results of the steps have the raised signals; with `signals="all"`, all of them.
        """
        answer: VerificationAnswer = self._transport.json(
            "GET", f"/v1/verifications/{verification_id}", params=given(signals=signals)
        )
        return answer

    def wait(self, verification_id: str, *, timeout_seconds: float = 300.0) -> VerificationAnswer:
        """Ask until it is APPROVED, REJECTED, MANUAL_REVIEW or EXPIRED. Raises `WaitTimedOut`.

        For scripts and tests: a service does better to receive the webhook.
        """
        until = time.monotonic() + timeout_seconds
        pause = _SHORTEST_PAUSE
        while True:
            answer = self.get(verification_id)
            status = answer["verification"]["status"]
            if status in TERMINAL:
                return answer
            left = until - time.monotonic()
            if left <= 0:
                raise WaitTimedOut(verification_id, status, timeout_seconds)
            time.sleep(min(pause, left))
            pause = min(_LONGEST_PAUSE, pause * 1.5)

    def list(
        self,
        *,
        status: str | None = None,
        search: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        cursor: str | None = None,
    ) -> VerificationPage:
        """One page, newest first. `cursor`: the `nextCursor` of the previous page."""
        page: VerificationPage = self._transport.json(
            "GET",
            "/v1/verifications",
            params=given(status=status, search=search, limit=limit, offset=offset, cursor=cursor),
        )
        return page

    def all(self, *, status: str | None = None, search: str | None = None) -> Iterator[Any]:
        """All that match, newest first, page by page; new ones do not shift the pages."""
        cursor: str | None = None
        while True:
            page = self.list(status=status, search=search, limit=100, cursor=cursor)
            yield from page["verifications"]
            cursor = page.get("nextCursor")
            if cursor is None:
                return

    def set_status(
        self,
        verification_id: str,
        status: Literal["APPROVED", "REJECTED", "MANUAL_REVIEW"],
        *,
        notes: str | None = None,
    ) -> ChangedVerification:
        """A person's decision; it ends the run. Needs a key of the role REVIEWER or above."""
        answer = self._transport.json(
            "PATCH",
            f"/v1/verifications/{verification_id}/status",
            json=given(status=status, notes=notes),
        )
        changed: ChangedVerification = answer["verification"]
        return changed

    def image(self, document_id: str) -> bytes:
        """A document's picture, without its metadata."""
        return self._transport.send("GET", f"/v1/documents/{document_id}/image").content


def _part(role: str, file: File) -> tuple[str, bytes, str]:
    if isinstance(file, tuple):
        name, content = file
    elif isinstance(file, bytes):
        name, content = role, file
    else:
        path = Path(file)
        name, content = path.name, path.read_bytes()
    return name, content, mimetypes.guess_type(name)[0] or "application/octet-stream"
