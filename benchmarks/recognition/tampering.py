"""Detection of altered documents, and false accusations of genuine pictures.

Each altered picture is read and judged as the service does. A sign of tampering, a contradiction
between fields, or another reason leads to review; the rest passes. Seeds are new: no limit was set
with them.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial

import cv2
import numpy as np

from acredita.domain.documents import DocumentOutcome, judge
from acredita.domain.reasons import DocumentReason
from acredita.engines.documents import read_pages, warm_up
from acredita.engines.documents.decode import decode_image
from acredita.engines.documents.find_document import find_document, flatten
from acredita.engines.tampering.recompression import blocks_of, recompression
from acredita.engines.tampering.repeated_portrait import repeated_portrait
from acredita_synthetic.canvas import Pixels
from acredita_synthetic.capture import Difficulty
from acredita_synthetic.ground_truth import SpecimenKind
from acredita_synthetic.people import REFERENCE_DATE
from acredita_synthetic.specimens import Specimen, make_specimen
from benchmarks.recognition.drawing import Order, drawn
from benchmarks.recognition.forging import KINDS, Alteration, forge, saved
from benchmarks.recognition.report import Part, Scale, ratio, table

_MOST_BLAMED = 0.01
_ALONE = ("clave",)
"""Its last three digits appear only once on a front, and their algorithm is not published."""
_SOUND_KINDS = (*KINDS, SpecimenKind.INE_BACK, SpecimenKind.DRIVER_LICENCE)


def measure(scale: Scale) -> Part:
    warm_up(2)
    part = Part("altered documents, drawn")
    seeds = range(scale.seed + 90_000, scale.seed + 90_000 + 2 * scale.rounds)
    ends: dict[tuple[str, str], Counter[str]] = {}
    accepted: list[tuple[str, str]] = []
    for specimen in drawn(list(_forgeries(seeds))):
        _count(specimen, ends, accepted)
    part.lines += table(_rows(ends))
    part.lines += [f"altered, accepted: {each}" for _, each in accepted]
    repeated = [field for field, _ in accepted if field not in _ALONE]
    part.at_most("altered values accepted, of what the document repeats", len(repeated), 0)
    _sound(part, seeds)
    return part


def _forgeries(seeds: range) -> Iterator[Order]:
    for how in Alteration:
        for kind in KINDS:
            for difficulty in Difficulty:
                for seed in seeds[:: 1 if how is Alteration.DIGIT else 2]:
                    yield partial(forge, how, kind, seed, difficulty)


def _count(
    specimen: Specimen,
    ends: dict[tuple[str, str], Counter[str]],
    accepted: list[tuple[str, str]],
) -> None:
    truth = specimen.truth
    (page,) = read_pages(specimen.image_bytes, specimen.mime_type)
    compared = repeated_portrait(decode_image(page.picture, "image/jpeg"))
    page = replace(page, signals=(*page.signals, *filter(None, [compared])))
    verdict = judge([page], REFERENCE_DATE)
    codes = set(verdict.reasons)
    first = "94" if truth["first"] > 90 else "50 to 75"
    row = ends.setdefault((truth["how"], first), Counter())
    row["all"] += 1
    row["tampering"] += DocumentReason.TAMPERING_SUSPECTED in codes
    row.update({signal.name for signal in page.signals if signal.raised})
    row["contradiction"] += DocumentReason.FIELDS_CONTRADICT in codes
    row["review"] += verdict.outcome is not DocumentOutcome.PASSED
    field = truth["altered"]
    accepted += [
        (field, f"{truth['how']}, {truth['kind']} {truth['seed']} {truth['difficulty']} {field}")
        for each in verdict.fields
        if each.accepted and each.field == field and each.value != truth["values"][field]
    ]


def _rows(ends: Mapping[tuple[str, str], Counter[str]]) -> Iterator[tuple[str, ...]]:
    yield ("", "first saved at", "tampering", "contradiction", "to review", "passed", "signs")
    for (how, first), row in ends.items():
        count = row["all"]
        ends_so = (f"{row[name]}/{count}" for name in ("tampering", "contradiction", "review"))
        signs = (f"{name} {row[name]}" for name in sorted(row) if name.startswith("tampering."))
        yield (how, first, *ends_so, f"{count - row['review']}/{count}", ", ".join(signs))


def _sound(part: Part, seeds: range) -> None:
    orders = [
        partial(make_specimen, kind, seed, difficulty)
        for kind in _SOUND_KINDS
        for difficulty in Difficulty
        for seed in seeds
    ]
    blamed: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for specimen in drawn(orders):
        picture = np.frombuffer(specimen.image_bytes, np.uint8)
        pixels = np.asarray(cv2.imdecode(picture, cv2.IMREAD_COLOR), np.uint8)
        for name, use in _USES.items():
            total[name] += 1
            blamed[name] += _is_blamed(use(pixels))
        total["unchanged"] += 1
        blamed["unchanged"] += _is_blamed(specimen.image_bytes)
        if SpecimenKind(specimen.truth["kind"]) in KINDS:
            compared = repeated_portrait(_flat(pixels))
            total["its portrait, against its repetition"] += compared is not None
            blamed["its portrait, against its repetition"] += (
                compared is not None and compared.raised
            )
    part.lines.append("genuine pictures reported as altered, by treatment of the whole picture")
    part.lines += table((name, ratio(blamed[name], count)) for name, count in total.items())
    part.at_most(
        "genuine pictures reported as altered", blamed.total() / total.total(), _MOST_BLAMED
    )


def _is_blamed(data: bytes) -> bool:
    image = decode_image(data, "image/jpeg")
    found = find_document(image)
    signal = recompression(blocks_of(data), image, None if found is None else found.corners)
    return signal is not None and signal.raised


def _flat(pixels: Pixels) -> Pixels:
    found = find_document(pixels)
    return saved(pixels if found is None else np.asarray(flatten(pixels, found), np.uint8), 88)


def _jpeg(pixels: Pixels, quality: int) -> bytes:
    return cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()


def _scaled(pixels: Pixels) -> Pixels:
    return np.asarray(cv2.resize(pixels, None, fx=0.8, fy=0.8, interpolation=cv2.INTER_AREA))


def _brightened(pixels: Pixels) -> Pixels:
    return np.asarray(cv2.convertScaleAbs(pixels, alpha=1.08, beta=6), np.uint8)


def _sharpened(pixels: Pixels) -> Pixels:
    soft = cv2.GaussianBlur(pixels, (0, 0), 2)
    return np.asarray(cv2.addWeighted(pixels, 1.5, soft, -0.5, 0), np.uint8)


_USES: Mapping[str, Callable[[Pixels], bytes]] = {
    "saved again at 92": lambda pixels: _jpeg(pixels, 92),
    "by a messenger (70), saved again at 90": lambda pixels: _jpeg(saved(pixels, 70), 90),
    "cropped off the grid, saved again": lambda pixels: _jpeg(pixels[11:, 5:], 90),
    "scaled, saved again": lambda pixels: _jpeg(_scaled(pixels), 88),
    "brightened, saved again": lambda pixels: _jpeg(_brightened(pixels), 93),
    "sharpened, saved again": lambda pixels: _jpeg(_sharpened(pixels), 93),
}
