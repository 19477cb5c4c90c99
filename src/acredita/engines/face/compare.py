"""From a document's picture and a selfie to the distance of their faces."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from acredita.domain.documents import Box, Portrait
from acredita.domain.faces import SMALLEST_PORTRAIT, Comparison, MeasuredFace
from acredita.engines.documents.decode import Undecodable, decode_image
from acredita.engines.documents.pdf import decode_pdf
from acredita.engines.face.embedding import Embedding, chip, embed
from acredita.engines.face.find import SURE_PRESENCE, Face, Image, find_faces
from acredita.engines.tampering.copies import copy_evidence

_RIVAL: Final = 0.5
_CERTAIN: Final = 0.9
_PART: Final = 0.6
"""Of a document's height: the side of the parts that a repeated portrait is looked for in."""
_TURNED_BY: Final = 0.15
"""By so much more certain a turned picture must be than the one as it came: a bald head that hangs
has its beard taken for hair (0.86 against 0.82)."""
_FOREHEAD, _CHIN = 10, 152
"""Points of the mesh."""
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
class Sight:
    """A picture and its largest face; `rivals` counts further faces at least half as large."""

    image: Image
    face: Face
    rivals: int

    @property
    def certainty(self) -> float:
        return min(self.face.score, self.face.presence)


def compare(portraits: Sequence[Picture], selfie: Picture) -> Comparison:
    """The first of `portraits` that shows a face, against `selfie`; a broken one shows none. What
    may be print is no portrait: nobody fails for not looking like it.
    """
    sights = filter(None, map(look, portraits))
    portrait = next((each for each in sights if each.face.presence >= SURE_PRESENCE), None)
    opposite = look(selfie)
    portrait_seen, portrait_face = _seen(portrait)
    selfie_seen, selfie_face = _seen(opposite)
    distance = None
    if portrait_face is not None and selfie_face is not None:
        distance = float(np.linalg.norm(portrait_face - selfie_face))
    picture = b"" if portrait is None else _cut_out(portrait.image, portrait.face)
    second = None
    if portrait is not None and portrait_face is not None:
        repeated = _repeated_portrait(portrait)
        second = None if repeated is None else float(np.linalg.norm(portrait_face - repeated))
    return Comparison(portrait_seen, selfie_seen, distance, picture, second)


def compare_with_portrait(page: bytes, portrait: Portrait, selfie: Picture) -> Comparison:
    """A document's portrait, as it was read on its flat page (JPEG), against a selfie.

    A broken selfie shows no face. Faces on further pages of a PDF are rivals of the first one's.
    """
    portrait_seen = MeasuredFace(portrait.side, portrait.sharpness, portrait.certainty)
    expected = np.array(portrait.embedding)
    picture, second = b"", None
    if (sight := _portrait_on(page, portrait.box)) is not None:
        picture = _cut_out(sight.image, sight.face)
        repeated = _repeated_portrait(sight)
        second = None if repeated is None else float(np.linalg.norm(expected - repeated))
    sights = list(filter(None, map(_look_at, _images(selfie))))
    opposite = None
    if sights:
        opposite = replace(sights[0], rivals=sights[0].rivals + len(sights) - 1)
    selfie_seen, selfie_face = _seen(opposite)
    distance, copy = None, None
    if opposite is not None and selfie_face is not None:
        distance = float(np.linalg.norm(expected - selfie_face))
        if sight is not None:
            chips = chip(sight.image, sight.face), chip(opposite.image, opposite.face)
            copy = copy_evidence(*chips, distance)
    return Comparison(
        portrait_seen,
        selfie_seen,
        distance,
        picture,
        second,
        selfie_embedding=None if selfie_face is None else tuple(map(float, selfie_face)),
        copy=copy,
    )


def _portrait_on(page: bytes, box: Box) -> Sight | None:
    """The face of a flat page that lies in `box`, given as shares of the page."""
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
            Sight(image, face, rivals)
            for face in faces
            if face.box[0] <= x <= face.box[2] and face.box[1] <= y <= face.box[3]
        ),
        None,
    )


def look(picture: Picture) -> Sight | None:
    """The largest face of the first page or turn of the picture that shows one."""
    return next(filter(None, map(_look_at, _images(picture))), None)


def _images(picture: Picture) -> list[Image]:
    """The pixels (BGR) of a picture, or of each page of a PDF; none of a broken file."""
    data, mime_type = picture
    try:
        if mime_type == "application/pdf":
            return [page.image for page in decode_pdf(data)]
        return [decode_image(data, mime_type)]
    except Undecodable:
        return []


def _look_at(image: Image) -> Sight | None:
    """Whichever side is up: a face that hangs is found with less certainty, or not at all."""
    best: Sight | None = None
    least = 0.0
    for turn in (None, *_QUARTER_TURNS):
        turned = image if turn is None else np.asarray(cv2.rotate(image, turn), np.uint8)
        faces = find_faces(turned)
        if not faces or not _is_upright(faces[0]):
            continue
        rivals = sum(face.side >= _RIVAL * faces[0].side for face in faces[1:])
        sight = Sight(turned, faces[0], rivals)
        if sight.certainty >= _CERTAIN:
            return sight
        if sight.certainty > least:
            best = sight
            least = sight.certainty + (_TURNED_BY if turn is None else 0.0)
    return best


def _is_upright(face: Face) -> bool:
    """Whether the chin is below the forehead, within 60 degrees.

    The detector also finds faces that lie on their side, at times with more certainty than upright.
    """
    right, down = face.points[_CHIN, :2] - face.points[_FOREHEAD, :2]
    return bool(down > _STEEP * abs(right))


def _repeated_portrait(sight: Sight) -> Embedding | None:
    """The document's portrait as it is repeated to the right of it, where it is large and plain
    enough to be compared. Of a whole card it takes a twentieth: no face is found unless the
    picture is looked at in parts.
    """
    height, width = sight.image.shape[:2]
    side = int(_PART * height)
    start = int(sight.face.box[2])
    parts = [
        sight.image[top : top + side, left : left + side]
        for top in (height - side, 0)
        for left in range(start, width - side // 2, max(side // 2, 1))
    ]
    looked_at = [(sight.image, find_faces(sight.image)[1:])] if sight.rivals else []
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


def _seen(sight: Sight | None) -> tuple[MeasuredFace | None, Embedding | None]:
    if sight is None:
        return None, None
    grey = cv2.cvtColor(chip(sight.image, sight.face), cv2.COLOR_RGB2GRAY)
    seen = MeasuredFace(
        side=round(sight.face.side, 1),
        sharpness=round(float(cv2.Laplacian(grey, cv2.CV_64F).var()), 1),
        certainty=round(sight.certainty, 4),
        rivals=sight.rivals,
    )
    return seen, embed(sight.image, sight.face)


def _cut_out(image: Image, face: Face) -> bytes:
    margin = face.side * _PORTRAIT_MARGIN
    left, top, right, bottom = face.box
    part = image[
        max(0, int(top - margin)) : int(bottom + margin),
        max(0, int(left - margin)) : int(right + margin),
    ]
    _, encoded = cv2.imencode(".jpg", part, [cv2.IMWRITE_JPEG_QUALITY, 90])
    return encoded.tobytes()
