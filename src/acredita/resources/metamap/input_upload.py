"""POST /v2/identities/{id}/send-input: a list of inputs, each with the name of its file."""

from collections.abc import Sequence
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
from acredita.kit.upload_limits import Limits, UploadedFile
from acredita.ports import Intake
from acredita.resources.documents import service as documents
from acredita.resources.files.service import inspect
from acredita.resources.metamap.document_types import role_of_photo

# The multipart parts with files. The part's name is ignored: the inputs give the roles.
PARTS = ("document", "selfie", "video", "custom-document")
INPUTS = "inputs"
LIMITS = Limits(text_bytes=16 * 1024, passes_over_large=True)
MOST_INPUTS = 10
INPUT_TYPES = ("document-photo", "selfie-photo", "selfie-video")
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
    """Store the acceptable inputs atomically. Return the result of each input.

    Raise NotFound, VerificationClosed, ServiceUnavailable.
    """
    accepted = []
    answers: list[dict[str, Any]] = []
    for each in inputs:
        try:
            accepted.append(await _check_input(services.inspection, caller, each, files))
        except InspectionBusy:
            raise ServiceUnavailable from None
        except InputRejected as refusal:
            code = f"{to_camel(each.input_type.replace('-', '_'))}.{refusal.code}"
            error = {"type": "ValidationError", "code": code, "message": refusal.message}
            answers.append({"data": each.repeated_data, "error": error})
        else:
            answers.append({"data": each.repeated_data, "result": True})
    if accepted:
        await documents.add_inspected(services, caller, verification_id, accepted)
    return answers


async def _check_input(
    inspection: Inspection, caller: Caller, given: Input, files: Sequence[UploadedFile]
) -> tuple[str, UploadedFile, str]:
    """Return the role of an input, its file and the file's media type. Raise InputRejected."""
    if given.input_type == "selfie-video":
        raise InputRejected(
            "notSupported", "Videos are not judged here: liveness is asked in the flow."
        )
    if given.role is None:
        raise InputRejected("typeNotSupported", "Documents of this type or page are not read here.")
    file = _find_file(given, files)
    if file.is_too_large:
        raise InputRejected("fileTooLarge", "The file is larger than 10 MB.")
    try:
        return given.role, file, await inspect(inspection, caller, file)
    except UnsupportedFileType as fault:
        raise InputRejected("fileTypeNotSupported", fault.message) from None
    except ValidationFailed as fault:
        raise InputRejected("unreadable", _reason(fault)) from None


def _find_file(given: Input, files: Sequence[UploadedFile]) -> UploadedFile:
    wanted = given.data.get("filename")
    for file in files:
        if wanted and file.name in (wanted, PurePosixPath(str(wanted)).name):
            return file
    raise InputRejected("fileNotFound", "No part of the request is a file of this name.")


def _reason(fault: DomainError) -> str:
    detail = (fault.details or [""])[0]
    return f"The file {detail.partition(': ')[2]}."
