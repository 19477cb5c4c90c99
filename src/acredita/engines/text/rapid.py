"""The text reader on RapidOCR, whose wheel holds the PP-OCRv6 models.

Only RapidOCR's detector and recognition network are called, never the pipeline object itself:
flags given to a call of it stick to all later calls, an image without text gives a result
without its attributes, and its turn classifier flips second lines of passports. Decoding is our
own, so that the alphabet can be narrowed and each character keeps its probability.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import rapidocr
from numpy.typing import NDArray

from acredita.engines.text.alphabet import LATIN, Alphabet
from acredita.engines.text.lines import Glyph, Image, Line

_MODELS = Path(rapidocr.__file__).parent / "models"
_DETECTION_SIDE = 960
"""Longest side given to the detector; 640 loses small print, more costs time and gains nothing."""
_NETWORK_HEIGHT = 48
_BATCH = 2
_NARROWEST = 160
"""Pixels a line is padded to: trained with 320, reads as well with 160, in a fifth less time."""
_LONGEST_LINE = 40
"""Width to height of the longest line read; beyond it a 'line' is a smear that costs memory."""
_BLANK = 0


class RapidReader:
    """Text reader on one process's copy of the models; not safe to share between threads."""

    def __init__(self, detector: Any, recognizer: Any) -> None:
        self._detect = detector
        self._network = recognizer.session
        self._characters: list[str] = recognizer.postprocess_op.character
        self._columns: dict[str, NDArray[np.intp]] = {}

    def read(self, image: Image, alphabet: Alphabet = LATIN) -> list[Line]:
        if min(image.shape[:2]) < 8:
            return []
        quads = self._detect(image).boxes
        if quads is None:
            return []
        crops = [_straighten(image, np.asarray(q, np.float32)) for q in quads]
        lines = self.read_crops(crops, alphabet)
        placed = (
            Line(line.text, line.glyphs, np.asarray(quad, np.float32))
            for line, quad in zip(lines, quads, strict=True)
        )
        return [line for line in placed if line.text]

    def read_crops(self, crops: Sequence[Image], alphabet: Alphabet = LATIN) -> list[Line]:
        lines: list[Line | None] = [None] * len(crops)
        by_shape = sorted(range(len(crops)), key=lambda i: crops[i].shape[1] / crops[i].shape[0])
        for start in range(0, len(by_shape), _BATCH):
            chosen = by_shape[start : start + _BATCH]
            probabilities = self._network(_network_input([crops[i] for i in chosen]))
            for i, steps in zip(chosen, probabilities, strict=True):
                height, width = crops[i].shape[:2]
                outline = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
                lines[i] = self._decode(steps, alphabet, outline)
        return [line for line in lines if line is not None]

    def _decode(
        self, steps: NDArray[np.float32], alphabet: Alphabet, quad: NDArray[np.float32]
    ) -> Line:
        """Greedy CTC decoding over the alphabet: repeats merge, blanks part, glyphs keep odds."""
        columns = self._columns_of(alphabet)
        allowed = steps[:, columns]
        best = allowed.argmax(axis=1)
        glyphs: list[Glyph] = []
        start = 0
        for end in range(1, len(best) + 1):
            if end < len(best) and best[end] == best[start]:
                continue
            if best[start] != 0:
                glyphs.append(self._glyph(allowed[start:end], int(best[start]), columns))
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
    """Load the models, once a process. `threads` is the number of CPU threads of one reading.

    The paths are given because any other choice of model makes RapidOCR download it, and the
    counts because its default is a thread a core in every process of the pool.
    """
    engine = rapidocr.RapidOCR(
        params={
            "Global.log_level": "error",
            "Global.use_cls": False,
            "Det.model_path": str(_MODELS / "PP-OCRv6_det_small.onnx"),
            "Det.limit_side_len": _DETECTION_SIDE,
            "Det.limit_type": "max",
            "Rec.model_path": str(_MODELS / "PP-OCRv6_rec_small.onnx"),
            "EngineConfig.onnxruntime.intra_op_num_threads": threads,
            "EngineConfig.onnxruntime.inter_op_num_threads": 1,
        }
    )
    sample = np.full((64, 256, 3), 255, np.uint8)
    cv2.putText(sample, "MEXICO", (20, 44), cv2.FONT_HERSHEY_SIMPLEX, 1.2, (0, 0, 0), 2)
    engine(sample)  # the models load at the first call, and only then can the parts be taken
    return RapidReader(engine.text_det, engine.text_rec)


def _straighten(image: Image, quad: NDArray[np.float32]) -> Image:
    """The text inside the quad as an upright crop."""
    sides = np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1)
    width, height = max(int(sides[0]), int(sides[2]), 2), max(int(sides[1]), int(sides[3]), 2)
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    crop = cv2.warpPerspective(
        image,
        cv2.getPerspectiveTransform(quad, corners),
        (width, height),
        flags=cv2.INTER_CUBIC,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.ascontiguousarray(np.rot90(crop)) if height > 1.5 * width else crop


def _network_input(crops: Sequence[Image]) -> NDArray[np.float32]:
    """Crops scaled to the network's height, padded to the widest, as N x 3 x 48 x W in -1..1."""
    widths = [
        max(8, int(np.ceil(_NETWORK_HEIGHT * min(c.shape[1] / c.shape[0], _LONGEST_LINE))))
        for c in crops
    ]
    batch = np.zeros((len(crops), 3, _NETWORK_HEIGHT, max(*widths, _NARROWEST)), np.float32)
    for slot, crop, width in zip(batch, crops, widths, strict=True):
        scaled = cv2.resize(crop, (width, _NETWORK_HEIGHT)).astype(np.float32)
        slot[:, :, :width] = scaled.transpose(2, 0, 1) / 127.5 - 1.0
    return batch
