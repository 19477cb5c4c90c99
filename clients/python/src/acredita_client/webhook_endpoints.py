"""Where webhooks are sent to, and what was sent."""

from collections.abc import Iterable

from acredita_client.body import given
from acredita_client.transport import Transport
from acredita_client.types import CreatedWebhook, DeliveryPage, WebhookShape
from acredita_client.webhooks import verify


class Webhooks:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self, url: str, events: Iterable[str], *, secret: str | None = None
    ) -> CreatedWebhook:
        """An endpoint; its `secret` is shown in this answer alone."""
        answer = self._transport.json(
            "POST", "/v1/webhooks", json=given(url=url, events=list(events), secret=secret)
        )
        created: CreatedWebhook = answer["webhook"]
        return created

    def list(self) -> list[WebhookShape]:
        endpoints: list[WebhookShape] = self._transport.json("GET", "/v1/webhooks")["webhooks"]
        return endpoints

    def delete(self, webhook_id: str) -> None:
        self._transport.send("DELETE", f"/v1/webhooks/{webhook_id}")

    def test(self, webhook_id: str) -> bool:
        """Send a test event; whether the endpoint took it."""
        return bool(self._transport.json("POST", f"/v1/webhooks/{webhook_id}/test")["delivered"])

    def deliveries(
        self,
        webhook_id: str,
        *,
        state: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
        cursor: str | None = None,
    ) -> DeliveryPage:
        page: DeliveryPage = self._transport.json(
            "GET",
            f"/v1/webhooks/{webhook_id}/deliveries",
            params=given(state=state, limit=limit, offset=offset, cursor=cursor),
        )
        return page

    def redeliver(self, webhook_id: str, delivery_id: str) -> None:
        """Send a finished delivery again, byte for byte the same."""
        self._transport.send(
            "POST", f"/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver"
        )

    verify = staticmethod(verify)
