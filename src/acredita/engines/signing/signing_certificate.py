"""The signing identity: the operator's certificate and key, or a development authority's."""

import logging
from dataclasses import dataclass
from pathlib import Path

from asn1crypto import crl, keys, x509
from cryptography.hazmat.primitives import serialization
from pyhanko.keys import load_certs_from_pemder
from pyhanko.sign.signers import SimpleSigner
from pyhanko_certvalidator.registry import SimpleCertificateStore

from acredita.kit.development_authority import (
    DevelopmentAuthority,
    KeyPair,
    development_authority,
)


class BadIdentity(ValueError):
    """The certificate or key files are unusable. The message names the file, not its content."""


@dataclass(frozen=True, slots=True)
class SigningIdentity:
    signer: SimpleSigner
    # Trust anchors of signatures and time stamps, for long-term validation. Empty: unknown.
    trusted: tuple[x509.Certificate, ...] = ()
    # Set if the development authority issued the certificate.
    development: DevelopmentAuthority | None = None

    @property
    def is_development(self) -> bool:
        return self.development is not None

    def revocation_lists(self) -> list[crl.CertificateList]:
        """Revocation lists that need no download: those of the development authority."""
        if self.development is None:
            return []
        published = self.development.revocation_list().public_bytes(serialization.Encoding.DER)
        return [crl.CertificateList.load(published)]

    @property
    def subject(self) -> str:
        name: str = self.certificate.subject.human_friendly
        return name

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the certificate, hexadecimal."""
        digest: bytes = self.certificate.sha256
        return digest.hex()

    @property
    def certificate(self) -> x509.Certificate:
        certificate = self.signer.signing_cert
        if certificate is None:
            raise BadIdentity("the signing certificate is missing")
        return certificate


def development_identity(folder: Path) -> SigningIdentity:
    """The identity of the development authority whose files are in `folder`; created if absent."""
    authority = development_authority(folder)
    root = _certificate(authority.root)
    store = SimpleCertificateStore()
    store.register(root)
    der = authority.signer.key.private_bytes(
        serialization.Encoding.DER,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    signer = SimpleSigner(
        signing_cert=_certificate(authority.signer),
        signing_key=keys.PrivateKeyInfo.load(der),
        cert_registry=store,
    )
    return SigningIdentity(signer, (root,), authority)


# It would print a traceback of each file that cannot be opened; the error below says it in words.
logging.getLogger("pyhanko").addHandler(logging.NullHandler())


def load_identity(
    certificate: Path, *, key: Path | None, password: str, trusted: Path | None
) -> SigningIdentity:
    """Load certificate and key: PEM followed by its chain with `key`, or PKCS#12 without `key`.

    `trusted`: PEM of the trust anchors of signatures and time stamps. Raise BadIdentity.
    """
    secret = password.encode() or None
    if key is None:
        signer = SimpleSigner.load_pkcs12(str(certificate), passphrase=secret)
    else:
        signer = SimpleSigner.load(
            str(key), str(certificate), ca_chain_files=(str(certificate),), key_passphrase=secret
        )
    if signer is None or signer.signing_cert is None:
        raise BadIdentity(f"{certificate.name} cannot be opened with that key and password")
    if signer.signing_cert.public_key.dump() != _public_key_of(signer):
        raise BadIdentity(f"{certificate.name} does not match the key")
    believed = tuple(load_certs_from_pemder([str(trusted)])) if trusted is not None else ()
    return SigningIdentity(signer, believed)


def _public_key_of(signer: SimpleSigner) -> bytes:
    private = serialization.load_der_private_key(signer.signing_key.dump(), password=None)
    return private.public_key().public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
    )


def _certificate(pair: KeyPair) -> x509.Certificate:
    der = pair.certificate.public_bytes(serialization.Encoding.DER)
    return x509.Certificate.load(der)
