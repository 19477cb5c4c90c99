"""Body signatures as defined by Círculo de Crédito: ECDSA on P-384 with SHA-256 over the body's
bytes, DER-encoded, as hexadecimal digits.

Source: Círculo's public clients (github.com/APIHub-CdC, Signer of each).
"""

from pathlib import Path

from cryptography import x509
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from cryptography.hazmat.primitives.serialization.pkcs12 import load_pkcs12

ALGORITHM = ec.ECDSA(SHA256())
# Hexadecimal digits. A P-384 signature has about 104 bytes.
LONGEST_SIGNATURE = 256


class BodySignatures:
    """Our key signs requests, the bureau's certificate verifies answers.

    Both take about a millisecond of CPU, so do not call them on the event loop.
    """

    def __init__(self, own: ec.EllipticCurvePrivateKey, theirs: ec.EllipticCurvePublicKey) -> None:
        self._own = own
        self._theirs = theirs

    @classmethod
    def from_files(
        cls, key_file: Path, certificate_file: Path, *, password: str = ""
    ) -> "BodySignatures":
        """`key_file`: PEM or PKCS#12. `certificate_file`: PEM or DER.

        Raise ValueError with the file's name, never its content.
        """
        return cls(_private_key(key_file, password.encode() or None), _public(certificate_file))

    def sign(self, body: bytes) -> str:
        return self._own.sign(body, ALGORITHM).hex()

    def verifies(self, body: bytes, signature: str) -> bool:
        if not 0 < len(signature) <= LONGEST_SIGNATURE:
            return False
        try:
            self._theirs.verify(bytes.fromhex(signature), body, ALGORITHM)
        except (InvalidSignature, ValueError):
            return False
        return True


def _private_key(file: Path, password: bytes | None) -> ec.EllipticCurvePrivateKey:
    content = _content(file)
    try:
        if b"-----BEGIN" in content:
            key = load_pem_private_key(content, password)
        else:
            key = load_pkcs12(content, password).key  # type: ignore[assignment]
    except (ValueError, TypeError, UnsupportedAlgorithm):
        raise ValueError(f"{file} has no private key that the password opens") from None
    if not isinstance(key, ec.EllipticCurvePrivateKey) or not _is_p384(key.curve):
        raise ValueError(f"{file} has no P-384 private key")
    return key


def _public(file: Path) -> ec.EllipticCurvePublicKey:
    content = _content(file)
    try:
        if b"-----BEGIN" in content:
            certificate = x509.load_pem_x509_certificate(content)
        else:
            certificate = x509.load_der_x509_certificate(content)
        key = certificate.public_key()
    except (ValueError, UnsupportedAlgorithm):
        raise ValueError(f"{file} has no certificate") from None
    if not isinstance(key, ec.EllipticCurvePublicKey) or not _is_p384(key.curve):
        raise ValueError(f"{file} is not a certificate for a P-384 key")
    return key


def _is_p384(curve: ec.EllipticCurve) -> bool:
    return isinstance(curve, ec.SECP384R1)


def _content(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as fault:
        raise ValueError(f"cannot read {file}: {fault.strerror}") from None
