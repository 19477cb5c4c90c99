"""Find and measure the portrait on a document's flattened page."""

from typing import Final

import cv2

from acredita.domain.documents import Box, PageKind, Portrait, Signal
from acredita.engines.documents.accepted_types import Undecodable
from acredita.engines.documents.decode import decode_image
from acredita.engines.face.embedding import chip, embed
from acredita.engines.face.find import SURE_PRESENCE, Face, Image, find_faces
from acredita.engines.face.network import network
from acredita.engines.tampering.repeated_portrait import repeated_portrait

_BESIDE_LEFT, _BESIDE_RIGHT = 0.45, 0.30
"""The largest distance of the face's centre from the printed fields, as shares of their common
width. On drawn cards, passports and licences it is 0.27 to 0.31 to the left or 0.16 to 0.18 to the
right; a photograph next to the card begins at 0.55 on the left, at 0.33 on the right."""
_REPEATED: Final = (PageKind.INE_FRONT, PageKind.PASSPORT)
"""Kinds of page that print the portrait a second time, small and pale."""
_ABOVE_OR_BELOW: Final = 0.1
_LEAST_HEIGHT, _MOST_HEIGHT = 0.12, 0.6
"""The face's height as shares of the fields' common height; drawn documents have 0.25 to 0.37."""


def read_portrait(
    picture: bytes, kind: PageKind, fields: Box
) -> tuple[Portrait | None, tuple[Signal, ...]]:
    """Return the portrait of a page, and the signal of its small repetition.

    `picture` is the flattened, upright page as JPEG. `fields` encloses all printed fields: left,
    top, right and bottom as shares of the page. The portrait is the largest face in the document's
    place for it. A face elsewhere, such as on a photograph next to the document, does not count.
    """
    try:
        page = decode_image(picture, "image/jpeg")
    except Undecodable:
        return None, ()
    face = portrait_face(page, fields)
    if face is None:
        return None, ()
    signal = repeated_portrait(page) if kind in _REPEATED else None
    return describe(page, face), () if signal is None else (signal,)


def portrait_face(page: Image, fields: Box) -> Face | None:
    """Return the largest sure face in the portrait's place. `page` is BGR."""
    sure = [face for face in find_faces(page) if face.presence >= SURE_PRESENCE]
    return next((face for face in sure if _in_place(shares(page, face), fields)), None)


def describe(page: Image, face: Face) -> Portrait:
    """Return the measurements of a portrait for later comparisons. `page` is BGR."""
    grey = cv2.cvtColor(chip(page, face), cv2.COLOR_RGB2GRAY)
    described = network().stored(embed(page, face))
    return Portrait(
        box=shares(page, face),
        side=round(face.side, 1),
        sharpness=round(float(cv2.Laplacian(grey, cv2.CV_64F).var()), 1),
        certainty=round(min(face.score, face.presence), 4),
        embedding=described.embedding,
        version=described.version,
        scale=described.scale,
    )


def shares(page: Image, face: Face) -> Box:
    """Return the face's box as shares of the page's width and height."""
    height, width = page.shape[:2]
    left, top, right, bottom = face.box
    return (
        round(left / width, 4),
        round(top / height, 4),
        round(right / width, 4),
        round(bottom / height, 4),
    )


def _in_place(face: Box, fields: Box) -> bool:
    width, height = fields[2] - fields[0], fields[3] - fields[1]
    x, y = (face[0] + face[2]) / 2, (face[1] + face[3]) / 2
    return (
        fields[0] - _BESIDE_LEFT * width <= x <= fields[2] + _BESIDE_RIGHT * width
        and fields[1] - _ABOVE_OR_BELOW * height <= y <= fields[3] + _ABOVE_OR_BELOW * height
        and _LEAST_HEIGHT * height <= face[3] - face[1] <= _MOST_HEIGHT * height
    )
