"""Sign a PDF with PAdES (ETSI EN 319 142-1, baseline profiles B-T and B-LT).

Signing has three parts, so that no thread waits for the time-stamping authority: prepare the
document and compute the signature; request a time stamp of the signature; write both into the
reserved space. The revocation data of B-LT is added before signing, so the signature covers every
byte of the file except its own.
"""

import asyncio
import io
import os
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final, TypeVar

from asn1crypto import cms
from pyhanko.pdf_utils.embed import EmbeddedFileObject, EmbeddedFileParams, FileSpec, embed_file
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.sign.fields import MDPPerm, SigSeedSubFilter
from pyhanko.sign.general import extract_certificate_info, extract_signer_info
from pyhanko.sign.signers import ExternalSigner, PdfSignatureMetadata, PdfSigner
from pyhanko.sign.signers.pdf_byterange import PreparedByteRangeDigest
from pyhanko.sign.timestamps import TimeStamper
from pyhanko.sign.validation.dss import DocumentSecurityStore
from pyhanko.sign.validation.generic_cms import extract_tst_data_iter, validate_sig_integrity
from pyhanko_certvalidator import CertificateValidator, ValidationContext
from pyhanko_certvalidator.path import ValidationPath

from acredita.engines.signing.package import Attachment, Level, SignedPdf
from acredita.engines.signing.signing_certificate import SigningIdentity

T = TypeVar("T")
Stamp = Callable[[bytes], Awaitable[bytes]]

ALGORITHM: Final = "sha256"
FIELD: Final = "Firma"
# Reserved hexadecimal digits for the signature with its certificates and time stamp.
RESERVED: Final = 2 * 32 * 1024
# Time limit for all revocation requests together.
SECONDS_FOR_REVOCATIONS: Final = 8.0
# Seconds for which revocation data is reused, and seconds before a retry after a failure.
FRESH_FOR: Final = 3600.0
NOT_ASKED_FOR: Final = 300.0


class NotSigned(Exception):
    """The signed file failed its final check and must not be used."""


@dataclass(frozen=True, slots=True)
class _Proof:
    """Revocation data: neither the signer's nor the time-stamping authority's certificates are
    revoked."""

    paths: tuple[ValidationPath, ...]
    context: ValidationContext
    # SHA-256 of the certificate of the time-stamping authority.
    authority: bytes


@dataclass(frozen=True, slots=True)
class _Prepared:
    output: io.BytesIO
    digest: PreparedByteRangeDigest
    attributes: cms.CMSAttributes
    signature: bytes


