"""Text reader with the PP-OCRv6 models from the RapidOCR wheel.

It uses RapidOCR's models, but not its code. Reasons: flags passed to one call of its pipeline
persist in later calls, its orientation classifier flips second lines of passports, it computes in
double precision, its sessions busy-wait, and importing it takes a second. This module runs and
decodes the recognition network itself, so that it can restrict the alphabet and keep the
probability of each character.

Lines are read in parallel with one thread per line. The network is small: two threads on the same
line take a sixth more CPU time than on two lines.
"""

import unicodedata
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray
from onnxruntime import InferenceSession, SessionOptions

from acredita.engines.sessions import open_session
from acredita.engines.text import model_files
from acredita.engines.text.alphabet import LATIN, MACHINE_READABLE, Alphabet
from acredita.engines.text.levelling import laid_level
from acredita.engines.text.line_heights import with_any_height
from acredita.engines.text.lines import Check, Enough, Glyph, Image, Line, Reading
from acredita.engines.text.narrowing import narrowed
from acredita.engines.text.outlines import outlines

_DETECTION_SIDE = 960
"""Longest side of the detector's input in pixels. 640 loses small print; more gains nothing."""
_COARSE_SIDE: Final = 704
"""The same for the back of a card, and at first for the front and for a passport. Measured on 50
backs, mostly hard photographs: it finds the machine-readable zone and the number on all of them.
So does 640, but more rows are then not sure. On 11 fronts, 640 gives the same text as 704, but on a
hard one it makes a second field uncertain."""
_DETECTION_STRIDE: Final = 32
_ROWS: Final = 48
"""Rows that a line is scaled to. The network was trained with them."""
_COARSE_ROWS: Final = 32
"""The same where lines are detected coarsely, and in and above a machine-readable zone, which
repeats most of a passport. Most lines of a card or a passport are 23 to 33 rows high in its
picture: 48 rows would only enlarge them, and take 2.3 times as long."""
_NARROWEST: Final = 10 / 3
"""Minimum width as a multiple of the rows; narrower lines are padded. The network was trained with
320 pixels; 160 of 48 rows read as well in 20% less time."""
_LONGEST_LINE = 40
"""Maximum ratio of width to height. A longer 'line' is a smear, and would cost memory."""
_ACROSS: Final = 0.8
_OCR_B_SHAPES: Final = (17.0, 33.0)
"""Range of width to height of a machine-readable zone's row that spans the page."""
_OCR_B_SQUEEZED: Final = 0.8
"""OCR-B print is wide and reads as well at this share of its width: of 80 rows, 79 gave the same
text and one improved. At 0.6 characters get lost."""
_OCR_B_SQUEEZED_AGAIN: Final = 0.9
"""The same for crops with a margin, whose letters are smaller at the network's height. Of 53
passport zones, mostly hard photographs, two lost a character at 0.8, none at 0.9."""
_OCR_B_WIDENED: Final = 1.3
"""The same for a passport's crops at 32 rows: with fewer columns the network loses fillers. Of 49
rows it read all as at 48 rows; at 0.9, it lost fillers of 38."""
_FEWEST_ROWS: Final = 2
"""The smallest number of rows of a machine-readable zone."""
_ROWS_OF_CARD: Final = 3
"""The number of rows of a card's zone. Those of a passport have more characters, and lose some if
they are read both coarsely and squeezed."""
_FIRST: Final = 3
"""Number of top lines that are read together with these rows."""
_TITLE: Final = 4
"""Number of top lines among which a card's title is."""
_BLANK = 0
_LOST_SPACE = 0.42
"""From this probability on, a blank counts as printed although "no character" won."""


class _Scale(NamedTuple):
    """The rows that a line is scaled to, and the share of its width that it keeps then."""

    rows: int = _ROWS
    share: float = 1.0


