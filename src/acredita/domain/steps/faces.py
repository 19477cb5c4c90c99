"""FACE_MATCH: the selfie is compared with the document's portrait."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from acredita.domain import faces
from acredita.domain.steps import options, table
from acredita.domain.steps.kind import Config, Roles, StepKind, Words
from acredita.domain.verification import DOCUMENT_ROLES, DocumentRole, StepType

FACE_MATCH: Final = StepType("FACE_MATCH")


def face_thresholds(config: Config) -> tuple[float, float]:
    """The least similarity (0 to 1) of a match, and the one under which the step fails."""
    return (
        float(config.get("acceptSimilarity", faces.DEFAULT_ACCEPT)),
        float(config.get("rejectSimilarity", faces.DEFAULT_REJECT)),
    )


def _needed_roles(_config: Config, present: Roles, _lacking: Roles) -> Sequence[DocumentRole]:
    if DocumentRole.PASSPORT in present:
        return (DocumentRole.SELFIE,)
    return (DocumentRole.SELFIE, DocumentRole.FRONT)


def _roles_to_retake(code: str, present: Roles) -> Roles:
    if code.startswith("PORTRAIT"):
        return (DOCUMENT_ROLES - {DocumentRole.BACK}) & present
    return frozenset({DocumentRole.SELFIE})


def _further_faults(config: Config) -> Iterator[str]:
    accept, reject = face_thresholds(config)
    if reject > accept:
        yield "rejectSimilarity must not be above acceptSimilarity"


table.register(
    StepKind(
        type=FACE_MATCH,
        name=Words("Tu cara y la de tu identificación", "Your face and the one on your ID"),
        takes_face=True,
        needed_roles=_needed_roles,
        # Each role by itself: a back or a passport that arrives later joins the subject; it cannot
        # replace its pages.
        judged_roles=tuple(
            frozenset({role}) for role in (*sorted(DOCUMENT_ROLES), DocumentRole.SELFIE)
        ),
        roles_to_retake=_roles_to_retake,
        options=(
            options.number(
                "acceptSimilarity",
                0,
                1,
                "the minimum similarity of a match",
                f"{faces.DEFAULT_ACCEPT:.2f}",
            ),
            replace(
                options.number(
                    "rejectSimilarity",
                    0,
                    1,
                    "below it the step fails; from it up to acceptSimilarity the step goes to"
                    " review",
                    f"{faces.DEFAULT_REJECT:.2f}",
                ),
                values="number, 0 to 1, at most acceptSimilarity",
            ),
        ),
        further_faults=_further_faults,
    )
)
