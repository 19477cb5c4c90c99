"""The composition root: opens the resources of one process. It imports nothing of `resources`.

The API and the worker open the same `Services`; tests open it with other parts.
"""

import re
import secrets
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from redis.asyncio import Redis
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.documents import RULES_VERSION, Calibration
from acredita.domain.documents.calibration import BadCalibration
from acredita.domain.documents.calibration import loaded as load_calibration
from acredita.domain.documents.gazetteer import BadGazetteer, Gazetteer
from acredita.domain.documents.gazetteer import parsed as load_gazetteer
from acredita.engines import digests
from acredita.engines.documents.inspection import Decoders, Inspection, Processes
from acredita.engines.documents.inspection_elsewhere import Elsewhere
from acredita.engines.documents.process import warm_up
from acredita.engines.face.description import EmbeddingDescription, read_description
from acredita.engines.face.process import warm_up as face_warm_up
from acredita.engines.signing.composition import Composition
from acredita.engines.signing.seal import Seal
from acredita.kit import redis
from acredita.kit.announcements import Announcer
from acredita.kit.clock import Clock, SystemClock
from acredita.kit.connection_budget import kept_within_budget
from acredita.kit.crypto import KeyRing, Signer
from acredita.kit.db import Database
from acredita.kit.http import HttpClient
from acredita.kit.machine import processes_that_fit
from acredita.kit.memory import give_large_buffers_back
from acredita.kit.own_folder import own_folder
from acredita.kit.password_hashing import Passwords
from acredita.kit.processes import ProcessPool
from acredita.kit.replica import Lists, Replica
from acredita.kit.statement_pool import Reads, Writes
from acredita.kit.storage import Storage
from acredita.providers.conservation import ConservationProvider
from acredita.providers.credit import CreditBureau
from acredita.providers.email import EmailProvider
from acredita.providers.geolocation import Geolocation
from acredita.providers.government import GovernmentRegistries
from acredita.providers.mailbox import Mailbox
from acredita.providers.sms import SmsProvider
from acredita.providers.timestamps import TimestampAuthority
from acredita.screener import Screener
from acredita.settings import Settings
from acredita.settings_check import providers
from acredita.settings_check.check_at_start import require_sound

# Application names of processes that share PostgreSQL's connections. A command takes few, briefly.
PROCESSES = "^acredita (api|worker)( |$)"
# The measured peaks of a process that reads documents (656) and of one that compares faces.
ENGINE_MEMORY_MIB: Final = 1024


@dataclass(frozen=True, slots=True)
class Services:
    settings: Settings
    clock: Clock
    database: Database
    # For the most frequent statements, at a fraction of the cost of `database`.
    reads: Reads
    writes: Writes
    # For lists and counts, which may lag.
    replica: Replica
    lists: Lists
    redis: Redis
    storage: Storage
    inspection: Inspection
    # For URLs that customers choose: webhooks and callbacks.
    http: HttpClient
    keys: KeyRing
    # For permanent keyed hashes (API keys): its secret is never rotated.
    signer: Signer
    # For hashes that expire (links): its secrets rotate with those of the access tokens.
    link_signer: Signer
    passwords: Passwords
    government: GovernmentRegistries
    # None: no bureau is configured.
    credit: CreditBureau | None
    # None: geolocation is turned off.
    geolocation: Geolocation | None
    mailbox: Mailbox
    email: EmailProvider
    sms: SmsProvider
    # The index of watchlists that this process screens against.
    screener: Screener
    # Processes of the text engine; each starts with the first document.
    readers: ProcessPool
    # Processes that compose packages; each starts with the first package.
    composition: Composition
    # None: e-signatures are turned off.
    seal: Seal | None
    timestamps: TimestampAuthority
    # None: no NOM-151 certificates are requested.
    conservation: ConservationProvider | None
    # None: the rules' own thresholds decide fields.
    calibration: Calibration | None
    # None: no catalogue confirms places.
    gazetteer: Gazetteer | None
    faces: ProcessPool


