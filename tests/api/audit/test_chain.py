"""PII-04: the log refuses changes, and shows those that were made all the same."""

import asyncio
import subprocess
import sys
from contextlib import asynccontextmanager
from uuid import UUID, uuid4

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncSession
from typer.testing import CliRunner

from acredita.cli import app as commands
from acredita.domain.audit import START, Action, ActorType, Entry, hash_of
from acredita.resources.audit import chain_check, chaining, heads
from acredita.resources.audit import service as audit
from acredita.resources.audit.chain_check import verify
from acredita.resources.audit.chaining import chain_all, chain_some, waiting
from acredita.resources.audit.service import Actor
from tests.factories.organizations import make_workflow

SOMEBODY = "0b6a4c3e-1f7b-4c55-9a51-2f9b8f0d3a11"


@asynccontextmanager
async def tampering(services):
    """What the owner of the database can do to chained entries: set the triggers aside."""
    await chain_all(services.database, services.signer)
    async with services.database.transaction() as session:
        for table in ("audit_log", "audit_head"):
            await session.execute(text(f"ALTER TABLE {table} DISABLE TRIGGER USER"))
        yield session
        for table in ("audit_log", "audit_head"):
            await session.execute(text(f"ALTER TABLE {table} ENABLE TRIGGER USER"))


async def verdicts(services, kept=()):
    await chain_all(services.database, services.signer)
    async with services.database.engine.connect() as connection:
        await connection.execution_options(isolation_level="REPEATABLE READ")
        found = verify(connection, services.signer, kept=kept)
        return {str(verdict.organization_id): verdict async for verdict in found}


async def sign_heads(services):
    await chain_all(services.database, services.signer)
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


async def test_the_api_verifies_the_chain_of_its_caller_alone(banco, rival, services):
    await make_workflow(banco)
    await sign_heads(services)
    answer = await banco.post("/v1/audit-logs/verify")
    assert answer.status_code == 200, answer.text
    shown = answer.json()
    assert (shown.pop("checkedAt"), shown) == (
        answer.json()["checkedAt"],
        {"sound": True, "entries": 2, "unchained": 0, "badPosition": None, "fault": None},
    )
    async with tampering(services) as session:
        await session.execute(text("UPDATE audit_log SET action = 'x' WHERE position = 1"))
    shown = (await rival.post("/v1/audit-logs/verify")).json()
    assert (shown["sound"], shown["entries"], shown["badPosition"]) == (False, 0, 1)
    assert "does not match its hash" in shown["fault"]
    async with chain_check._running:
        assert (await banco.post("/v1/audit-logs/verify")).status_code == 429


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


@pytest.mark.parametrize(
    ("is_signed", "bad_position"),
    # A signed head may cover plain entries, but its hash differs. Without one, none is accepted.
    [(True, 3), (False, 1)],
)
async def test_a_chain_that_an_editor_rehashes_without_the_key_is_found(
    banco, services, is_signed, bad_position
):
    """Each hash fits its content, by the rule of former releases, which needs no key."""
    for _ in range(2):
        await make_workflow(banco)
    if is_signed:
        await sign_heads(services)
    async with tampering(services) as session:
        rows = (await session.execute(text("SELECT * FROM audit_log ORDER BY position"))).mappings()
        previous = START
        for row in rows.all():
            entry = {name: row[name] for name in Entry.__slots__}
            if row["position"] == 2:
                entry["resource_id"] = UUID(SOMEBODY)
            previous = hash_of(previous, Entry(**entry))
            await session.execute(
                text("UPDATE audit_log SET resource_id = :r, hash = :h WHERE id = :id"),
                {"r": entry["resource_id"], "h": previous, "id": row["id"]},
            )
    assert (await verdicts(services))[banco.organization_id].bad_position == bad_position


async def test_a_plain_entry_that_an_editor_appends_is_not_chained_further(banco, services):
    """Otherwise the next keyed hash and the next signed head would confirm it."""
    await make_workflow(banco)
    async with tampering(services) as session:
        last = (
            (await session.execute(text("SELECT * FROM audit_log WHERE position = 2")))
            .mappings()
            .one()
        )
        entry = {name: last[name] for name in Entry.__slots__} | {"id": uuid4()}
        forged = {**entry, "position": 3, "hash": hash_of(last["hash"], Entry(**entry))}
        await session.execute(
            text(
                f"INSERT INTO audit_log ({', '.join(forged)})"  # noqa: S608
                f" VALUES ({', '.join(':' + name for name in forged)})"
            ),
            forged,
        )
    await make_workflow(banco)
    assert await sign_heads(services) == 0
    verdict = (await verdicts(services))[banco.organization_id]
    assert (verdict.bad_position, verdict.entries) == (3, 2)
    async with services.database.reading() as connection:
        assert (await waiting(connection)).count == 1


async def test_a_head_of_somebody_elses_making_is_a_fault(banco, services):
    await make_workflow(banco)
    await sign_heads(services)
    async with tampering(services) as session:
        await session.execute(text("UPDATE audit_head SET hash = sha256('x')"))
    verdict = (await verdicts(services))[banco.organization_id]
    assert verdict.bad_position == 2
    assert "wrong signature" in verdict.fault


async def act(services, actor):
    async with services.database.transaction() as session:
        audit.record(session, actor, Action.WORKFLOW_UPDATED, uuid4())
        audit.record(session, actor, Action.WORKFLOW_DELETED, uuid4())


