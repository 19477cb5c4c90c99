"""Attacks without a face of one's own: the document as the selfie, and former frames again."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from acredita.domain.liveness.challenge import Move
from acredita_synthetic.capture import Difficulty
from acredita_synthetic.ground_truth import SpecimenKind
from benchmarks.attack import copies
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
from benchmarks.attack.copies import MIRRORED, Copy
from benchmarks.attack.mixtures import USUAL, Content
from benchmarks.attack.pictures import Actor, Clips, cropped_portrait

COPIED = frozenset({"SELFIE_COPIES_PORTRAIT", "SELFIE_SHOWS_DOCUMENT"})
REPEATED = frozenset({"LIVENESS_FRAMES_REPEATED"})
SITTING_OF_FILM = 100


def attacks(victim: Actor) -> Iterator[Case]:
    yield from documents_as_selfies(victim)
    yield from repeated_films(victim)


def documents_as_selfies(victim: Actor) -> Iterator[Case]:
    """Only the victim's document, in two roles."""
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
        "the same picture, encoded anew": lambda: copies.encoded_anew(page()),
        "the same picture, trimmed": lambda: copies.trimmed(page()),
        "the page photographed anew": lambda: copies.photographed_anew(page()),
        "the portrait cut out": cut(),
        "cut out, enlarged": cut(copies.enlarged),
        "cut out, tilted": cut(copies.tilted),
        "cut out, mirrored": cut(copies.mirrored),
        "cut out, on a wall": cut(copies.framed),
        "cut out, photographed anew": cut(copies.photographed_anew),
        "cut out of another photograph": cut(None, Difficulty.PHOTO),
        "cut out of another photograph, mirrored": cut(copies.mirrored, Difficulty.PHOTO),
    }


def repeated_films(actor: Actor) -> Iterator[Case]:
    """One clip of each move, which one challenge took; then the same clips, made to look new."""
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
        "with a comment of eight bytes": copies.commented,
        "encoded anew": copies.encoded_anew,
        "brighter": copies.brighter,
        "noisier": copies.noisy,
        "trimmed": copies.trimmed,
        "scaled": copies.reduced,
        "mirrored": copies.mirrored,
        "mirrored, trimmed, encoded anew": lambda picture: copies.encoded_anew(
            copies.trimmed(copies.mirrored(picture))
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
                Challenge(_Copied(clips, copies.commented)),
            ),
            REPEATED,
            in_browser=in_browser,
            key=key,
        )


@dataclass
class _Copied:
    """A film whose every frame is a copy of another film's."""

    clips: Clips
    copy: Copy
    is_mirror: bool = False

    def develop(self) -> None:
        self.clips.develop()

    def of(self, moves: Sequence[Move]) -> list[list[bytes]]:
        shown = [MIRRORED.get(move, move) if self.is_mirror else move for move in moves]
        return [[self.copy(frame) for frame in of_move] for of_move in self.clips.of(shown)]
