"""What a time-stamping authority does with a question."""

import asyncio
from pathlib import Path

from asn1crypto import keys, tsp, x509
from cryptography.hazmat.primitives import serialization
from pyhanko.sign.timestamps.dummy_client import DummyTimeStamper

from acredita.kit.development_authority import development_authority
from acredita.providers.timestamps import tokens
from acredita.providers.timestamps.protocol import Timestamp


class LocalAuthority:
    """Stamps with the keys of the development authority in the folder, made there if need be."""

    def __init__(self, folder: Path) -> None:
        self._authority = development_authority(folder)
        root = self._authority.root.certificate
        self._root = x509.Certificate.load(root.public_bytes(serialization.Encoding.DER))

    def stamp(self, digest: bytes) -> Timestamp:
        question = tokens.Question(digest)
        answer = self.answer(question.der)
        return asyncio.run(tokens.read_answer(answer, question, trusted=[self._root]))

    def answer(self, question: bytes) -> bytes:
        """The TimeStampResp, DER, to a TimeStampReq."""
        pair = self._authority.timestamps
        stamper = DummyTimeStamper(
            tsa_cert=x509.Certificate.load(
                pair.certificate.public_bytes(serialization.Encoding.DER)
            ),
            tsa_key=keys.PrivateKeyInfo.load(
                pair.key.private_bytes(
                    serialization.Encoding.DER,
                    serialization.PrivateFormat.PKCS8,
                    serialization.NoEncryption(),
                )
            ),
        )
        answer: bytes = stamper.request_tsa_response(tsp.TimeStampReq.load(question)).dump()
        return answer
