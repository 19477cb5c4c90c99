"""What a case is: a verification, and what its caller does with it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from acredita.domain.liveness.challenge import Move

OCR, FACE, LIVENESS = "DOCUMENT_OCR", "FACE_MATCH", "LIVENESS"
GOVERNMENT = "GOVERNMENT_VERIFY"
# A front alone goes on after a second. The arrangements with a later back say how long they take.
GRACE = 1.0


class Film(Protocol):
    """Frames of each move that a challenge may ask for."""

    def develop(self) -> None:
        """Make what takes long."""

    def of(self, moves: Sequence[Move]) -> Sequence[Sequence[bytes]]:
        """The frames, JPEG, of each of these moves."""


@dataclass(frozen=True, slots=True)
class File:
    """`content` draws the file when it is needed; files that are drawn are kept by who draws."""

    role: str
    content: Callable[[], bytes]


@dataclass(frozen=True, slots=True)
class Upload:
    """One request with these files, in this order."""

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

    `codes`: those of which one is expected; what counts is that an attack is not approved. Cases of
    one `key` run in turn, as they are listed, in one organization. `is_late`: the last upload is
    the first in which another person is.
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
