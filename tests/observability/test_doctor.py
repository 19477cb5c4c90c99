"""`acredita doctor`: a table of everything that must hold."""

import io
import os
import subprocess

from rich.console import Console
from sqlalchemy import text

from acredita.resources.invariants.checks import AUDIT_CHAIN, INVARIANTS
from acredita.resources.invariants.commands import doctor
from tests.factories.organizations import make_verification
from tests.loaded_processes import PROGRAM, LoadedProcess


async def examine(services) -> tuple[bool, str]:
    shown = io.StringIO()
    sound = await doctor(services.settings, 24, Console(file=shown, width=250))
    return sound, shown.getvalue()


async def break_one(services, verification):
    async with services.database.transaction() as session:
        await session.execute(
            text("UPDATE verification SET status = 'IN_PROGRESS' WHERE id = CAST(:id AS uuid)"),
            {"id": verification},
        )


async def test_it_names_everything_that_must_hold(services, banco):
    await make_verification(banco)
    sound, shown = await examine(services)
    assert sound
    for name in (*(invariant.name for invariant in INVARIANTS), AUDIT_CHAIN):
        assert name in shown


async def test_it_names_what_does_not_hold_and_changes_nothing(services, banco):
    verification = await make_verification(banco)
    await break_one(services, verification)
    for _ in range(2):
        sound, shown = await examine(services)
        assert not sound
        assert verification in shown


async def test_the_command_says_by_its_exit_code_whether_all_holds(services, banco):
    def run() -> int:
        environment = {
            **os.environ,
            "ACREDITA_ENV": "test",
            "ACREDITA_DATABASE_URL": services.settings.database_url,
            "ACREDITA_REDIS_URL": services.settings.redis_url,
        }
        command = [*PROGRAM, "acredita.cli", "doctor", "--hours", "1"]
        return LoadedProcess(command, env=environment, stdout=subprocess.DEVNULL).wait(60)

    verification = await make_verification(banco)
    assert run() == 0
    await break_one(services, verification)
    assert run() == 1