@asynccontextmanager
async def open_database(
    settings: Settings, *, statement_timeout: float | None = None
) -> AsyncIterator[Database]:
    """Open only the database, for a command. `statement_timeout`: seconds instead of those of the
    settings.
    """
    database = Database(
        settings.database_url,
        pool_size=2,
        statement_timeout=statement_timeout or settings.database_statement_timeout,
        application_name="acredita command",
    )
    try:
        yield database
    finally:
        await database.dispose()


@asynccontextmanager
async def open_transaction(settings: Settings) -> AsyncIterator[AsyncSession]:
    """Open a transaction, for a command."""
    async with open_database(settings) as database, database.transaction() as session:
        yield session


@asynccontextmanager
async def _database(settings: Settings, url: str, name: str) -> AsyncIterator[Database]:
    database = Database(
        url,
        pool_size=settings.database_pool_size,
        statement_timeout=settings.database_statement_timeout,
        application_name=name,
    )
    try:
        async with AsyncExitStack() as opened:
            if re.match(PROCESSES, name):
                await opened.enter_async_context(
                    kept_within_budget(database.pool, names=PROCESSES, is_pooled=database.is_pooled)
                )
            yield database
    finally:
        await database.dispose()


@asynccontextmanager
async def _replica(settings: Settings, primary: Database, name: str) -> AsyncIterator[Replica]:
    async with AsyncExitStack() as opened:
        url = settings.database_read_url
        database = await opened.enter_async_context(_database(settings, url, name)) if url else None
        replica = Replica(primary, database, longest_lag=settings.database_read_lag)
        await opened.enter_async_context(replica.watched())
        yield replica


def _session_name(purpose: str) -> str:
    """The application name of a process's sessions in PostgreSQL, different in each process."""
    kind, _, rest = purpose.partition(" ")
    return f"acredita {kind} {secrets.token_hex(3)} {rest}".rstrip()


def _calibration(path: Path | None) -> Calibration | None:
    """Load the calibration at start, not with the first document. Raise BadCalibration."""
    if path is None:
        return None
    try:
        return load_calibration(path.read_bytes(), rules=RULES_VERSION)
    except (OSError, BadCalibration) as fault:
        raise BadCalibration(f"ACREDITA_CALIBRATION {path}: {fault}") from None


def _gazetteer(path: Path | None) -> Gazetteer | None:
    """Load the catalogue at start, not with the first document. Raise BadGazetteer."""
    if path is None:
        return None
    try:
        return load_gazetteer(path.read_bytes())
    except (OSError, BadGazetteer) as fault:
        raise BadGazetteer(f"ACREDITA_POSTAL_CODES {path}: {fault}") from None


def _decoders(settings: Settings, keys: KeyRing, *, is_worker: bool) -> Decoders:
    """Return where uploads are decoded: by workers, or in processes of this machine."""
    if settings.inspection_url and not is_worker:
        return Elsewhere(settings.inspection_url, keys)
    return Processes(hidden_environment="ACREDITA_")


