"""`acredita doctor`: checks all invariants. It only reads the database."""

from datetime import timedelta

from rich.console import Console
from rich.table import Table

from acredita.kit.crypto import Signer
from acredita.resources.audit import chain_check as audit
from acredita.resources.invariants import queries
from acredita.resources.invariants.checks import AUDIT_CHAIN, INVARIANTS, MOST
from acredita.resources.invariants.queries import Window
from acredita.services import open_database
from acredita.settings import Settings

STATEMENT_TIMEOUT = 120.0
# Printed ids per invariant.
NAMED = 3


async def doctor(settings: Settings, hours: float, console: Console) -> bool:
    """Print the result of each invariant. Return whether all hold."""
    table = Table("invariant", "violations", "each", "ids")
    sound = True
    signer = Signer(settings.secret_key.get_secret_value())
    async with (
        open_database(settings, statement_timeout=STATEMENT_TIMEOUT) as database,
        queries.looking(database) as connection,
    ):
        until = await queries.end_of_transactions(connection)
        window = Window(until - timedelta(hours=hours), until)
        for invariant in INVARIANTS:
            found = await queries.find(connection, invariant, window)
            ids = ", ".join(str(each.id) for each in found[:NAMED])
            number = f"{MOST} or more" if len(found) >= MOST else str(len(found))
            table.add_row(invariant.name, number, f"{invariant.subject} {invariant.meaning}", ids)
            sound = sound and not found
        broken = [
            verdict
            async for verdict in audit.verify(connection, signer)
            if verdict.bad_position is not None
        ]
        ids = ", ".join(str(each.organization_id) for each in broken[:NAMED])
        meaning = "organization has an audit log that is not what was written"
        table.add_row(AUDIT_CHAIN, str(len(broken)), meaning, ids)
    console.print(table)
    return sound and not broken
