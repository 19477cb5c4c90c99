"""The client: one attribute a part of the API."""

from types import TracebackType
from typing import Any, Self

import httpx

from acredita_client.account import AuditLogs, Organization
from acredita_client.checks import Aml, Credit, Forms, Location, OneTimePasswords, Signatures
from acredita_client.transport import Transport
from acredita_client.verifications import Verifications
from acredita_client.webhook_endpoints import Webhooks
from acredita_client.workflows import Workflows


class Client:
    """Speaks for one organization; safe to share between threads. Close it, or use it in `with`.

    Answers are plain dictionaries with the API's own names; `acredita_client.types` has their
    shapes, and fields that a newer service adds are simply there.
    """

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self.verifications = Verifications(transport)
        self.workflows = Workflows(transport)
        self.webhooks = Webhooks(transport)
        self.organization = Organization(transport)
        self.audit_logs = AuditLogs(transport)
        self.aml = Aml(transport)
        self.otp = OneTimePasswords(transport)
        self.credit = Credit(transport)
        self.location = Location(transport)
        self.signatures = Signatures(transport)
        self.forms = Forms(transport)

    @classmethod
    def from_credentials(
        cls,
        base_url: str,
        client_id: str,
        client_secret: str,
        *,
        timeout_seconds: float = 30.0,
        retries: int = 4,
        verify: Any = True,
    ) -> Self:
        """`client_id` is the organization's id, `client_secret` a raw API key (`ak_…`).

        The first request asks for a token; it is renewed by itself. `retries` is how often a
        refused (429) or failed request is sent again. `verify` goes to httpx: a context of `ssl`
        for a service with a certificate of its own.
        """
        http = httpx.Client(
            base_url=base_url.rstrip("/"),
            timeout=timeout_seconds,
            verify=verify,
            headers={"User-Agent": "acredita-client-python/0.1.0"},
        )
        return cls(Transport(http, client_id, client_secret, retries=retries))

    def request(self, method: str, path: str, **request: Any) -> Any:
        """What has no method here: `client.request("GET", "/v1/…", params={…})`, its JSON back."""
        return self._transport.json(method, path, **request)

    def close(self) -> None:
        self._transport.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
