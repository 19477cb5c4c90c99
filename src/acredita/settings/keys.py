"""Secrets and encryption keys."""

from pydantic import Field, SecretStr

from acredita.settings.base import SettingsGroup

DEVELOPMENT_SECRET = "development-only-secret-key-development-only"  # noqa: S105 (refused where others can reach it)
DEVELOPMENT_ENCRYPTION_KEY = "dev:" + "ZGV2ZWxvcG1lbnQtb25seS1lbmNyeXB0aW9uLWtleSE="
SHORTEST_SECRET = 32


class KeySettings(SettingsGroup):
    secret_key: SecretStr = Field(
        SecretStr(DEVELOPMENT_SECRET),
        description="Secret to hash API keys and to sign tokens and links. At least 32 characters.",
    )
    signing_keys: SecretStr = Field(
        SecretStr(""),
        description="Secrets that replace SECRET_KEY for signing, newest first, comma-separated.",
    )
    encryption_keys: SecretStr = Field(
        SecretStr(DEVELOPMENT_ENCRYPTION_KEY),
        description=(
            "Keys for data at rest: `id:base64 of 32 bytes`, newest first, comma-separated."
        ),
    )

    @property
    def signing_secrets(self) -> tuple[str, ...]:
        """The secrets for tokens and links. The first one signs, all of them verify."""
        keys = self.signing_keys.get_secret_value().split(",")
        given = tuple(key.strip() for key in keys if key.strip())
        return given or (self.secret_key.get_secret_value(),)
