"""The subject of a verification: all of its evidence must be about this one person.

The first step that judges documents establishes the subject: the pages of the judged document, its
fields and its portrait. Every later step refers to it, in any order of the workflow, and adds the
faces that it compared. When all steps have ended, `find_doubts` checks that they concern the same
person, because each step alone may pass with another person.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Final
from uuid import UUID

from acredita.domain import faces
from acredita.domain.documents.calibration import Calibration
from acredita.domain.documents.gazetteer import Gazetteer
from acredita.domain.documents.judging import DocumentJudgement, judge
from acredita.domain.documents.pages import PageKind, PageReading, Portrait
from acredita.domain.documents.same_person import Holder, Tie, holder_from_fields, tie_of_holders
from acredita.domain.liveness.challenge import FACE_CHANGED
from acredita.domain.reasons import (
    CreditReason,
    DocumentReason,
    FaceReason,
    LivenessReason,
    ProofReason,
    ReasonCode,
    RegistryReason,
    WatchlistReason,
)
from acredita.domain.steps import (
    AML_SCREEN,
    CREDIT,
    DOCUMENT_OCR,
    FACE_MATCH,
    GOVERNMENT_VERIFY,
    LIVENESS,
    PROOF_OF_ADDRESS,
)
from acredita.domain.verification import DocumentRole, StepType

# The types of the steps that judge the documents, the one that reads them first. This rule and
# `doubts` name types of steps: one person's evidence is what those steps compare with each other.
JUDGING: Final = (DOCUMENT_OCR, FACE_MATCH)


@dataclass(frozen=True, slots=True)
class Page:
    """One page of an uploaded file; `number` counts from 0."""

    document_id: UUID
    number: int


@dataclass(frozen=True, slots=True)
class UploadedPage:
    """The reading of one page of a file in a role."""

    document_id: UUID
    role: DocumentRole
    number: int
    reading: PageReading


@dataclass(frozen=True, slots=True)
class Field:
    """The value of one field of the document, and whether it was accepted."""

    value: str
    accepted: bool


@dataclass(frozen=True, slots=True)
class Face:
    """A face that a step compared (see `faces.Described`); `document_id` is the file that shows
    it."""

    document_id: UUID
    embedding: tuple[float, ...]
    version: str
    scale: faces.Scale = ()


@dataclass(frozen=True, slots=True)
class Subject:
    """The person that the verification is about.

    `pages` are those of the judged document, the front first; empty until a document is judged.
    `page_codes` are the codes of further pages that do not belong to this person. `portrait` is on
    the front. `selfie` is the face that FACE_MATCH compared with the portrait. `living` is the face
    that LIVENESS judged.
    """

    kind: PageKind | None = None
    pages: tuple[Page, ...] = ()
    fields: Mapping[str, Field] = field(default_factory=dict)
    portrait: Portrait | None = None
    page_codes: tuple[str, ...] = ()
    selfie: Face | None = None
    living: Face | None = None

    @property
    def is_established(self) -> bool:
        """Whether a step has judged documents, with any result."""
        return self.kind is not None

    @property
    def holder(self) -> Holder:
        return holder_from_fields(
            {name: (said.value, said.accepted) for name, said in self.fields.items()}
        )


def judge_pages(
    pages: Sequence[UploadedPage],
    today: date,
    calibration: Calibration | None = None,
    *,
    against: Collection[DocumentReason] = (),
    former: Subject | None = None,
    required: Collection[str] = (),
    gazetteer: Gazetteer | None = None,
) -> DocumentJudgement:
    """Judge all pages together. The document of the former subject stays the judged document.
    `required` names fields that must be accepted beside those of the document's rules. A
    `gazetteer` confirms addresses and places of birth.
    """
    chosen = None
    if former is not None and former.pages:
        places = [Page(page.document_id, page.number) for page in pages]
        chosen = places.index(former.pages[0]) if former.pages[0] in places else None
    return judge(
        [page.reading for page in pages],
        today,
        calibration,
        against,
        files=[page.document_id for page in pages],
        chosen=chosen,
        required=required,
        gazetteer=gazetteer,
    )


def establish(
    verdict: DocumentJudgement, pages: Sequence[UploadedPage], former: Subject
) -> Subject:
    """Return the person that the judged document names, with the faces of the former subject."""
    judged = [pages[place] for place in verdict.judged]
    return replace(
        former,
        kind=verdict.kind,
        pages=tuple(Page(page.document_id, page.number) for page in judged),
        fields={
            finding.field: Field(finding.value, finding.accepted)
            for finding in verdict.fields
            if finding.value is not None
        },
        portrait=judged[0].reading.portrait if judged else None,
        page_codes=tuple(sorted({code.value for code in verdict.page_codes.values()})),
    )


@dataclass(frozen=True, slots=True)
class Doubt:
    """A code against one person, and the type of the step that goes to review for it."""

    step: StepType
    code: ReasonCode


# The codes of steps that asked about another person than the document shows.
ASKED_ABOUT_ANOTHER: Mapping[StepType, ReasonCode] = {
    GOVERNMENT_VERIFY: RegistryReason.REGISTRY_PERSON_DIFFERS,
    AML_SCREEN: WatchlistReason.WATCHLIST_NAME_UNCERTAIN,
    CREDIT: CreditReason.CREDIT_PERSON_DIFFERS,
    PROOF_OF_ADDRESS: ProofReason.PROOF_NOT_COMPARED,
}
# Codes of evidence that shows two people, or an imitation of one.
AGAINST_ONE_PERSON: frozenset[ReasonCode] = frozenset(
    {
        CreditReason.CREDIT_PERSON_DIFFERS,
        DocumentReason.DOCUMENTS_OF_DIFFERENT_PEOPLE,
        FaceReason.FACE_MISMATCH,
        FaceReason.PORTRAITS_DIFFER,
        FaceReason.SELFIE_COPIES_PORTRAIT,
        FaceReason.SELFIE_SHOWS_DOCUMENT,
        LivenessReason.LIVENESS_FACE_CHANGED,
        LivenessReason.LIVENESS_FRAMES_REPEATED,
        LivenessReason.LIVENESS_PORTRAIT_MISMATCH,
        LivenessReason.LIVENESS_SELFIE_MISMATCH,
        RegistryReason.REGISTRY_PERSON_DIFFERS,
    }
)


def find_doubts(
    subject: Subject,
    judged: Collection[StepType],
    passed: Collection[StepType],
    asked_about: Mapping[StepType, Holder],
) -> Iterator[Doubt]:
    """Yield the contradictions between steps, which no single step detects.

    `judged` are the types of the steps that passed or went to review; `passed` are the former.
    `asked_about` is, by step, the person of the registry or watchlist queries that ran before a
    document was judged; a step that asked about the subject is absent.
    """
    if LIVENESS in judged and subject.living is not None:
        code = _doubt_about_face(subject, subject.living, passed)
        if code is not None:
            yield Doubt(LIVENESS, code)
    for step, holder in asked_about.items():
        if subject.pages and tie_of_holders(holder, subject.holder) is not Tie.SAME:
            yield Doubt(step, ASKED_ABOUT_ANOTHER[step])


def _doubt_about_face(
    subject: Subject, living: Face, passed: Collection[StepType]
) -> LivenessReason | None:
    """Return the code if the living face differs from the matched selfie, or, without a selfie,
    from the portrait."""
    if subject.selfie is not None:
        if faces.distance(living, subject.selfie) > FACE_CHANGED:
            return LivenessReason.LIVENESS_SELFIE_MISMATCH
        return None
    if not subject.pages or FACE_MATCH in passed:
        return None
    portrait = subject.portrait
    if portrait is None:
        return LivenessReason.LIVENESS_PORTRAIT_NOT_FOUND
    likeness = faces.judge(faces.distance(living, portrait))
    return None if likeness.band is faces.Band.MATCH else LivenessReason.LIVENESS_PORTRAIT_MISMATCH
