"""Electronic signatures, timestamps and conservation certificates."""

from pathlib import Path

from pydantic import Field, SecretStr

from acredita.settings.base import NONE, SettingsGroup


class EsignatureSettings(SettingsGroup):
    esignature_certificate: Path | None = Field(
        None,
        description=(
            "Certificate that seals signed packages: PEM with chain, or PKCS#12. Empty: a "
            "development one. none: no e-signatures."
        ),
    )
    esignature_key: Path | None = Field(
        None, description="PEM key of ESIGNATURE_CERTIFICATE. Empty with PKCS#12."
    )
    esignature_key_password: SecretStr = Field(
        SecretStr(""), description="Password of the key or the PKCS#12 file."
    )
    esignature_trusted: Path | None = Field(
        None,
        description="PEM of the trusted timestamp and signing CAs. Empty: no PAdES-B-LT.",
    )
    esignature_tsa_url: str = Field(
        "",
        description=(
            "Timestamp authority (RFC 3161). Empty: a development one. none: no e-signatures."
        ),
    )
    esignature_tsa_username: str = Field(
        "", description="User name at the timestamp authority, if required."
    )
    esignature_tsa_password: SecretStr = Field(
        SecretStr(""), description="Password at the timestamp authority."
    )
    esignature_tsa_timeout: float = Field(
        10.0, gt=0, le=30, description="Seconds for one request to the timestamp authority."
    )
    esignature_tsa_ca_file: Path | None = Field(
        None, description="Additional CA certificates (PEM) trusted for its TLS connection."
    )
    conservation_provider: str = Field(
        "none",
        pattern="^(none|rfc3161)$",
        description="NOM-151 certificates: none, or rfc3161 (an accredited provider's service).",
    )
    conservation_url: str = Field("", description="URL of the conservation provider.")
    conservation_username: str = Field(
        "", description="User name at the conservation provider, if required."
    )
    conservation_password: SecretStr = Field(
        SecretStr(""), description="Password at the conservation provider."
    )
    conservation_trusted: Path | None = Field(
        None, description="PEM of the CAs that are trusted to issue its certificates."
    )

    @property
    def has_esignature(self) -> bool:
        return self.esignature_certificate != Path(NONE) and self.esignature_tsa_url != NONE
