"""Detect pictures of a screen that shows a document, by its pixels.

A camera sees a screen's pixels as a grid or as moiré, and their colours as adjacent red, green and
blue. Both are measured on the unflattened document. A blurred picture shows neither, so the absence
of a signal proves nothing.
"""

from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from acredita.domain.documents import Signal
from acredita.domain.tampering.signs import Sign
from acredita.engines.text import Image

GRID: Final = Sign("screen_grid", "screens-2", limit=8.0, digits=2)
"""Plain documents of the drawn set measure 7.5 at most."""
COLOURS: Final = Sign("screen_colours", "screens-2", limit=0.25, digits=2)
"""Plain documents measure 0.07 at most, photographs of people and official specimens 0.17."""
_SPECTRUM_SIDE, _COLOURS_SIDE = 512, 256
_LEAST_SPECTRUM: Final = 192
_LEAST_POWER: Final = 1e5
"""Of what a scan's rounding leaves between its frequencies; waves of one grey level have 6e7."""

Corners = NDArray[np.float32]
_Map = NDArray[np.float32]
_Waves = NDArray[np.complex64]


def screen_signals(image: Image, corners: Corners | None) -> tuple[Signal, Signal]:
    """Return the signals of `GRID` and `COLOURS`.

    `image` is of shape (height, width, 3), uint8, BGR. `corners` are those of the document in the
    image, in pixels, if it was found.
    """
    crop = _own_pixels(image, corners)
    return GRID.signal(_grid(crop)), COLOURS.signal(_colours(crop))


def _own_pixels(image: Image, corners: Corners | None) -> Image:
    """The document as the camera saw it, without its rim: flattening would blur a grid."""
    if corners is None:
        return image
    left, top = np.maximum(corners.min(axis=0), 0)
    right, bottom = corners.max(axis=0)
    across, down = (right - left) / 20, (bottom - top) / 20
    return image[int(top + down) : int(bottom - down), int(left + across) : int(right - across)]


