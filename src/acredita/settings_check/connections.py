"""Tries the servers that the settings name: `acredita check-config --connect`.

A trial does what the service does there: a query, a file that is stored, read and deleted, a login,
a timestamp. It leaves nothing behind. All run at the same time, each with a time limit.
"""

import asyncio
import hashlib
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import asyncpg
from redis.exceptions import AuthenticationError, RedisError, ResponseError
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from acredita.kit import redis
from acredita.kit.clock import SystemClock
from acredita.kit.connection_pool import PoolBusy
from acredita.kit.db import Database
from acredita.kit.storage import StorageUnavailable
from acredita.kit.unreachable import reason
from acredita.providers.email import EmailError
from acredita.providers.mailbox import Mailbox
from acredita.providers.timestamps import TimestampError
from acredita.settings import NONE, Settings
from acredita.settings_check import providers
from acredita.settings_check.faults import Fault, variable

# Seconds for each server.
PATIENCE = 15.0
OLDEST_POSTGRES, OLDEST_REDIS = 15, 6
# By SQLSTATE.
REFUSALS_OF_POSTGRES = {
    "28P01": "refuses the user or the password",
    "28000": "refuses this user from this address, or without TLS (pg_hba.conf)",
    "3D000": "has no database of this name",
    "53300": "has no connection left (max_connections)",
}
# By the code of the service, or the errno name of a folder's fault.
REFUSALS_OF_STORAGE = {
    "NoSuchBucket": "has no bucket of this name",
    "InvalidAccessKeyId": "does not know the access key",
    "SignatureDoesNotMatch": "refuses the secret access key",
    "AccessDenied": "does not allow these credentials to store, read, list and delete files",
    "AuthorizationHeaderMalformed": "has this bucket in another region",
    "PermanentRedirect": "has this bucket in another region",
    "TimedOut": "does not answer in time",
    "EACCES": "cannot be written by this user",
    "ENOSPC": "is full",
    "EROFS": "is read-only",
}


@dataclass(frozen=True, slots=True)
class Trials:
    # What answered, a sentence each.
    answers: tuple[str, ...]
    faults: tuple[Fault, ...]


class _UnusableError(Exception):
    """The message continues a sentence about the server, for the operator, without secrets."""


async def try_servers(settings: Settings, *, patience: float = PATIENCE) -> Trials:
    """Connect to each server that the settings name. `patience`: seconds for each of them."""
    trials: dict[str, Callable[[Settings], Awaitable[str]]] = {"storage_url": _try_storage}
    if settings.database_url:
        trials["database_url"] = _try_database
    if settings.database_direct_url:
        trials["database_direct_url"] = _try_direct_database
    if settings.redis_url:
        trials["redis_url"] = _try_redis
    if settings.smtp_url.get_secret_value() not in {"", NONE}:
        trials["smtp_url"] = _try_mail
    if settings.esignature_tsa_url not in {"", NONE}:
        trials["esignature_tsa_url"] = _try_timestamps
    names = [name for name in Settings.model_fields if name in trials]
    found = await asyncio.gather(
        *(_outcome(name, trials[name](settings), patience) for name in names)
    )
    return Trials(
        tuple(one for one in found if isinstance(one, str)),
        tuple(one for one in found if isinstance(one, Fault)),
    )


async def _outcome(name: str, trial: Awaitable[str], patience: float) -> str | Fault:
    try:
        async with asyncio.timeout(patience):
            return f"{variable(name)}: {await trial}."
    except TimeoutError:
        return Fault(variable(name), f"the server does not answer within {patience:.0f} seconds.")
    except _UnusableError as fault:
        return Fault(variable(name), f"the server {fault}.")


async def _try_database(settings: Settings) -> str:
    return await _try_postgres(settings.database_url)


async def _try_direct_database(settings: Settings) -> str:
    return await _try_postgres(settings.database_direct_url)


async def _try_postgres(url: str) -> str:
    query = text(
        "SELECT current_setting('server_version_num')::int / 10000,"
        " to_regclass('alembic_version') IS NOT NULL, current_setting('server_encoding')"
    )
    database = Database(
        url, pool_size=1, statement_timeout=PATIENCE, application_name="acredita command"
    )
    try:
        async with database.reading() as connection:
            version, has_schema, encoding = (await connection.execute(query)).one()
    except PoolBusy:
        # The first connection of the pool was not opened in its five seconds.
        raise _UnusableError("does not answer in time") from None
    except (DBAPIError, asyncpg.PostgresError, asyncpg.InterfaceError, OSError) as fault:
        source = fault.orig if isinstance(fault, DBAPIError) else fault
        refusal = REFUSALS_OF_POSTGRES.get(getattr(source, "sqlstate", None) or "")
        raise _UnusableError(refusal or f"cannot be reached: {reason(fault)}") from None
    finally:
        await database.dispose()
    if version < OLDEST_POSTGRES:
        raise _UnusableError(f"is PostgreSQL {version}; version {OLDEST_POSTGRES} is the oldest")
    if encoding != "UTF8":
        raise _UnusableError(
            f"has this database in {encoding}. Create it with the encoding UTF8:"
            " createdb --encoding=UTF8 --template=template0"
        )
    hint = "" if has_schema else " It has no schema yet: run `acredita migrate`"
    return f"PostgreSQL {version} answers{'.' if hint else ''}{hint}"


async def _try_redis(settings: Settings) -> str:
    client = redis.connect(settings.redis_url, timeout=PATIENCE)
    try:
        version = str((await client.info("server"))["redis_version"])
    except AuthenticationError:
        raise _UnusableError("refuses the user or the password") from None
    except ResponseError as fault:
        raise _UnusableError(f"refuses the connection: {fault}") from None
    except (RedisError, OSError) as fault:
        raise _UnusableError(f"cannot be reached: {reason(fault)}") from None
    finally:
        await client.aclose()
    if int(version.partition(".")[0]) < OLDEST_REDIS:
        raise _UnusableError(f"is Redis {version}; version {OLDEST_REDIS} is the oldest")
    return f"Redis {version} answers"


async def _try_storage(settings: Settings) -> str:
    key, content = f"check-config/{secrets.token_hex(16)}", secrets.token_bytes(64)
    try:
        async with providers.storage(settings) as storage:
            await storage.put(key, content)
            try:
                if await storage.get(key) != content:
                    raise _UnusableError("returns other content than it stored")
                await storage.list("check-config", limit=1)
            finally:
                await storage.delete(key)
    except StorageUnavailable as fault:
        said = str(fault)
        refusal = REFUSALS_OF_STORAGE.get(said)
        raise _UnusableError(refusal or f"could not store and read a file: {said}") from None
    return "a file was stored, read, listed and deleted"


async def _try_mail(settings: Settings) -> str:
    clock = SystemClock()
    provider = providers.email(settings, Mailbox(settings.mailbox_folder, clock), clock)
    try:
        await provider.check()
    except EmailError as fault:
        raise _UnusableError(f"would send no e-mail: {fault}") from None
    return "the mail server accepts the login and the sender"


async def _try_timestamps(settings: Settings) -> str:
    try:
        async with providers.timestamps(settings) as authority:
            stamped = await authority.stamp(hashlib.sha256(b"check-config").digest())
    except TimestampError as fault:
        raise _UnusableError(f"gives no valid timestamp: {fault.word}") from None
    return f"{stamped.authority} gives timestamps"
