"""Check the signatures of the report and of the head, and read what is attached to the report."""

import asyncio
import io
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from asn1crypto import cms, pem
from pyhanko.keys import load_certs_from_pemder
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.general import extract_certificate_info, extract_signer_info
from pyhanko.sign.validation import DocumentSecurityStore, async_validate_pdf_signature
from pyhanko.sign.validation.generic_cms import validate_sig_integrity
from pyhanko.sign.validation.pdf_embedded import EmbeddedPdfSignature
from pyhanko_certvalidator import ValidationContext


@dataclass(frozen=True, slots=True)
class ReportSeal:
    """A valid signature over the whole PDF. `trusted` is None without trust anchors."""

    subject: str
    # SHA-256 of the certificate, hexadecimal.
    fingerprint: str
    # The time of the time stamp, and the authority's subject and certificate.
    stamped_at: datetime
    stamp_subject: str
    stamp_fingerprint: str
    trusted: bool | None


class BrokenSeal(Exception):
    """The PDF cannot be read, or its signature is not valid for the whole of it."""


def attachments(pdf: bytes) -> dict[str, bytes]:
    """Return the attached files by name. Raise BrokenSeal."""
    try:
        root = PdfFileReader(io.BytesIO(pdf)).root
        if "/Names" not in root or "/EmbeddedFiles" not in root["/Names"]:
            return {}
        tree = root["/Names"]["/EmbeddedFiles"]["/Names"]
        return {
            str(tree[place]): tree[place + 1]["/EF"]["/F"].data for place in range(0, len(tree), 2)
        }
    except Exception as fault:  # pyHanko raises errors of many kinds for a damaged file
        raise BrokenSeal("the PDF is damaged") from fault


def certificates(pdf: bytes) -> bytes:
    """Return the certificates of the signature and of its time stamp, each once, as PEM; empty for
    a PDF without a signature. Raise BrokenSeal.
    """
    try:
        signatures = PdfFileReader(io.BytesIO(pdf)).embedded_signatures
        signed = [data for signature in signatures for data in _signed_data(signature)]
        # Each once: a dictionary keeps the order.
        found = dict.fromkeys(
            each.chosen.dump() for data in signed for each in data["certificates"]
        )
        return b"".join(pem.armor("CERTIFICATE", each) for each in found)
    except Exception as fault:  # pyHanko raises errors of many kinds for a damaged file
        raise BrokenSeal("the PDF or its signature is damaged") from fault


def _signed_data(signature: EmbeddedPdfSignature) -> Iterator[cms.SignedData]:
    """Yield what the signature and its time stamps have signed, with their certificates."""
    yield signature.signed_data
    for attribute in signature.signer_info["unsigned_attrs"]:
        if attribute["type"].native == "signature_time_stamp_token":
            for token in attribute["values"]:
                yield token["content"]


def check(pdf: bytes, trusted: Path | None) -> ReportSeal | None:
    """Check the signature; None for a PDF without one. Raise BrokenSeal, OSError.

    `trusted` is a PEM file of the trust anchors of the signature and the time stamp.
    """
    anchors = [] if trusted is None else list(load_certs_from_pemder([str(trusted)]))
    try:
        reader = PdfFileReader(io.BytesIO(pdf))
        signatures = reader.embedded_signatures
        if not signatures:
            return None
        (signature,) = signatures
        store = DocumentSecurityStore.read_dss(reader) if "/DSS" in reader.root else None
        seal = _seal_of(signature, _context(store))
        if anchors:
            # Certificates expire: what counts is the time of the time stamp.
            context = _context(store, trust_roots=anchors, moment=seal.stamped_at)
            seal = _seal_of(signature, context)
        return seal if anchors else replace(seal, trusted=None)
    except Exception as fault:  # pyHanko raises errors of many kinds for a damaged file
        if isinstance(fault, BrokenSeal):
            raise
        raise BrokenSeal("the PDF or its signature is damaged") from fault


def signed_content(message: bytes) -> tuple[bytes, str]:
    """Return the content of a CMS message with a valid signature, and the SHA-256 of the signer's
    certificate, hexadecimal. Raise BrokenSeal.
    """
    try:
        data = cms.ContentInfo.load(message, strict=True)["content"]
        content: bytes = data["encap_content_info"]["content"].native
        certificate = extract_certificate_info(data).signer_cert
        intact, valid = validate_sig_integrity(
            extract_signer_info(data),
            certificate,
            expected_content_type="data",
            actual_digest=sha256(content).digest(),
        )
        fingerprint: str = certificate.sha256.hex()
    except Exception as fault:  # pyHanko raises errors of many kinds for a damaged message
        raise BrokenSeal("the signed message is damaged") from fault
    if not (intact and valid):
        raise BrokenSeal("the message is not what was signed")
    return content, fingerprint


def _context(store: DocumentSecurityStore | None, **options: Any) -> ValidationContext:
    """A context with the revocation data of the file, that downloads nothing."""
    options = {"trust_roots": [], "allow_fetching": False, **options}
    if store is None:
        return ValidationContext(**options)
    return store.as_validation_context(options)


def _seal_of(signature: EmbeddedPdfSignature, context: ValidationContext) -> ReportSeal:
    status = asyncio.run(async_validate_pdf_signature(signature, context, context))
    covers_everything = status.coverage is not None and status.coverage.name == "ENTIRE_FILE"
    if not (status.intact and status.valid and covers_everything):
        raise BrokenSeal("the PDF is not what was signed")
    stamp = status.timestamp_validity
    if stamp is None or not (stamp.intact and stamp.valid):
        # The service stamps every seal. The stamp is outside of what the signature covers, so it
        # could be removed or exchanged.
        raise BrokenSeal("its time stamp is missing, or not valid")
    _check_unsigned_bytes(signature)
    return ReportSeal(
        status.signing_cert.subject.human_friendly,
        status.signing_cert.sha256.hex(),
        stamp.timestamp,
        stamp.signing_cert.subject.human_friendly,
        stamp.signing_cert.sha256.hex(),
        status.bottom_line,
    )


def _check_unsigned_bytes(signature: EmbeddedPdfSignature) -> None:
    """Check the only bytes of the PDF that no signature covers: the place of the signature itself.

    They are its hexadecimal form, filled up with zeros. Raise BrokenSeal.
    """
    first, length, second, _ = (int(number) for number in signature.byte_range)
    file = signature.reader.stream
    file.seek(first + length)
    written = file.read(second - first - length)
    # Parsed, so that the zeros after it are no part of it.
    encoded = cms.ContentInfo.load(signature.pkcs7_content).dump()
    if written != b"<" + encoded.hex().upper().encode().ljust(len(written) - 2, b"0") + b">":
        raise BrokenSeal("the bytes around its signature are not those that were written")