class RapidReader:
    """Text reader with one process's copy of the models. See TextReader."""

    def __init__(
        self,
        detector: InferenceSession,
        network: InferenceSession,
        characters: Sequence[str],
        threads: int,
    ) -> None:
        """`characters` are those of the columns of `network`; the first one means no character."""
        self._detector = detector
        self._network = network
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="text")
        self._characters = list(characters)
        self._input = network.get_inputs()[0].name
        self._columns: dict[str, NDArray[np.intp]] = {}

    def read(
        self,
        image: Image,
        alphabet: Alphabet = LATIN,
        enough: Enough | None = None,
        *,
        coarsely: bool = False,
        worthwhile: Enough | None = None,
        skipped: float = 0.0,
    ) -> list[Line]:
        if min(image.shape[:2]) < 8:
            return []
        start = int(skipped * image.shape[1])
        quads = self._detect(image, _COARSE_SIDE if coarsely else _DETECTION_SIDE, start)
        crops = [_straighten(image, quad) for quad in quads]
        across = [_is_row_across(crop, image) for crop in crops]
        coarse = [coarsely or above for above in _above_zone(quads, across)]

        is_card = coarsely and sum(across) >= _ROWS_OF_CARD
        zone = _Scale(_COARSE_ROWS, _OCR_B_SQUEEZED if is_card else 1.0)

        def read_at(places: Sequence[int]) -> dict[int, Line]:
            scales = [
                zone if across[at] else _Scale(_COARSE_ROWS if coarse[at] else _ROWS)
                for at in places
            ]
            read = self._begin_all([crops[at] for at in places], scales, alphabet)
            return {
                at: replace(reading(), quad=quads[at])
                for at, reading in zip(places, read, strict=True)
            }

        first, rest = _first_and_rest(
            across, is_all_needed=enough is None, top_lines_first=worthwhile is not None
        )
        lines = read_at(first)
        if rest and _is_rest_needed(list(lines.values()), enough, worthwhile):
            lines |= read_at(rest)
        return [lines[at] for at in sorted(lines) if lines[at].text]

    def read_crops(
        self,
        crops: Sequence[Image],
        alphabet: Alphabet = LATIN,
        *,
        coarsely: Sequence[Check | None] = (),
    ) -> list[Reading]:
        fine = _Scale(_ROWS, _OCR_B_SQUEEZED_AGAIN if alphabet is MACHINE_READABLE else 1.0)
        is_passport = alphabet is MACHINE_READABLE and len(crops) < _ROWS_OF_CARD
        coarse = _Scale(_COARSE_ROWS, _OCR_B_WIDENED if is_passport else fine.share)
        checks = coarsely or [None] * len(crops)
        scales = [coarse if check else fine for check in checks]
        return self._begin_all(crops, scales, alphabet, checks, fine)

    def read_again(self, image: Image, lines: Sequence[Line]) -> list[Reading]:
        crops = [_straighten(image, line.quad) for line in lines]
        squeezed = _Scale(_ROWS, _OCR_B_SQUEEZED)
        scales = [squeezed if _is_row_across(crop, image) else _Scale() for crop in crops]
        read = self._begin_all(crops, scales, LATIN)
        return [partial(_at, reading, line.quad) for line, reading in zip(lines, read, strict=True)]

    def _begin_all(
        self,
        crops: Sequence[Image],
        scales: Sequence[_Scale],
        alphabet: Alphabet,
        checks: Sequence[Check | None] = (),
        otherwise: _Scale | None = None,
    ) -> list[Reading]:
        """Begin to read each crop at its scale, and then at the other one unless its check, if it
        has one, returns true.

        There is no batching, because a batch pads all crops to the widest one.
        """

        def read(at: int) -> Line:
            line = self._read_crop(crops[at], scales[at], alphabet)
            check = checks[at] if checks else None
            if check is None or check(line):
                return line
            return self._read_crop(crops[at], otherwise or _Scale(), alphabet)

        sizes = [
            scale.rows * _width_of(crop, scale) for crop, scale in zip(crops, scales, strict=True)
        ]
        largest_first = sorted(range(len(crops)), key=lambda at: -sizes[at])
        begun = {at: self._threads.submit(read, at).result for at in largest_first}
        return [begun[at] for at in range(len(crops))]

    def _detect(self, image: Image, side: int, start: int = 0) -> list[NDArray[np.float32]]:
        """Quads of the lines of text from the column `start` on, each float32 of shape (4, 2) in
        pixels, top to bottom. `side`: length to which the image's longest side is scaled down.
        """
        scale = min(1.0, side / max(image.shape[:2]))
        image = image[:, start:]
        height, width = image.shape[:2]
        size = [
            round(int(length * scale) / _DETECTION_STRIDE) * _DETECTION_STRIDE
            for length in (width, height)
        ]
        if not all(size):
            return []
        pixels = _network_range(cv2.resize(image, size))
        (map_of_text,) = self._detector.run(
            None, {self._detector.get_inputs()[0].name: pixels[None]}
        )
        quads = outlines(map_of_text[0, 0], height, width)
        return [quad + np.array([start, 0], np.float32) for quad in quads]

    def _read_crop(self, crop: Image, scale: _Scale, alphabet: Alphabet) -> Line:
        batch = _network_input(crop, scale)
        (probabilities,) = self._network.run(None, {self._input: batch})
        height, width = crop.shape[:2]
        outline = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
        printed = len(probabilities[0]) * _width_of(crop, scale) / batch.shape[-1]
        line = self._decode(probabilities[0], alphabet, outline, printed)
        return replace(line, is_coarse=scale.rows < _ROWS)

    def _decode(
        self,
        steps: NDArray[np.float32],
        alphabet: Alphabet,
        quad: NDArray[np.float32],
        printed: float,
    ) -> Line:
        """Greedy CTC decoding over the alphabet. `steps`: float32 of shape (time, characters), of
        which the first `printed` are of the crop, and the rest of its padding."""
        columns = self._columns_of(alphabet)
        allowed = steps[:, columns]
        best = allowed.argmax(axis=1)
        space = self._characters.index(" ")
        glyphs: list[Glyph] = []
        places: list[float] = []
        lost_space = 0.0
        start = 0
        for end in range(1, len(best) + 1):
            if end < len(best) and best[end] == best[start]:
                continue
            if best[start] == 0:
                lost_space = max(lost_space, float(steps[start:end, space].max()))
            else:
                glyph = self._glyph(allowed[start:end], int(best[start]), columns)
                if (
                    glyphs
                    and alphabet.spaced
                    and " " not in (glyph.character, glyphs[-1].character)
                ):
                    glyphs = _with_lost_space(glyphs, lost_space)
                place = (start + end) / 2 / printed
                places += [place] * (len(glyphs) + 1 - len(places))
                glyphs.append(glyph)
                lost_space = 0.0
            start = end
        text = "".join(g.character for g in glyphs)
        lead = len(text) - len(text.lstrip())
        text = text.strip()
        kept = slice(lead, lead + len(text))
        return Line(text, tuple(glyphs[kept]), quad, tuple(places[kept]))

    def _glyph(self, run: NDArray[np.float32], best: int, columns: NDArray[np.intp]) -> Glyph:
        step = run[run[:, best].argmax()].copy()
        probability = float(step[best])
        step[[0, best]] = -1.0
        second = int(step.argmax())
        return Glyph(
            self._characters[columns[best]],
            probability,
            self._characters[columns[second]],
            float(step[second]),
        )

    def _columns_of(self, alphabet: Alphabet) -> NDArray[np.intp]:
        if alphabet.name not in self._columns:
            wanted = [i for i, c in enumerate(self._characters) if c in alphabet.characters]
            self._columns[alphabet.name] = np.array([_BLANK, *wanted], np.intp)
        return self._columns[alphabet.name]


