"""The composition root: opens the resources of one process. It imports nothing of `resources`.

The API and the worker open the same `Services`; tests open it with other parts.
"""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from redis.asyncio import Redis

from acredita.domain.documents import RULES_VERSION, Calibration
from acredita.domain.documents.calibration import BadCalibration
from acredita.domain.documents.calibration import loaded as load_calibration
from acredita.engines.documents.inspection import Inspection
from acredita.engines.documents.process import warm_up
from acredita.engines.face.process import warm_up as face_warm_up
from acredita.engines.signing.composition import Composition
from acredita.engines.signing.seal import Seal, SealFiles
from acredita.kit import redis
from acredita.kit.clock import Clock, SystemClock
from acredita.kit.crypto import KeyRing, Signer
from acredita.kit.db import Database
from acredita.kit.http import HttpClient
from acredita.kit.memory import give_large_buffers_back
from acredita.kit.password_hashing import Passwords
from acredita.kit.processes import ProcessPool
from acredita.kit.statement_pool import Reads, StatementPool, Writes
from acredita.kit.storage import Storage, open_storage
from acredita.providers.conservation import ConservationProvider, open_conservation
from acredita.providers.credit import CirculoAccess, CreditBureau, open_credit
from acredita.providers.email import EmailProvider, open_email
from acredita.providers.geolocation import Files as GeolocationFiles
from acredita.providers.geolocation import Geolocation, open_geolocation
from acredita.providers.government import GovernmentRegistries, open_government
from acredita.providers.mailbox import Mailbox
from acredita.providers.sms import Gateway, SmsProvider, TwilioAccount, open_sms
from acredita.providers.timestamps import TimestampAuthority, open_timestamps
from acredita.screener import Screener
from acredita.settings import Settings

AnyPool = TypeVar("AnyPool", bound=StatementPool)


@dataclass(frozen=True, slots=True)
class Services:
    settings: Settings
    clock: Clock
    database: Database
    # For the most frequent statements, at a fraction of the cost of `database`.
    reads: Reads
    writes: Writes
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
    geolocation: Geolocation
    mailbox: Mailbox
    email: EmailProvider
    sms: SmsProvider
    # The index of watchlists that this process screens against.
    screener: Screener
    # Processes of the text engine; each starts with the first document.
    readers: ProcessPool
    # Processes that compose packages; each starts with the first package.
    composition: Composition
    seal: Seal
    timestamps: TimestampAuthority
    # None: no NOM-151 certificates are requested.
    conservation: ConservationProvider | None
    # None: the rules' own thresholds decide fields.
    calibration: Calibration | None
    faces: ProcessPool


@asynccontextmanager
async def open_database(settings: Settings, *, statement_timeout: float) -> AsyncIterator[Database]:
    """Open only the database, for a command; `statement_timeout` in seconds."""
    database = Database(
        settings.database_url,
        pool_size=2,
        statement_timeout=statement_timeout,
        application_name="acredita command",
    )
    try:
        yield database
    finally:
        await database.dispose()


def _pool(kind: type[AnyPool], settings: Settings, purpose: str) -> AnyPool:
    return kind(
        settings.database_url,
        pool_size=settings.database_pool_size,
        statement_timeout=settings.database_statement_timeout,
        application_name=f"acredita {purpose}",
    )


def _open_sms(
    settings: Settings, mailbox: Mailbox, clock: Clock
) -> AbstractAsyncContextManager[SmsProvider]:
    return open_sms(
        settings.sms_providers,
        mailbox=mailbox,
        clock=clock,
        twilio=TwilioAccount(
            account_id=settings.twilio_account_id,
            key_id=settings.twilio_key_id or settings.twilio_account_id,
            secret=settings.twilio_secret.get_secret_value(),
            sender=settings.twilio_sender,
            base_url=settings.twilio_url,
        ),
        gateway=Gateway(
            url=settings.sms_gateway_url.get_secret_value(),
            method=settings.sms_gateway_method,
            headers=settings.sms_gateway_headers.get_secret_value(),
            format=settings.sms_gateway_format,
            body=settings.sms_gateway_body.get_secret_value(),
            success=settings.sms_gateway_success,
        ),
        timeout=settings.sms_timeout,
        ca_file=settings.sms_ca_file,
    )


def _open_credit(
    settings: Settings, clock: Clock
) -> AbstractAsyncContextManager[CreditBureau | None]:
    return open_credit(
        settings.credit_provider,
        clock=clock,
        circulo=CirculoAccess(
            url=settings.circulo_url,
            api_key=settings.circulo_api_key,
            username=settings.circulo_username,
            password=settings.circulo_password,
            key_file=settings.circulo_key_file,
            key_password=settings.circulo_key_password,
            certificate_file=settings.circulo_certificate_file,
            ca_file=settings.circulo_ca_file,
        ),
        timeout=settings.credit_timeout,
    )


def _open_geolocation(settings: Settings) -> AbstractAsyncContextManager[Geolocation]:
    return open_geolocation(
        settings.geolocation_provider,
        files=GeolocationFiles(
            city=settings.geolocation_city_file,
            asn=settings.geolocation_asn_file,
            anonymous_ip=settings.geolocation_anonymous_ip_file,
            vpn=settings.geolocation_vpn_files,
            proxy=settings.geolocation_proxy_files,
            tor=settings.geolocation_tor_files,
            hosting=settings.geolocation_hosting_files,
        ),
        check_interval=settings.geolocation_check_interval,
    )


