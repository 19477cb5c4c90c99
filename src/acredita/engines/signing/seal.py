"""The service's seal: its certificate and key, loaded when something is first to be signed."""

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
    """Where certificate and key are; without a certificate they are a development authority's."""

    development_folder: Path
    # PEM with its chain behind it, or PKCS#12.
    certificate: Path | None = None
    # PEM; none with PKCS#12.
    key: Path | None = None
    password: str = ""
    # PEM of the authorities by which signatures and time stamps are believed.
    trusted: Path | None = None


@dataclass(frozen=True, slots=True)
class SealName:
    """Whose certificate it is."""

    subject: str
    fingerprint: str
    is_development: bool


class Seal:
    def __init__(self, files: SealFiles) -> None:
        self._files = files
        self._opening = asyncio.Lock()
        self._signer: PadesSigner | None = None

    async def name(self) -> SealName:
        """Raise BadIdentity, OSError when the files do not open."""
        identity = (await self._opened()).identity
        return SealName(identity.subject, identity.fingerprint, identity.is_development)

    async def sign(
        self, pdf: bytes, attachments: Sequence[Attachment], *, reason: str, stamp: "Stamp"
    ) -> SignedPdf:
        """As PadesSigner.sign."""
        signer = await self._opened()
        return await signer.sign(pdf, attachments, reason=reason, stamp=stamp)

    async def _opened(self) -> "PadesSigner":
        async with self._opening:
            if self._signer is None:
                self._signer = await asyncio.to_thread(_open, self._files)
            return self._signer

    def close(self) -> None:
        if self._signer is not None:
            self._signer.close()


def _open(files: SealFiles) -> "PadesSigner":
    # pyHanko costs a second and 30 MB: a process that never signs does without.
    from acredita.engines.signing.identity import (  # noqa: PLC0415
        development_identity,
        load_identity,
    )
    from acredita.engines.signing.pades import PadesSigner  # noqa: PLC0415

    if files.certificate is None:
        return PadesSigner(development_identity(files.development_folder))
    identity = load_identity(
        files.certificate, key=files.key, password=files.password, trusted=files.trusted
    )
    return PadesSigner(identity)
