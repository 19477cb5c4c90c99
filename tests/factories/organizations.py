"""Organizations and their callers, made over HTTP as customers make them."""

import re
from dataclasses import dataclass, field
from typing import Any

import httpx

PASSWORD = "correct horse battery staple"


@dataclass
class Member:
    """One organization and a way of calling for it: the client's methods, with its token."""

    client: httpx.AsyncClient
    organization_id: str
    api_key: str
    token: str
    registration: dict[str, Any] = field(default_factory=dict)

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    async def request(self, method: str, path: str, **options: Any) -> httpx.Response:
        headers = self.headers | options.pop("headers", {})
        return await self.client.request(method, path, headers=headers, **options)

    async def get(self, path: str, **options: Any) -> httpx.Response:
        return await self.request("GET", path, **options)

    async def post(self, path: str, **options: Any) -> httpx.Response:
        return await self.request("POST", path, **options)

    async def patch(self, path: str, **options: Any) -> httpx.Response:
        return await self.request("PATCH", path, **options)

    async def put(self, path: str, **options: Any) -> httpx.Response:
        return await self.request("PUT", path, **options)

    async def delete(self, path: str, **options: Any) -> httpx.Response:
        return await self.request("DELETE", path, **options)


async def register(client: httpx.AsyncClient, name: str) -> Member:
    slug = re.sub(r"[^a-z0-9]+", "-", name.lower())
    answer = await client.post(
        "/v1/auth/register",
        json={"orgName": name, "email": f"owner@{slug}.example", "password": PASSWORD},
    )
    assert answer.status_code == 201, answer.text
    registration = answer.json()
    organization_id, api_key = registration["org"]["id"], registration["apiKey"]["key"]
    token = await exchange(client, organization_id, api_key)
    assert token.status_code == 200, token.text
    return Member(client, organization_id, api_key, token.json()["access_token"], registration)


async def make_workflow(
    member: Member, *step_types: str, config: Any = None, name: str = "Alta de cuenta"
) -> str:
    """A workflow of the given step types (one DOCUMENT_OCR when none is given); its id."""
    steps = [
        {"type": step_type, "order": order, "config": config or {}}
        for order, step_type in enumerate(step_types or ("DOCUMENT_OCR",))
    ]
    answer = await member.post("/v1/workflows", json={"name": name, "steps": steps})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["workflow"]["id"])


async def make_verification(member: Member, workflow_id: str | None = None, **body: Any) -> str:
    workflow_id = workflow_id or await make_workflow(member)
    answer = await member.post("/v1/verifications", json={"workflowId": workflow_id, **body})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["verification"]["id"])


async def exchange(client: httpx.AsyncClient, organization_id: str, api_key: str) -> httpx.Response:
    return await client.post(
        "/v1/auth/token",
        json={
            "grant_type": "client_credentials",
            "client_id": organization_id,
            "client_secret": api_key,
        },
    )


async def with_new_key(member: Member, role: str = "ADMIN", **body: Any) -> Member:
    """The same organization, seen through another key; `registration` is the key's own answer."""
    answer = await member.post(
        "/v1/organizations/me/api-keys", json={"name": role, "role": role, **body}
    )
    assert answer.status_code == 201, answer.text
    key = answer.json()["apiKey"]
    token = await exchange(member.client, member.organization_id, key["key"])
    assert token.status_code == 200, token.text
    return Member(
        member.client, member.organization_id, key["key"], token.json()["access_token"], key
    )
