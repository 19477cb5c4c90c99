"""Organizations that were registered over HTTP once in a process, and are put back as rows.

To register an organization or two was two fifths of what it takes to prepare a test of the API. The
rows get new ids and the present time, as those of a new registration have. The API key is the same
each time.
"""

import json
import time
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import asyncpg
import httpx
from fastapi import FastAPI

from acredita.access.tokens import TokenType
from acredita.domain.roles import Role
from acredita.kit import ids, password_hashing
from acredita.kit.clock import SystemClock
from acredita.settings import Settings
from tests.factories.organizations import Member, register

# All that a registration leaves, and the columns that name the organization.
TABLES = {
    "organization": "id",
    "user_account": "organization_id",
    "api_key": "organization_id",
    "audit_log": "organization_id",
}
READ = {
    table: f"SELECT row_to_json(r)::text FROM {table} r WHERE {column} = $1"  # noqa: S608
    for table, column in TABLES.items()
}
# One statement, and one turn to the server and back.
PUT_BACK = "WITH {} SELECT".format(
    ", ".join(
        f"_{table} AS (INSERT INTO {table} "  # noqa: S608
        f"SELECT * FROM json_populate_record(NULL::{table}, ${number}))"
        for number, table in enumerate(TABLES, start=1)
    )
)
TIMES = ("created_at", "last_used_at")
NOW = "<now>"


class Registrations:
    """`connection` is a replica's: no foreign key is checked. `usual` are the settings of tests
    that set none of their own.
    """

    def __init__(self, connection: asyncpg.Connection, usual: Settings) -> None:
        self._connection, self._usual = connection, usual
        # What was registered, as one text with the rows; then its ids.
        self._recorded: dict[Any, tuple[str, list[str]]] = {}

    async def register(self, client: httpx.AsyncClient, app: FastAPI, name: str) -> Member:
        """Put the organization back; register it if a test changes what makes a registration."""
        services = app.state.services
        usual = self._usual.model_copy(update={"data_dir": services.settings.data_dir})
        if services.settings != usual or type(services.clock) is not SystemClock:
            return await register(client, name)
        # Some tests hash passwords as production does.
        key = name, password_hashing._HASHER
        if key not in self._recorded:
            member = await register(client, name)
            # Its use is written beside the answer.
            await app.state.credentials.key_usage.close()
            self._recorded[key] = await self._read(member)
            return member
        return await self._put_back(client, app, *self._recorded[key])

    async def _read(self, member: Member) -> tuple[str, list[str]]:
        found = member.registration | {"apiKey": member.registration["apiKey"] | {"createdAt": NOW}}
        rows = []
        for query in READ.values():
            ((row,),) = await self._connection.fetch(query, UUID(member.organization_id))
            values = json.loads(row)
            rows.append(values | {name: NOW for name in TIMES if values.get(name)})
        made = [found["user"]["id"], found["apiKey"]["id"], rows[-1]["id"]]
        return json.dumps([found, *map(json.dumps, rows)]), [member.organization_id, *made]

    async def _put_back(
        self, client: httpx.AsyncClient, app: FastAPI, text: str, recorded: list[str]
    ) -> Member:
        now = datetime.now(UTC)
        organization, *made = new = [ids.capability(), *ids.sortable_many(3)]
        for old, this in zip(recorded, new, strict=True):
            text = text.replace(old, str(this))
        shown = now.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        registration, *rows = json.loads(text.replace(NOW, shown))
        await self._connection.execute(PUT_BACK, *rows)
        # As after the exchange of the key: the first request does not write it again.
        app.state.credentials.key_usage._recorded[made[1]] = time.monotonic()
        token = app.state.tokens.issue(
            token_type=TokenType.CLIENT,
            subject_id=made[1],
            organization_id=organization,
            role=Role.ADMIN,
            now=now,
        )
        key = registration["apiKey"]["key"]
        return Member(client, str(organization), key, token, registration)
