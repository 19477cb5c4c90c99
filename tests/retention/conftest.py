"""Verifications with all that retention has to delete, and the daily jobs on a clock of choice."""

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import select, text, update

from acredita.domain.documents import PageKind
from acredita.domain.subject import Field, Subject
from acredita.jobs import JobContext
from acredita.models import Document, Job, Media, MediaKind, Verification, VerificationStep
from acredita.resources.files import service as files
from acredita.resources.files.deletion import delete_file
from acredita.resources.retention import jobs as retention
from acredita.resources.verifications import subjects
from acredita.services import Services
from tests.api.documents import pictures
from tests.factories.clocks import ShiftedClock
from tests.factories.organizations import Member, make_verification

EVIDENCE = [
    {
        "field": "curp",
        "value": "GOCA850101HDFRRL09",
        "confidence": 1.0,
        "decision": "ACCEPTED",
        "source": "ocr",
        "documentId": None,
        "alternatives": [],
    }
]


@dataclass
class Days:
    """The retention's jobs, as they would run that many days from now."""

    services: Services

    def later(self, days: float) -> Services:
        return replace(self.services, clock=ShiftedClock(timedelta(days=days)))

    async def purge(self, days: float) -> None:
        await retention.purge(JobContext(self.later(days), None))
        await self.delete_files()

    async def sweep(self, days: float, **parts: Any) -> None:
        await retention.sweep_files(JobContext(replace(self.later(days), **parts), None))

    async def delete_files(self) -> None:
        """Do the deletions that are in the ledger."""
        for key in await self.files_to_delete():
            await delete_file(JobContext(self.services, None), storage_key=key)

    async def files_to_delete(self) -> list[str]:
        query = select(Job.payload).where(Job.kind == "retention.delete_file")
        async with self.services.database.transaction() as session:
            return [payload["storage_key"] for payload in await session.scalars(query)]


@pytest.fixture
def days(services: Services) -> Days:
    return Days(services)


async def set_retention(member: Member, days: int) -> None:
    answer = await member.request("PATCH", "/v1/organizations/me", json={"dataRetentionDays": days})
    assert answer.status_code == 200, answer.text


SUBJECT = Subject(kind=PageKind.INE_FRONT, fields={"givenNames": Field("JUANA", accepted=True)})


async def finished_verification(member: Member, services: Services) -> str:
    """Rejected, with a document, a derived picture, a reading, a result, evidence and notes."""
    verification_id = await make_verification(
        member,
        externalId="cliente-4711",
        metadata={"phone": "+52 55 1234 5678"},
        callbackUrl="https://hooks.example/done?customer=4711",
    )
    uploaded = await member.post(
        f"/v1/verifications/{verification_id}/inputs",
        files=[("front", ("x.jpg", pictures.picture(), "image/jpeg"))],
    )
    assert uploaded.status_code == 202, uploaded.text
    document_id = UUID(uploaded.json()["uploaded"][0]["id"])
    await _judge(services, UUID(verification_id), document_id)
    decided = await member.request(
        "PATCH",
        f"/v1/verifications/{verification_id}/status",
        json={"status": "REJECTED", "notes": "Señora Gómez called."},
    )
    assert decided.status_code == 200, decided.text
    return verification_id


async def _judge(services: Services, verification_id: UUID, document_id: UUID) -> None:
    async with services.database.transaction() as session:
        document = await session.get_one(Document, document_id)
        document.reading.seal(services.keys, [])
        media = Media(
            organization_id=document.organization_id, document_id=document_id, kind=MediaKind.PAGE
        )
        media.id = UUID(int=document_id.int ^ 1)
        media.storage_key = files.storage_key(media.organization_id, media.id, services.clock.now())
        await files.store(services, media, b"a derived picture")
        session.add(media)
        step = (
            await session.scalars(
                select(VerificationStep).where(VerificationStep.verification_id == verification_id)
            )
        ).one()
        step.status, step.code = "FAILED", "DOCUMENT_EXPIRED"
        result = {"code": step.code, "message": "The document has expired."}
        step.result.seal(services.keys, result)
        step.evidence.seal(services.keys, EVIDENCE)
        verification = await session.get_one(Verification, verification_id)
        subjects.store(services.keys, verification, SUBJECT)
        await session.execute(
            update(Verification)
            .where(Verification.id == verification_id)
            .values(
                ip_address="203.0.113.7",
                decision={"status": "REJECTED", "reasons": ["DOCUMENT_EXPIRED"], "rules": "1"},
            )
        )


async def row(services: Services, table: str, **where: Any) -> dict[str, Any] | None:
    (condition,) = [f"{name} = :{name}" for name in where]
    async with services.database.transaction() as session:
        found = await session.execute(text(f"SELECT * FROM {table} WHERE {condition}"), where)  # noqa: S608
        first = found.mappings().first()
    return None if first is None else dict(first)


async def count(services: Services, table: str, condition: str = "true") -> int:
    async with services.database.transaction() as session:
        return await session.scalar(text(f"SELECT count(*) FROM {table} WHERE {condition}"))  # noqa: S608
