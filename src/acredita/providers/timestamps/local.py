"""A time-stamping authority within the process: real tokens, by which nobody is bound.

Whoever operates the service holds its key, and could write any time into them.
"""

import asyncio
from functools import cached_property
from pathlib import Path

from asn1crypto import keys, tsp, x509
from cryptography.hazmat.primitives import serialization
from pyhanko.sign.timestamps.dummy_client import DummyTimeStamper

from acredita.kit.development_authority import DevelopmentAuthority, development_authority
from acredita.providers.timestamps import tokens
from acredita.providers.timestamps.protocol import Timestamp


class SandboxTimestamps:
    is_sandbox = True

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def stamp(self, digest: bytes) -> Timestamp:
        question = tokens.Question(digest)
        answer = await asyncio.to_thread(self._answer, question.der)
        root = x509.Certificate.load(
            self._authority.root.certificate.public_bytes(serialization.Encoding.DER)
        )
        return await tokens.read_answer(answer, question, trusted=[root])

    def _answer(self, question: bytes) -> bytes:
        """What an authority answers to an encoded question."""
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

    @cached_property
    def _authority(self) -> DevelopmentAuthority:
        return development_authority(self._folder)
