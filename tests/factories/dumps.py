"""Everything that the service keeps of what it was told: tables, files, Redis, its own lines."""

from typing import Any

import redis.asyncio
from sqlalchemy import text

from acredita.services import Services

READ = {
    b"string": lambda client, key: client.get(key),
    b"hash": lambda client, key: client.hgetall(key),
    b"list": lambda client, key: client.lrange(key, 0, -1),
    b"set": lambda client, key: client.smembers(key),
    b"zset": lambda client, key: client.zrange(key, 0, -1),
    b"stream": lambda client, key: client.xrange(key),
}


async def dump_database(services: Services) -> bytes:
    """Every row of every table as PostgreSQL writes it; bytes are hexadecimal digits."""
    named = text("SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'")
    rows: list[str] = []
    async with services.database.transaction() as session:
        for name in (await session.scalars(named)).all():
            query = text(f'SELECT t::text FROM "{name}" AS t')  # noqa: S608 (a table's name)
            rows += [f"{name}: {row}" for row in await session.scalars(query)]
    return "\n".join(rows).encode()


def dump_files(services: Services) -> bytes:
    root = services.settings.storage_folder
    files = sorted(path for path in root.rglob("*") if path.is_file())
    return b"\n".join(str(path).encode() + b"\n" + path.read_bytes() for path in files)


async def dump_redis(services: Services) -> bytes:
    client: Any = redis.asyncio.from_url(services.settings.redis_url)
    lines = []
    try:
        async for key in client.scan_iter():
            # One that expired meanwhile has no type.
            read = READ.get(await client.type(key))
            lines.append(repr((key, await read(client, key) if read else None)))
    finally:
        await client.aclose()
    return "\n".join(lines).encode()


def found_in(dump: bytes, secret: str | bytes) -> bool:
    """Whether it is there in clear, as bytes in hexadecimal digits, or as JSON escapes it."""
    plain = secret.encode() if isinstance(secret, str) else secret
    forms = {plain, plain.hex().encode()}
    if isinstance(secret, str):
        forms |= {secret.encode("unicode_escape"), secret.casefold().encode()}
    return any(form in dump for form in forms)
