"""Data types of a package. They are plain data, because they cross process boundaries."""

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
    # SHA-256 of the content in UTF-8, hexadecimal.
    sha256: str


@dataclass(frozen=True, slots=True)
class Certificate:
    """The page of evidence: sections of (heading, facts as (label, value)), then statements."""

    sections: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
    statements: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Package:
    id: str
    documents: tuple[PackageDocument, ...]
    signer: str
    # The drawn signature as JPEG; empty if there is none.
    drawing: bytes
    certificate: Certificate
    # The heading of the certificate, and what the foot of each page calls the id.
    heading: str = "Certificado de evidencia de firma electrónica"
    id_label: str = "Paquete"


@dataclass(frozen=True, slots=True)
class ComposedPackage:
    """The PDF before it is signed."""

    pdf: bytes
    pages: int
    # Number of characters that no typeface has. A replacement character stands for each.
    replaced: int


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file embedded in the PDF. The signature covers it."""

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
