"""Timestamps over HTTP (RFC 3161, section 3.4)."""

import base64
from pathlib import Path

from acredita.kit.http import HttpClient, HttpError, Response
from acredita.providers.timestamps import tokens
from acredita.providers.timestamps.protocol import (
    Timestamp,
    TimestampRefused,
    TimestampUnavailable,
)

REFUSALS = frozenset({400, 401, 402, 403, 404, 405, 413, 415, 422})


class HttpTimestamps:
    """`http` must have `allow_private`, because the operator chooses the URL."""

    is_sandbox = False

    def __init__(
        self,
        http: HttpClient,
        *,
        url: str,
        username: str = "",
        password: str = "",
        trusted: Path | None = None,
    ) -> None:
        self._http = http
        self._url = url
        self._headers = {
            "Content-Type": "application/timestamp-query",
            "Accept": "application/timestamp-reply",
        }
        if username:
            credentials = base64.b64encode(f"{username}:{password}".encode()).decode()
            self._headers["Authorization"] = f"Basic {credentials}"
        self._trusted = tokens.read_certificates(trusted) if trusted is not None else None

    async def stamp(self, digest: bytes) -> Timestamp:
        request = tokens.TimestampRequest(digest)
        try:
            response = await self._http.request(
                "POST", self._url, headers=self._headers, body=request.der
            )
        except HttpError as fault:
            raise TimestampUnavailable(str(fault)) from None
        _check(response)
        return await tokens.parse_response(response.body, request, trusted=self._trusted)


def _check(response: Response) -> None:
    if response.status in REFUSALS:
        raise TimestampRefused(f"status_{response.status}")
    if not response.is_success:
        raise TimestampUnavailable(f"status_{response.status}")
    if response.truncated:
        raise TimestampUnavailable("answer_too_large")
    media_type = response.headers.get("Content-Type", "").partition(";")[0].strip().lower()
    if media_type != "application/timestamp-reply":
        raise TimestampUnavailable("not_a_timestamp_reply")