class PadesSigner:
    """Signs in its own threads, so that its waits do not block other work."""

    def __init__(self, identity: SigningIdentity, *, threads: int = 2) -> None:
        self.identity = identity
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="signing")
        self._proof: _Proof | None = None
        self._proof_due = 0.0

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def sign(
        self, pdf: bytes, attachments: Sequence[Attachment], *, reason: str, stamp: Stamp
    ) -> SignedPdf:
        """Sign the PDF with its attachments.

        `stamp` returns the RFC 3161 token of a SHA-256 digest. Its errors propagate. Raise
        NotSigned.
        """
        proof = await self._current_proof(stamp)
        prepared = await self._on_thread(_prepare, self.identity, pdf, attachments, reason, proof)
        token = await stamp(sha256(prepared.signature).digest())
        return await self._on_thread(_finish, self.identity, prepared, token, proof)

    async def sign_content(self, content: bytes) -> bytes:
        """Return a CMS message, DER, that has the content and its signature, without a stamp."""
        return await self._on_thread(_sign_content, self.identity, content)

    async def _current_proof(self, stamp: Stamp) -> _Proof | None:
        """The revocation data, renewed when it is due; None if there is none.

        It must exist before signing, so a time stamp of random bytes reveals the authority.
        """
        if self.identity.trusted and time.monotonic() >= self._proof_due:
            token = await stamp(os.urandom(sha256().digest_size))
            self._proof = await self._on_thread(_collect_proof, self.identity, token)
            wait = NOT_ASKED_FOR if self._proof is None else FRESH_FOR
            self._proof_due = time.monotonic() + wait
        return self._proof

    async def _on_thread(self, work: Callable[..., Coroutine[Any, Any, T]], *args: Any) -> T:
        """Run a coroutine in a thread with its own event loop: pyHanko's coroutines use the CPU."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, lambda: asyncio.run(work(*args)))


# The code below runs in the signing threads.


async def _collect_proof(identity: SigningIdentity, token: bytes) -> _Proof | None:
    """Collect the revocation data. Return None if that fails: signatures are then B-T."""
    context = ValidationContext(
        trust_roots=list(identity.trusted),
        crls=identity.revocation_lists(),
        allow_fetching=not identity.is_development,
        revocation_mode="require",
    )
    stamped_by = extract_certificate_info(cms.ContentInfo.load(token)["content"])
    chains = (
        (identity.certificate, list(identity.signer.cert_registry)),
        (stamped_by.signer_cert, stamped_by.other_certs),
    )
    try:
        async with asyncio.timeout(SECONDS_FOR_REVOCATIONS):
            paths = [
                await CertificateValidator(
                    certificate, intermediate_certs=others, validation_context=context
                ).async_validate_usage(key_usage=set())
                for certificate, others in chains
            ]
    except Exception:
        return None
    return _Proof(tuple(paths), context, stamped_by.signer_cert.sha256)


async def _prepare(
    identity: SigningIdentity,
    pdf: bytes,
    attachments: Sequence[Attachment],
    reason: str,
    proof: _Proof | None,
) -> _Prepared:
    writer = IncrementalPdfFileWriter(io.BytesIO(pdf))
    for attachment in attachments:
        _attach(writer, attachment)
    if proof is not None:
        DocumentSecurityStore.supply_dss_in_writer(
            writer, None, paths=proof.paths, validation_context=proof.context
        )
    metadata = PdfSignatureMetadata(
        field_name=FIELD,
        md_algorithm=ALGORITHM,
        subfilter=SigSeedSubFilter.PADES,
        reason=reason,
        certify=True,
        docmdp_permissions=MDPPerm.NO_CHANGES,
    )
    signer, output = identity.signer, io.BytesIO()
    digest, _, _ = await PdfSigner(metadata, signer).async_digest_doc_for_signing(
        writer, bytes_reserved=RESERVED, output=output
    )
    attributes = await signer.signed_attrs(digest.document_digest, ALGORITHM, use_pades=True)
    signature = signer.sign_raw(attributes.dump(), ALGORITHM)
    return _Prepared(output, digest, attributes, signature)


async def _sign_content(identity: SigningIdentity, content: bytes) -> bytes:
    message = await identity.signer.async_sign_general_data(content, ALGORITHM, detached=False)
    signed: bytes = message.dump()
    return signed


async def _finish(
    identity: SigningIdentity, prepared: _Prepared, token: bytes, proof: _Proof | None
) -> SignedPdf:
    signer = ExternalSigner(identity.certificate, identity.signer.cert_registry, prepared.signature)
    signature = await signer.async_sign_prescribed_attributes(
        ALGORITHM, prepared.attributes, timestamper=_FixedTimeStamper(token)
    )
    prepared.digest.fill_with_cms(prepared.output, signature)
    signed = prepared.output.getvalue()
    stamped_by = _check(signed, prepared, cms.ContentInfo.load(signature.dump()))
    lasting = proof is not None and proof.authority == stamped_by
    return SignedPdf(signed, Level.B_LT if lasting else Level.B_T)


class _FixedTimeStamper(TimeStamper):
    """Returns a token that was requested before."""

    def __init__(self, token: bytes) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._token = cms.ContentInfo.load(token)

    async def async_timestamp(self, message_digest: bytes, md_algorithm: str) -> cms.ContentInfo:  # noqa: ARG002
        return self._token


def _attach(writer: IncrementalPdfFileWriter, attachment: Attachment) -> None:
    file = EmbeddedFileObject.from_file_data(
        writer,
        attachment.content,
        mime_type="text/plain",
        params=EmbeddedFileParams(embed_checksum=False),
    )
    specification = FileSpec(
        attachment.name, attachment.name, file, description=attachment.description
    )
    embed_file(writer, specification)


def _check(signed: bytes, prepared: _Prepared, signature: cms.ContentInfo) -> bytes:
    """Check that the signature is valid, has a time stamp and covers the rest of the file.

    Return the SHA-256 of the time-stamping certificate. Raise NotSigned.
    """
    place = prepared.digest
    rest = sha256(signed[: place.reserved_region_start])
    rest.update(signed[place.reserved_region_end :])
    content = signature["content"]
    signer = extract_signer_info(content)
    intact, valid = validate_sig_integrity(
        signer,
        extract_certificate_info(content).signer_cert,
        expected_content_type="data",
        actual_digest=rest.digest(),
    )
    stamps = list(extract_tst_data_iter(signer, signed=False))
    if not (intact and valid and stamps):
        raise NotSigned("the signature is not valid")
    digest: bytes = extract_certificate_info(stamps[0]).signer_cert.sha256
    return digest
