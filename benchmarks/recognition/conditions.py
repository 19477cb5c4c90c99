"""Which spoilt pictures are named for what spoils them, and how many sound ones are blamed.

Simulations: a screen is a grid of stripes, a copy grey toner. How real screens and copies are told
is not known.
"""

from collections import Counter

import cv2

from acredita.engines.documents import read_pages, warm_up
from acredita.engines.synthetic.capture import Difficulty
from acredita.engines.synthetic.people import make_person
from acredita.engines.synthetic.specimens import draw_document, make_specimen
from acredita.engines.synthetic.spoiling import Spoiling, spoil
from acredita.engines.synthetic.truth import SpecimenKind
from benchmarks.recognition.report import Part, Scale, of

NAMED = {
    Spoiling.DARK: "too_dark",
    Spoiling.OVEREXPOSED: "overexposed",
    Spoiling.BLURRED: "blurred",
    Spoiling.GLARE: "glare",
    Spoiling.SMALL: "too_small",
    Spoiling.CUT: "cut_off",
    Spoiling.SCREEN: "screen_grid",
    Spoiling.COPY: "colourless",
}
_FLAGGED = ("screen_grid", "colourless", "several_documents")
"""Signals that keep a document from passing, however well it reads."""


def measure(scale: Scale) -> Part:
    warm_up(2)
    part = Part("spoilt pictures of drawn voter cards")
    count = max(1, scale.documents // 5)
    for how, signal in NAMED.items():
        told = sum(signal in raised(spoilt(how, scale.seed + n)) for n in range(count))
        part.lines.append(f"{how:12} named {of(told, count)}")
    blamed: Counter[str] = Counter()
    for number in range(count):
        sound = make_specimen(SpecimenKind.INE_FRONT, scale.seed + number, Difficulty.PHOTO)
        blamed.update(raised(sound.image_bytes) & set(_FLAGGED))
    part.lines.append(f"sound photographs held up: {of(blamed.total(), count)} {dict(blamed)}")
    return part


def spoilt(how: Spoiling, seed: int) -> bytes:
    taken = spoil(draw_document(SpecimenKind.INE_FRONT, make_person(seed)).pixels, how, seed)
    return cv2.imencode(".jpg", taken.pixels, [cv2.IMWRITE_JPEG_QUALITY, 88])[1].tobytes()


def raised(picture: bytes) -> set[str]:
    (page,) = read_pages(picture, "image/jpeg")
    return {signal.name for signal in page.signals if signal.raised}
