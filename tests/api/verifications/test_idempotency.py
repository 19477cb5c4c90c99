"""Idempotency-Key on POST /v1/verifications: once is once."""

import asyncio

import pytest
from sqlalchemy import func, select, text, update

from acredita.models import ApiKey, Event, FirstAnswer, Verification, Workflow
from acredita.resources.idempotency import service as idempotency
from tests.factories.organizations import make_workflow
from tests.pipeline.conftest import until


async def create(member, key, **body):
    keys = [key] if isinstance(key, str) else key
    return await member.client.request(
        "POST",
        "/v1/verifications",
        headers=[*member.headers.items(), *(("Idempotency-Key", each) for each in keys)],
        json=body,
    )


async def count(services, model):
    async with services.database.transaction() as session:
        return await session.scalar(select(func.count()).select_from(model))


async def test_a_repetition_returns_the_first_answer_and_does_nothing(banco, services):
    body = {
        "workflowId": await make_workflow(banco),
        "callbackUrl": "https://127.0.0.1:9/callback",
        "metadata": {"a": 1, "b": [2, "ñ"]},
    }
    first = await create(banco, "order-1", **body)
    again = await create(banco, "order-1", **dict(reversed(body.items())))
    assert first.status_code == again.status_code == 201
    assert again.content == first.content
    for header in ("location", "content-type"):
        assert again.headers[header] == first.headers[header]
    assert first.json()["verification"]["callbackSecret"].startswith("whsec_")
    assert await count(services, Verification) == await count(services, Event) == 1


async def test_without_a_key_the_same_body_is_another_request(banco, services):
    workflow_id = await make_workflow(banco)
    for _ in range(2):
        answer = await banco.post("/v1/verifications", json={"workflowId": workflow_id})
        assert answer.status_code == 201
    assert await count(services, Verification) == 2
    assert await count(services, FirstAnswer) == 0


async def test_another_body_under_the_same_key_is_a_conflict(banco, services):
    workflow_id = await make_workflow(banco)
    await create(banco, "order-1", workflowId=workflow_id)
    answer = await create(banco, "order-1", workflowId=workflow_id, externalId="otro")
    assert answer.status_code == 409
    assert answer.json()["error"]["code"] == "IDEMPOTENCY_CONFLICT"
    assert await count(services, Verification) == 1


async def test_organizations_do_not_share_keys(banco, rival, services):
    mine = await create(banco, "order-1", workflowId=await make_workflow(banco))
    theirs = await create(rival, "order-1", workflowId=await make_workflow(rival))
    assert (mine.status_code, theirs.status_code) == (201, 201)
    assert await count(services, Verification) == 2


async def test_only_success_is_kept(banco, services):
    workflow_id = await make_workflow(banco)
    async with services.database.transaction() as session:
        await session.execute(update(Workflow).values(is_active=False))
    assert (await create(banco, "order-1", workflowId=workflow_id)).status_code == 409
    assert await count(services, FirstAnswer) == 0
    async with services.database.transaction() as session:
        await session.execute(update(Workflow).values(is_active=True))
    assert (await create(banco, "order-1", workflowId=workflow_id)).status_code == 201


async def test_authorization_is_checked_anew_before_an_answer_is_repeated(client, banco, services):
    workflow_id = await make_workflow(banco)
    await create(banco, "order-1", workflowId=workflow_id)
    async with services.database.transaction() as session:
        await session.execute(update(ApiKey).values(is_active=False))
    client._transport.app.state.credentials._cache.clear()
    assert (await create(banco, "order-1", workflowId=workflow_id)).status_code == 401


@pytest.mark.parametrize("key", ["", "x" * 256, "a\tb", "ñ".encode(), ["a", "b"], ["a", "a"]])
async def test_a_key_of_another_form_is_refused(banco, services, key):
    keys = key if isinstance(key, list) else [key]
    answer = await banco.client.request(
        "POST",
        "/v1/verifications",
        headers=[*banco.headers.items(), *(("Idempotency-Key", each) for each in keys)],
        json={"workflowId": await make_workflow(banco)},
    )
    assert answer.status_code == 422, answer.text
    assert answer.json()["error"]["code"] == "VALIDATION_ERROR"
    assert await count(services, Verification) == 0


@pytest.mark.parametrize("key", ["x" * 255, "a b", "~!'\"%_\\"])
async def test_every_printable_key_is_taken(banco, services, key):
    workflow_id = await make_workflow(banco)
    answers = [await create(banco, key, workflowId=workflow_id) for _ in range(2)]
    assert answers[0].content == answers[1].content
    assert await count(services, Verification) == 1


