"""The text reader on RapidOCR, whose wheel holds the PP-OCRv6 models.

Of it only the models and what turns a detector's picture into outlines are used, never its pipeline
object: flags given to a call of that stick to all later calls, its turn classifier flips second
lines of passports, it computes in double precision, and its sessions burn a core while they wait.
The recognition network is run and decoded here, so that the alphabet can be narrowed and each
character keeps its probability.

Lines are read side by side, one thread a line: the network is small, and two threads on one line
take a sixth more processor time than on two.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import rapidocr
from numpy.typing import NDArray
from onnxruntime import InferenceSession, SessionOptions
from rapidocr.ch_ppocr_det import TextDetector
from rapidocr.ch_ppocr_det.utils import DBPostProcess

from acredita.engines.text.alphabet import LATIN, MACHINE_READABLE, Alphabet
from acredita.engines.text.lines import Enough, Glyph, Image, Line, laid_level

_MODELS = Path(rapidocr.__file__).parent / "models"
_DETECTION_SIDE = 960
"""Longest side given to the detector; 640 loses small print, more costs time and gains nothing."""
_COARSE_SIDE: Final = 704
"""The same for a card's back: of fifty, most of them hard photographs, the zone and the number
were found on all, and on all with 640."""
_DETECTION_STRIDE: Final = 32
_NETWORK_HEIGHT = 48
_NARROWEST = 160
"""Pixels a line is padded to: trained with 320, it reads as well with 160, in a fifth less time."""
_LONGEST_LINE = 40
"""Width to height of the longest line read; beyond it a 'line' is a smear that costs memory."""
_ACROSS: Final = 0.8
_OCR_B_SHAPES: Final = (17.0, 33.0)
"""A row of this shape across the page is one of a machine-readable zone."""
_OCR_B_SQUEEZED: Final = 0.8
"""Its print is wider than any other, and reads as well at this part of its width: of 80 such rows
79 gave the same text, one was mended. At 0.6 characters are lost."""
_OCR_B_SQUEEZED_AGAIN: Final = 0.9
"""The same for crops with a margin, whose letters are smaller at the network's height: of 53
passports' zones, most of hard photographs, two lost a character at 0.8, none here."""
_FIRST: Final = 3
"""Lines that are read with such rows, before what is left is asked for."""
_BLANK = 0
_LOST_SPACE = 0.42
"""From these odds on a blank that lost to "no character" is taken for printed."""


class RapidReader:
    """Text reader on one process's copy of the models."""

    def __init__(self, detector: InferenceSession, network: InferenceSession, threads: int) -> None:
        self._detector = detector
        self._outlines = DBPostProcess(
            thresh=0.3, box_thresh=0.5, unclip_ratio=1.6, use_dilation=True
        )
        self._network = network
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="text")
        dictionary = network.get_modelmeta().custom_metadata_map["character"].splitlines()
        self._characters = ["", *dictionary, " "]
        self._input = network.get_inputs()[0].name
        self._columns: dict[str, NDArray[np.intp]] = {}

    def read(
        self,
        image: Image,
        alphabet: Alphabet = LATIN,
        enough: Enough | None = None,
        *,
        coarsely: bool = False,
    ) -> list[Line]:
        if min(image.shape[:2]) < 8:
            return []
        quads = self._detect(image, _COARSE_SIDE if coarsely else _DETECTION_SIDE)
        crops = [_straighten(image, quad) for quad in quads]
        across = [_is_row_across(crop, image) for crop in crops]
        every = range(len(quads))
        first = [at for at in every if across[at] or at < _FIRST]
        if enough is None or sum(across) < 2:
            first = list(every)
        lines: dict[int, Line] = {}
        for now in (first, [at for at in every if at not in first]):
            shares = [_OCR_B_SQUEEZED if across[at] else 1.0 for at in now]
            read = self._read_all([crops[at] for at in now], shares, alphabet)
            lines |= {at: replace(line, quad=quads[at]) for at, line in zip(now, read, strict=True)}
            if enough is not None and enough(list(lines.values())):
                break
        return [lines[at] for at in sorted(lines) if lines[at].text]

    def read_crops(self, crops: Sequence[Image], alphabet: Alphabet = LATIN) -> list[Line]:
        share = _OCR_B_SQUEEZED_AGAIN if alphabet is MACHINE_READABLE else 1.0
        return self._read_all(crops, [share] * len(crops), alphabet)

    def _read_all(
        self, crops: Sequence[Image], shares: Sequence[float], alphabet: Alphabet
    ) -> list[Line]:
        """Each at that share of its width, one by one: in a batch all are padded to the widest."""
        widest_first = sorted(range(len(crops)), key=lambda at: -_shape(crops[at]))
        waiting = {
            at: self._threads.submit(self._read_crop, crops[at], shares[at], alphabet)
            for at in widest_first
        }
        return [waiting[at].result() for at in range(len(crops))]

    def _detect(self, image: Image, side: int) -> list[NDArray[np.float32]]:
        """The outline of each line of text, top to bottom."""
        height, width = image.shape[:2]
        scale = min(1.0, side / max(height, width))
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
        quads, _ = self._outlines(map_of_text, (height, width))
        return [np.asarray(quad, np.float32) for quad in TextDetector.sorted_boxes(quads)]

    def _read_crop(self, crop: Image, share: float, alphabet: Alphabet) -> Line:
        (probabilities,) = self._network.run(None, {self._input: _network_input(crop, share)})
        height, width = crop.shape[:2]
        outline = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
        return self._decode(probabilities[0], alphabet, outline)

    def _decode(
        self, steps: NDArray[np.float32], alphabet: Alphabet, quad: NDArray[np.float32]
    ) -> Line:
        """Greedy CTC decoding over the alphabet: repeats merge, blanks part, glyphs keep odds."""
        columns = self._columns_of(alphabet)
        allowed = steps[:, columns]
        best = allowed.argmax(axis=1)
        space = self._characters.index(" ")
        glyphs: list[Glyph] = []
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
                glyphs.append(glyph)
                lost_space = 0.0
            start = end
        text = "".join(g.character for g in glyphs)
        lead = len(text) - len(text.lstrip())
        text = text.strip()
        return Line(text, tuple(glyphs[lead : lead + len(text)]), quad)

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
    """Load the models, once a process. `threads` is the number of CPU threads of one reading."""
    return RapidReader(
        _session("PP-OCRv6_det_small.onnx", threads),
        _session("PP-OCRv6_rec_small.onnx", 1),
        threads,
    )


