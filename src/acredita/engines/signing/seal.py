"""The service's electronic seal. Certificate and key are loaded at the first signature."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from acredita.engines.signing.package import Attachment, SignedPdf

if TYPE_CHECKING:
    from acredita.engines.signing.pades import PadesSigner, Stamp


@dataclass(frozen=True, slots=True)
class SealFiles:
    """Paths of certificate and key. Without a certificate, a development authority issues one."""

    development_folder: Path
    # PEM followed by its chain, or PKCS#12.
    certificate: Path | None = None
    # PEM; None with PKCS#12.
    key: Path | None = None
    password: str = ""
    # PEM of the trust anchors of signatures and time stamps.
    trusted: Path | None = None


@dataclass(frozen=True, slots=True)
class SealName:
    """Subject and SHA-256 fingerprint (hexadecimal) of the certificate."""

    subject: str
    fingerprint: str
    is_development: bool


class Seal:
    def __init__(self, files: SealFiles) -> None:
        self._files = files
        self._opening = asyncio.Lock()
        self._signer: PadesSigner | None = None

    async def name(self) -> SealName:
        """The certificate's subject and fingerprint.

        Raise BadIdentity, or OSError if a file cannot be opened.
        """
        identity = (await self._opened()).identity
        return SealName(identity.subject, identity.fingerprint, identity.is_development)

    async def sign(
        self, pdf: bytes, attachments: Sequence[Attachment], *, reason: str, stamp: "Stamp"
    ) -> SignedPdf:
        """Sign the PDF; see PadesSigner.sign. Also raise BadIdentity, OSError."""
        signer = await self._opened()
        return await signer.sign(pdf, attachments, reason=reason, stamp=stamp)

    async def sign_content(self, content: bytes) -> bytes:
        """Sign other content than a PDF; see PadesSigner.sign_content. Also raise BadIdentity,
        OSError."""
        return await (await self._opened()).sign_content(content)

    async def _opened(self) -> "PadesSigner":
        async with self._opening:
            if self._signer is None:
                self._signer = await asyncio.to_thread(_open, self._files)
            return self._signer

    def close(self) -> None:
        if self._signer is not None:
            self._signer.close()


def _open(files: SealFiles) -> "PadesSigner":
    # Importing pyHanko takes a second and 30 MB, so only processes that sign import it.
    from acredita.engines.signing.pades import PadesSigner  # noqa: PLC0415
    from acredita.engines.signing.signing_certificate import (  # noqa: PLC0415
        development_identity,
        load_identity,
    )

    if files.certificate is None:
        return PadesSigner(development_identity(files.development_folder))
    identity = load_identity(
        files.certificate, key=files.key, password=files.password, trusted=files.trusted
    )
    return PadesSigner(identity)