async def test_of_twins_in_flight_one_does_the_work_and_all_get_its_answer(banco, services):
    workflow_id = await make_workflow(banco)
    answers = await asyncio.gather(
        *(create(banco, "order-1", workflowId=workflow_id) for _ in range(12))
    )
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.content for answer in answers}) == 1
    assert await count(services, Verification) == 1


async def test_twins_with_different_bodies_conflict(banco, services):
    workflow_id = await make_workflow(banco)
    answers = await asyncio.gather(
        *(create(banco, "order-1", workflowId=workflow_id, externalId=f"{n}") for n in range(6))
    )
    assert sorted(answer.status_code for answer in answers) == [201] + [409] * 5
    assert await count(services, Verification) == 1


@pytest.fixture
async def first_in_flight(banco, services):
    """The lock of a first request that has neither committed nor failed yet."""
    await create(banco, "order-0", workflowId=await make_workflow(banco))
    async with services.database.transaction() as session:
        stored = (await session.scalars(select(FirstAnswer))).one()
        await session.delete(stored)
    async with services.database.transaction() as session:
        number = int.from_bytes(stored.scope[:8], signed=True)
        await session.execute(text("SELECT pg_advisory_xact_lock(:n)"), {"n": number})
        yield session


WAITING = text("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")


async def test_a_first_request_that_fails_leaves_the_work_to_its_twin(
    banco, services, first_in_flight
):
    workflow_id = await make_workflow(banco)
    before = await count(services, Verification)
    twin = asyncio.create_task(create(banco, "order-0", workflowId=workflow_id))

    async def waits():
        async with services.database.reading() as connection:
            return await connection.scalar(WAITING) == 1

    await until(waits)
    assert not twin.done()
    await first_in_flight.rollback()
    assert (await twin).status_code == 201
    assert await count(services, Verification) == before + 1


async def test_a_twin_waits_for_a_bounded_time(banco, services, first_in_flight, monkeypatch):
    monkeypatch.setattr(
        idempotency,
        "LOCK_KEY",
        text(idempotency.LOCK_KEY.text.replace(idempotency.KEY_LOCK_TIMEOUT, "50ms")),
    )
    before = await count(services, Verification)
    answer = await create(banco, "order-0", workflowId=await make_workflow(banco))
    assert answer.status_code == 503
    assert answer.headers["retry-after"]
    assert await count(services, Verification) == before


async def test_after_a_day_a_key_is_new_again(banco, services):
    workflow_id = await make_workflow(banco)
    first = await create(banco, "order-1", workflowId=workflow_id)
    await age(services, "23 hours 59 minutes")
    assert (await create(banco, "order-1", workflowId=workflow_id)).content == first.content
    await age(services, "1 minute")
    second = await create(banco, "order-1", workflowId=workflow_id, externalId="otro")
    assert second.status_code == 201
    again = await create(banco, "order-1", workflowId=workflow_id, externalId="otro")
    assert again.content == second.content
    assert await count(services, Verification) == 2


async def age(services, by):
    async with services.database.transaction() as session:
        await session.execute(
            text("UPDATE first_answer SET created_at = created_at - CAST(:by AS text)::interval"),
            {"by": by},
        )


async def test_answers_older_than_a_day_are_deleted_and_others_stay(banco, services):
    workflow_id = await make_workflow(banco)
    for number in range(3):
        await create(banco, f"old-{number}", workflowId=workflow_id)
    await age(services, "24 hours 1 second")
    await create(banco, "new", workflowId=workflow_id)
    async with services.database.transaction() as session:
        assert await idempotency.delete_expired(session, limit=2) == 2
        assert await idempotency.delete_expired(session, limit=2) == 1
        assert await idempotency.delete_expired(session, limit=2) == 0
    assert await count(services, FirstAnswer) == 1


async def test_nothing_of_a_kept_answer_is_in_clear(banco, services):
    await create(
        banco,
        "persona-GALM900214",
        workflowId=await make_workflow(banco),
        externalId="secreto-7",
        callbackUrl="https://127.0.0.1:9/callback",
    )
    async with services.database.transaction() as session:
        row = (await session.execute(text("SELECT f::text FROM first_answer f"))).scalar_one()
    for word in ("GALM", "secreto", "whsec"):
        assert word not in row
        assert word.encode().hex() not in row
