"""POST /v2/identities/{id}/send-input: a list of inputs, each with the name of its file."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any
from uuid import UUID

from pydantic.alias_generators import to_camel

from acredita.domain.caller import Caller
from acredita.domain.errors import (
    DomainError,
    ServiceUnavailable,
    UnsupportedFileType,
    ValidationFailed,
)
from acredita.domain.verification import DocumentRole
from acredita.engines.documents.inspection import Inspection, InspectionBusy
from acredita.kit.upload_limits import LARGEST_FILE, MOST_FILES, Limits, UploadedFile
from acredita.models import Document, Media
from acredita.ports import Intake
from acredita.resources.documents import service as documents
from acredita.resources.files.service import inspect
from acredita.resources.metamap import films
from acredita.resources.metamap.document_types import role_of_photo

# The multipart parts with files. The part's name is ignored: the inputs give the roles.
PARTS = ("document", "selfie", "video", "custom-document")
INPUTS = "inputs"
LARGEST_FILM = 20 * 1024 * 1024
LIMITS = Limits(
    file_bytes=LARGEST_FILM,
    text_bytes=16 * 1024,
    passes_over_large=True,
    takes_numbered=True,
    # One film beside photos.
    total_bytes=(MOST_FILES - 1) * LARGEST_FILE + LARGEST_FILM,
)
MOST_INPUTS = 10
VIDEO = "selfie-video"
INPUT_TYPES = ("document-photo", "selfie-photo", VIDEO)
REPEATED_KEYS = ("type", "country", "region", "page", "filename")


@dataclass(frozen=True, slots=True)
class Input:
    input_type: str
    data: dict[str, Any]

    @property
    def repeated_data(self) -> dict[str, Any]:
        """The part of the input that the response repeats."""
        named = {name: self.data[name] for name in REPEATED_KEYS if name in self.data}
        return {"inputType": self.input_type, **named}

    @property
    def role(self) -> DocumentRole | None:
        """The role of the file; None if it is not supported."""
        if self.input_type == "selfie-photo":
            return DocumentRole.SELFIE
        return role_of_photo(self.data)


class InputRejected(Exception):
    """One input is rejected. The others are processed."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(code)
        self.code, self.message = code, message


async def store_inputs(
    services: Intake,
    caller: Caller,
    verification_id: UUID,
    inputs: Sequence[Input],
    files: Sequence[UploadedFile],
) -> list[dict[str, Any]]:
    """Store the acceptable photos and the film, all or none. Return the result of each input.

    Raise NotFound, VerificationClosed, ServiceUnavailable.
    """
    accepted = []
    film: tuple[UploadedFile, list[bytes]] | None = None
    answers: list[dict[str, Any]] = []
    for each in inputs:
        try:
            if each.input_type == VIDEO:
                film = await _check_film(services.inspection, caller, each, files)
            else:
                accepted.append(await _check_photo(services.inspection, caller, each, files))
        except InspectionBusy:
            raise ServiceUnavailable from None
        except InputRejected as refusal:
            code = f"{to_camel(each.input_type.replace('-', '_'))}.{refusal.code}"
            error = {"type": "ValidationError", "code": code, "message": refusal.message}
            answers.append({"data": each.repeated_data, "error": error})
        else:
            answers.append({"data": each.repeated_data, "result": True})
    made: list[tuple[Document, bytes]] = []
    pictures: list[tuple[Media, bytes]] = []
    if film is not None:
        has_selfie = any(role == DocumentRole.SELFIE for role, *_ in accepted)
        made, pictures = await films.made_of_film(
            services, caller, verification_id, *film, with_selfie=has_selfie
        )
    if accepted or made:
        # In one transaction: the first upload may have all inputs.
        await documents.add_inspected(
            services, caller, verification_id, accepted, made=made, pictures=pictures
        )
    return answers


async def _check_photo(
    inspection: Inspection, caller: Caller, given: Input, files: Sequence[UploadedFile]
) -> tuple[str, UploadedFile, str]:
    """Return the role of an input, its file and the file's media type. Raise InputRejected."""
    if given.role is None:
        raise InputRejected("typeNotSupported", "Documents of this type or page are not read here.")
    file = _find_file(given, files, most=LARGEST_FILE)
    with _rejections():
        return given.role, file, await inspect(inspection, caller, file)


async def _check_film(
    inspection: Inspection, caller: Caller, given: Input, files: Sequence[UploadedFile]
) -> tuple[UploadedFile, list[bytes]]:
    """Return a film and its frames. Raise InputRejected."""
    file = _find_file(given, files, most=LARGEST_FILM)
    with _rejections():
        return file, await films.take_frames(inspection, caller, file)


@contextmanager
def _rejections() -> Iterator[None]:
    """Turn the faults of one file into InputRejected."""
    try:
        yield
    except UnsupportedFileType as fault:
        raise InputRejected("fileTypeNotSupported", fault.message) from None
    except ValidationFailed as fault:
        raise InputRejected("unreadable", _reason(fault)) from None


def _find_file(given: Input, files: Sequence[UploadedFile], *, most: int) -> UploadedFile:
    """`most`: bytes. Raise InputRejected."""
    wanted = given.data.get("filename")
    for file in files:
        if wanted and file.name in (wanted, PurePosixPath(str(wanted)).name):
            if file.is_too_large or file.size > most:
                raise InputRejected(
                    "fileTooLarge", f"The file is larger than {most // 1024**2} MB."
                )
            return file
    raise InputRejected("fileNotFound", "No part of the request is a file of this name.")


def _reason(fault: DomainError) -> str:
    detail = (fault.details or [""])[0]
    return f"The file {detail.partition(': ')[2]}."
