"""Packages to sign, verifications that prove somebody, and a worker beside the API."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import func, select, update

from acredita import worker as worker_main
from acredita.jobs import Queue
from acredita.models import VerificationStep
from acredita.resources.esignature import service
from acredita.services import Services
from tests.factories.housekeeping import put_off_housekeeping
from tests.factories.organizations import Member, make_verification, make_workflow

NAME = {"givenNames": "ANA MARÍA", "paternalSurname": "DE LA CRUZ", "maternalSurname": "RUIZ"}
CONTRACT = "Contrato de apertura\n\nLas partes acuerdan lo que sigue: año, cigüeña, ¿dónde?, ¡aquí!"


@pytest.fixture
async def worker(services: Services) -> AsyncIterator[None]:
    await put_off_housekeeping(services)
    stop = asyncio.Event()
    running = asyncio.create_task(worker_main.serve(services, (Queue.LIGHT,), stop))
    yield
    stop.set()
    await running


@pytest.fixture
async def warm(app: FastAPI, monkeypatch: pytest.MonkeyPatch) -> None:
    """The API's processes run, its seal is open; a machine that is busy has time enough."""
    monkeypatch.setattr(service, "SECONDS_IN_REQUEST", 30.0)
    services: Services = app.state.services
    await services.composition.start()
    await services.seal.name()
    await services.timestamps.stamp(bytes(32))


async def sign(member: Member, verification_id: str, **changes: Any) -> httpx.Response:
    headers = changes.pop("headers", {})
    body = {
        "verificationId": verification_id,
        "tier": "name_only",
        "signerName": "Ana María de la Cruz Ruiz",
        "documents": [{"title": "Contrato de apertura", "content": CONTRACT}],
    } | changes
    return await member.post("/v1/esignature/sign", json=body, headers=headers)


async def signed(member: Member, verification_id: str, **changes: Any) -> dict[str, Any]:
    """The record once it is signed."""
    answer = await sign(member, verification_id, **changes)
    assert answer.status_code == 201, answer.text
    return await until_not_pending(member, answer.json()["id"])


async def until_not_pending(member: Member, package_id: str) -> dict[str, Any]:
    async with asyncio.timeout(60):
        while True:
            answer = await member.get(f"/v1/esignature/{package_id}")
            assert answer.status_code == 200, answer.text
            if answer.json()["status"] != "PENDING":
                return dict(answer.json())
            await asyncio.sleep(0.05)


async def pdf_of(member: Member, package_id: str) -> bytes:
    answer = await member.get(f"/v1/esignature/{package_id}/pdf")
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/pdf"
    return answer.content


async def proven(
    member: Member, services: Services, *, name: dict[str, str] | None = None, **steps: str
) -> str:
    """A verification whose steps ended so (`DOCUMENT_OCR="PASSED"`), with that name read."""
    steps = steps or {"DOCUMENT_OCR": "PASSED", "FACE_MATCH": "PASSED"}
    workflow_id = await make_workflow(member, *steps)
    verification_id = await make_verification(member, workflow_id)
    evidence = [
        {"field": field, "value": value, "confidence": 1.0, "decision": "ACCEPTED"}
        for field, value in (NAME if name is None else name).items()
    ]
    async with services.database.transaction() as session:
        rows = await session.scalars(
            select(VerificationStep).where(
                VerificationStep.verification_id == UUID(verification_id)
            )
        )
        for row in rows.all():
            reads = row.type == "DOCUMENT_OCR"
            result = {} if reads else {"similarity": 0.9312}
            await session.execute(
                update(VerificationStep)
                .where(VerificationStep.id == row.id)
                .values(
                    status=steps[row.type],
                    finished_at=func.now(),
                    result_sealed=VerificationStep.result.seal(services.keys, row.id, result),
                    evidence_sealed=VerificationStep.evidence.seal(
                        services.keys, row.id, evidence if reads else []
                    ),
                )
            )
    return verification_id
