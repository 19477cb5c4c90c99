"""POST /v2/identities/{id}/send-input: files by the names that a list of inputs gives them."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any
from uuid import UUID

from pydantic.alias_generators import to_camel

from acredita.api import json_body
from acredita.api.metamap import STRUCTURE, BadRequest
from acredita.domain.caller import Caller
from acredita.domain.errors import (
    DomainError,
    ServiceUnavailable,
    UnsupportedFileType,
    ValidationFailed,
)
from acredita.domain.verification import DocumentRole
from acredita.engines.documents.inspection import InspectionBusy
from acredita.kit.uploads import Form, Limits, UploadedFile
from acredita.resources.documents import service as documents
from acredita.services import Services

# The parts that carry files; which of them says nothing that the inputs do not.
PARTS = ("document", "selfie", "video", "custom-document")
INPUTS = "inputs"
LIMITS = Limits(text_bytes=16 * 1024, passes_over_large=True)
MOST_INPUTS = 10
# Of a document's photo: by its type, else by its page.
PAGES = {"front": DocumentRole.FRONT, "back": DocumentRole.BACK}
PASSPORT_TYPES = {"passport"}
CARD_TYPES = {"national-id", "driving-license"}
ECHOED = ("type", "country", "region", "page", "filename")


@dataclass(frozen=True, slots=True)
class Input:
    input_type: str
    data: dict[str, Any]

    @property
    def echo(self) -> dict[str, Any]:
        """What the answer repeats of it."""
        named = {name: self.data[name] for name in ECHOED if name in self.data}
        return {"inputType": self.input_type, **named}

    @property
    def role(self) -> DocumentRole | None:
        """What the file is to us; None where we have no use for it."""
        if self.input_type == "selfie-photo":
            return DocumentRole.SELFIE
        if self.data.get("type") in PASSPORT_TYPES:
            return DocumentRole.PASSPORT
        if self.data.get("type") in CARD_TYPES:
            return PAGES.get(str(self.data.get("page", "front")))
        return None


class Refused(Exception):
    """Why one input was not taken; the others are."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(code)
        self.code, self.message = code, message


async def read_inputs(form: Form) -> list[Input]:
    """The list of inputs. Raise BadRequest, as the other API does for one that it does not know."""
    try:
        given = await json_body.parse(form.texts[INPUTS].encode())
    except ValidationFailed:
        raise BadRequest(STRUCTURE) from None
    if not isinstance(given, list) or not 0 < len(given) <= MOST_INPUTS:
        raise BadRequest(STRUCTURE)
    return [_input(item) for item in given]


def _input(item: Any) -> Input:
    data = item.get("data") if isinstance(item, dict) else None
    if not isinstance(data, dict) or not isinstance(item.get("inputType"), str):
        raise BadRequest(STRUCTURE)
    if item["inputType"] not in ("document-photo", "selfie-photo", "selfie-video"):
        raise BadRequest(f"No input strategy found for {item['inputType'][:100]}")
    return Input(item["inputType"], data)


async def take(
    services: Services,
    caller: Caller,
    verification_id: UUID,
    inputs: Sequence[Input],
    files: Sequence[UploadedFile],
) -> list[dict[str, Any]]:
    """Store what can be taken of the inputs, all of it or nothing; what became of each.

    Raise NotFound, VerificationClosed, ServiceUnavailable.
    """
    taken = []
    answers: list[dict[str, Any]] = []
    for each in inputs:
        try:
            taken.append(await _examine(services, each, files))
        except InspectionBusy:
            raise ServiceUnavailable from None
        except Refused as refusal:
            code = f"{to_camel(each.input_type.replace('-', '_'))}.{refusal.code}"
            error = {"type": "ValidationError", "code": code, "message": refusal.message}
            answers.append({"data": each.echo, "error": error})
        else:
            answers.append({"data": each.echo, "result": True})
    if taken:
        await documents.add_inspected(services, caller, verification_id, taken)
    return answers


async def _examine(
    services: Services, given: Input, files: Sequence[UploadedFile]
) -> tuple[str, UploadedFile, str]:
    """The role of an input, its file, and the type of the file's bytes. Raise Refused."""
    if given.input_type == "selfie-video":
        raise Refused("notSupported", "Videos are not judged here: liveness is asked in the flow.")
    if given.role is None:
        raise Refused("typeNotSupported", "Documents of this type or page are not read here.")
    file = _file(given, files)
    if file.is_too_large:
        raise Refused("fileTooLarge", "The file is larger than 10 MB.")
    try:
        return given.role, file, await documents.inspect(services, file)
    except UnsupportedFileType as fault:
        raise Refused("fileTypeNotSupported", fault.message) from None
    except ValidationFailed as fault:
        raise Refused("unreadable", _reason(fault)) from None


def _file(given: Input, files: Sequence[UploadedFile]) -> UploadedFile:
    wanted = given.data.get("filename")
    for file in files:
        if wanted and file.name in (wanted, PurePosixPath(str(wanted)).name):
            return file
    raise Refused("fileNotFound", "No part of the request is a file of this name.")


def _reason(fault: DomainError) -> str:
    detail = (fault.details or [""])[0]
    return f"The file {detail.partition(': ')[2]}."
