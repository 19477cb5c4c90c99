"""Parts of a JPEG that did not go through the earlier compression of the rest.

To alter a picture, a forger opens a JPEG, pastes, and saves it again, mostly with finer steps. The
coefficients of untouched blocks are then near multiples of the first save's coarser steps, on the
same grid of 8 × 8 pixels. Those of pasted parts are not. The first steps are estimated from the
picture itself, so no encoder's tables are needed.

Silent where there is no such trace: saved once, saved again coarser or as fine, scaled, cropped
off the grid. A picture whose light or colours were changed as a whole keeps a trace that is true
in parts only, and is left alone: `_WHOLE`.
"""

import io
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image as Pillow
from PIL.JpegImagePlugin import JpegImageFile

from acredita.domain.documents import Box, Signal
from acredita.domain.tampering.signs import Sign
from acredita.engines.text import Image

SIGN: Final = Sign("tampering.recompression", "recompression-1", limit=4.5, digits=2)
"""Measure: nats a block, over nine blocks; `docs/compliance/capture-quality.md` says what passes
the limit."""
_MOST: Final = 8.0
"""What one block can say for or against: no single one decides."""
_SUREST: Final = 0.96
"""No frequency is believed beyond this share, or two strays in a rich texture would speak alone."""
_WHOLE: Final = 0.95
"""How much of the rest must be on the earlier steps: 0.96 and more of the drawn altered pictures
were, 0.93 and less where light or colours were changed between the saves."""
_FREQUENCIES: Final = (
    *((0, 1), (1, 0), (2, 0), (1, 1), (0, 2), (0, 3)),
    *((1, 2), (2, 1), (3, 0), (3, 1), (2, 2), (1, 3)),
)
"""Rows and columns of the coefficients that are looked at: higher ones are mostly zero."""
_LEAST_VALUES, _LEAST_GAIN, _LEAST_SHARE = 300, 0.15, 0.7
_MOST_CHANCE: Final = 0.7
_LARGEST_STEP: Final = 100
_ROUNDING: Final = 0.8
"""How far rounding to whole pixels between both saves moves a coefficient."""
_LEAST_SIDE: Final = 96
_MOST_PIXELS: Final = 16_000_000
"""Larger pictures are not measured: to decode them once more would cost too much."""

Corners = NDArray[np.float32]
_Map = NDArray[np.float32]
_Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Blocks:
    """The brightness of a JPEG. `levels`: rows × columns × frequencies, as the file has them;
    `steps` multiplies them."""

    levels: NDArray[np.int32]
    steps: NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class _Trace:
    """One frequency's earlier `step`, the `share` of coefficients on it, and that by `chance`."""

    frequency: int
    step: int
    share: float
    chance: float


