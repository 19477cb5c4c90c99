"""Lay out a package: the documents, then the certificate of evidence."""

from collections.abc import Iterator
from typing import Final

from acredita.engines.signing.blocks import Paragraph, Run, Style, Table
from acredita.engines.signing.markup import blocks_of
from acredita.engines.signing.package import Certificate, Package, PackageDocument
from acredita.engines.signing.pages import (
    LEADING,
    SIZE,
    SMALL,
    Pages,
    Part,
    Row,
    picture_of,
    rows_of,
    text_rows,
)
from acredita.engines.signing.typefaces import Spelling

WIDEST_DRAWING: Final = 220.0
HIGHEST_DRAWING: Final = 90.0
REPLACED_NOTE: Final = (
    "Caracteres que la tipografía no tiene, mostrados como �: {}. El texto exacto está en los"
    " archivos adjuntos de este PDF."
)


def lay_out(package: Package, *, most_pages: int) -> tuple[list[list[Part]], int]:
    """(pages, number of replaced characters). Raise PackageTooLong."""
    pages = Pages(most_pages)
    replaced = 0
    for number, document in enumerate(package.documents, start=1):
        spelling = Spelling((document.title, document.content))
        replaced += spelling.replaced(document.content)
        pages.new_page()
        pages.extend(_heading(document, spelling, f"{number} de {len(package.documents)}"))
        pages.extend(rows_of(blocks_of(document.content, document.format), spelling))
    pages.new_page()
    pages.extend(_certificate(package, replaced))
    return pages.pages, replaced


def _heading(document: PackageDocument, spelling: Spelling, place: str) -> Iterator[Row]:
    title = Paragraph([Run(document.title)], heading=1)
    yield from rows_of([title], spelling)
    note = f"Documento {place}   ·   SHA-256 {document.sha256}"
    yield from text_rows(note, spelling, size=SMALL)
    yield Row(LEADING, SIZE, (), ruled=True)


def _certificate(package: Package, replaced: int) -> Iterator[Part]:
    certificate = package.certificate
    spelling = Spelling(_texts(package, certificate))
    yield from rows_of([Paragraph([Run(package.heading)], heading=1)], spelling)
    if package.drawing:
        yield picture_of(package.drawing, widest=WIDEST_DRAWING, highest=HIGHEST_DRAWING)
        yield Row(2.0, SIZE, ())
    yield from text_rows(package.signer, spelling, style=Style.BOLD)
    for heading, facts in certificate.sections:
        yield from rows_of([Paragraph([Run(heading)], heading=4)], spelling)
        yield from rows_of([_table_of(facts)], spelling)
    statements = [*certificate.statements, *([REPLACED_NOTE.format(replaced)] if replaced else [])]
    yield from rows_of([Paragraph([Run(text)]) for text in statements], spelling)


def _table_of(facts: tuple[tuple[str, str], ...]) -> Table:
    rows = [[[Run(label, Style.BOLD)], [Run(value)]] for label, value in facts]
    return Table(rows, shares=(1.0, 2.6))


def _texts(package: Package, certificate: Certificate) -> Iterator[str]:
    yield package.heading
    yield package.signer
    yield REPLACED_NOTE
    yield from certificate.statements
    for heading, facts in certificate.sections:
        yield heading
        for fact in facts:
            yield from fact
