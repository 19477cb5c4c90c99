"""An integration with MetaMap, as its published client and handlers are written.

It knows a base address, credentials and a flow, and nothing of ours: it is what a customer brings.
"""

import base64
import hashlib
import hmac
import json
from typing import Any

import httpx


class Integration:
    def __init__(self, http: httpx.AsyncClient, base: str, client_id: str, secret: str) -> None:
        self._http, self._base = http, base
        self._basic = base64.b64encode(f"{client_id}:{secret}".encode()).decode()
        self._bearer = ""

    async def authorize(self) -> dict[str, Any]:
        answer = await self._http.post(
            f"{self._base}/oauth",
            headers={"Authorization": f"Basic {self._basic}"},
            data={"grant_type": "client_credentials"},
        )
        answer.raise_for_status()
        self._bearer = answer.json()["access_token"]
        return dict(answer.json())

    async def call(self, method: str, path: str, **options: Any) -> httpx.Response:
        """With one more attempt, and a token of its own, after a 401."""
        address = path if path.startswith("http") else self._base + path
        for _ in range(2):
            headers = {"Authorization": f"Bearer {self._bearer}", **options.pop("headers", {})}
            answer = await self._http.request(method, address, headers=headers, **options)
            if answer.status_code != 401:
                break
            await self.authorize()
        return answer

    async def start(self, flow_id: str, **more: Any) -> dict[str, Any]:
        answer = await self.call("POST", "/v2/verifications", json={"flowId": flow_id, **more})
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    async def send(
        self, identity: str, *files: tuple[dict[str, Any], bytes], where: str = "identities"
    ) -> list[dict[str, Any]]:
        """Inputs with their files, in one request."""
        parts: list[tuple[str, Any]] = [
            ("inputs", (None, json.dumps([described for described, _ in files])))
        ]
        for described, content in files:
            part = {"selfie-photo": "selfie", "selfie-video": "video"}.get(
                described["inputType"], "document"
            )
            parts.append((part, (described["data"]["filename"], content)))
        answer = await self.call("POST", f"/v2/{where}/{identity}/send-input", files=parts)
        assert answer.status_code == 201, answer.text
        return list(answer.json())


def photo(page: str, name: str, kind: str = "national-id") -> dict[str, Any]:
    data = {"type": kind, "country": "MX", "region": "", "page": page, "filename": name}
    return {"inputType": "document-photo", "group": 0, "data": data}


def selfie(name: str) -> dict[str, Any]:
    return {"inputType": "selfie-photo", "data": {"type": "selfie-photo", "filename": name}}


def is_signed(secret: str, body: bytes, signature: str) -> bool:
    digest = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(digest, signature)