@asynccontextmanager
async def open_services(settings: Settings, *, purpose: str = "api") -> AsyncIterator[Services]:
    """Open everything. `purpose` names PostgreSQL's sessions, by which workers are counted.

    Raise ConfigurationError if secrets or providers are not fit for use. A command has checked them
    already, with words for the operator.
    """
    require_sound(settings)
    give_large_buffers_back()
    # Of the files as they are now: an upgrade can replace them while the process runs.
    digests.judging()
    async with AsyncExitStack() as opened:
        clock = SystemClock()
        calibration = _calibration(settings.calibration)
        # Only workers judge documents, and the catalogue takes 50 MB.
        is_worker = purpose.startswith("worker")
        gazetteer = _gazetteer(settings.postal_codes) if is_worker else None
        if settings.face_embedding is not None:
            # Fail at start, not with the first face.
            read_description(settings.face_embedding, EmbeddingDescription)
        name = _session_name(purpose)
        database = await opened.enter_async_context(
            _database(settings, settings.database_url, name)
        )
        reads, writes = Reads(database), Writes(database)
        replica = await opened.enter_async_context(_replica(settings, database, name))
        client = redis.connect(settings.redis_url)
        opened.push_async_callback(client.aclose)
        announcer = await opened.enter_async_context(Announcer(client))
        database.announcer = writes.announcer = announcer
        http = HttpClient(
            timeout=settings.webhook_timeout,
            allow_private=settings.webhook_allow_private,
            ca_file=settings.webhook_ca_file,
            overrides=settings.webhook_resolver,
        )
        opened.push_async_callback(http.close)
        storage = await opened.enter_async_context(providers.storage(settings))
        passwords = Passwords()
        opened.callback(passwords.close)
        government = await opened.enter_async_context(providers.government(settings, clock))
        credit = await opened.enter_async_context(providers.credit(settings, clock))
        geolocation = await opened.enter_async_context(providers.geolocation(settings))
        mailbox = Mailbox(settings.mailbox_folder, clock)
        email = providers.email(settings, mailbox, clock)
        sms = await opened.enter_async_context(providers.sms(settings, mailbox, clock))
        keys = KeyRing.from_text(settings.encryption_keys.get_secret_value())
        screener = await opened.enter_async_context(
            Screener(settings.redis_url, reads, storage, keys, settings.data_dir / "aml")
        )
        engine_processes = settings.engine_processes or processes_that_fit(
            settings.engine_threads, ENGINE_MEMORY_MIB
        )
        # The API reads no documents, and one process has nothing to share.
        shared = None
        if is_worker and engine_processes > 1:
            shared = opened.enter_context(own_folder(settings.data_dir / "engines"))
        # CUDA maps the memory of the GPU and of the machine.
        memory_limit = settings.engine_memory_limit if settings.engine_device == "cpu" else None
        readers = ProcessPool(
            engine_processes,
            name="documents",
            initializer=warm_up,
            initargs=(settings.engine_threads, settings.engine_device, shared),
            threads=settings.engine_threads,
            memory_limit_mib=memory_limit,
            hidden_environment="ACREDITA_",
            plain_data_from=("acredita.domain", "acredita.engines"),
        )
        opened.push_async_callback(readers.close)
        faces = ProcessPool(
            engine_processes,
            name="faces",
            initializer=face_warm_up,
            initargs=(
                settings.engine_threads,
                settings.face_models,
                settings.face_embedding,
                settings.engine_device,
                shared,
            ),
            threads=settings.engine_threads,
            memory_limit_mib=memory_limit,
            hidden_environment="ACREDITA_",
            plain_data_from=("acredita.domain", "acredita.engines"),
        )
        opened.push_async_callback(faces.close)
        inspection = Inspection(_decoders(settings, keys, is_worker=is_worker))
        opened.push_async_callback(inspection.close)
        composition = Composition(hidden_environment="ACREDITA_")
        opened.push_async_callback(composition.close)
        seal = await opened.enter_async_context(providers.seal(settings))
        conservation = await opened.enter_async_context(providers.conservation(settings))
        timestamps = await opened.enter_async_context(providers.timestamps(settings))
        yield Services(
            settings=settings,
            clock=clock,
            database=database,
            reads=reads,
            writes=writes,
            replica=replica,
            lists=Lists(replica),
            redis=client,
            storage=storage,
            inspection=inspection,
            http=http,
            keys=keys,
            signer=Signer(settings.secret_key.get_secret_value()),
            link_signer=Signer(*settings.signing_secrets),
            passwords=passwords,
            government=government,
            credit=credit,
            geolocation=geolocation,
            mailbox=mailbox,
            email=email,
            sms=sms,
            screener=screener,
            readers=readers,
            composition=composition,
            seal=seal,
            timestamps=timestamps,
            conservation=conservation,
            calibration=calibration,
            gazetteer=gazetteer,
            faces=faces,
        )