async def test_acts_wait_for_no_other_and_are_all_chained(banco, rival, services):
    first, foreign = (
        Actor(UUID(member.organization_id), ActorType.SERVICE) for member in (banco, rival)
    )
    async with services.database.transaction() as session:
        audit.record(session, first, Action.WORKFLOW_CREATED, uuid4())
        for last_act in session.info.pop("acredita.last_acts"):
            await last_act(session)
        # Written and not committed: acts of the same organization do not wait.
        await asyncio.gather(*(act(services, actor) for actor in (first, foreign) * 10))
        # Neither does the chaining, which does not see it.
        chained = await asyncio.create_task(chain_all(services.database, services.signer))
        assert chained == 42
    found = await verdicts(services)
    assert {v.bad_position for v in found.values()} == {None}
    assert found[banco.organization_id].entries == 22


async def test_chaining_twice_at_once_and_a_killed_run_lose_nothing(banco, services, monkeypatch):
    monkeypatch.setattr(chaining, "BATCH", 3)
    actor = Actor(UUID(banco.organization_id), ActorType.SERVICE)
    for _ in range(5):
        await act(services, actor)
    async with services.database.engine.connect() as connection, AsyncSession(connection) as killed:
        assert await chain_some(killed, services.signer, set()) == 3
        # Another process does not wait and does nothing meanwhile.
        assert await chain_all(services.database, services.signer) == 0
    async with services.database.reading() as connection:
        assert (await waiting(connection)).count == 11
    await asyncio.gather(*(chain_all(services.database, services.signer) for _ in range(4)))
    async with services.database.reading() as connection:
        assert (await waiting(connection)).count == 0
    verdict = (await verdicts(services))[banco.organization_id]
    assert (verdict.entries, verdict.unchained, verdict.bad_position) == (11, 0, None)


async def test_the_list_is_in_the_same_order_before_and_after_the_chaining(banco, services):
    actor = Actor(UUID(banco.organization_id), ActorType.SERVICE)
    await act(services, actor)
    await chain_all(services.database, services.signer)
    await act(services, actor)

    async def entries(**query):
        return (await banco.get("/v1/audit-logs", params=query)).json()

    before = await entries()
    assert [entry["position"] for entry in before["auditLogs"]] == [None, None, 3, 2, 1]
    assert [entry["hash"] is None for entry in before["auditLogs"]] == [True] * 2 + [False] * 3
    first = await entries(limit=1)
    assert first["pagination"]["total"] == 5
    ids = [entry["id"] for entry in before["auditLogs"]]
    for offset in range(6):
        page = await entries(offset=offset, limit=2)
        assert [entry["id"] for entry in page["auditLogs"]] == ids[offset : offset + 2]
    unchained = await entries(cursor=first["nextCursor"])
    await chain_all(services.database, services.signer)
    chained = await entries(cursor=first["nextCursor"])
    for page in (unchained, chained):
        assert [entry["id"] for entry in page["auditLogs"]] == ids[1:]


def environment_of(services):
    settings = services.settings
    return {
        "ACREDITA_ENV": "test",
        "ACREDITA_DATABASE_URL": settings.database_url,
        "ACREDITA_SECRET_KEY": settings.secret_key.get_secret_value(),
    }


@pytest.fixture
def command(services):
    """Runs `acredita audit` in this process."""

    async def run(*arguments, **environment):
        runner = CliRunner(env=environment_of(services) | environment)
        return await asyncio.to_thread(runner.invoke, commands, ["audit", *arguments])

    return run


def lines(result):
    """The lines that the command printed. What else runs in this process, such as a screener whose
    Redis was stopped, logs events to the same output."""
    return [line for line in result.stdout.splitlines() if '"event": ' not in line]


def in_a_process(services, *arguments):
    return subprocess.run(
        [sys.executable, "-m", "acredita.cli", "audit", *arguments],
        env={"PATH": "/usr/bin:/bin"} | environment_of(services),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


async def test_the_command_names_the_first_bad_row_and_exits_with_1(
    banco, rival, services, command, tmp_path
):
    for _ in range(3):
        await make_workflow(banco)
    waits = await command("verify")
    gap, summary = lines(waits)
    assert gap.startswith("5 entries are not chained yet (the oldest for ")
    assert summary == "2 chains, 0 entries: sound"
    await chain_all(services.database, services.signer)
    sound = await command("verify")
    assert (sound.exit_code, lines(sound)) == (0, ["2 chains, 5 entries: sound"]), sound.stderr
    printed = await command("heads")
    assert len(lines(printed)) == 2
    (tmp_path / "heads").write_text("\n".join(lines(printed)))

    async with tampering(services) as session:
        await session.execute(
            text("DELETE FROM audit_log WHERE organization_id = :o AND position > 2"),
            {"o": UUID(banco.organization_id)},
        )
        await session.execute(text("DELETE FROM audit_head"))
    unseen = await command("verify")
    assert unseen.exit_code == 0
    kept = ("verify", "--heads", str(tmp_path / "heads"))
    found = await asyncio.to_thread(in_a_process, services, *kept)
    assert found.returncode == 1
    assert f"organization {banco.organization_id}: first bad row 3: " in found.stdout
    other = await command(*kept, "--organization", rival.organization_id)
    assert (other.exit_code, lines(other)) == (0, ["1 chains, 1 entries: sound"])


async def test_the_command_refuses_what_holds_no_heads(command, tmp_path):
    (tmp_path / "heads").write_text('{"position": 1}\n')
    for path in ("heads", "absent"):
        refused = await command("verify", "--heads", str(tmp_path / path))
        assert refused.exit_code == 2


async def test_without_a_database_the_commands_say_what_is_missing(command):
    for name in ("verify", "heads"):
        refused = await command(name, ACREDITA_DATABASE_URL="")
        assert refused.exit_code == 2
        assert refused.stderr.startswith("acredita: ACREDITA_DATABASE_URL is missing\n")
        assert "acredita dev" in refused.stderr