def _calibration(path: Path | None) -> Calibration | None:
    """Load the calibration at start, not with the first document. Raise BadCalibration."""
    if path is None:
        return None
    try:
        return load_calibration(path.read_bytes(), rules=RULES_VERSION)
    except (OSError, BadCalibration) as fault:
        raise BadCalibration(f"ACREDITA_CALIBRATION {path}: {fault}") from None


@asynccontextmanager
async def open_services(settings: Settings, *, purpose: str = "api") -> AsyncIterator[Services]:
    """Open everything. `purpose` names PostgreSQL's sessions, by which workers are counted."""
    give_large_buffers_back()
    async with AsyncExitStack() as opened:
        clock = SystemClock()
        calibration = _calibration(settings.calibration)
        database = Database(
            settings.database_url,
            pool_size=settings.database_pool_size,
            statement_timeout=settings.database_statement_timeout,
            application_name=f"acredita {purpose}",
        )
        opened.push_async_callback(database.dispose)
        reads = await opened.enter_async_context(_pool(Reads, settings, purpose))
        writes = await opened.enter_async_context(_pool(Writes, settings, purpose))
        client = redis.connect(settings.redis_url)
        opened.push_async_callback(client.aclose)
        http = HttpClient(
            timeout=settings.webhook_timeout,
            allow_private=settings.webhook_allow_private,
            ca_file=settings.webhook_ca_file,
            overrides=settings.webhook_resolver,
        )
        opened.push_async_callback(http.close)
        storage = await opened.enter_async_context(
            open_storage(
                settings.storage_place,
                access_key_id=settings.storage_access_key_id,
                secret_access_key=settings.storage_secret_access_key.get_secret_value(),
            )
        )
        passwords = Passwords()
        opened.callback(passwords.close)
        government = await opened.enter_async_context(
            open_government(
                settings.government_provider,
                clock=clock,
                url=settings.government_bridge_url,
                token=settings.government_bridge_token.get_secret_value(),
                timeout=settings.government_timeout,
                ca_file=settings.government_bridge_ca_file,
            )
        )
        credit = await opened.enter_async_context(_open_credit(settings, clock))
        geolocation = await opened.enter_async_context(_open_geolocation(settings))
        mailbox = Mailbox(settings.mailbox_folder, clock)
        email = open_email(
            settings.smtp_url.get_secret_value(),
            sender=settings.mail_from,
            mailbox=mailbox,
            clock=clock,
            ca_file=settings.smtp_ca_file,
        )
        sms = await opened.enter_async_context(_open_sms(settings, mailbox, clock))
        keys = KeyRing.from_text(settings.encryption_keys.get_secret_value())
        screener = await opened.enter_async_context(
            Screener(settings.database_url, reads, storage, keys, settings.data_dir / "aml")
        )
        readers = ProcessPool(
            settings.engine_processes,
            name="documents",
            initializer=warm_up,
            initargs=(settings.engine_threads,),
            threads=settings.engine_threads,
            memory_limit_mib=settings.engine_memory_limit,
            hidden_environment="ACREDITA_",
            plain_data_from=("acredita.domain", "acredita.engines"),
        )
        opened.push_async_callback(readers.close)
        faces = ProcessPool(
            settings.engine_processes,
            name="faces",
            initializer=face_warm_up,
            initargs=(settings.engine_threads, settings.face_models),
            threads=settings.engine_threads,
            memory_limit_mib=settings.engine_memory_limit,
            hidden_environment="ACREDITA_",
            plain_data_from=("acredita.domain", "acredita.engines"),
        )
        opened.push_async_callback(faces.close)
        inspection = Inspection(hidden_environment="ACREDITA_")
        opened.push_async_callback(inspection.close)
        composition = Composition(hidden_environment="ACREDITA_")
        opened.push_async_callback(composition.close)
        seal = Seal(
            SealFiles(
                development_folder=settings.development_authority_folder,
                certificate=settings.esignature_certificate,
                key=settings.esignature_key,
                password=settings.esignature_key_password.get_secret_value(),
                trusted=settings.esignature_trusted,
            )
        )
        opened.callback(seal.close)
        if settings.esignature_certificate is not None:
            # Checked at start, not with the first customer. Raises BadIdentity.
            await seal.name()
        conservation = await opened.enter_async_context(
            open_conservation(
                settings.conservation_provider,
                url=settings.conservation_url,
                username=settings.conservation_username,
                password=settings.conservation_password.get_secret_value(),
                timeout=settings.esignature_tsa_timeout,
                trusted=settings.conservation_trusted,
            )
        )
        timestamps = await opened.enter_async_context(
            open_timestamps(
                settings.esignature_tsa_url,
                development_folder=settings.development_authority_folder,
                username=settings.esignature_tsa_username,
                password=settings.esignature_tsa_password.get_secret_value(),
                timeout=settings.esignature_tsa_timeout,
                ca_file=settings.esignature_tsa_ca_file,
                trusted=settings.esignature_trusted,
            )
        )
        yield Services(
            settings=settings,
            clock=clock,
            database=database,
            reads=reads,
            writes=writes,
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
            faces=faces,
        )
