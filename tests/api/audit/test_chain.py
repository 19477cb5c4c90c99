"""PII-04: the log refuses changes, and shows those that were made all the same."""

import asyncio
import subprocess
import sys
from contextlib import asynccontextmanager
from uuid import UUID, uuid4

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from acredita.domain.audit import Action, ActorType
from acredita.resources.audit import heads
from acredita.resources.audit import service as audit
from acredita.resources.audit.service import Actor
from acredita.resources.audit.verification import verify
from tests.factories.organizations import make_workflow

SOMEBODY = "0b6a4c3e-1f7b-4c55-9a51-2f9b8f0d3a11"


@asynccontextmanager
async def tampering(services):
    """What the owner of the database can do: set the triggers aside."""
    async with services.database.transaction() as session:
        for table in ("audit_log", "audit_head"):
            await session.execute(text(f"ALTER TABLE {table} DISABLE TRIGGER USER"))
        yield session
        for table in ("audit_log", "audit_head"):
            await session.execute(text(f"ALTER TABLE {table} ENABLE TRIGGER USER"))


async def verdicts(services, kept=()):
    async with services.database.engine.connect() as connection:
        await connection.execution_options(isolation_level="REPEATABLE READ")
        found = verify(connection, services.signer, kept=kept)
        return {str(verdict.organization_id): verdict async for verdict in found}


async def sign_heads(services):
    async with services.database.transaction() as session:
        return await heads.sign_grown_chains(session, services.signer)


async def kept_heads(services):
    async with services.database.reading() as connection:
        return [heads.Head.parse(head.line()) for head in await heads.newest(connection)]


@pytest.mark.parametrize("table", ["audit_log", "audit_head"])
@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE {} SET position = position + 1",
        "DELETE FROM {}",
        "TRUNCATE {}",
        "TRUNCATE organization CASCADE",
        "INSERT INTO {0} TABLE {0} ON CONFLICT (organization_id, position) DO UPDATE SET hash = ''",
    ],
)
async def test_the_database_refuses_to_change_what_was_recorded(banco, services, table, statement):
    await sign_heads(services)
    with pytest.raises(DBAPIError, match="is append-only"):
        async with services.database.transaction() as session:
            await session.execute(text(statement.format(table)))
    assert (await banco.get("/v1/audit-logs")).json()["pagination"]["total"] == 1


async def test_chains_that_nobody_touched_are_sound(banco, rival, services):
    for _ in range(3):
        await make_workflow(banco)
    assert await sign_heads(services) == 2
    assert await sign_heads(services) == 0
    found = await verdicts(services)
    assert {org: (v.entries, v.bad_position) for org, v in found.items()} == {
        banco.organization_id: (4, None),
        rival.organization_id: (1, None),
    }


CHANGES = [
    "action = 'workflow.deleted'",
    "resource_type = 'webhook'",
    f"resource_id = '{SOMEBODY}'",
    f"actor_id = '{SOMEBODY}'",
    "actor_id = NULL",
    "actor_type = 'user'",
    "details = '{ }'",
    "created_at = created_at + interval '1 microsecond'",
    f"id = '{SOMEBODY}'",
    "hash = sha256('x')",
]


@pytest.mark.parametrize("change", CHANGES)
async def test_a_changed_row_is_found_and_named(banco, rival, services, change):
    for _ in range(4):
        await make_workflow(banco)
    async with tampering(services) as session:
        await session.execute(
            text(f"UPDATE audit_log SET {change} WHERE organization_id = :o AND position = 3"),  # noqa: S608
            {"o": UUID(banco.organization_id)},
        )
    found = await verdicts(services)
    assert found[banco.organization_id].bad_position == 3
    assert found[rival.organization_id].bad_position is None


@pytest.mark.parametrize("position", [1, 3])
async def test_a_row_removed_before_others_is_found_and_named(banco, services, position):
    for _ in range(4):
        await make_workflow(banco)
    async with tampering(services) as session:
        await session.execute(
            text("DELETE FROM audit_log WHERE position = :position"), {"position": position}
        )
    assert (await verdicts(services))[banco.organization_id].bad_position == position


