"""Compare the portrait of a document with a selfie."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import cv2
import numpy as np

from acredita.domain.documents import Box, Portrait
from acredita.domain.faces import SMALLEST_PORTRAIT, Comparison, MeasuredFace
from acredita.engines.documents.accepted_types import Undecodable
from acredita.engines.documents.decode import decode_image
from acredita.engines.documents.pdf import decode_pdf
from acredita.engines.face.embedding import chip, distance, embed
from acredita.engines.face.find import SURE_PRESENCE, Face, Image, find_faces
from acredita.engines.face.models import beside
from acredita.engines.face.network import Embedding, network
from acredita.engines.tampering.same_photograph import copy_evidence

_RIVAL: Final = 0.5
_CERTAIN: Final = 0.9
_PART: Final = 0.6
"""The side of the parts in which a repeated portrait is searched, as a share of the height."""
_TURNED_BY: Final = 0.15
"""A turned picture must be this much more certain than the original one. The detector takes the
beard of an upside-down bald head for hair (0.86 against 0.82)."""
_FOREHEAD, _CHIN = 10, 152
"""Landmarks of the mesh."""
_STEEP: Final = 0.58
"""The tangent of 30 degrees."""
_PORTRAIT_MARGIN: Final = 0.45
_QUARTER_TURNS: Final = (
    cv2.ROTATE_180,
    cv2.ROTATE_90_CLOCKWISE,
    cv2.ROTATE_90_COUNTERCLOCKWISE,
)
Picture = tuple[bytes, str]
"""An upload: its bytes and its MIME type."""


@dataclass(frozen=True, slots=True)
class DetectedFace:
    """A picture (BGR) and its largest face; `rivals` counts further faces at least half as
    large."""

    image: Image
    face: Face
    rivals: int

    @property
    def certainty(self) -> float:
        return min(self.face.score, self.face.presence)


def compare(portraits: Sequence[Picture], selfie: Picture) -> Comparison:
    """Compare the first of `portraits` that shows a face with `selfie`. A file that does not decode
    shows no face. A face that may be a print pattern is not used as portrait.
    """
    network()  # loaded here, not in two threads at once
    of_selfie = beside(lambda: _measure(find_largest_face(selfie)))
    candidates = filter(None, map(find_largest_face, portraits))
    portrait = next((each for each in candidates if each.face.presence >= SURE_PRESENCE), None)
    portrait_seen, portrait_face = _measure(portrait)
    picture = b"" if portrait is None else _cut_out(portrait.image, portrait.face)
    repeated = None if portrait is None else _repeated_portrait(portrait)
    selfie_seen, selfie_face = of_selfie()
    return Comparison(
        portrait_seen,
        selfie_seen,
        _apart(portrait_face, selfie_face),
        picture,
        _apart(portrait_face, repeated),
        own_model=network().own,
    )


def compare_with_portrait(page: bytes, portrait: Portrait, selfie: Picture) -> Comparison:
    """Compare a portrait that was read on a flattened page (JPEG) with a selfie.

    A selfie that does not decode shows no face. Faces on further pages of a PDF count as rivals. An
    embedding of another version is computed again.
    """
    portrait_seen: MeasuredFace | None
    expected: Embedding | None
    portrait_seen = MeasuredFace(portrait.side, portrait.sharpness, portrait.certainty)
    expected = np.array(portrait.embedding)
    picture, repeated = b"", None
    network()  # loaded here, not in two threads at once
    of_selfie = beside(partial(_measured_selfie, selfie))
    detected = _portrait_on(page, portrait.box)
    if portrait.version != network().version:
        portrait_seen, expected = _measure(detected)
    if detected is not None:
        picture = _cut_out(detected.image, detected.face)
        repeated = _repeated_portrait(detected)
    opposite, selfie_seen, selfie_face = of_selfie()
    copy = None
    if opposite is not None and detected is not None:
        copy = copy_evidence(*(chip(each.image, each.face) for each in (detected, opposite)))
    return Comparison(
        portrait_seen,
        selfie_seen,
        _apart(expected, selfie_face),
        picture,
        _apart(expected, repeated),
        selfie_embedding=None if selfie_face is None else network().stored(selfie_face),
        copy=copy,
        own_model=network().own,
    )


def _measured_selfie(
    selfie: Picture,
) -> tuple[DetectedFace | None, MeasuredFace | None, Embedding | None]:
    found = list(filter(None, map(_find_upright_face, _images(selfie))))
    opposite = replace(found[0], rivals=found[0].rivals + len(found) - 1) if found else None
    return opposite, *_measure(opposite)


def _apart(one: Embedding | None, other: Embedding | None) -> float | None:
    return None if one is None or other is None else distance(one, other)


def _portrait_on(page: bytes, box: Box) -> DetectedFace | None:
    """Find the face of a flattened page (JPEG) in `box`, given as shares of the page."""
    try:
        image = decode_image(page, "image/jpeg")
    except Undecodable:
        return None
    height, width = image.shape[:2]
    x, y = (box[0] + box[2]) / 2 * width, (box[1] + box[3]) / 2 * height
    faces = find_faces(image)
    rivals = sum(face.side >= _RIVAL * faces[0].side for face in faces[1:])
    return next(
        (
            DetectedFace(image, face, rivals)
            for face in faces
            if face.box[0] <= x <= face.box[2] and face.box[1] <= y <= face.box[3]
        ),
        None,
    )


def find_largest_face(picture: Picture) -> DetectedFace | None:
    """Return the largest face of the first page that shows one, upright; None without a face."""
    return next(filter(None, map(_find_upright_face, _images(picture))), None)


def _images(picture: Picture) -> list[Image]:
    """Decode a picture, or each page of a PDF, to BGR; [] for a file that does not decode."""
    data, mime_type = picture
    try:
        if mime_type == "application/pdf":
            return [page.image for page in decode_pdf(data)]
        return [decode_image(data, mime_type)]
    except Undecodable:
        return []


def _find_upright_face(image: Image) -> DetectedFace | None:
    """Find the largest face in the best of the four quarter turns of `image` (BGR). In the wrong
    ones, a face is found with less certainty or not at all."""
    best: DetectedFace | None = None
    least = 0.0
    for turn in (None, *_QUARTER_TURNS):
        turned = image if turn is None else np.asarray(cv2.rotate(image, turn), np.uint8)
        faces = find_faces(turned)
        if not faces or not _is_upright(faces[0]):
            continue
        rivals = sum(face.side >= _RIVAL * faces[0].side for face in faces[1:])
        detected = DetectedFace(turned, faces[0], rivals)
        if detected.certainty >= _CERTAIN:
            return detected
        if detected.certainty > least:
            best = detected
            least = detected.certainty + (_TURNED_BY if turn is None else 0.0)
    return best


def _is_upright(face: Face) -> bool:
    """Whether the chin is below the forehead, within 60 degrees.

    The detector also finds faces that lie on their side, sometimes with more certainty than
    upright.
    """
    right, down = face.points[_CHIN, :2] - face.points[_FOREHEAD, :2]
    return bool(down > _STEEP * abs(right))


def _repeated_portrait(detected: DetectedFace) -> Embedding | None:
    """Return the embedding of the small portrait to the right of the main one; None if it is absent
    or too small or unclear. It covers a twentieth of a card, so it is searched in parts of the
    picture.
    """
    height, width = detected.image.shape[:2]
    side = int(_PART * height)
    start = int(detected.face.box[2])
    parts = [
        detected.image[top : top + side, left : left + side]
        for top in (height - side, 0)
        for left in range(start, width - side // 2, max(side // 2, 1))
    ]
    looked_at = [(detected.image, find_faces(detected.image)[1:])] if detected.rivals else []
    looked_at += [
        (part, find_faces(part, SMALLEST_PORTRAIT))
        for part in map(np.ascontiguousarray, parts)
        if min(part.shape[:2]) >= SMALLEST_PORTRAIT
    ]
    for picture, faces in looked_at:
        for face in faces:
            certainty = min(face.score, face.presence)
            if face.side >= SMALLEST_PORTRAIT and certainty >= _CERTAIN:
                return embed(picture, face)
    return None


def _measure(detected: DetectedFace | None) -> tuple[MeasuredFace | None, Embedding | None]:
    if detected is None:
        return None, None
    grey = cv2.cvtColor(chip(detected.image, detected.face), cv2.COLOR_RGB2GRAY)
    seen = MeasuredFace(
        side=round(detected.face.side, 1),
        sharpness=round(float(cv2.Laplacian(grey, cv2.CV_64F).var()), 1),
        certainty=round(detected.certainty, 4),
        rivals=detected.rivals,
    )
    return seen, embed(detected.image, detected.face)


def _cut_out(image: Image, face: Face) -> bytes:
    margin = face.side * _PORTRAIT_MARGIN
    left, top, right, bottom = face.box
    part = image[
        max(0, int(top - margin)) : int(bottom + margin),
        max(0, int(left - margin)) : int(right + margin),
    ]
    _, encoded = cv2.imencode(".jpg", part, [cv2.IMWRITE_JPEG_QUALITY, 90])
    return encoded.tobytes()
