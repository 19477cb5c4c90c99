"""Attacks with reused pictures: the document as the selfie, and frames of an earlier challenge."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from acredita.domain.liveness.challenge import Move
from acredita_synthetic.capture import Difficulty
from acredita_synthetic.ground_truth import SpecimenKind
from benchmarks.attack import picture_changes
from benchmarks.attack.cases import (
    FACE,
    GOVERNMENT,
    LIVENESS,
    OCR,
    Case,
    Challenge,
    UntilJudged,
    upload,
)
from benchmarks.attack.picture_changes import MIRRORED, Copy
from benchmarks.attack.pictures import Actor, Clips, cropped_portrait
from benchmarks.attack.two_people import USUAL, Content

COPIED = frozenset({"SELFIE_COPIES_PORTRAIT", "SELFIE_SHOWS_DOCUMENT"})
REPEATED = frozenset({"LIVENESS_FRAMES_REPEATED"})
SITTING_OF_FILM = 100


def attacks(victim: Actor) -> Iterator[Case]:
    yield from documents_as_selfies(victim)
    yield from repeated_films(victim)


def documents_as_selfies(victim: Actor) -> Iterator[Case]:
    """Yield attacks with only the victim's document, in two roles."""
    kinds = {
        "INE": (SpecimenKind.INE_FRONT, "front", victim.front),
        "passport": (SpecimenKind.PASSPORT, "passport", victim.passport),
        "licence": (SpecimenKind.DRIVER_LICENCE, "front", victim.licence),
    }
    for name, (kind, role, page) in kinds.items():
        for how, selfie in _selfies(victim, kind, page).items():
            yield Case(
                "the document as selfie",
                f"{name}: {how}",
                USUAL,
                (upload((role, page), ("selfie", selfie)),),
                COPIED,
            )
    page = victim.front
    for how in ("the portrait cut out", "cut out of another photograph"):
        selfie = _selfies(victim, SpecimenKind.INE_FRONT, page)[how]
        yield Case(
            "the document as selfie",
            f"INE, FACE alone: {how}",
            (FACE,),
            (upload(("front", page), ("selfie", selfie)),),
            COPIED,
        )


def _selfies(victim: Actor, kind: SpecimenKind, page: Content) -> dict[str, Content]:
    def cut(copy: Copy | None = None, difficulty: Difficulty = Difficulty.CLEAN) -> Content:
        def make() -> bytes:
            portrait = cropped_portrait(victim, kind, difficulty)
            return portrait if copy is None else copy(portrait)

        return make

    return {
        "the same file": page,
        "the same picture, encoded again": lambda: picture_changes.reencoded(page()),
        "the same picture, trimmed": lambda: picture_changes.trimmed(page()),
        "the page photographed again": lambda: picture_changes.rephotographed(page()),
        "the portrait cut out": cut(),
        "cut out, enlarged": cut(picture_changes.enlarged),
        "cut out, tilted": cut(picture_changes.tilted),
        "cut out, mirrored": cut(picture_changes.mirrored),
        "cut out, on a wall": cut(picture_changes.framed),
        "cut out, photographed again": cut(picture_changes.rephotographed),
        "cut out of another photograph": cut(None, Difficulty.PHOTO),
        "cut out of another photograph, mirrored": cut(picture_changes.mirrored, Difficulty.PHOTO),
    }


def repeated_films(actor: Actor) -> Iterator[Case]:
    """Yield attacks that send the clips of an earlier challenge again, processed to look new."""
    clips = Clips(actor, SITTING_OF_FILM)
    key = f"films of {actor.seed}"
    yield Case(
        "the first use of a film",
        "LIVE: each move filmed once",
        (LIVENESS,),
        (Challenge(clips),),
        is_honest=True,
        key=key,
    )
    ways: dict[str, Copy] = {
        "as they were": lambda picture: picture,
        "with a comment of eight bytes": picture_changes.commented,
        "encoded again": picture_changes.reencoded,
        "brighter": picture_changes.brighter,
        "noisier": picture_changes.noisy,
        "trimmed": picture_changes.trimmed,
        "scaled": picture_changes.reduced,
        "mirrored": picture_changes.mirrored,
        "mirrored, trimmed, encoded again": lambda picture: picture_changes.reencoded(
            picture_changes.trimmed(picture_changes.mirrored(picture))
        ),
    }
    species = "former frames in a new challenge"
    for name, copy in ways.items():
        acts = (Challenge(_Copied(clips, copy, is_mirror="mirrored" in name)),)
        yield Case(species, f"LIVE: {name}", (LIVENESS,), acts, REPEATED, key=key)
    for in_browser in (False, True):
        yield Case(
            species,
            f"{'session: ' if in_browser else ''}OCR-FACE-LIVE-GOV: own INE, with a comment",
            (OCR, FACE, LIVENESS, GOVERNMENT),
            (
                upload(("front", actor.front), ("back", actor.back), ("selfie", actor.selfie)),
                UntilJudged(FACE),
                Challenge(_Copied(clips, picture_changes.commented)),
            ),
            REPEATED,
            in_browser=in_browser,
            key=key,
        )


@dataclass
class _Copied:
    """A film in which each frame is a copy of another film's frame."""

    clips: Clips
    copy: Copy
    is_mirror: bool = False

    def develop(self) -> None:
        self.clips.develop()

    def of(self, moves: Sequence[Move]) -> list[list[bytes]]:
        shown = [MIRRORED.get(move, move) if self.is_mirror else move for move in moves]
        return [[self.copy(frame) for frame in of_move] for of_move in self.clips.of(shown)]
