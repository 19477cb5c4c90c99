"""A certificate authority for development, created on this machine when first needed.

It issues two certificates, one to sign documents and one to sign timestamps, and revocation lists.
No other machine trusts it, and the certificate names say so. Its keys are in one folder that only
its owner can read. The folder is created atomically, even if several processes create it at once.
"""

import os
import shutil
import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

KEY_BITS: Final = 2048
LIFETIME: Final = timedelta(days=3650)
LIST_LIFETIME: Final = timedelta(days=7)
# Certificates are valid from this long ago, because clocks differ.
EARLIER: Final = timedelta(hours=1)
ROOT, SIGNER, TIMESTAMPS = "authority", "signer", "timestamps"
WARNING: Final = "(development, not trusted)"


@dataclass(frozen=True, slots=True)
class KeyPair:
    certificate: x509.Certificate
    key: rsa.RSAPrivateKey


@dataclass(frozen=True, slots=True)
class DevelopmentAuthority:
    root: KeyPair
    signer: KeyPair
    timestamps: KeyPair

    def revocation_list(self) -> x509.CertificateRevocationList:
        """A list with no revoked certificates, issued now."""
        now = datetime.now(UTC)
        return (
            x509.CertificateRevocationListBuilder()
            .issuer_name(self.root.certificate.subject)
            .last_update(now - EARLIER)
            .next_update(now + LIST_LIFETIME)
            .add_extension(_key_identifier(self.root), critical=False)
            .add_extension(x509.CRLNumber(int(now.timestamp())), critical=False)
            .sign(self.root.key, hashes.SHA256())
        )


def development_authority(folder: Path) -> DevelopmentAuthority:
    """Load the authority from the folder; create it if the folder does not exist."""
    if not folder.exists():
        _make(folder)
    return DevelopmentAuthority(*(_read(folder, name) for name in (ROOT, SIGNER, TIMESTAMPS)))


def _make(folder: Path) -> None:
    folder.parent.mkdir(parents=True, exist_ok=True)
    # mkdtemp creates a folder with mode 0700.
    draft = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    try:
        root = _root()
        _write(draft, ROOT, root)
        _write(draft, SIGNER, _issue(root, "Signatures", None))
        _write(draft, TIMESTAMPS, _issue(root, "Time stamps", ExtendedKeyUsageOID.TIME_STAMPING))
        draft.rename(folder)
    except OSError:
        # Another process was faster: rename does not replace a folder that is not empty.
        if not folder.exists():
            raise
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _write(folder: Path, name: str, pair: KeyPair) -> None:
    for file, content in (
        (f"{name}.pem", pair.certificate.public_bytes(serialization.Encoding.PEM)),
        (
            f"{name}.key",
            pair.key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            ),
        ),
    ):
        descriptor = os.open(folder / file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as opened:
            opened.write(content)


def _read(folder: Path, name: str) -> KeyPair:
    # `_make` wrote it: to validate it would take nearly all of the time.
    key = serialization.load_pem_private_key(
        (folder / f"{name}.key").read_bytes(), None, unsafe_skip_rsa_key_validation=True
    )
    if not isinstance(key, rsa.RSAPrivateKey):
        raise TypeError(f"{name}.key in {folder.name} is not an RSA key")
    certificate = x509.load_pem_x509_certificate((folder / f"{name}.pem").read_bytes())
    return KeyPair(certificate, key)


def _root() -> KeyPair:
    key = _new_key()
    subject = _name("Authority")
    builder = _certificate(subject, subject, key.public_key())
    builder = builder.add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
    builder = builder.add_extension(_usage(signs_certificates=True), critical=True)
    return KeyPair(builder.sign(key, hashes.SHA256()), key)


def _issue(root: KeyPair, name: str, purpose: x509.ObjectIdentifier | None) -> KeyPair:
    key = _new_key()
    builder = _certificate(_name(name), root.certificate.subject, key.public_key())
    builder = builder.add_extension(x509.BasicConstraints(ca=False, path_length=None), True)
    builder = builder.add_extension(_usage(signs_certificates=False), critical=True)
    builder = builder.add_extension(_key_identifier(root), critical=False)
    if purpose is not None:
        builder = builder.add_extension(x509.ExtendedKeyUsage([purpose]), critical=True)
    return KeyPair(builder.sign(root.key, hashes.SHA256()), key)


def _certificate(
    subject: x509.Name, issuer: x509.Name, key: rsa.RSAPublicKey
) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - EARLIER)
        .not_valid_after(now + LIFETIME)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key), critical=False)
    )


def _new_key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(public_exponent=65537, key_size=KEY_BITS)


def _name(what: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"{what} {WARNING}")])


def _usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=True,
        content_commitment=not signs_certificates,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        encipher_only=False,
        decipher_only=False,
    )


def _key_identifier(issuer: KeyPair) -> x509.AuthorityKeyIdentifier:
    return x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer.key.public_key())
