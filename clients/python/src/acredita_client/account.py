"""The organization: its settings, its keys, its people, and what was done in it."""

from typing import Any, Literal

from acredita_client.body import given
from acredita_client.transport import Transport
from acredita_client.types import (
    ApiKeyShape,
    AuditLogPage,
    CreatedApiKey,
    OrganizationShape,
    OrganizationUser,
)


class Organization:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(self) -> OrganizationShape:
        organization: OrganizationShape = self._transport.json("GET", "/v1/organizations/me")["org"]
        return organization

    def update(self, **changes: Any) -> OrganizationShape:
        """`name`, `data_retention_days`; what is left out stays."""
        answer = self._transport.json("PATCH", "/v1/organizations/me", json=given(**changes))
        organization: OrganizationShape = answer["org"]
        return organization

    def api_keys(self) -> list[ApiKeyShape]:
        answer = self._transport.json("GET", "/v1/organizations/me/api-keys")
        keys: list[ApiKeyShape] = answer["apiKeys"]
        return keys

    def create_api_key(
        self,
        name: str,
        *,
        role: Literal["ADMIN", "REVIEWER", "MEMBER"] | None = None,
        rate_limit: int | None = None,
    ) -> CreatedApiKey:
        """A key; `key` is shown in this answer alone."""
        answer = self._transport.json(
            "POST",
            "/v1/organizations/me/api-keys",
            json=given(name=name, role=role, rate_limit=rate_limit),
        )
        created: CreatedApiKey = answer["apiKey"]
        return created

    def revoke_api_key(self, key_id: str) -> None:
        self._transport.send("DELETE", f"/v1/organizations/me/api-keys/{key_id}")

    def users(self) -> list[OrganizationUser]:
        users: list[OrganizationUser] = self._transport.json("GET", "/v1/organizations/me/users")[
            "users"
        ]
        return users

    def allowed_origins(self) -> list[str]:
        answer = self._transport.json("GET", "/v1/organizations/me/allowed-origins")
        origins: list[str] = answer["allowedOrigins"]
        return origins

    def set_allowed_origins(self, origins: list[str]) -> list[str]:
        """The origins whose pages may carry out the browser flow."""
        answer = self._transport.json(
            "PUT", "/v1/organizations/me/allowed-origins", json={"allowedOrigins": origins}
        )
        stored: list[str] = answer["allowedOrigins"]
        return stored


class AuditLogs:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(
        self,
        *,
        resource_type: str | None = None,
        resource_id: str | None = None,
        action: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        cursor: str | None = None,
    ) -> AuditLogPage:
        page: AuditLogPage = self._transport.json(
            "GET",
            "/v1/audit-logs",
            params=given(
                resource_type=resource_type,
                resource_id=resource_id,
                action=action,
                limit=limit,
                offset=offset,
                cursor=cursor,
            ),
        )
        return page