def recompression(blocks: Blocks | None, image: Image, corners: Corners | None) -> Signal | None:
    """The signal of an upload; None where there is no earlier compression to be measured against.

    `blocks` are those of the upload, `image` its pixels (BGR, upright), `corners` those of the
    document in it. The box is on the page laid flat, or on the picture if there are no corners.
    """
    if blocks is None:
        return None
    usable = _usable(image, corners, blocks.levels.shape[:2])
    everywhere = _traces(blocks, usable)
    if not everywhere:
        return None
    odd = _over_nine(_evidence(blocks, everywhere, usable)) > SIGN.limit / 2
    around = cv2.dilate(odd.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    traces = _traces(blocks, usable & ~around)
    if not traces or float(np.mean([trace.share for trace in traces])) < _WHOLE:
        return None
    foreign = _over_nine(_evidence(blocks, traces, usable))
    signal = SIGN.signal(max(float(foreign.max()), 0.0))
    return replace(signal, box=_box(foreign, image, corners)) if signal.raised else signal


def blocks_of(upload: bytes) -> Blocks | None:
    """Return a JPEG's blocks, turned as its EXIF tag says: a turned block is whole. None for any
    other file, and for a picture that is not measured."""
    try:
        opened = _opened(upload)
    except Exception:  # another mode of a file that decodes, and decoders raise anything
        return None
    if opened is None:
        return None
    grey, table, orientation = opened
    height, width = (side // 8 for side in grey.shape)
    squares = grey[: 8 * height, : 8 * width].reshape(height, 8, width, 8).swapaxes(1, 2)
    steps = np.array([max(table[8 * row + column], 1) for row, column in _FREQUENCIES], np.int32)
    coefficients = squares.reshape(-1, 64).astype(np.float32) @ _BASIS
    levels = np.rint(coefficients / steps).astype(np.int32)
    return Blocks(_upright(levels.reshape(height, width, -1), orientation), steps)


def _opened(upload: bytes) -> tuple[NDArray[np.uint8], Sequence[int], int] | None:
    """Brightness, the steps that it was saved with row by row, the EXIF orientation."""
    with Pillow.open(io.BytesIO(upload), formats=("JPEG",)) as file:
        if not isinstance(file, JpegImageFile) or file.mode not in ("L", "RGB"):
            return None
        if min(file.size) < _LEAST_SIDE or file.width * file.height > _MOST_PIXELS:
            return None
        table = file.quantization[file.layer[0][3]]
        orientation = file.getexif().get(0x0112, 1)
        file.draft("L", None)
        return np.asarray(file), table, orientation


def _basis() -> _Map:
    """Pixels of a block to its coefficients, 64 × frequencies; ITU-T T.81, A.3.3."""
    places = np.arange(8)
    waves = np.cos((2 * places[None] + 1) * places[:, None] * np.pi / 16) / 2
    waves[0] /= np.sqrt(2)
    columns = [np.outer(waves[row], waves[column]).ravel() for row, column in _FREQUENCIES]
    return np.stack(columns, axis=1).astype(np.float32)


_BASIS: Final = _basis()


def _upright(levels: NDArray[Any], orientation: int) -> NDArray[Any]:
    turned = np.rot90(levels, {3: 2, 4: 2, 5: -1, 6: -1, 7: 1, 8: 1}.get(orientation, 0))
    return turned[:, ::-1] if orientation in (2, 4, 5, 7) else turned


def _usable(image: Image, corners: Corners | None, shape: tuple[int, ...]) -> _Mask:
    """Return the mask of the document's blocks, without those that were clipped between the saves.

    Clipping of light or shadow moves their coefficients off the steps, also in genuine images.
    """
    rows, columns = shape[:2]
    unclipped = cv2.inRange(image, np.full(3, 4), np.full(3, 251))
    usable = cv2.resize(unclipped, (columns, rows), interpolation=cv2.INTER_AREA) == 255
    if corners is not None:
        inside = np.zeros((rows, columns), np.uint8)
        scale = np.array([columns / image.shape[1], rows / image.shape[0]])
        cv2.fillConvexPoly(inside, (corners * scale).astype(np.int32), 1)
        usable &= inside > 0
    return np.asarray(usable, np.bool_)


def _traces(blocks: Blocks, usable: _Mask) -> list[_Trace]:
    """The earlier steps, of those frequencies that show one."""
    found = (
        _earlier_step(number, blocks.levels[..., number][usable], int(step))
        for number, step in enumerate(blocks.steps)
    )
    return [trace for trace in found if trace is not None]


def _earlier_step(frequency: int, levels: NDArray[np.int32], step: int) -> _Trace | None:
    """Of all coarser steps the one that most more coefficients lie on than would by chance."""
    often = np.bincount(np.abs(levels), minlength=1)
    often[0] = 0
    sizes = np.flatnonzero(often)
    counts = often[sizes]
    total = int(counts.sum())
    if total < _LEAST_VALUES:
        return None
    coarser = np.arange(step + 2, _LARGEST_STEP)
    chance = 2 * _reach(step) / coarser
    coarser, chance = coarser[chance < _MOST_CHANCE], chance[chance < _MOST_CHANCE]
    if not coarser.size:
        return None
    on_step = _off(sizes * step, coarser[:, None]) <= _reach(step)
    share = np.clip((on_step * counts).sum(axis=1) / total, 0.01, 0.99)
    gain = share * np.log(share / chance) + (1 - share) * np.log((1 - share) / (1 - chance))
    gain[share <= chance] = 0
    best = int(gain.argmax())
    if gain[best] < _LEAST_GAIN or share[best] < _LEAST_SHARE:
        return None
    return _Trace(frequency, int(coarser[best]), float(share[best]), float(chance[best]))


def _reach(step: int) -> float:
    """Return how far the later save can move a coefficient from a multiple of the earlier step."""
    return step / 2 + _ROUNDING


def _off(values: NDArray[Any], step: NDArray[Any] | int) -> NDArray[Any]:
    return np.asarray(np.abs(values - step * np.rint(values / step)))


def _evidence(blocks: Blocks, traces: list[_Trace], usable: _Mask) -> _Map:
    """By block, the log-likelihood (nats) that it is new, against that it is of the rest."""
    total = np.zeros(usable.shape, np.float32)
    for trace in traces:
        step = int(blocks.steps[trace.frequency])
        values = blocks.levels[..., trace.frequency] * step
        on_step = _off(values, trace.step) <= _reach(step)
        share = min(trace.share, _SUREST)
        of_the_rest = np.log(trace.chance / share)
        new = np.log((1 - trace.chance) / (1 - share))
        total += np.where(values != 0, np.where(on_step, of_the_rest, new), 0).astype(np.float32)
    return np.where(usable, np.clip(total, -_MOST, _MOST), 0).astype(np.float32)


def _over_nine(evidence: _Map) -> _Map:
    mean = cv2.boxFilter(evidence, -1, (3, 3), borderType=cv2.BORDER_CONSTANT)
    return np.asarray(mean, np.float32)


def _box(foreign: _Map, image: Image, corners: Corners | None) -> Box:
    """Around the part that holds the strongest evidence."""
    _, parts = cv2.connectedComponents((foreign > SIGN.limit / 2).astype(np.uint8))
    strongest = np.unravel_index(int(foreign.argmax()), foreign.shape)
    rows, columns = np.nonzero(parts == parts[strongest])
    scale = np.array([image.shape[1] / foreign.shape[1], image.shape[0] / foreign.shape[0]])
    left, right, top, bottom = columns.min(), columns.max() + 1, rows.min(), rows.max() + 1
    odd = np.array([[left, top], [right, top], [right, bottom], [left, bottom]]) * scale
    height, width = image.shape[:2]
    page = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    flat = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    to_page = cv2.getPerspectiveTransform(page if corners is None else corners, flat)
    shares = cv2.perspectiveTransform(odd[None].astype(np.float32), to_page)[0].clip(0, 1)
    (x0, y0), (x1, y1) = shares.min(axis=0), shares.max(axis=0)
    return round(float(x0), 4), round(float(y0), 4), round(float(x1), 4), round(float(y1), 4)
