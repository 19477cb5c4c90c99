"""Workflows: which steps a verification goes through."""

from collections.abc import Iterable, Mapping
from typing import Any

from acredita_client.body import given
from acredita_client.transport import Transport
from acredita_client.types import StepWrite, ThemeShape, WorkflowShape


class Workflows:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self, name: str, steps: Iterable[StepWrite], *, description: str | None = None
    ) -> WorkflowShape:
        answer = self._transport.json(
            "POST",
            "/v1/workflows",
            json=given(name=name, steps=list(steps), description=description),
        )
        workflow: WorkflowShape = answer["workflow"]
        return workflow

    def list(self) -> list[WorkflowShape]:
        workflows: list[WorkflowShape] = self._transport.json("GET", "/v1/workflows")["workflows"]
        return workflows

    def get(self, workflow_id: str) -> WorkflowShape:
        workflow: WorkflowShape = self._transport.json("GET", f"/v1/workflows/{workflow_id}")
        return workflow

    def update(self, workflow_id: str, **changes: Any) -> WorkflowShape:
        """`name`, `description`, `steps`; what is left out stays, as do verifications under way."""
        workflow: WorkflowShape = self._transport.json(
            "PATCH", f"/v1/workflows/{workflow_id}", json=changes
        )
        return workflow

    def delete(self, workflow_id: str) -> None:
        self._transport.send("DELETE", f"/v1/workflows/{workflow_id}")

    def theme(self, workflow_id: str) -> ThemeShape:
        theme: ThemeShape = self._transport.json("GET", f"/v1/workflows/{workflow_id}/theme")
        return theme

    def set_theme(self, workflow_id: str, theme: Mapping[str, str | None]) -> ThemeShape:
        """The whole theme: what is left out is not set."""
        stored: ThemeShape = self._transport.json(
            "PUT", f"/v1/workflows/{workflow_id}/theme", json=dict(theme)
        )
        return stored
