"""Most tests get organizations that were not registered for them, but put back."""

import re

from tests.conftest import FILLED_TABLES, empty_tables

NAME = "Caja Tres"
IDS = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
TIMES = re.compile(r"\d{4}-\d\d-\d\dT[\d:.+]+")


async def everything(connection):
    rows = {}
    for (table,) in await connection.fetch(FILLED_TABLES):
        found = await connection.fetch(f"SELECT row_to_json(r)::text FROM {table} r")  # noqa: S608
        rows[table] = [IDS.sub("id", TIMES.sub("time", row)) for (row,) in found]
    return rows


async def test_an_organization_that_is_put_back_has_all_rows_of_the_registered_one(
    client, app, emptying, registrations
):
    registered = await registrations.register(client, app, NAME)
    left = await everything(emptying)
    assert len(left) > 3
    await empty_tables(emptying)
    again = await registrations.register(client, app, NAME)
    assert await everything(emptying) == left
    assert again.organization_id != registered.organization_id
    assert registered.registration.keys() == again.registration.keys()
    mine = (await again.get("/v1/organizations/me")).json()
    assert again.organization_id in str(mine)