def load_reader(threads: int) -> RapidReader:
    """Load the models. Call it once per process. `threads`: CPU threads per reading."""
    # From the package's files: RapidOCR itself would download a model that it does not find.
    detector, network = (path.read_bytes() for path in model_files.paths())
    network, characters = narrowed(with_any_height(network), _is_not_chinese)
    return RapidReader(
        _session("text-detector", detector, threads),
        _session("text-network", network, 1),
        characters,
        threads,
    )


def _is_not_chinese(character: str) -> bool:
    return not unicodedata.name(character, "").startswith("CJK")


def _session(name: str, model: bytes, threads: int) -> InferenceSession:
    options = SessionOptions()
    options.log_severity_level = 3
    options.intra_op_num_threads = threads  # the default is one per core in every process
    options.inter_op_num_threads = 1
    # Memory plans are cached per input shape, and the widths of lines differ.
    options.enable_mem_pattern = False
    # Do not busy-wait: other workers need the cores.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return open_session(name, model, options)


def _at(reading: Reading, quad: NDArray[np.float32]) -> Line:
    return replace(reading(), quad=quad)


def _with_lost_space(glyphs: list[Glyph], odds: float) -> list[Glyph]:
    """Add a likely blank that the network dropped.

    For a less likely blank, store its probability in the preceding glyph, so that later rules do
    not treat two words as one with certainty.
    """
    if odds >= _LOST_SPACE:
        return [*glyphs, Glyph(" ", odds, "", 1.0 - odds)]
    return [*glyphs[:-1], replace(glyphs[-1], lost_blank=odds)]


