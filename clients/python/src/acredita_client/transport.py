"""Requests with a token that renews itself, repeated where that can do no harm."""

import random
import threading
import time
from collections.abc import Mapping
from typing import Any, Final

import httpx

from acredita_client.errors import ConnectionFailed, from_response, retry_after

RENEW_BEFORE_SECONDS: Final = 60.0
"""A token is renewed so long before its end, so that none expires under way."""
LONGEST_PAUSE_SECONDS: Final = 30.0
_UNAVAILABLE: Final = frozenset({502, 503, 504})
_HARMLESS: Final = frozenset({"GET", "HEAD", "PUT", "DELETE"})


class Transport:
    """Sends requests; safe to share between threads.

    - 429: waits as long as the answer says and asks again, for the service did nothing.
    - 502, 503, 504 and lost connections: again, where a repetition can do no harm: methods that are
      idempotent, and requests with an `Idempotency-Key`.
    - 401: once again, with a new token: keys are rotated, and clocks go wrong.
    """

    def __init__(
        self, http: httpx.Client, client_id: str, client_secret: str, *, retries: int
    ) -> None:
        self._http = http
        self._credentials = {"client_id": client_id, "client_secret": client_secret}
        self._retries = retries
        self._lock = threading.Lock()
        self._token = ""
        self._renew_at = 0.0

    def close(self) -> None:
        self._http.close()

    def json(self, method: str, path: str, **request: Any) -> Any:
        """The body of the answer. Raises `ApiError` and `ConnectionFailed`."""
        response = self.send(method, path, **request)
        return response.json() if response.content else None

    def send(
        self,
        method: str,
        path: str,
        *,
        headers: Mapping[str, str] | None = None,
        **request: Any,
    ) -> httpx.Response:
        sent = dict(headers or {})
        token = self._bearer()
        response = self._repeated(
            method, path, headers=sent | {"Authorization": f"Bearer {token}"}, **request
        )
        if response.status_code == httpx.codes.UNAUTHORIZED:
            token = self._bearer(instead_of=token)
            response = self._repeated(
                method, path, headers=sent | {"Authorization": f"Bearer {token}"}, **request
            )
        if not response.is_success:
            raise from_response(response)
        return response

    def _bearer(self, *, instead_of: str | None = None) -> str:
        with self._lock:
            if self._token in ("", instead_of) or time.monotonic() >= self._renew_at:
                response = self._repeated(
                    "POST",
                    "/v1/auth/token",
                    headers={},
                    is_harmless=True,
                    json={"grant_type": "client_credentials", **self._credentials},
                )
                if not response.is_success:
                    raise from_response(response)
                answer = response.json()
                self._token = str(answer["access_token"])
                lifetime = float(answer["expires_in"])
                self._renew_at = time.monotonic() + lifetime - RENEW_BEFORE_SECONDS
            return self._token

    def _repeated(
        self,
        method: str,
        path: str,
        *,
        headers: dict[str, str],
        is_harmless: bool = False,
        **request: Any,
    ) -> httpx.Response:
        is_harmless = is_harmless or method in _HARMLESS or "Idempotency-Key" in headers
        for attempt in range(self._retries + 1):
            is_last = attempt == self._retries
            pause = min(LONGEST_PAUSE_SECONDS, 0.25 * 2**attempt) * random.uniform(0.5, 1.0)
            try:
                response = self._http.request(method, path, headers=headers, **request)
            except httpx.ConnectError as error:
                # Nothing was sent yet: any request may be repeated.
                if is_last:
                    raise ConnectionFailed(str(error)) from error
            except httpx.TransportError as error:
                if is_last or not is_harmless:
                    raise ConnectionFailed(str(error) or type(error).__name__) from error
            else:
                if is_last or not _is_to_be_repeated(response, is_harmless=is_harmless):
                    return response
                pause = min(LONGEST_PAUSE_SECONDS, retry_after(response) or pause)
            time.sleep(pause)
        raise AssertionError("unreachable: the last attempt returns or raises")


def _is_to_be_repeated(response: httpx.Response, *, is_harmless: bool) -> bool:
    if response.status_code == httpx.codes.TOO_MANY_REQUESTS:
        return True
    return is_harmless and response.status_code in _UNAVAILABLE
