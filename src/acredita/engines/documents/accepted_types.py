"""Which uploads are accepted: their types and their size in pixels. Imports no decoder."""

from typing import Final

MAX_PIXELS: Final = 50_000_000
PDF: Final = "application/pdf"
MAGIC: Final = {
    b"\xff\xd8\xff": "image/jpeg",
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"%PDF-": PDF,
}


class Undecodable(Exception):
    """The upload does not decode.

    `code` is one of UNSUPPORTED_FILE_TYPE, EMPTY_FILE, BROKEN_FILE, TOO_MANY_PIXELS,
    ENCRYPTED_FILE, TOO_MANY_PAGES, TOO_COMPLEX. The message never quotes the upload.
    """

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class CannotOpen(Exception):
    """The file is not accepted. `code` is one of those of `Undecodable` or of
    `cost.estimated_seconds`."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def mime_type_of(content: bytes) -> str | None:
    """Return the MIME type by the first bytes: one of the four accepted types, or None."""
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return "image/webp"
    return next((mime for magic, mime in MAGIC.items() if content.startswith(magic)), None)


def is_film(content: bytes) -> bool:
    """Return whether the first bytes are those of a film: MP4, MOV and 3GP, or WebM and MKV."""
    return content[4:8] == b"ftyp" or content.startswith(b"\x1a\x45\xdf\xa3")
