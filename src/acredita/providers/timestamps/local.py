"""A timestamp authority in this process."""

import asyncio
from pathlib import Path

from asn1crypto import keys, tsp, x509
from cryptography.hazmat.primitives import serialization
from pyhanko.sign.timestamps.dummy_client import DummyTimeStamper

from acredita.kit.development_authority import KeyPair, development_authority
from acredita.providers.timestamps import tokens
from acredita.providers.timestamps.protocol import Timestamp


class LocalAuthority:
    """Stamps with the development authority's keys in the folder, and creates them if missing."""

    def __init__(self, folder: Path) -> None:
        authority = development_authority(folder)
        self._root = _certificate(authority.root)
        key = authority.timestamps.key.private_bytes(
            serialization.Encoding.DER,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        self._stamper = DummyTimeStamper(
            tsa_cert=_certificate(authority.timestamps), tsa_key=keys.PrivateKeyInfo.load(key)
        )

    def stamp(self, digest: bytes) -> Timestamp:
        request = tokens.TimestampRequest(digest)
        answer = self.answer(request.der)
        return asyncio.run(tokens.parse_response(answer, request, trusted=[self._root]))

    def answer(self, request: bytes) -> bytes:
        """Answer a DER TimeStampReq with a DER TimeStampResp."""
        parsed = tsp.TimeStampReq.load(request)
        answer: bytes = self._stamper.request_tsa_response(parsed).dump()
        return answer


def _certificate(pair: KeyPair) -> x509.Certificate:
    der = pair.certificate.public_bytes(serialization.Encoding.DER)
    return x509.Certificate.load(der)
