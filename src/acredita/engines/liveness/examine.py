"""From a challenge's frames to what the domain judges: faces, expressions, distances, signals."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from acredita.domain.light import Glow
from acredita.domain.liveness import Examination, Expression, Frame, Passive, Print, Signals
from acredita.engines.documents.decode import Undecodable, decode_image
from acredita.engines.face.compare import Picture, look
from acredita.engines.face.embedding import Embedding, embed
from acredita.engines.face.expression import measure
from acredita.engines.face.find import Face, Image, find_faces
from acredita.engines.liveness import passive
from acredita.engines.liveness.glow import glow_of
from acredita.engines.liveness.passive import PassiveModel
from acredita.engines.liveness.prints import codes_of, print_of

# A face half as large as the largest is somebody; a smaller one hangs on the wall.
_RIVAL: Final = 0.5
_SPECTRUM_SIDE: Final = 384
_SMALLEST_SPECTRUM: Final = 96
_MEASURED_SIDE: Final = 256


@dataclass(frozen=True, slots=True)
class Sight:
    """One frame's face, and what was measured of it."""

    faces: int
    expression: Expression
    embedding: Embedding
    signals: Signals
    living: float | None
    print: Print
    glow: Glow | None


def examine(
    frames: Sequence[tuple[str, bytes, str]],
    selfie: Picture | None,
    passive_model: Path | None,
    threads: int = 1,
) -> Examination:
    """`frames`: each its prompt, bytes and MIME type, in the order in which they were taken.

    Raise PassiveModelRefused.
    """
    model = None if passive_model is None else passive.load(passive_model)
    # Whatever takes time here lets go of the interpreter: a second core halves it.
    with ThreadPoolExecutor(threads) as workers:
        sights = list(workers.map(lambda frame: look_at(frame[1], frame[2], model), frames))
    seen = [sight for sight in sights if sight is not None]
    first = seen[0].embedding if seen else None
    return Examination(
        frames_of([prompt for prompt, *_ in frames], sights),
        _distance_to(selfie, first),
        _typical([sight.signals for sight in seen]),
        _least_living(model, seen),
        embedding=None if first is None else tuple(first.tolist()),
        prints=tuple(None if sight is None else sight.print for sight in sights),
        glows=tuple(None if sight is None else sight.glow for sight in sights),
    )


def look_at(data: bytes, mime_type: str, model: PassiveModel | None) -> Sight | None:
    """None where no face is to be seen."""
    try:
        image = decode_image(data, mime_type)
    except Undecodable:
        return None
    faces = find_faces(image)
    if not faces:
        return None
    face = faces[0]
    embedding = embed(image, face)
    return Sight(
        faces=sum(other.side >= _RIVAL * face.side for other in faces),
        expression=measure(image, face),
        embedding=embedding,
        signals=_signals(image, face),
        living=None if model is None else model.probability(image, face),
        print=Print(print_of(image, face), codes_of(embedding)),
        glow=glow_of(image, face),
    )


def frames_of(prompts: Sequence[str], sights: Sequence[Sight | None]) -> tuple[Frame, ...]:
    """What the domain judges, of each frame's prompt and sight."""
    seen = [sight.embedding for sight in sights if sight is not None]
    if not seen:
        return tuple(Frame(prompt, 0) for prompt in prompts)
    embeddings = np.array(seen)
    distances = np.linalg.norm(embeddings[:, None] - embeddings[None], axis=2)
    found = iter(zip(distances[0], _leaps(distances), strict=True))
    frames = []
    for prompt, sight in zip(prompts, sights, strict=True):
        if sight is None:
            frames.append(Frame(prompt, 0))
        else:
            distance, leap = next(found)
            frames.append(
                Frame(prompt, sight.faces, sight.expression, float(distance), float(leap))
            )
    return tuple(frames)


def _leaps(distances: NDArray[np.float64]) -> NDArray[np.float64]:
    """How far one has to leap at least on the way from the first face to each: a person's faces
    hang together, whatever they do. (Prim's tree holds the ways of the shortest leaps.)"""
    leaps = np.full(len(distances), np.inf)
    leaps[0] = 0.0
    left = set(range(len(distances)))
    while left:
        nearest = min(left, key=lambda place: float(leaps[place]))
        left.remove(nearest)
        for place in left:
            leaps[place] = min(leaps[place], max(leaps[nearest], distances[nearest, place]))
    return leaps


def _distance_to(selfie: Picture | None, first: Embedding | None) -> float | None:
    """None without a selfie; a selfie without a face is FACE_MATCH's business."""
    if selfie is None or first is None:
        return None
    sight = look(selfie)
    if sight is None:
        return None
    return float(np.linalg.norm(embed(sight.image, sight.face) - first))


def _least_living(model: PassiveModel | None, sights: Sequence[Sight]) -> Passive | None:
    """The lowest probability over the frames; None without a model or a face."""
    living = [sight.living for sight in sights if sight.living is not None]
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
    """How far the middle and high frequencies stand out of their surroundings, in deviations: the
    grid of a screen, or the raster of a print. 0 for a face too small to tell."""
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
    """The share of a rectangle around the face that straight edges cover: a screen's or a print's
    border. 0 without one, 1 for a whole frame."""
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
