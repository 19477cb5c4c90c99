"""Measure a challenge's frames: faces, expressions, distances and signals."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from acredita.domain.liveness.challenge import (
    Examination,
    Expression,
    Frame,
    Passive,
    Print,
    Signals,
)
from acredita.domain.liveness.light import Glow
from acredita.engines.documents.accepted_types import Undecodable
from acredita.engines.documents.decode import decode_image
from acredita.engines.face.compare import Picture, find_largest_face
from acredita.engines.face.embedding import distance, embed
from acredita.engines.face.expression import measure
from acredita.engines.face.find import Face, Image, find_faces
from acredita.engines.face.network import Embedding, network
from acredita.engines.liveness import passive
from acredita.engines.liveness.frame_prints import compute_codes, compute_print
from acredita.engines.liveness.passive import PassiveModel
from acredita.engines.liveness.reflected_light import measure_glow

# A face at least half as large as the largest is a second person; a smaller one may be a picture.
_RIVAL: Final = 0.5
_SPECTRUM_SIDE: Final = 384
_SMALLEST_SPECTRUM: Final = 96
_MEASURED_SIDE: Final = 256


@dataclass(frozen=True, slots=True)
class MeasuredFrame:
    """The measurements of one frame with a face; `living` is the passive model's probability."""

    faces: int
    expression: Expression
    embedding: Embedding
    signals: Signals
    living: float | None
    print: Print
    glow: Glow | None


def measure_frames(
    frames: Sequence[Picture], passive_model: Path | None, threads: int = 1
) -> list[MeasuredFrame | None]:
    """Measure `frames` (bytes, MIME type) by so many threads; None for each that is unreadable or
    has no face. Raise ModelRefused."""
    model = None if passive_model is None else passive.load(passive_model)
    # The slow calls release the interpreter lock, so a second core halves the time.
    with ThreadPoolExecutor(threads) as workers:
        return list(workers.map(lambda frame: measure_frame(frame[0], frame[1], model), frames))


def examine(
    prompts: Sequence[str],
    measured_frames: Sequence[MeasuredFrame | None],
    selfies: Sequence[Picture],
    passive_model: Path | None,
) -> Examination:
    """Examine the frames of a challenge, with the prompt id of each, in the order in which they
    were taken.

    Of several selfies, the one that is least like the first face counts. Raise ModelRefused.
    """
    model = None if passive_model is None else passive.load(passive_model)
    seen = [measured for measured in measured_frames if measured is not None]
    first = seen[0].embedding if seen else None
    return Examination(
        build_frames(prompts, measured_frames),
        _farthest_from(first, selfies),
        _typical([measured.signals for measured in seen]),
        _least_living(model, seen),
        embedding=None if first is None else network().stored(first),
        prints=tuple(None if measured is None else measured.print for measured in measured_frames),
        glows=tuple(None if measured is None else measured.glow for measured in measured_frames),
    )


def measure_frame(data: bytes, mime_type: str, model: PassiveModel | None) -> MeasuredFrame | None:
    """Measure one frame (the bytes of an image file); None if it is unreadable or has no face."""
    try:
        image = decode_image(data, mime_type)
    except Undecodable:
        return None
    faces = find_faces(image)
    if not faces:
        return None
    face = faces[0]
    embedding = embed(image, face)
    return MeasuredFrame(
        faces=sum(other.side >= _RIVAL * face.side for other in faces),
        expression=measure(image, face),
        embedding=embedding,
        signals=_signals(image, face),
        living=None if model is None else model.probability(image, face),
        print=Print(compute_print(image, face), compute_codes(embedding)),
        glow=measure_glow(image, face),
    )


def build_frames(
    prompts: Sequence[str], measured_frames: Sequence[MeasuredFrame | None]
) -> tuple[Frame, ...]:
    """Return the frames for `domain.liveness.judge`; a frame without a face has no measurements."""
    seen = [measured.embedding for measured in measured_frames if measured is not None]
    if not seen:
        return tuple(Frame(prompt, 0) for prompt in prompts)
    distances = np.array([[distance(one, other) for other in seen] for one in seen])
    found = iter(zip(distances[0], _leaps(distances), strict=True))
    frames = []
    for prompt, measured in zip(prompts, measured_frames, strict=True):
        if measured is None:
            frames.append(Frame(prompt, 0))
        else:
            apart, leap = next(found)
            frames.append(
                Frame(prompt, measured.faces, measured.expression, float(apart), float(leap))
            )
    return tuple(frames)


