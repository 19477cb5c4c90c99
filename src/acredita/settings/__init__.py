"""All settings, read from the environment (prefix ACREDITA_) and `.env`: one file per group."""

from pathlib import Path

from acredita.kit.storage.s3_address import S3Address
from acredita.settings.accounts import AccountSettings
from acredita.settings.aml import WatchlistSettings
from acredita.settings.base import NONE
from acredita.settings.credit import CreditSettings
from acredita.settings.database import DatabaseSettings
from acredita.settings.engines import EngineSettings
from acredita.settings.esignature import EsignatureSettings
from acredita.settings.geolocation import GeolocationSettings
from acredita.settings.government import GovernmentSettings
from acredita.settings.jobs import JobSettings
from acredita.settings.keys import (
    DEVELOPMENT_ENCRYPTION_KEY,
    DEVELOPMENT_SECRET,
    SHORTEST_SECRET,
    KeySettings,
)
from acredita.settings.messages import MessageSettings
from acredita.settings.monitoring import MonitoringSettings
from acredita.settings.server import FASTEST_RATE, Environment, ServerSettings
from acredita.settings.storage import StorageSettings
from acredita.settings.verifications import VerificationSettings
from acredita.settings.webhooks import WebhookSettings


class Settings(
    # The fields of the last class come first.
    WatchlistSettings,
    MonitoringSettings,
    EsignatureSettings,
    GeolocationSettings,
    CreditSettings,
    GovernmentSettings,
    JobSettings,
    EngineSettings,
    WebhookSettings,
    VerificationSettings,
    StorageSettings,
    MessageSettings,
    AccountSettings,
    KeySettings,
    DatabaseSettings,
    ServerSettings,
):
    """The settings of a process. Frozen."""

    @property
    def development_authority_folder(self) -> Path:
        return self.data_dir / "development-authority"

    @property
    def mailbox_folder(self) -> Path:
        return self.dev_mailbox or self.data_dir / "mailbox"

    @property
    def storage_place(self) -> Path | S3Address:
        if self.storage_url.startswith("s3://"):
            return S3Address.from_url(self.storage_url)
        return self.storage_folder

    @property
    def storage_folder(self) -> Path:
        """The folder of the local storage."""
        if not self.storage_url:
            return self.data_dir / "files"
        return Path(self.storage_url.removeprefix("file://"))
