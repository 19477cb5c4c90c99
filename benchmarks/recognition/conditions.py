"""Unusable pictures: whether the verdict has the code of what is wrong with them.

Each picture is judged like an upload. A picture may pass if it is spoilt only a little and is still
read. A wrong value must never be accepted. `kinds` counts the good pages that are held up.

The faults are simulated: a screen is a grid of stripes, a copy is grey toner. It is not known how
well real screens and copies are detected.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from typing import Final

import cv2
import numpy as np

from acredita.domain.documents import DocumentOutcome, PageKind, judge
from acredita.domain.documents.picture_problems import misplaced
from acredita.domain.reasons import DocumentReason
from acredita.domain.verification import DocumentRole
from acredita.engines.documents import read_pages, warm_up
from acredita_synthetic.bad_pictures import Spoiling, side_by_side, spoil
from acredita_synthetic.capture import Capture, Difficulty, capture
from acredita_synthetic.ground_truth import SpecimenKind, person_truth
from acredita_synthetic.people import REFERENCE_DATE, CardModel, make_person, with_model
from acredita_synthetic.specimens import Specimen, draw_document
from benchmarks.recognition.documents import truth_of
from benchmarks.recognition.drawing import drawn, pictured
from benchmarks.recognition.report import Part, Scale, ratio, table

_LEAST_REPORTED: Final = 0.95
_BEFORE: Final = date(2012, 6, 1)
"""A day on which the expired passports were valid."""
_FRONT, _PASSPORT = SpecimenKind.INE_FRONT, SpecimenKind.PASSPORT
_ROLES: Final = {_FRONT: DocumentRole.FRONT, _PASSPORT: DocumentRole.PASSPORT}


@dataclass(frozen=True, slots=True)
class Upload:
    """A picture, its document, its role, and the documents that are accepted (None: any)."""

    taken: Capture
    kind: SpecimenKind
    role: DocumentRole
    truth: dict[str, str]
    asked: tuple[str, ...] | None = None


@dataclass
class Row:
    reported: dict[str, list[bool]] = field(default_factory=dict)
    passed: int = 0
    otherwise: list[str] = field(default_factory=list)


def _spoilt(how: Spoiling, seed: int, difficulty: Difficulty) -> Upload:
    kind, person = (_FRONT, _PASSPORT)[seed % 2], make_person(seed)
    taken = spoil(draw_document(kind, person).pixels, how, seed, difficulty=difficulty)
    return Upload(taken, kind, _ROLES[kind], truth_of(kind, {"person": person_truth(person)}))


def _wrong_side(seed: int, difficulty: Difficulty) -> Upload:
    back = draw_document(SpecimenKind.INE_BACK, make_person(seed)).pixels
    taken = capture(back, difficulty, seed, rounded=True)
    return Upload(taken, SpecimenKind.INE_BACK, DocumentRole.FRONT, {})


def _wrong_document(seed: int, difficulty: Difficulty) -> Upload:
    kind = (_FRONT, SpecimenKind.DRIVER_LICENCE)[seed % 2]
    taken = capture(draw_document(kind, make_person(seed)).pixels, difficulty, seed, rounded=True)
    if kind is _FRONT:
        return Upload(taken, kind, DocumentRole.PASSPORT, {})
    return Upload(taken, kind, DocumentRole.FRONT, {}, ("ine", "passport"))


def _two_documents(seed: int, difficulty: Difficulty) -> Upload:
    """Draw two documents on a table: PHOTO is photographed, HARD blurred, the rest scanned."""
    person, kinds = make_person(seed), (SpecimenKind.INE_BACK, _PASSPORT)
    first, second = (draw_document(kind, person).pixels for kind in (_FRONT, kinds[seed % 2]))
    both = side_by_side(first, second, seed)
    if difficulty is Difficulty.HARD:
        soft = np.asarray(cv2.GaussianBlur(both.pixels, (0, 0), 1.4), np.uint8)
        both = Capture(soft, both.corners, 50)
    elif difficulty is not Difficulty.PHOTO:
        both = capture(both.pixels, difficulty, seed)
    return Upload(both, _FRONT, DocumentRole.FRONT, {})


def _expired(seed: int, difficulty: Difficulty) -> Upload:
    if seed % 2:
        person, kind = with_model(make_person(seed), CardModel.D), _FRONT
    else:
        person, kind = make_person(seed, on=_BEFORE), _PASSPORT
    truth = truth_of(kind, {"person": person_truth(person)})
    taken = capture(draw_document(kind, person).pixels, difficulty, seed, rounded=kind is _FRONT)
    return Upload(taken, kind, _ROLES[kind], truth)


@dataclass(frozen=True, slots=True)
class Condition:
    """`sure`: the code must be reported, because the picture always shows the fault."""

    code: DocumentReason
    make: Callable[[int, Difficulty], Upload]
    sure: bool = False


CONDITIONS: Mapping[str, Condition] = {
    "too dark": Condition(DocumentReason.IMAGE_TOO_DARK, partial(_spoilt, Spoiling.DARK)),
    "over-exposed": Condition(
        DocumentReason.IMAGE_OVEREXPOSED, partial(_spoilt, Spoiling.OVEREXPOSED)
    ),
    "blurred": Condition(DocumentReason.IMAGE_BLURRED, partial(_spoilt, Spoiling.BLURRED)),
    "glare": Condition(DocumentReason.IMAGE_GLARE, partial(_spoilt, Spoiling.GLARE)),
    "too small": Condition(DocumentReason.IMAGE_TOO_SMALL, partial(_spoilt, Spoiling.SMALL)),
    "cut off": Condition(DocumentReason.DOCUMENT_CUT_OFF, partial(_spoilt, Spoiling.CUT)),
    "screen": Condition(DocumentReason.SCREEN_PHOTOGRAPHED, partial(_spoilt, Spoiling.SCREEN)),
    "copy": Condition(
        DocumentReason.BLACK_AND_WHITE_COPY, partial(_spoilt, Spoiling.COPY), sure=True
    ),
    "wrong side": Condition(DocumentReason.WRONG_SIDE, _wrong_side, sure=True),
    "wrong document": Condition(DocumentReason.WRONG_DOCUMENT, _wrong_document, sure=True),
    "two documents": Condition(DocumentReason.SEVERAL_DOCUMENTS, _two_documents, sure=True),
    "expired": Condition(DocumentReason.DOCUMENT_EXPIRED, _expired),
}


def make_upload(name: str, seed: int, difficulty: Difficulty) -> Specimen:
    upload = CONDITIONS[name].make(seed, difficulty)
    return pictured(
        upload.taken,
        condition=name,
        difficulty=difficulty.value,
        seed=seed,
        role=upload.role.value,
        asked=upload.asked,
        values=upload.truth,
    )


def measure(scale: Scale) -> Part:
    warm_up(2)
    part = Part("unusable pictures, drawn")
    seeds = range(scale.seed + 70_000, scale.seed + 70_000 + 2 * scale.rounds)
    orders = [
        partial(make_upload, name, seed, difficulty)
        for name in CONDITIONS
        for difficulty in Difficulty
        for seed in seeds
    ]
    rows = {name: Row() for name in CONDITIONS}
    wrong: list[str] = []
    for specimen in drawn(orders):
        _judge(specimen, rows[specimen.truth["condition"]], wrong)
    headings = ("", "code", *Difficulty, "reported", "passed", "another reason")
    part.lines += table([headings, *(_cells(name, row) for name, row in rows.items())])
    part.lines += [
        f"{name}, held up for another reason: {what}"
        for name, row in rows.items()
        for what in row.otherwise
    ]
    part.lines += wrong
    for name, condition in CONDITIONS.items():
        if condition.sure:
            reported = [each for some in rows[name].reported.values() for each in some]
            part.at_least(f"{name}, reported", sum(reported), len(reported), _LEAST_REPORTED)
    # The year of a hard picture may be illegible. It then goes to a reviewer and does not pass.
    part.at_most("expired, passed", rows["expired"].passed, 0)
    part.at_most("wrong values accepted", len(wrong), 0)
    return part


def _judge(specimen: Specimen, row: Row, wrong: list[str]) -> None:
    truth = specimen.truth
    (page,) = read_pages(specimen.image_bytes, specimen.mime_type)
    against = misplaced([(DocumentRole(truth["role"]), page)], truth["asked"])
    verdict = judge([page], REFERENCE_DATE, against=against)
    is_reported = CONDITIONS[truth["condition"]].code in verdict.reasons
    row.reported.setdefault(truth["difficulty"], []).append(is_reported)
    if not is_reported:
        if verdict.outcome is DocumentOutcome.PASSED:
            row.passed += 1
        else:
            kind = "" if page.kind is PageKind.UNKNOWN else page.kind
            row.otherwise.append(f"{truth['difficulty']} {truth['seed']} {kind} {verdict.code}")
    wrong += [
        f"wrong but accepted: {truth['condition']} {truth['difficulty']} {truth['seed']} "
        f"{each.field}: {each.value} for {truth['values'][each.field]}"
        for each in verdict.fields
        if each.accepted and truth["values"].get(each.field, each.value) != each.value
    ]


def _cells(name: str, row: Row) -> tuple[str, ...]:
    reported = [each for some in row.reported.values() for each in some]
    by_difficulty = (f"{sum(some)}/{len(some)}" for some in row.reported.values())
    return (
        name,
        CONDITIONS[name].code,
        *by_difficulty,
        ratio(sum(reported), len(reported)),
        str(row.passed),
        str(len(row.otherwise)),
    )
