"""What an engine process is asked to do.

The engine is imported in those processes alone: importing it takes more than a second, which the
API and the worker's own process need not spend.
"""

from collections.abc import Sequence
from typing import Final

from acredita.domain.documents import PageReading
from acredita.domain.documents.licence_templates import LicenceTemplate

ENGINE_VERSION: Final = "documents-4 rapidocr-3.10 ppocr-v6"


def warm_up(threads: int) -> None:
    """Load the models, with so many CPU threads a reading; the pool's initializer."""
    from acredita.engines.documents import read  # noqa: PLC0415

    read.warm_up(threads)


def shows_document(data: bytes, mime_type: str) -> bool:
    """Whether a selfie shows a known document. Raise Undecodable."""
    from acredita.engines.documents import read  # noqa: PLC0415

    return read.shows_document(data, mime_type)


def read_pages(
    data: bytes, mime_type: str, licence_templates: Sequence[LicenceTemplate] = ()
) -> list[PageReading]:
    """One reading for an image, one a page for a PDF. Raise Undecodable."""
    from acredita.engines.documents import read  # noqa: PLC0415

    return read.read_pages(data, mime_type, licence_templates)
