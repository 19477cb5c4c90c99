"""Classification of every kind of document and every model, in one table.

The other parts contribute each good page that they read. This part adds older voter cards, annexes
and documents of unknown kinds. It also counts good pages that are held up as a copy, a screen or
altered.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from acredita.domain.documents import PageKind, PageReading, judge
from acredita.domain.documents.picture_problems import objections
from acredita.domain.reasons import DocumentReason
from acredita.engines.documents import read_pages, warm_up
from acredita_synthetic.capture import Difficulty
from acredita_synthetic.certificates import CertificateKind, make_certificate
from acredita_synthetic.ground_truth import SpecimenKind
from acredita_synthetic.people import REFERENCE_DATE, CardModel
from acredita_synthetic.specimens import Specimen, make_specimen
from benchmarks.recognition.drawing import Order, drawn, turns_of
from benchmarks.recognition.report import Part, Scale, ratio, table
from benchmarks.recognition.strangers import STRANGERS, make_stranger

_LEAST = 0.99
_MOST_HELD_UP = 0.01
_SIDES = (SpecimenKind.INE_FRONT, SpecimenKind.INE_BACK)


@dataclass(frozen=True, slots=True)
class Classification:
    """A good page: its row in the table (`label`), and the kind that was found.

    `model`: whether the model is correct; None if the page does not show it. `other_model`: whether
    another model was found. `held_up`: the codes of objections to the picture.
    """

    label: str
    difficulty: str
    found: str
    right: bool
    model: bool | None = None
    other_model: bool = False
    held_up: tuple[str, ...] = ()


def classify(
    page: PageReading, kind: PageKind, label: str, difficulty: str, model: str | None = None
) -> Classification:
    """Compare a page with its known kind and, if given, with its model or layout."""
    right = page.kind is kind
    return Classification(
        label,
        difficulty,
        f"{page.kind} {page.model or ''}".strip(),
        right,
        model=page.model == model if model and right else None,
        other_model=bool(model and right and page.model not in (model, None)),
        held_up=tuple(sorted(objections([page]))),
    )


def refused(page: PageReading, label: str, difficulty: str) -> Classification:
    """Check that a page of an unknown kind, or another state's passport, is refused."""
    verdict = judge([page], REFERENCE_DATE)
    right = (
        page.kind is PageKind.UNKNOWN or DocumentReason.DOCUMENT_NOT_SUPPORTED in verdict.reasons
    )
    return Classification(label, difficulty, f"{page.kind} {verdict.code}", right)


def label_of(specimen: Specimen) -> str:
    """Return the row of a person's drawn document."""
    kind = specimen.truth["kind"]
    if kind in _SIDES:
        side = str(kind).removeprefix("ine_")
        return f"voter card {specimen.truth['person']['voter_card']['model']}, {side}"
    if kind == SpecimenKind.DRIVER_LICENCE:
        return f"driver's licence, {specimen.truth['values']['state']}"
    return str(kind)


def model_of(specimen: Specimen) -> str | None:
    """Return the model if the page shows it: fronts do, and the back of model C."""
    model: str = specimen.truth["person"]["voter_card"]["model"]
    front = specimen.truth["kind"] == SpecimenKind.INE_FRONT
    return model if front or model == CardModel.C else None


def measure(scale: Scale) -> Part:
    """Read both sides of every model in all difficulties, each unknown document in two of them."""
    warm_up(2)
    part = Part("older voter cards, annexes, and documents of unknown kinds")
    orders = [order for turn in range(scale.rounds) for order in _round(scale.seed, turn)]
    for specimen in drawn(orders):
        (page,) = read_pages(specimen.image_bytes, specimen.mime_type)
        part.pages.append(_classified(specimen, page))
    part.lines.append(f"{len(part.pages)} pages, see the table of all kinds")
    return part


def _round(seed: int, turn: int) -> Iterator[Order]:
    number = 100 * turn
    for model in CardModel:
        for side in _SIDES:
            for difficulty in Difficulty:
                number += 1
                yield partial(
                    make_specimen,
                    side,
                    seed + 50_000 + number,
                    difficulty,
                    quarter_turns=turns_of(number),
                    model=model,
                )
    for difficulty in Difficulty:
        number += 1
        yield partial(_annex, seed + 50_000 + number, difficulty)
    for place, name in enumerate(STRANGERS):
        for step in (0, 2):
            difficulty = list(Difficulty)[(place + step + turn) % len(Difficulty)]
            number += 1
            yield partial(make_stranger, name, seed + 50_000 + number, difficulty)


def _annex(seed: int, difficulty: Difficulty) -> Specimen:
    certificate = make_certificate(CertificateKind.RFC_PERSON, seed)
    picture = certificate.picture(difficulty, seed, page=1)
    return Specimen(picture, "image/jpeg", {"kind": "annex", "difficulty": difficulty.value})


def _classified(specimen: Specimen, page: PageReading) -> Classification:
    kind, difficulty = specimen.truth["kind"], specimen.truth["difficulty"]
    if kind in _SIDES:
        known = PageKind(kind.upper())
        return classify(page, known, label_of(specimen), difficulty, model_of(specimen))
    if kind == "annex":
        return classify(page, PageKind.RFC_CERTIFICATE_ANNEX, "RFC certificate, annex", difficulty)
    return refused(page, f"none: {kind}", difficulty)


def summary(pages: Sequence[Classification]) -> Part:
    """Return the table over all parts, with its bars."""
    part = Part("classification of every good page, in all parts")
    labels = sorted({page.label for page in pages})
    rows = [_row(label, [page for page in pages if page.label == label]) for label in labels]
    part.lines += table([("document", "correct", "model correct", "found instead"), *rows])
    for difficulty in dict.fromkeys(page.difficulty for page in pages):
        of_it = [page for page in pages if page.difficulty == difficulty]
        part.lines.append(
            f"{difficulty:10} correct {ratio(sum(p.right for p in of_it), len(of_it))}, "
            f"held up {ratio(sum(bool(p.held_up) for p in of_it), len(of_it))}"
        )
    part.lines += [f"held up: {p.label} {p.difficulty} {p.held_up}" for p in pages if p.held_up]
    part.at_least("classification", sum(page.right for page in pages), len(pages), _LEAST)
    models = [page.model for page in pages if page.model is not None]
    part.lines.append(f"models of voter cards correct {ratio(sum(models), len(models))}")
    part.at_most("wrong models", sum(page.other_model for page in pages), 0)
    held_up = sum(bool(page.held_up) for page in pages)
    part.at_most("good pages held up as copies, screens, altered or several",
                 held_up / len(pages), _MOST_HELD_UP)  # fmt: skip
    return part


def _row(label: str, pages: Sequence[Classification]) -> tuple[str, ...]:
    models = [page.model for page in pages if page.model is not None]
    wrong = Counter(
        f"{page.found} ({page.difficulty})"
        for page in pages
        if not page.right or page.model is False
    )
    return (
        label,
        f"{sum(page.right for page in pages)}/{len(pages)}",
        f"{sum(models)}/{len(models)}" if models else "",
        ", ".join(f"{what} × {count}" for what, count in wrong.items()),
    )
