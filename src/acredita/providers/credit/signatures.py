"""Signatures of bodies as Círculo de Crédito defines them: ECDSA on P-384 with SHA-256, the DER
form in hexadecimal digits, over the very bytes of the body.

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
# A signature on P-384 has about 104 bytes.
LONGEST_SIGNATURE = 256


class BodySignatures:
    """Our key signs what is sent, the bureau's certificate verifies what comes back.

    Both take about a millisecond of CPU: not for the event loop.
    """

    def __init__(self, own: ec.EllipticCurvePrivateKey, theirs: ec.EllipticCurvePublicKey) -> None:
        self._own = own
        self._theirs = theirs

    @classmethod
    def from_files(
        cls, key_file: Path, certificate_file: Path, *, password: str = ""
    ) -> "BodySignatures":
        """`key_file` is PEM or PKCS #12, the certificate PEM or DER.

        Raise ValueError, naming the file and never what is in it.
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
        raise ValueError(f"{file} holds no private key that its password opens") from None
    if not isinstance(key, ec.EllipticCurvePrivateKey) or not _is_p384(key.curve):
        raise ValueError(f"{file} holds no key on the curve P-384")
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
        raise ValueError(f"{file} holds no certificate") from None
    if not isinstance(key, ec.EllipticCurvePublicKey) or not _is_p384(key.curve):
        raise ValueError(f"{file} certifies no key on the curve P-384")
    return key


def _is_p384(curve: ec.EllipticCurve) -> bool:
    return isinstance(curve, ec.SECP384R1)


def _content(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as fault:
        raise ValueError(f"{file} cannot be read: {fault.strerror}") from None
