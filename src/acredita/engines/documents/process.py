"""The functions that run in engine processes.

Only these processes import the engine: the import takes more than a second, which the API and the
worker's main process save.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from acredita.domain.documents import PageReading
from acredita.domain.documents.licence_templates import LicenceTemplate
from acredita.domain.verification import DocumentRole

ENGINE_VERSION: Final = "documents-5 rapidocr-3.10 ppocr-v6"


def warm_up(threads: int, device: str = "cpu", shared: Path | None = None) -> None:
    """Load the models; each reading uses `threads` CPU threads. This is the pool's initializer.

    `device`: cpu or cuda. `shared`: see sessions.share_in. Raise DeviceMissing.
    """
    from acredita.engines import device as devices  # noqa: PLC0415
    from acredita.engines import sessions  # noqa: PLC0415
    from acredita.engines.documents import read  # noqa: PLC0415

    devices.choose(devices.Device(device))
    sessions.share_in(shared)
    read.warm_up(threads)


def shows_document(data: bytes, mime_type: str) -> bool:
    """Return whether a selfie (the bytes of an image file) shows a known document.

    Raise Undecodable.
    """
    from acredita.engines.documents import read  # noqa: PLC0415

    return read.shows_document(data, mime_type)


def read_pages(
    data: bytes,
    mime_type: str,
    licence_templates: Sequence[LicenceTemplate] = (),
    role: DocumentRole | None = None,
) -> list[PageReading]:
    """Return one reading for an image, or one per page of a PDF. Raise Undecodable.

    `data` are the bytes of the uploaded file. If an image shows several documents, the one that
    `role` requires is read.
    """
    from acredita.engines.documents import read  # noqa: PLC0415

    return read.read_pages(data, mime_type, licence_templates, role)
