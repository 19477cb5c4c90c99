"""The audit chains, checked hour by hour from where the last check ended."""

import pytest
from sqlalchemy import func, select

from acredita.models import AuditCheck, AuditEntry
from acredita.resources.audit import growth, heads
from acredita.resources.audit.chaining import chain_all
from acredita.resources.invariants import service
from tests.api.audit.test_chain import tampering
from tests.factories.organizations import make_workflow
from tests.observability.conftest import numbers_of


async def check(services) -> list[tuple[str, int]]:
    """The chains at fault, and where."""
    await chain_all(services.database, services.signer)
    return [
        (str(each.organization_id), each.bad_position)
        for each in await growth.check(services.database, services.signer)
    ]


async def positions(services) -> dict[str, int]:
    async with services.database.reading() as connection:
        rows = await connection.execute(select(AuditCheck.organization_id, AuditCheck.position))
        return {str(row[0]): row[1] for row in rows}


async def lengths(services) -> dict[str, int]:
    await chain_all(services.database, services.signer)
    query = select(AuditEntry.organization_id, func.max(AuditEntry.position))
    async with services.database.reading() as connection:
        rows = await connection.execute(query.group_by(AuditEntry.organization_id))
        return {str(row[0]): row[1] for row in rows}


async def change(services, statement, member):
    async with tampering(services) as session:
        await session.execute(statement.where(AuditEntry.organization_id == member.organization_id))


@pytest.fixture(autouse=True)
def short_slices(monkeypatch):
    monkeypatch.setattr(growth, "SLICE", 2)


async def test_each_check_goes_on_where_the_last_one_ended(services, banco, rival):
    for _ in range(7):
        await make_workflow(banco)
    assert await check(services) == []
    assert await positions(services) == await lengths(services)
    await make_workflow(rival)
    assert await check(services) == []
    assert await positions(services) == await lengths(services)


async def test_what_has_not_grown_is_not_looked_at(services, banco, rival):
    await check(services)
    await make_workflow(rival)
    await chain_all(services.database, services.signer)
    async with services.database.reading() as connection:
        assert [str(each.organization_id) for each in await growth.changed_chains(connection)] == [
            rival.organization_id
        ]


async def test_a_new_entry_that_was_changed_is_found_each_time(services, banco, rival):
    await check(services)
    await make_workflow(banco)
    await make_workflow(rival)
    newest = (await lengths(services))[banco.organization_id]
    details = AuditEntry.__table__.update().values(details='{"forged":true}')
    await change(services, details.where(AuditEntry.position == newest), banco)
    assert await check(services) == [(banco.organization_id, newest)]
    assert await check(services) == [(banco.organization_id, newest)]
    assert (await positions(services))[rival.organization_id] == (await lengths(services))[
        rival.organization_id
    ]


async def test_an_end_that_was_changed_after_its_check_is_found(services, banco):
    await check(services)
    last = (await lengths(services))[banco.organization_id]
    hashed = AuditEntry.__table__.update().values(hash=bytes(32))
    await change(services, hashed.where(AuditEntry.position == last), banco)
    assert await check(services) == [(banco.organization_id, last)]


async def test_an_end_that_was_cut_off_after_its_check_is_found(services, banco):
    await make_workflow(banco)
    await check(services)
    last = (await lengths(services))[banco.organization_id]
    await change(services, AuditEntry.__table__.delete().where(AuditEntry.position == last), banco)
    assert await check(services) == [(banco.organization_id, last)]


async def test_an_end_that_was_cut_off_after_it_was_signed_is_found(services, banco):
    await check(services)
    await make_workflow(banco)
    await make_workflow(banco)
    await chain_all(services.database, services.signer)
    async with services.database.transaction() as session:
        await heads.sign_grown_chains(session, services.signer)
    last = (await lengths(services))[banco.organization_id]
    await change(services, AuditEntry.__table__.delete().where(AuditEntry.position == last), banco)
    assert await check(services) == [(banco.organization_id, last)]


async def test_a_chain_at_fault_is_counted(services, banco):
    await check(services)
    last = (await lengths(services))[banco.organization_id]
    hashed = AuditEntry.__table__.update().values(hash=bytes(32))
    await change(services, hashed.where(AuditEntry.position == last), banco)
    labels = {"name": "audit_chain", "outcome": "found"}
    before = await numbers_of(services)
    await service.check_audit(services.database, services.signer)
    after = await numbers_of(services)
    name = "invariant_violations_total"
    assert after.of(name, **labels) == before.of(name, **labels) + 1
