"""A case: a verification, and the actions of its caller."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from acredita.domain.liveness.challenge import Move

OCR, FACE, LIVENESS = "DOCUMENT_OCR", "FACE_MATCH", "LIVENESS"
GOVERNMENT = "GOVERNMENT_VERIFY"
# A front without a back continues after a second. Cases with a later back state their own wait.
GRACE = 1.0


class Film(Protocol):
    """The number of frames of each move of a challenge."""

    def develop(self) -> None:
        """Draw the pictures, which takes long."""

    def of(self, moves: Sequence[Move]) -> Sequence[Sequence[bytes]]:
        """Return the frames of the moves, as JPEG."""


@dataclass(frozen=True, slots=True)
class File:
    """`content` draws the file when it is needed. The caller caches drawn files."""

    role: str
    content: Callable[[], bytes]


@dataclass(frozen=True, slots=True)
class Upload:
    """Upload these files in one request, in this order."""

    files: tuple[File, ...]


@dataclass(frozen=True, slots=True)
class UntilJudged:
    """Wait until the step of the type has a verdict, or the verification is decided."""

    step_type: str


@dataclass(frozen=True, slots=True)
class Challenge:
    """Start a liveness challenge and answer it."""

    film: Film


Act = Upload | UntilJudged | Challenge


@dataclass(frozen=True, slots=True)
class Case:
    """`species`: the kind of attack, or the arrangement of an honest person.

    `codes`: one of these is expected. An attack succeeds only if it is approved. Cases with the
    same `key` run one after another in one organization. `is_late`: only the last upload shows
    another person.
    """

    species: str
    name: str
    steps: tuple[str, ...]
    acts: tuple[Act, ...]
    codes: frozenset[str] = frozenset()
    is_honest: bool = False
    in_browser: bool = False
    grace: float = GRACE
    metadata: Mapping[str, Any] = field(default_factory=dict)
    # By their CURPs.
    people: Mapping[str, str] = field(default_factory=dict)
    key: str = ""
    is_late: bool = False


def upload(*files: tuple[str, Callable[[], bytes]]) -> Upload:
    return Upload(tuple(File(role, content) for role, content in files))