async def test_closing_the_gap_after_a_removal_does_not_help(banco, services):
    for _ in range(4):
        await make_workflow(banco)
    async with tampering(services) as session:
        await session.execute(text("DELETE FROM audit_log WHERE position = 3"))
        for position in (4, 5):
            await session.execute(
                text("UPDATE audit_log SET position = :p - 1 WHERE position = :p"), {"p": position}
            )
    assert (await verdicts(services))[banco.organization_id].bad_position == 3


async def test_a_chain_cut_off_below_its_signed_head_is_found(banco, services):
    for _ in range(4):
        await make_workflow(banco)
    await sign_heads(services)
    async with tampering(services) as session:
        await session.execute(text("DELETE FROM audit_log WHERE position >= 4"))
    verdict = (await verdicts(services))[banco.organization_id]
    assert (verdict.entries, verdict.bad_position) == (3, 4)


async def test_what_was_cut_off_after_the_newest_head_is_not_detectable(banco, services):
    """The stated limit of signed heads: at most what was recorded since the last one."""
    await make_workflow(banco)
    await sign_heads(services)
    await make_workflow(banco)
    async with tampering(services) as session:
        await session.execute(text("DELETE FROM audit_log WHERE position = 3"))
    assert (await verdicts(services))[banco.organization_id].bad_position is None


async def test_a_head_kept_elsewhere_shows_a_cut_that_took_the_stored_heads_along(banco, services):
    for _ in range(4):
        await make_workflow(banco)
    await sign_heads(services)
    kept = await kept_heads(services)
    async with tampering(services) as session:
        await session.execute(text("DELETE FROM audit_log WHERE position >= 4"))
        await session.execute(text("DELETE FROM audit_head"))
    assert (await verdicts(services))[banco.organization_id].bad_position is None
    assert (await verdicts(services, kept))[banco.organization_id].bad_position == 4


async def test_a_chain_that_was_written_anew_contradicts_its_signed_head(banco, services):
    """Every hash fits: the trigger itself made them."""
    for _ in range(2):
        await make_workflow(banco)
    await sign_heads(services)
    copy = "id, organization_id, actor_type, actor_id, action, resource_type, resource_id, details"
    async with tampering(services) as session:
        await session.execute(text("CREATE TEMP TABLE kept ON COMMIT DROP AS TABLE audit_log"))
        await session.execute(text("DELETE FROM audit_log"))
        await session.execute(text("ALTER TABLE audit_log ENABLE TRIGGER chain"))
        await session.execute(text("UPDATE kept SET resource_id = id WHERE position = 2"))
        await session.execute(
            text(f"INSERT INTO audit_log ({copy}) SELECT {copy} FROM kept ORDER BY position")  # noqa: S608
        )
    verdict = (await verdicts(services))[banco.organization_id]
    assert verdict.bad_position == 3
    assert "signed head" in verdict.fault


async def test_a_head_of_somebody_elses_making_is_a_fault(banco, services):
    await make_workflow(banco)
    await sign_heads(services)
    async with tampering(services) as session:
        await session.execute(text("UPDATE audit_head SET hash = sha256('x')"))
    verdict = (await verdicts(services))[banco.organization_id]
    assert verdict.bad_position == 2
    assert "wrong signature" in verdict.fault


async def test_acts_at_the_same_time_chain_one_after_the_other(banco, services):
    actor = Actor(UUID(banco.organization_id), ActorType.SERVICE)

    async def act():
        async with services.database.transaction() as session:
            audit.record(session, actor, Action.WORKFLOW_UPDATED, uuid4())
            audit.record(session, actor, Action.WORKFLOW_DELETED, uuid4())

    await asyncio.gather(*(act() for _ in range(20)))
    verdict = (await verdicts(services))[banco.organization_id]
    assert (verdict.entries, verdict.bad_position) == (41, None)


