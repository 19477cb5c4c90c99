"""A browser with one cookie, as the console's pages use it."""

import re
from typing import Any

import httpx

from tests.factories.organizations import PASSWORD

COOKIE = "__Host-acredita_session"


class Tab:
    """One browser: keeps the session's cookie and sends the token of changing requests."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self.client, self.cookie, self.csrf = client, "", ""

    async def request(self, method: str, path: str, **options: Any) -> httpx.Response:
        headers = {"X-CSRF-Token": self.csrf} if method != "GET" and self.csrf else {}
        if self.cookie:
            headers["Cookie"] = f"{COOKIE}={self.cookie}"
        headers |= options.pop("headers", {})
        answer = await self.client.request(method, path, headers=headers, **options)
        self._take(answer)
        return answer

    def _take(self, answer: httpx.Response) -> None:
        for given in answer.headers.get_list("set-cookie"):
            if found := re.match(rf'{COOKIE}="?([\w-]*)"?;', given):
                self.cookie = found[1]
        if answer.is_success and b'"csrfToken"' in answer.content:
            self.csrf = answer.json()["csrfToken"]

    async def sign_in(self, email: str, password: str = PASSWORD, **options: Any) -> httpx.Response:
        body = {"email": email, "password": password}
        return await self.request("POST", "/v1/auth/session", json=body, **options)
