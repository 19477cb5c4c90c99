"""Group pages into documents: each front makes one, and a back joins the front it fits best."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from acredita.domain.documents import (
    curp_certificate,
    licence,
    passport,
    rfc_certificate,
    voter_card,
)
from acredita.domain.documents.kind_interface import DocumentRules, Sides
from acredita.domain.documents.pages import PageReading
from acredita.domain.documents.same_person import (
    Holder,
    Tie,
    holder_of,
    holder_of_back,
    tie_of_holders,
)

DOCUMENTS: Final = (
    passport.RULES,
    voter_card.RULES,
    licence.RULES,
    curp_certificate.RULES,
    rfc_certificate.RULES,
)
"""The rules of every kind of document. Of several documents, the earlier kind is preferred."""
_FIT: Final = (Tie.DIFFERENT, Tie.UNKNOWN, Tie.SAME)


@dataclass(frozen=True, slots=True)
class DocumentPages:
    """A document, by the indices of its pages in the sequence of all pages."""

    rules: DocumentRules
    front: int
    back: int | None = None

    @property
    def places(self) -> tuple[int, ...]:
        return (self.front,) if self.back is None else (self.front, self.back)


def gather_documents(
    pages: Sequence[PageReading], files: Sequence[Hashable], today: date
) -> list[DocumentPages]:
    """Return the documents among these pages; a back without a front belongs to none. `files` names
    the file of each page."""
    documents = [
        DocumentPages(rules, place)
        for rules in DOCUMENTS
        for place, page in enumerate(pages)
        if page.kind is rules.front
    ]
    free = [place for place, page in enumerate(pages) if _is_back(page)]
    whole = []
    for document in documents:
        back = _best_back(document, pages, files, free, today)
        if back is not None:
            free.remove(back)
        whole.append(replace(document, back=back))
    return whole


def _best_back(
    document: DocumentPages,
    pages: Sequence[PageReading],
    files: Sequence[Hashable],
    free: Sequence[int],
    today: date,
) -> int | None:
    """Return the index of the first free back that fits the front best."""
    holder = holder_of_front(pages[document.front], today)

    def fit(place: int) -> tuple[int, bool, bool]:
        tie = tie_of_back(holder, pages[place], today)
        same_file = files[place] == files[document.front]
        return _FIT.index(tie), pages[place].code is None, same_file

    backs = [place for place in free if pages[place].kind is document.rules.back]
    return max(backs, key=fit, default=None)


def holder_of_front(front: PageReading, today: date) -> Holder:
    """Return the holder by the front alone, because the back may be of another card."""
    rules = next(rules for rules in DOCUMENTS if rules.front is front.kind)
    return holder_of(rules.judge(Sides(front), today))


def tie_of_back(holder: Holder, back: PageReading, today: date) -> Tie:
    """Return whether a back names this holder; UNKNOWN if it has no legible zone."""
    named = holder_of_back(back, today)
    return Tie.UNKNOWN if named is None else tie_of_holders(holder, named)


def _is_back(page: PageReading) -> bool:
    return any(page.kind is rules.back for rules in DOCUMENTS)
