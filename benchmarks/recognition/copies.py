"""Selfies that copy the document's portrait or show a document, and honest selfies.

Honest pairs are photographs of Labeled Faces in the Wild and of synthetic people. Many of the
former were taken within a minute, so they are more alike than a portrait and a selfie.
"""

import csv
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from pathlib import Path
from statistics import median

import cv2
import numpy as np

from acredita.domain.faces import SMALLEST_SELFIE
from acredita.domain.liveness.challenge import Move
from acredita.domain.tampering.copied_selfies import FEWEST_ROWS, CopyEvidence
from acredita.engines.documents.printed_rows import printed_rows
from acredita.engines.documents.process import shows_document
from acredita.engines.documents.process import warm_up as warm_up_reader
from acredita.engines.face.compare import find_largest_face
from acredita.engines.face.embedding import chip
from acredita.engines.face.find import Face, Image, find_faces
from acredita.engines.face.models import warm_up
from acredita.engines.tampering.same_photograph import copy_evidence
from acredita_synthetic.capture import Difficulty
from acredita_synthetic.faces.people import people
from acredita_synthetic.faces.pictures import draw_frames, draw_portrait, draw_selfie
from acredita_synthetic.ground_truth import SpecimenKind
from acredita_synthetic.people import make_person
from acredita_synthetic.specimens import draw_document
from benchmarks.recognition.copying import (
    ALTERATIONS,
    ESCAPES,
    as_portrait,
    cut_out,
    held_up,
    in_ink,
    page_with,
    scaled,
)
from benchmarks.recognition.faces import folder, photograph
from benchmarks.recognition.report import Part, Scale, Stopwatch, ratio, table

_DIFFICULTIES = tuple(Difficulty)
_LEAST_COPIES, _LEAST_SHOWN = 0.95, 0.9
_MOST_MEASURED, _MOST_READ = 0.06, 0.05
_SHARES = (0.3, 0.45, 0.65)
_KINDS = (SpecimenKind.INE_FRONT, SpecimenKind.PASSPORT, SpecimenKind.DRIVER_LICENCE)


@dataclass(frozen=True, slots=True)
class LargestFace:
    """The largest face of a picture: its upright chip, and its side in pixels."""

    chip: Image
    side: float


def measure(scale: Scale) -> Part:
    part = Part("copies as selfies")
    warm_up()
    warm_up_reader(1)
    watch = Stopwatch()
    honest = [*_honest(scale, watch), *_honest_on_cards(scale), *_drawn(scale)]
    for name in dict.fromkeys(name for name, _ in honest):
        _report_honest(part, name, [evidence for of_name, evidence in honest if of_name == name])
    _copies(part, scale)
    _documents(part, scale)
    part.lines.append(f"time of a comparison: {watch}")
    if scale.quiet:
        part.at_most("comparison, median", watch.median, _MOST_MEASURED, " s")
    return part


def _largest_face(picture: Image, face: Face | None = None) -> LargestFace | None:
    if face is None:
        face = next(iter(find_faces(picture)), None)
    return None if face is None else LargestFace(chip(picture, face), face.side)


def _selfie(picture: Image) -> LargestFace | None:
    """Find the largest face as the service does, whichever side is up."""
    encoded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes()
    sight = find_largest_face((encoded, "image/jpeg"))
    return None if sight is None else _largest_face(sight.image, sight.face)


def _evidence(portrait: LargestFace, selfie: LargestFace) -> CopyEvidence:
    return copy_evidence(portrait.chip, selfie.chip)


def _by_person() -> dict[str, list[Path]]:
    found = defaultdict(list)
    paths = [*folder().glob("lfw_dev/images/*.jpg"), *folder().glob("lfw/*/*.jpg")]
    for path in sorted(paths):
        found[path.parent.name, re.sub(r"_\d+$", "", path.stem)].append(path)
    return {"/".join(person): pictures for person, pictures in found.items()}