def _above_zone(quads: Sequence[NDArray[np.float32]], across: Sequence[bool]) -> list[bool]:
    """Whether each line is above the rows of a machine-readable zone, of which there are two."""
    tops = [quad[:, 1].min() for quad, is_row in zip(quads, across, strict=True) if is_row]
    if len(tops) < _FEWEST_ROWS:
        return [False] * len(quads)
    return [bool(quad[:, 1].max() <= min(tops)) for quad in quads]


def _first_and_rest(
    across: Sequence[bool], *, is_all_needed: bool, top_lines_first: bool
) -> tuple[list[int], list[int]]:
    """The places of the lines to read first, and of those to read if the first are not enough.

    Without rows of a machine-readable zone, all lines come first, unless the top lines do.
    """
    every = list(range(len(across)))
    if top_lines_first:
        return every[:_TITLE], every[_TITLE:]
    if is_all_needed or sum(across) < _FEWEST_ROWS:
        return every, []
    first = [at for at in every if across[at] or at < _FIRST]
    return first, [at for at in every if at not in first]


def _is_rest_needed(
    first: Sequence[Line], enough: Enough | None, worthwhile: Enough | None
) -> bool:
    if enough is not None and enough(first):
        return False
    return worthwhile is None or worthwhile(first)


def _straighten(image: Image, quad: NDArray[np.float32]) -> Image:
    """Rectify the quad to an upright crop. A tall crop is rotated by 90°."""
    sides = np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1)
    width, height = max(int(sides[0]), int(sides[2]), 2), max(int(sides[1]), int(sides[3]), 2)
    crop = laid_level(image, quad, width, height)
    return np.ascontiguousarray(np.rot90(crop)) if height > 1.5 * width else crop


def _shape(crop: Image) -> float:
    return float(crop.shape[1] / crop.shape[0])


def _is_row_across(crop: Image, image: Image) -> bool:
    least, most = _OCR_B_SHAPES
    return crop.shape[1] > _ACROSS * image.shape[1] and least < _shape(crop) < most


def _network_input(crop: Image, scale: _Scale) -> NDArray[np.float32]:
    """Scale the crop. Return float32 of shape (1, 3, rows, width) in -1..1, BGR."""
    width = _width_of(crop, scale)
    narrowest = round(_NARROWEST * scale.rows)
    batch = np.zeros((1, 3, scale.rows, max(width, narrowest)), np.float32)
    batch[0, :, :, :width] = _network_range(cv2.resize(crop, (width, scale.rows)))
    return batch


def _width_of(crop: Image, scale: _Scale) -> int:
    shape = min(_shape(crop), _LONGEST_LINE)
    return max(8, int(np.ceil(scale.share * scale.rows * shape)))


def _network_range(pixels: Image) -> NDArray[np.float32]:
    """(height, width, 3) uint8 → (3, height, width) float32 in -1..1."""
    return (pixels.astype(np.float32) / 127.5 - 1.0).transpose(2, 0, 1)
