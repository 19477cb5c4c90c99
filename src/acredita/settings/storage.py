"""Where files are stored."""

from pathlib import Path

from pydantic import Field, SecretStr, field_validator

from acredita.kit.storage.s3_address import S3Address
from acredita.settings.base import SettingsGroup


class StorageSettings(SettingsGroup):
    storage_url: str = Field(
        "",
        description=(
            "File storage: file:///folder, or "
            "s3://bucket/prefix?endpoint=https://host&region=name. Empty: DATA_DIR/files."
        ),
    )
    storage_access_key_id: str = Field(
        "", description="S3 access key id. Empty: AWS_ACCESS_KEY_ID, profile or role."
    )
    storage_secret_access_key: SecretStr = Field(
        SecretStr(""),
        description="S3 secret access key. Empty: AWS_SECRET_ACCESS_KEY, profile or role.",
    )
    storage_ca_file: Path | None = Field(
        None, description="PEM file with additional CA certificates to trust for the S3 storage."
    )

    @field_validator("storage_url")
    @classmethod
    def known_storage(cls, value: str) -> str:
        if value.startswith("s3://"):
            S3Address.from_url(value)
        elif value and not value.startswith("file:///"):
            raise ValueError("must have the form file:///folder or s3://bucket/prefix")
        return value