async def test_an_act_waits_for_the_one_that_is_about_to_commit_and_follows_it(
    banco, rival, services
):
    first, foreign = (
        Actor(UUID(member.organization_id), ActorType.SERVICE) for member in (banco, rival)
    )

    async def act(actor):
        async with services.database.transaction() as session:
            audit.record(session, actor, Action.WORKFLOW_UPDATED, uuid4())

    async with services.database.transaction() as session:
        audit.record(session, first, Action.WORKFLOW_CREATED, uuid4())
        for last_act in session.info.pop("acredita.last_acts"):
            await last_act(session)
        # The entry is written and not committed: its organization waits, the other one does not.
        waiting = asyncio.create_task(act(first))
        await act(foreign)
        assert not waiting.done()
    await waiting
    found = await verdicts(services)
    assert {v.bad_position for v in found.values()} == {None}
    assert found[banco.organization_id].entries == 3


async def test_acts_on_several_organizations_do_not_wait_for_each_other_in_a_circle(
    banco, rival, services
):
    actors = [Actor(UUID(member.organization_id), ActorType.SERVICE) for member in (banco, rival)]

    async def act(order):
        async with services.database.transaction() as session:
            for actor in order:
                audit.record(session, actor, Action.WORKFLOW_UPDATED, uuid4())

    await asyncio.gather(*(act(order) for order in (actors, actors[::-1]) * 20))
    found = await verdicts(services)
    assert {(v.entries, v.bad_position) for v in found.values()} == {(41, None)}


def acredita(services, *arguments, **environment):
    settings = services.settings
    environment = {
        "PATH": "/usr/bin:/bin",
        "ACREDITA_ENV": "test",
        "ACREDITA_DATABASE_URL": settings.database_url,
        "ACREDITA_SECRET_KEY": settings.secret_key.get_secret_value(),
        **environment,
    }
    return subprocess.run(
        [sys.executable, "-m", "acredita.cli", "audit", *arguments],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


async def test_the_command_names_the_first_bad_row_and_exits_with_1(
    banco, rival, services, tmp_path
):
    for _ in range(3):
        await make_workflow(banco)
    sound = await asyncio.to_thread(acredita, services, "verify")
    assert (sound.returncode, sound.stdout) == (0, "2 chains, 5 entries: sound\n"), sound.stderr
    printed = await asyncio.to_thread(acredita, services, "heads")
    assert len(printed.stdout.splitlines()) == 2
    (tmp_path / "heads").write_text(printed.stdout)

    async with tampering(services) as session:
        await session.execute(
            text("DELETE FROM audit_log WHERE organization_id = :o AND position > 2"),
            {"o": UUID(banco.organization_id)},
        )
        await session.execute(text("DELETE FROM audit_head"))
    unseen = await asyncio.to_thread(acredita, services, "verify")
    assert unseen.returncode == 0
    kept = ("verify", "--heads", str(tmp_path / "heads"))
    found = await asyncio.to_thread(acredita, services, *kept)
    assert found.returncode == 1
    assert f"organization {banco.organization_id}: first bad row 3: " in found.stdout
    other = await asyncio.to_thread(
        acredita, services, *kept, "--organization", rival.organization_id
    )
    assert (other.returncode, other.stdout) == (0, "1 chains, 1 entries: sound\n")


async def test_the_command_refuses_what_holds_no_heads(services, tmp_path):
    (tmp_path / "heads").write_text('{"position": 1}\n')
    for path in ("heads", "absent"):
        refused = await asyncio.to_thread(
            acredita, services, "verify", "--heads", str(tmp_path / path)
        )
        assert refused.returncode == 2


async def test_without_a_database_the_commands_say_what_is_missing(services):
    for command in ("verify", "heads"):
        refused = await asyncio.to_thread(acredita, services, command, ACREDITA_DATABASE_URL="")
        assert refused.returncode == 2
        assert refused.stderr == "acredita: ACREDITA_DATABASE_URL is missing\n"