def _session(model: str, threads: int) -> InferenceSession:
    """By path, because RapidOCR downloads any model it does not find where it expects it."""
    options = SessionOptions()
    options.log_severity_level = 3
    options.intra_op_num_threads = threads  # the default is one a core in every process
    options.inter_op_num_threads = 1
    # A plan of memory is kept for each shape of input, and no two lines are as wide as each other.
    options.enable_mem_pattern = False
    # Waiting threads must not burn the cores that other workers need.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return InferenceSession(_MODELS / model, options, providers=["CPUExecutionProvider"])


def _with_lost_space(glyphs: list[Glyph], odds: float) -> list[Glyph]:
    """The network drops blanks. A likely one is put back; the odds of others are noted with the
    glyph before them, so that no rule takes two words for one with certainty.
    """
    if odds >= _LOST_SPACE:
        return [*glyphs, Glyph(" ", odds, "", 1.0 - odds)]
    return [*glyphs[:-1], replace(glyphs[-1], lost_blank=odds)]


def _straighten(image: Image, quad: NDArray[np.float32]) -> Image:
    """The text inside the quad as an upright crop."""
    sides = np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1)
    width, height = max(int(sides[0]), int(sides[2]), 2), max(int(sides[1]), int(sides[3]), 2)
    crop = laid_level(image, quad, width, height)
    return np.ascontiguousarray(np.rot90(crop)) if height > 1.5 * width else crop


def _shape(crop: Image) -> float:
    return float(crop.shape[1] / crop.shape[0])


def _is_row_across(crop: Image, image: Image) -> bool:
    least, most = _OCR_B_SHAPES
    return crop.shape[1] > _ACROSS * image.shape[1] and least < _shape(crop) < most


def _network_input(crop: Image, share: float) -> NDArray[np.float32]:
    """The crop scaled to the network's height and that share of its width, as 1 x 3 x 48 x W in
    -1..1.
    """
    width = max(8, int(np.ceil(share * _NETWORK_HEIGHT * min(_shape(crop), _LONGEST_LINE))))
    batch = np.zeros((1, 3, _NETWORK_HEIGHT, max(width, _NARROWEST)), np.float32)
    batch[0, :, :, :width] = _network_range(cv2.resize(crop, (width, _NETWORK_HEIGHT)))
    return batch


def _network_range(pixels: Image) -> NDArray[np.float32]:
    """Colours first, in -1..1."""
    return (pixels.astype(np.float32) / 127.5 - 1.0).transpose(2, 0, 1)
