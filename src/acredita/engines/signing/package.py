"""What a package is made of: plain data, which goes to the process that composes it."""

from dataclasses import dataclass
from enum import StrEnum


class ContentFormat(StrEnum):
    TEXT = "text"
    MARKDOWN = "markdown"
    HTML = "html"


@dataclass(frozen=True, slots=True)
class PackageDocument:
    title: str
    content: str
    format: ContentFormat
    # Of the content in UTF-8, in hexadecimal.
    sha256: str


@dataclass(frozen=True, slots=True)
class Certificate:
    """The page of evidence: a heading's facts as (label, value), then the statements below it."""

    sections: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
    statements: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Package:
    id: str
    documents: tuple[PackageDocument, ...]
    signer: str
    # The drawn signature as JPEG; empty: none.
    drawing: bytes
    certificate: Certificate


@dataclass(frozen=True, slots=True)
class ComposedPackage:
    """The PDF before its signature."""

    pdf: bytes
    pages: int
    # Characters that no typeface here has: a replacement stands in the place of each.
    replaced: int


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file within the PDF, signed with it."""

    name: str
    description: str
    content: bytes


class Level(StrEnum):
    B_T = "PAdES-B-T"
    B_LT = "PAdES-B-LT"


@dataclass(frozen=True, slots=True)
class SignedPdf:
    content: bytes
    level: Level
