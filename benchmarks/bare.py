"""The baseline of the service's measurement: FastAPI with an asyncpg pool and nothing else.

No authentication, validation or events. It selects a row by id, lists the newest rows, and inserts
one. Run as `python -m benchmarks.bare PORT` with ACREDITA_DATABASE_URL and
ACREDITA_DATABASE_POOL_SIZE set.
"""

import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID, uuid4

import asyncpg
import orjson
import uvicorn
from fastapi import FastAPI, Request, Response

COLUMNS = "id, organization_id, workflow_id, status, external_id, metadata, created_at, updated_at"
READ = f"SELECT {COLUMNS}, decision FROM verification WHERE id = $1"  # noqa: S608 (a constant)
LIST = """
    SELECT id, status, external_id, created_at FROM verification
    WHERE organization_id = (SELECT id FROM organization LIMIT 1)
    ORDER BY created_at DESC, id LIMIT $1
"""
WRITE = f"""
    INSERT INTO verification (id, organization_id, workflow_id, status, external_id, expires_at)
    SELECT $1, organization_id, id, 'PENDING', $3, now() + interval '1 day'
    FROM workflow WHERE id = $2
    RETURNING {COLUMNS}
"""  # noqa: S608 (a constant)


def create_app(database_url: str, pool_size: int) -> FastAPI:
    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with asyncpg.create_pool(
            database_url, min_size=1, max_size=pool_size, init=_read_json
        ) as pool:
            app.state.pool = pool
            yield

    app = FastAPI(lifespan=lifespan)

    @app.get("/verifications/{id}")
    async def read(id: UUID) -> Response:  # noqa: A002
        return _json(_plain(await app.state.pool.fetchrow(READ, id)))

    @app.get("/verifications")
    async def newest(limit: int) -> Response:
        rows = await app.state.pool.fetch(LIST, limit)
        return _json([_plain(row) for row in rows])

    @app.post("/verifications")
    async def create(request: Request) -> Response:
        body = orjson.loads(await request.body())
        workflow_id, external_id = UUID(body["workflowId"]), body["externalId"]
        row = await app.state.pool.fetchrow(WRITE, uuid4(), workflow_id, external_id)
        return _json(_plain(row), 201)

    return app


async def _read_json(connection: asyncpg.Connection) -> None:
    await connection.set_type_codec(
        "jsonb",
        schema="pg_catalog",
        encoder=lambda value: orjson.dumps(value).decode(),
        decoder=orjson.loads,
    )


def _plain(row: asyncpg.Record) -> dict[str, Any]:
    # orjson doesn't know asyncpg's own class of UUIDs.
    return {name: str(value) if isinstance(value, UUID) else value for name, value in row.items()}


def _json(content: Any, status: int = 200) -> Response:
    return Response(orjson.dumps(content), status, media_type="application/json")


if __name__ == "__main__":
    uvicorn.run(
        create_app(
            os.environ["ACREDITA_DATABASE_URL"].replace("+asyncpg", ""),
            int(os.environ["ACREDITA_DATABASE_POOL_SIZE"]),
        ),
        port=int(sys.argv[1]),
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
    )