def _pairs(scale: Scale) -> list[tuple[Path, Path]]:
    """Return the same-person pairs; a short run takes one in twelve."""
    pairs = [pair for pictures in _by_person().values() for pair in combinations(pictures, 2)]
    table_of_pairs = folder() / "faces" / "master.csv"
    if table_of_pairs.is_file():
        with table_of_pairs.open(newline="") as file:
            pairs += [
                (table_of_pairs.parent / row["file_x"], table_of_pairs.parent / row["file_y"])
                for row in csv.DictReader(file)
                if row["Decision"] == "Yes"
            ]
    return pairs[:: max(1, 80 // scale.photographs - 1)]


def _honest(scale: Scale, watch: Stopwatch) -> Iterator[tuple[str, CopyEvidence]]:
    seen: dict[Path, LargestFace | None] = {}
    for pair in _pairs(scale):
        for path in pair:
            if path not in seen:
                seen[path] = _largest_face(photograph(path))
        one, other = (seen[path] for path in pair)
        if one is not None and other is not None:
            yield "two photographs of one person", watch.run(partial(_evidence, one, other))


def _honest_on_cards(scale: Scale) -> Iterator[tuple[str, CopyEvidence]]:
    for number, (one, other) in enumerate(_pairs(scale)[::3]):
        printed = _page_of(photograph(one), number, _difficulty(number), shot=number)
        page = None if printed is None else _largest_face(printed)
        selfie = _largest_face(photograph(other))
        if page is not None and selfie is not None:
            yield "the same, one of them on a card", _evidence(page, selfie)


def _page_of(picture: Image, number: int, difficulty: Difficulty, shot: int) -> Image | None:
    """Draw a card with the photograph. On every second one it is pale, under a guilloche."""
    face = next(iter(find_faces(picture)), None)
    if face is None:
        return None
    portrait = as_portrait(picture, face)
    return page_with(in_ink(portrait) if number % 2 else portrait, number, difficulty, shot)


def _difficulty(number: int) -> Difficulty:
    return _DIFFICULTIES[number % len(_DIFFICULTIES)]


def _drawn(scale: Scale) -> Iterator[tuple[str, CopyEvidence]]:
    for number, face in enumerate(people()):
        portrait = np.array(draw_portrait(face))
        page = page_with(portrait, number, Difficulty.PHOTO, number)
        selfies = [draw_selfie(face, each) for each in range(scale.people * 2)]
        selfies += [
            draw_frames(face, [Move.LOOK_STRAIGHT], sitting=sitting, each=3)[0][0]
            for sitting in range(1, scale.people + 1)
        ]
        for shown in (_largest_face(portrait), _largest_face(page)):
            for selfie in map(_largest_face, selfies):
                if shown is not None and selfie is not None:
                    yield "drawn people", _evidence(shown, selfie)


def _report_honest(part: Part, name: str, found: Sequence[CopyEvidence]) -> None:
    likeness = sorted((each.likeness for each in found), reverse=True)
    flagged = sum(each.is_copy for each in found)
    bound = 1 - 0.05 ** (1 / len(found))
    greatest = ", ".join(f"{each:.2f}" for each in likeness[:3])
    part.lines.append(
        f"{name}: {len(found)} pairs, likeness at the median {median(likeness):.2f}, "
        f"the greatest {greatest}; "
        f"if none is flagged, the rate is at most {bound:.2%} (95 % confidence)"
    )
    part.at_most(f"{name}, taken for copies", flagged, 0)


def _copies(part: Part, scale: Scale) -> None:
    """Compare each alteration of each source with a card's page and with the plain picture."""
    pictures = [paths[0] for paths in _by_person().values()]
    if not pictures:
        part.lines.append(f"skipped: {folder() / 'lfw_dev'} does not exist (ACREDITA_TEST_DATA)")
        return
    step = 2 * max(1, len(pictures) // scale.photographs)
    found = _evidence_by_alteration(pictures[::step])
    names = list(dict.fromkeys(name for _, name in found))
    rows = [("selfies whose face is large enough", *names, "likeness, median")]
    for alteration in (*ALTERATIONS, *ESCAPES):
        row = [found[alteration, name] for name in names]
        every = [each.likeness for cell in row for each in cell]
        detected = [ratio(sum(each.is_copy for each in cell), len(cell)) for cell in row]
        rows.append((alteration, *detected, f"{median(every):.2f}" if every else "-"))
    part.lines += table(rows)
    usual = [each for (how, _), cell in found.items() if how in ALTERATIONS for each in cell]
    right = sum(each.is_copy for each in usual)
    part.at_least("copies that are detected", right, len(usual), _LEAST_COPIES)


def _evidence_by_alteration(
    pictures: Sequence[Path],
) -> dict[tuple[str, str], list[CopyEvidence]]:
    """Return the evidence of each alteration and kind of source."""
    found: dict[tuple[str, str], list[CopyEvidence]] = defaultdict(list)
    for number, path in enumerate(pictures):
        for name, source, shown in _sources(photograph(path), number):
            for alteration, alter in (ALTERATIONS | ESCAPES).items():
                selfie = _selfie(alter(source, number))
                if selfie is not None and selfie.side >= SMALLEST_SELFIE:
                    found[alteration, name].append(_evidence(shown, selfie))
    return found


def _sources(picture: Image, number: int) -> Iterator[tuple[str, Image, LargestFace]]:
    """Yield the source of the selfie, and the portrait that it is compared with."""
    first, second = _difficulty(number), _difficulty(number * 3 // 5 + 1)
    page = _page_of(picture, number, first, shot=number)
    again = _page_of(picture, number, second, shot=number + 1000)
    large = scaled(picture, 2)
    if page is None or again is None:
        return
    original, on_page, on_other = (
        next(iter(find_faces(each)), None) for each in (large, page, again)
    )
    if original is None or on_page is None:
        return
    shown = _largest_face(page, on_page)
    plain = _largest_face(as_portrait(large, original))
    if shown is not None:
        yield "crop of the page", cut_out(page, on_page), shown
        if on_other is not None:
            yield "crop of another picture of the card", cut_out(again, on_other), shown
        yield "the photograph it was made with", cut_out(large, original), shown
    if plain is not None:
        yield "the same, the portrait not printed", cut_out(large, original), plain


def _documents(part: Part, scale: Scale) -> None:
    """Find documents in selfies: the rows of print, and the result of reading them."""
    rows: dict[str, list[int]] = defaultdict(list)
    shown: dict[str, list[bool]] = defaultdict(list)
    counting, reading = Stopwatch(), Stopwatch()
    for name, picture in _scenes(scale):
        count = counting.run(partial(printed_rows, picture)).count
        rows[name].append(count)
        encoded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes()
        is_read = count >= FEWEST_ROWS
        task = partial(shows_document, encoded, "image/jpeg")
        shown[name].append(is_read and reading.run(task))
    lines = [("picture", "rows: fewest, median, most", "read", "reported")]
    for name, counts in rows.items():
        found = f"{min(counts)}, {median(counts):g}, {max(counts)}"
        read = sum(count >= FEWEST_ROWS for count in counts)
        total = len(counts)
        lines.append((name, found, ratio(read, total), ratio(sum(shown[name]), total)))
    part.lines += [*table(lines), f"time of counting: {counting}"]
    if reading.wall:
        part.lines.append(f"time of reading: {reading}")
    honest = shown.pop(_HONEST, [])
    part.at_most("people alone, reported as showing a document", sum(honest), 0)
    every = [each for cell in shown.values() for each in cell]
    part.at_least("documents in view that are detected", sum(every), len(every), _LEAST_SHOWN)
    if scale.quiet:
        part.at_most("counting rows, median", counting.median, _MOST_READ, " s")


_HONEST = "people alone"


def _scenes(scale: Scale) -> Iterator[tuple[str, Image]]:
    paths = [path for paths in _by_person().values() for path in paths]
    paths = paths[:: max(1, len(paths) // (8 * scale.photographs))]
    paths += [*folder().glob("faces/*.jpg"), *folder().glob("pose/stock*.jpg")]
    for path in paths:
        picture = photograph(path)
        yield _HONEST, scaled(picture, max(1.0, 900 / max(picture.shape[:2])))
    for number in range(scale.photographs // 2):
        face = people()[number % len(people())]
        selfie = scaled(np.asarray(draw_selfie(face, number), np.uint8), 3.2)
        yield _HONEST, selfie
        portrait = np.array(draw_portrait(face))
        yield "a card's page", page_with(portrait, number, _difficulty(number), number)
        kind = _KINDS[number % len(_KINDS)]
        document = draw_document(kind, make_person(number), portrait).pixels
        for share in _SHARES:
            yield f"held up, {share:.0%} of the width", held_up(selfie, document, share, number)
        mirrored = np.ascontiguousarray(held_up(selfie, document, 0.5, number)[:, ::-1])
        yield "held up, 50 %, mirrored", mirrored