def _grid(crop: Image) -> float:
    """Return the strength of a screen's grid, or of its moiré, over the document.

    `crop` is BGR. The measure is the height of the strongest spatial frequencies over their
    neighbourhood, in standard deviations. Print is periodic along the lines, and a screen's grid in
    a tilted picture is not, so frequencies along the axes are ignored. A grid that the camera's
    optics blur cannot be detected.
    """
    side = min(*crop.shape[:2], _SPECTRUM_SIDE)
    if side < _LEAST_SPECTRUM:
        return 0.0
    grey = cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY).astype(np.float32)
    detail = np.clip(grey - cv2.GaussianBlur(grey, (0, 0), 3), -12, 12)
    window = np.outer(np.hanning(side), np.hanning(side)).astype(np.float32)
    height, width = detail.shape
    power = np.zeros((side, side // 2 + 1), np.float32)
    for top in {0, height - side}:
        for left in {0, (width - side) // 2, width - side}:
            tile = detail[top : top + side, left : left + side] * window
            power += _power(_waves(tile))
    spectrum = np.fft.fftshift(_both_halves(np.log(power + 1), side))
    excess = spectrum - cv2.blur(spectrum, (25, 25))
    all_of_it, off_axes = _bands(side)
    measure = float(np.partition(excess[off_axes], -8)[-8:].mean())
    return measure / (float(excess[all_of_it].std()) + 1e-6)


def _colours(crop: Image) -> float:
    """Return the strength of a screen's colour stripes, or of their moiré, over the document.

    `crop` is BGR. The measure is the share of a pattern that repeats in red, green and blue, each a
    third of its period behind the next, among all patterns at these frequencies. A printed line is
    lighter or darker in all three colours at one place. A lens with chromatic aberration separates
    red from blue by twice as much as either from green. So neither is shifted by thirds. The
    measure does not detect screens without stripes of red, green and blue.
    """
    side = min(*crop.shape[:2], _COLOURS_SIDE)
    if side < _LEAST_SPECTRUM:
        return 0.0
    detail = _details(crop, side)
    window = np.outer(np.hanning(side), np.hanning(side)).astype(np.float32)
    waves = np.stack([[_waves(colour) for colour in each] for each in detail * window])
    blue, green, red = (waves[:, channel] for channel in range(3))
    ahead = np.stack(
        [
            _blurred((first * second.conj()).imag.sum(axis=0), 5)
            for first, second in ((red, green), (green, blue), (blue, red))
        ]
    )
    round_in_thirds = (ahead > 0).all(axis=0) | (ahead < 0).all(axis=0)
    strength = np.where(round_in_thirds, np.abs(ahead).min(axis=0), 0)
    power = _power(waves).mean(axis=1).sum(axis=0)
    share = strength / (_blurred(power, 25) + _LEAST_POWER)
    strongest = np.partition(share[_coloured_band(side)], -4)[-4:]
    return float(strongest.mean())


def _waves(pixels: _Map) -> _Waves:
    """Return what numpy.fft's rfft2 does for a square, in a third of its time: half of the
    spectrum. OpenCV packs it into as many numbers as the square has pixels.
    """
    packed = np.asarray(cv2.dft(pixels), np.float32)
    side = len(packed)
    pairs = (side - 1) // 2
    half = np.empty((side, side // 2 + 1), np.complex64)
    half[:, 0] = _unpacked(packed[:, 0])
    half[:, 1 : pairs + 1].real = packed[:, 1 : 2 * pairs + 1 : 2]
    half[:, 1 : pairs + 1].imag = packed[:, 2 : 2 * pairs + 2 : 2]
    if side % 2 == 0:
        half[:, -1] = _unpacked(packed[:, -1])
    return half


def _unpacked(column: _Map) -> _Waves:
    """The frequencies of a column of real parts, each followed by its imaginary part but for the
    first, and for the last of an even number; the others mirror them.
    """
    side = len(column)
    pairs = (side - 1) // 2
    whole = np.zeros(side, np.complex64)
    whole[0] = column[0]
    whole[1 : pairs + 1] = column[1 : 2 * pairs + 1 : 2] + 1j * column[2 : 2 * pairs + 2 : 2]
    whole[side - pairs :] = whole[1 : pairs + 1][::-1].conj()
    if side % 2 == 0:
        whole[side // 2] = column[-1]
    return whole


def _power(waves: _Waves) -> _Map:
    return np.asarray(waves.real**2 + waves.imag**2)


def _details(crop: Image, side: int) -> _Map:
    """Four squares of the picture, each colour apart, without what is wider than some pixels."""
    height, width = crop.shape[:2]
    squares = [
        crop[top : top + side, left : left + side].astype(np.float32)
        for top in (0, height - side)
        for left in ((width - side) // 4, 3 * (width - side) // 4)
    ]
    fine = [np.clip(square - cv2.GaussianBlur(square, (0, 0), 3), -40, 40) for square in squares]
    return np.asarray(np.stack(fine).transpose(0, 3, 1, 2), np.float32)


def _blurred(spectrum: NDArray[np.float32], side: int) -> _Map:
    return np.asarray(cv2.blur(np.ascontiguousarray(spectrum, np.float32), (side, side)))


@lru_cache(maxsize=4)
def _coloured_band(side: int) -> NDArray[np.bool_]:
    down, across = np.abs(np.fft.fftfreq(side)) * 2, np.fft.rfftfreq(side) * 2
    radius = np.hypot(down[:, None], across[None])
    return np.asarray((radius > 0.2) & (radius < 1.2), np.bool_)


def _both_halves(half: _Map, side: int) -> _Map:
    """The whole spectrum of real pixels: what is left out is the mirror image of the rest."""
    mirrored = half[-np.arange(side) % side, 1 : (side + 1) // 2][:, ::-1]
    return np.concatenate([half, mirrored], axis=1)


@lru_cache(maxsize=4)
def _bands(side: int) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """The frequencies that are compared, and those of them that are not along the axes."""
    rows, columns = np.abs(np.mgrid[0:side, 0:side] - side // 2)
    radius = np.hypot(rows, columns) / (side / 2)
    all_of_it = (radius > 0.2) & (radius < 1.3)
    return all_of_it, all_of_it & (np.minimum(rows, columns) > 2)