def _leaps(distances: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return for each face the longest step on the best path from the first face: float64[n] for
    distances of shape (n, n). The faces of one person form a chain of short steps. (Prim's minimum
    spanning tree contains these paths.)"""
    leaps = np.full(len(distances), np.inf)
    leaps[0] = 0.0
    left = set(range(len(distances)))
    while left:
        nearest = min(left, key=lambda place: float(leaps[place]))
        left.remove(nearest)
        for place in left:
            leaps[place] = min(leaps[place], max(leaps[nearest], distances[nearest, place]))
    return leaps


def _farthest_from(first: Embedding | None, selfies: Sequence[Picture]) -> float | None:
    """Return the largest distance to a selfie's face; None if no selfie shows a face, which
    FACE_MATCH reports."""
    if first is None:
        return None
    found = filter(None, map(find_largest_face, selfies))
    distances = (distance(embed(each.image, each.face), first) for each in found)
    return max(distances, default=None)


def _least_living(model: PassiveModel | None, seen: Sequence[MeasuredFrame]) -> Passive | None:
    """Return the lowest probability over the frames; None without a model or a face."""
    living = [measured.living for measured in seen if measured.living is not None]
    if model is None or not living:
        return None
    return Passive(model.name, round(min(living), 4), model.description.threshold)


def _typical(signals: Sequence[Signals]) -> Signals | None:
    if not signals:
        return None
    names = ("moire", "sharpness", "saturation", "border")
    return Signals(*(round(median(getattr(s, name) for s in signals), 3) for name in names))


def _signals(image: Image, face: Face) -> Signals:
    left, top, right, bottom = (max(0, int(edge)) for edge in face.box)
    crop = image[top:bottom, left:right]
    small = cv2.resize(crop, (_MEASURED_SIDE, _MEASURED_SIDE), interpolation=cv2.INTER_AREA)
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)
    saturation = cv2.cvtColor(small, cv2.COLOR_BGR2HSV)[..., 1]
    return Signals(
        moire=_spectral_peak(crop),
        sharpness=float(cv2.Laplacian(grey, cv2.CV_64F).var()),
        saturation=float(saturation.std()),
        border=_frame_around(image, face),
    )


def _spectral_peak(crop: Image) -> float:
    """Return the peak of the middle and high frequencies over their surroundings, in standard
    deviations: the grid of a screen, or the raster of a print. 0 if the face is too small."""
    side = min(*crop.shape[:2], _SPECTRUM_SIDE)
    if side < _SMALLEST_SPECTRUM:
        return 0.0
    y, x = (crop.shape[0] - side) // 2, (crop.shape[1] - side) // 2
    grey = cv2.cvtColor(crop[y : y + side, x : x + side], cv2.COLOR_BGR2GRAY).astype(np.float32)
    detail = grey - cv2.GaussianBlur(grey, (0, 0), 3)
    window = np.hanning(side)
    spectrum = np.abs(np.fft.fftshift(np.fft.fft2(detail * np.outer(window, window))))
    logarithm = np.log1p(spectrum).astype(np.float32)
    excess = logarithm - cv2.medianBlur(logarithm, 5)
    rows, columns = np.mgrid[0:side, 0:side] - side / 2
    radius = np.hypot(rows, columns) / (side / 2)
    band = excess[(radius > 0.2) & (radius < 0.95)]
    return float(np.quantile(band, 0.9995) / (band.std() + 1e-6))


def _frame_around(image: Image, face: Face) -> float:
    """Return the share of the four sides around the face that have a long straight edge, as the
    border of a screen or print has: 0 to 1."""
    height, width = image.shape[:2]
    scale = 480 / max(height, width)
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    edges = cv2.Canny(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), 60, 160)
    side = face.side * scale
    lines = cv2.HoughLinesP(edges, 1, np.pi / 180, 60, minLineLength=side * 0.8, maxLineGap=6)
    if lines is None:
        return 0.0
    left, top, right, bottom = (edge * scale for edge in face.box)
    found = set()
    for x1, y1, x2, y2 in lines.reshape(-1, 4):
        if abs(x2 - x1) < abs(y2 - y1):
            found |= {"left"} if max(x1, x2) < left else {"right"} if min(x1, x2) > right else set()
        else:
            found |= {"top"} if max(y1, y2) < top else {"bottom"} if min(y1, y2) > bottom else set()
    return len(found) / 4
