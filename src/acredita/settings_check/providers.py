"""Opens the providers that the settings name. The checks of the settings open them in the same way.

Each function raises ValueError or OSError, without values of secrets, if the settings do not
suffice.
"""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from acredita.engines.signing.seal import Seal, SealFiles
from acredita.kit.clock import Clock
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
from acredita.settings import Settings


def storage(settings: Settings) -> AbstractAsyncContextManager[Storage]:
    return open_storage(
        settings.storage_place,
        access_key_id=settings.storage_access_key_id,
        secret_access_key=settings.storage_secret_access_key.get_secret_value(),
        ca_file=settings.storage_ca_file,
    )


def government(
    settings: Settings, clock: Clock
) -> AbstractAsyncContextManager[GovernmentRegistries]:
    return open_government(
        settings.government_provider,
        clock=clock,
        url=settings.government_bridge_url,
        token=settings.government_bridge_token.get_secret_value(),
        timeout=settings.government_timeout,
        ca_file=settings.government_bridge_ca_file,
    )


def credit(settings: Settings, clock: Clock) -> AbstractAsyncContextManager[CreditBureau | None]:
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


def geolocation(settings: Settings) -> AbstractAsyncContextManager[Geolocation | None]:
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


def email(settings: Settings, mailbox: Mailbox, clock: Clock) -> EmailProvider:
    return open_email(
        settings.smtp_url.get_secret_value(),
        sender=settings.mail_from,
        mailbox=mailbox,
        clock=clock,
        ca_file=settings.smtp_ca_file,
    )


def sms(
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


@asynccontextmanager
async def seal(settings: Settings) -> AsyncIterator[Seal | None]:
    """Open the seal of e-signatures; None if they are turned off."""
    if not settings.has_esignature:
        yield None
        return
    opened = Seal(
        SealFiles(
            development_folder=settings.development_authority_folder,
            certificate=settings.esignature_certificate,
            key=settings.esignature_key,
            password=settings.esignature_key_password.get_secret_value(),
            trusted=settings.esignature_trusted,
        )
    )
    try:
        if settings.esignature_certificate is not None:
            # Checked at start, not with the first customer. Raises BadIdentity.
            await opened.name()
        yield opened
    finally:
        opened.close()


def timestamps(
    settings: Settings,
) -> AbstractAsyncContextManager[TimestampAuthority]:
    return open_timestamps(
        settings.esignature_tsa_url,
        development_folder=settings.development_authority_folder,
        username=settings.esignature_tsa_username,
        password=settings.esignature_tsa_password.get_secret_value(),
        timeout=settings.esignature_tsa_timeout,
        ca_file=settings.esignature_tsa_ca_file,
        trusted=settings.esignature_trusted,
    )


def conservation(
    settings: Settings,
) -> AbstractAsyncContextManager[ConservationProvider | None]:
    return open_conservation(
        settings.conservation_provider,
        url=settings.conservation_url,
        username=settings.conservation_username,
        password=settings.conservation_password.get_secret_value(),
        timeout=settings.esignature_tsa_timeout,
        trusted=settings.conservation_trusted,
    )
