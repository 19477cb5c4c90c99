"""Every query for a caller starts from the caller's organization; `tests/tenancy.py` watches."""

import ast
from pathlib import Path
from uuid import UUID

import pytest
from sqlalchemy import select, update

import acredita
from acredita.domain.caller import Caller, CallerKind
from acredita.domain.roles import Role
from acredita.models import (
    Base,
    FinishedJob,
    Job,
    Verification,
    VerificationInStatus,
    VerificationStep,
    WorkTally,
)
from acredita.models.tenancy import Owned, belongs_to, owned
from tests import tenancy
from tests.factories.organizations import make_verification, make_workflow

SOURCES = Path(acredita.__file__).parent


@pytest.fixture
async def ids(banco):
    workflow_id = await make_workflow(banco, "DOCUMENT_OCR")
    verification_id = await make_verification(banco, workflow_id)
    return UUID(banco.organization_id), UUID(verification_id)


@pytest.fixture
def watched(ids):
    """As within a request of the organization's."""
    caller = Caller(ids[0], CallerKind.CLIENT, UUID(int=1), Role.ADMIN)
    token = tenancy.current.set(tenancy.Request(caller, {caller.id}))
    yield tenancy.violations
    tenancy.current.reset(token)
    tenancy.violations.clear()


async def test_a_query_that_forgets_the_organization_is_noticed(ids, services, watched):
    _, verification_id = ids
    async with services.database.transaction() as session:
        await session.scalars(select(Verification).where(Verification.id == verification_id))
    assert len(watched) == 1
    await services.reads.row("SELECT status FROM verification WHERE id = $1", verification_id)
    assert len(watched) == 2
    async with services.database.reading() as connection:
        await connection.execute(select(Verification.status))
    assert len(watched) == 3
    async with services.database.transaction() as session:
        await session.execute(
            update(VerificationStep)
            .where(VerificationStep.verification_id == verification_id)
            .values(retakes=0)
        )
    assert len(watched) == 4


async def test_what_an_owned_row_leads_to_is_the_organizations(ids, services, watched):
    organization_id, verification_id = ids
    steps = select(VerificationStep).where(VerificationStep.verification_id == verification_id)
    async with services.database.transaction() as session:
        mine = owned(Verification, organization_id).where(Verification.id == verification_id)
        assert (await session.scalars(mine)).one().id == verification_id
        step = (await session.scalars(steps)).one()
        await session.scalars(select(VerificationStep).where(VerificationStep.id == step.id))
        condition = belongs_to(Verification, organization_id)
        await session.execute(update(Verification).where(condition).values(has_session=False))
    assert not watched


async def test_an_id_that_the_organization_does_not_have_leads_nowhere(rival, services, watched):
    foreign = UUID(await make_verification(rival, await make_workflow(rival, "DOCUMENT_OCR")))
    organization_id = tenancy.current.get().caller.organization_id
    async with services.database.transaction() as session:
        mine = owned(Verification, organization_id).where(Verification.id == foreign)
        assert (await session.scalars(mine)).all() == []
        assert not watched
        steps = select(VerificationStep).where(VerificationStep.verification_id == foreign)
        await session.scalars(steps)
    assert len(watched) == 1


def test_every_table_with_an_organization_is_owned():
    models = {mapper.class_ for mapper in Base.registry.mappers}
    with_organization = {each for each in models if "organization_id" in each.__table__.columns}
    # A job, and a count of jobs, may be the service's own.
    services_own = {FinishedJob, Job, WorkTally}
    # A trigger copies these rows from those of verifications.
    copied = {VerificationInStatus}
    elsewhere = services_own | copied
    assert with_organization - elsewhere == {each for each in models if issubclass(each, Owned)}


def test_the_condition_is_written_in_one_place():
    """`X.organization_id == value`; a join's other side is the column of a model."""
    written = [
        f"{path.relative_to(SOURCES)}:{node.lineno}"
        for path in SOURCES.rglob("*.py")
        # To parse all files takes seconds.
        if "organization_id ==" in path.read_text()
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Compare)
        and isinstance(node.ops[0], ast.Eq)
        and isinstance(node.left, ast.Attribute)
        and node.left.attr == "organization_id"
        and not ast.unparse(node.comparators[0])[0].isupper()
    ]
    assert [each.partition(":")[0] for each in written] == ["models/tenancy.py"], written
