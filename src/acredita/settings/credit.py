"""The credit bureau."""

from pathlib import Path

from pydantic import Field, SecretStr

from acredita.settings.base import SettingsGroup


class CreditSettings(SettingsGroup):
    credit_provider: str = Field(
        "sandbox",
        pattern="^(sandbox|circulo|none)$",
        description="Credit bureau: sandbox, circulo (Círculo de Crédito), or none.",
    )
    credit_timeout: float = Field(
        30.0, gt=0, le=120, description="Seconds for one request to the credit bureau."
    )
    circulo_url: str = Field(
        "https://services.circulodecredito.com.mx",
        description="Base URL of Círculo de Crédito's API.",
    )
    circulo_api_key: SecretStr = Field(
        SecretStr(""), description="Consumer key from Círculo de Crédito's developer portal."
    )
    circulo_username: str = Field("", description="User name at Círculo de Crédito.")
    circulo_password: SecretStr = Field(
        SecretStr(""), description="Password at Círculo de Crédito."
    )
    circulo_key_file: Path | None = Field(
        None, description="Our P-384 private key, as PEM or PKCS#12."
    )
    circulo_key_password: SecretStr = Field(
        SecretStr(""), description="Password of CIRCULO_KEY_FILE. May be empty."
    )
    circulo_certificate_file: Path | None = Field(
        None, description="Círculo de Crédito's certificate, to verify its answers."
    )
    circulo_ca_file: Path | None = Field(
        None, description="Additional CA certificates (PEM) trusted for Círculo de Crédito."
    )
