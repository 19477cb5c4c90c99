"""The ZIP of an evidence file. Equal members make equal bytes, so that any changed byte shows."""

import io
import re
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Final

import orjson

from acredita.domain.audit import canonical

FORMAT: Final = "acredita-evidence/1"
RECORD: Final = "record.json"
AUDIT: Final = "audit.json"
# Only where a rule of the policy reads personal data.
PERSONAL: Final = "personal.json"
# The segment's head, signed with the certificate of the report (CMS with its content, DER).
HEAD: Final = "head.p7m"
MANIFEST: Final = "manifest.json"
REPORT: Final = "report.pdf"
# Of the report's signature and time stamp, for readers without a tool for PAdES.
CERTIFICATES: Final = "certificates.pem"
# In the format of `sha256sum --check`, which many systems have.
SUMS: Final = "SHA256SUMS"
REQUIRED: Final = (RECORD, AUDIT, MANIFEST, REPORT, SUMS)
ORDER: Final = (RECORD, PERSONAL, AUDIT, HEAD, MANIFEST, REPORT, CERTIFICATES, SUMS)
# An uploaded file, where it was asked for: by the id that it has in the record's `inputs`.
_IMAGE: Final = re.compile(r"images/([0-9a-f-]{36})\.(?:jpg|png|webp|pdf|bin)")
_EXTENSIONS: Final = {
    "image/jpeg": "jpg",
    "image/png": "png",
    "image/webp": "webp",
    "application/pdf": "pdf",
}
MOST_IMAGES: Final = 200
# The members that an error names.
MOST_NAMED: Final = 5
# Bytes. The report has some pages, and an audit segment of 10,000 entries has 10 MB.
LARGEST: Final = 64 * 1024 * 1024


class NotEvidence(Exception):
    """The file is no evidence file, or a byte of it changed. The message says what is wrong."""


def image_name(file_id: str, mime_type: str) -> str:
    """Return the name of an uploaded file's member."""
    return f"images/{file_id}.{_EXTENSIONS.get(mime_type, 'bin')}"


def images_of(members: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the uploaded files by their ids."""
    found = ((_IMAGE.fullmatch(name), content) for name, content in members.items())
    return {match[1]: content for match, content in found if match is not None}


def _in_order(names: Iterable[str]) -> list[str]:
    """Return the names in the order of the file: the images come last."""
    present = set(names)
    return [name for name in ORDER if name in present] + sorted(present - set(ORDER))


def manifest_of(members: Mapping[str, bytes]) -> bytes:
    """Return the manifest: the SHA-256 of each member that the report's signature must cover."""
    files = {
        name: sha256(content).hexdigest()
        for name, content in members.items()
        if name not in {MANIFEST, REPORT, CERTIFICATES, SUMS}
    }
    return canonical({"format": FORMAT, "files": files}).encode()


def pack(members: Mapping[str, bytes]) -> bytes:
    """Return the ZIP of the members, all but SHA256SUMS, which is added."""
    everything = {**members, SUMS: _sums_of(members)}
    output = io.BytesIO()
    with zipfile.ZipFile(output, "w", zipfile.ZIP_STORED) as archive:
        for name in _in_order(everything):
            archive.writestr(_entry(name), everything[name])
    return output.getvalue()


def unpack(content: bytes) -> dict[str, bytes]:
    """Return the members, all but SHA256SUMS, after comparing every byte. Raise NotEvidence."""
    if len(content) > LARGEST:
        raise NotEvidence("it is too large for an evidence file")
    try:
        members = _read_members(content)
    except NotEvidence:
        raise
    except Exception as fault:  # zipfile raises errors of many kinds for a damaged file
        raise NotEvidence("it is damaged, or no ZIP file") from fault
    _check_digests(members.pop(SUMS), members)
    if pack(members) != content:
        raise NotEvidence(
            "bytes outside of its members changed: the ZIP file is not the one that the service"
            " wrote"
        )
    return members


def _check_digests(sums: bytes, members: Mapping[str, bytes]) -> None:
    """Raise NotEvidence with the names of the members that changed."""
    listed = sums.splitlines(keepends=True)
    changed = [name for name, content in members.items() if _sum_of(name, content) not in listed]
    if changed:
        raise NotEvidence(f"{_shown(changed)}: not the SHA-256 in {SUMS}")
    if sums != _sums_of(members):
        raise NotEvidence(f"{SUMS} changed: it has other lines than one for each member")
    expected = manifest_of(members)
    if members[MANIFEST] != expected:
        digests = orjson.loads(expected)["files"]
        changed = [name for name, digest in digests.items() if not _has(members[MANIFEST], digest)]
        raise NotEvidence(f"{_shown(changed or [MANIFEST])}: not the SHA-256 in {MANIFEST}")


def _has(manifest: bytes, digest: str) -> bool:
    return digest.encode() in manifest


def _shown(names: Sequence[str]) -> str:
    more = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _read_members(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        listed = archive.infolist()
        names = [entry.filename for entry in listed]
        others = [name for name in set(names) - set(ORDER) if not _IMAGE.fullmatch(name)]
        most = len(ORDER) + MOST_IMAGES
        if others or set(REQUIRED) - set(names) or len(names) > most:
            raise NotEvidence("its members are not those of an evidence file")
        if sum(entry.file_size for entry in listed) > LARGEST:
            raise NotEvidence("it is too large for an evidence file")
        return {entry.filename: _read_member(archive, entry) for entry in listed}


def _read_member(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    try:
        return archive.read(entry)
    except Exception as fault:
        raise NotEvidence(f"{entry.filename} is damaged") from fault


def _sums_of(members: Mapping[str, bytes]) -> bytes:
    return b"".join(_sum_of(name, members[name]) for name in _in_order(members))


def _sum_of(name: str, content: bytes) -> bytes:
    return f"{sha256(content).hexdigest()}  {name}\n".encode()


def _entry(name: str) -> zipfile.ZipInfo:
    """Return a member's header without anything of the machine that writes it."""
    entry = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
    entry.create_system = 3
    entry.external_attr = 0o644 << 16
    return entry
