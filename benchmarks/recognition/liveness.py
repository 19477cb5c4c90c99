"""Which answers to a liveness challenge pass: honest films and attacks.

The real engine measures films of synthetic people and photographs in front of a camera. Films are
permuted after they are measured. The verdict is the same, and hundreds of trials are cheap.
"""

import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import cv2
import numpy as np

from acredita.domain.liveness.challenge import (
    FACE_CHANGED,
    FACE_LEAPT,
    LivenessJudgement,
    Move,
    Prompt,
    draw_prompts,
    judge,
)
from acredita.engines.liveness.measure_frames import (
    MeasuredFrame,
    build_frames,
    measure_frame,
)
from acredita_synthetic.faces.identity import Identity
from acredita_synthetic.faces.people import people
from acredita_synthetic.faces.pictures import Picture, draw_frames
from benchmarks.recognition.courses import film, plainly_disordered
from benchmarks.recognition.report import Part, Scale, ratio

EACH = 7
EXTENTS = tuple(np.sin(np.linspace(0, np.pi, EACH)) ** 1.5)
"""The extent of the move in each frame of `draw_frames`."""
_MOST_REFUSED = 0.02


@dataclass(frozen=True)
class Shot:
    """A measured frame, and the extent of its move when it was drawn."""

    measured: MeasuredFrame | None
    extent: float


Film = Mapping[Move, Sequence[Shot]]


def measured(face: Identity) -> Film:
    """Measure every move of a synthetic person."""
    moves = list(Move)
    return {
        move: [
            Shot(
                measure_frame(jpeg(picture), "image/jpeg", None),
                0.0 if move is Move.LOOK_STRAIGHT else extent,
            )
            for picture, extent in zip(pictures, EXTENTS, strict=True)
        ]
        for move, pictures in zip(moves, draw_frames(face, moves, each=EACH), strict=True)
    }


def jpeg(picture: Picture) -> bytes:
    return cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes()


Answer = Sequence[tuple[Prompt, Sequence[Shot]]]


def verdict(answer: Answer) -> LivenessJudgement:
    prompts = [prompt.id for prompt, shots in answer for _ in shots]
    measured_frames = [shot.measured for _, shots in answer for shot in shots]
    return judge(
        [prompt for prompt, _ in answer], build_frames(prompts, measured_frames), selfie=None
    )


def honest(prompts: Sequence[Prompt], seen: Film, rng: Random) -> Answer:
    """Return a film of each move, with some frames missing."""
    peak = EACH // 2
    return [
        (
            prompt,
            [
                seen[prompt.move][place]
                for place in sorted({0, peak, *rng.sample(range(EACH), rng.randint(4, EACH))})
            ],
        )
        for prompt in prompts
    ]


def plain(answer: Answer) -> bool:
    return any(
        plainly_disordered(prompt.move, [shot.extent for shot in shots]) for prompt, shots in answer
    )


def shuffled_within(answer: Answer, rng: Random) -> Answer:
    """Put the frames of one move in another order."""
    moved = rng.choice(range(1, len(answer)))
    return [
        (prompt, rng.sample(shots, len(shots)) if at == moved else shots)
        for at, (prompt, shots) in enumerate(answer)
    ]


def shuffled_over_all(answer: Answer, rng: Random) -> Answer:
    """Put the frames of all moves in another order. Each prompt keeps its number of frames."""
    shots = [shot for _, of_prompt in answer for shot in of_prompt]
    remaining = iter(rng.sample(shots, len(shots)))
    return [(prompt, [next(remaining) for _ in of_prompt]) for prompt, of_prompt in answer]


def photographs(count: int) -> list[Picture]:
    """Return portraits of public figures if they are available, otherwise drawn ones."""
    data = Path(os.environ.get("ACREDITA_TEST_DATA", "../shared/data"))
    files = sorted(data.glob("images/lfw/*/*.jpg"))
    if not files:
        return [draw_frames(face, [Move.LOOK_STRAIGHT])[0][0] for face in people()[:count]]
    return [cv2.imread(str(path)) for path in files[:: max(1, len(files) // count)][:count]]


def held_before_a_camera(photograph: Picture, rng: Random) -> bytes:
    """Return the photograph at another angle, distance and place."""
    height, width = photograph.shape[:2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    shift = [[rng.gauss(0, 0.05 * width), rng.gauss(0, 0.05 * height)] for _ in corners]
    warp = cv2.getPerspectiveTransform(corners, corners + np.array(shift, np.float32))
    moved = cv2.warpPerspective(photograph, warp, (width, height), borderMode=cv2.BORDER_REPLICATE)
    return jpeg(np.asarray(moved, np.uint8))


def photograph_replayed(photograph: Picture, rng: Random) -> LivenessJudgement:
    prompts = draw_prompts(rng)
    pictures = [
        (prompt.id, measure_frame(held_before_a_camera(photograph, rng), "image/jpeg", None))
        for prompt in prompts
        for _ in range(4)
    ]
    names, measured_frames = zip(*pictures, strict=True)
    return judge(prompts, build_frames(names, measured_frames), selfie=None)


def stills_of_each_pose(prompts: Sequence[Prompt], seen: Film) -> Answer:
    """Return one photograph of each pose, held for the whole prompt."""
    peak = EACH // 2
    return [(prompt, [seen[prompt.move][peak]] * 5) for prompt in prompts]


class Trials:
    """Counts of all answers and of those that passed, by kind."""

    def __init__(self) -> None:
        self.passed: Counter[str] = Counter()
        self.all: Counter[str] = Counter()

    def add(self, kind: str, finding: LivenessJudgement) -> None:
        self.all[kind] += 1
        self.passed[kind] += finding.passed


def measure(scale: Scale) -> Part:
    rng = Random(scale.seed)
    faces = people()[: scale.people]
    films = {face: measured(face) for face in faces}
    strangers = {
        face: films[other] for face, other in zip(faces, [*faces[1:], faces[0]], strict=True)
    }
    trials = Trials()
    for _ in range(scale.trials):
        face = rng.choice(faces)
        answer = honest(draw_prompts(rng), films[face], rng)
        trials.add("honest, drawn", verdict(answer))
        for name, shuffle in SHUFFLES.items():
            other = shuffle(answer, rng)
            trials.add(f"{name}: all", verdict(other))
            while not plain(other):
                other = shuffle(answer, rng)
            trials.add(f"{name}: plain", verdict(other))
        trials.add("another challenge's film", verdict(of_another_challenge(answer, rng)))
        trials.add(
            "a still of each pose",
            verdict(stills_of_each_pose([prompt for prompt, _ in answer], films[face])),
        )
        trials.add("a stranger takes over", verdict(taken_over(answer, strangers[face], rng)))
        trials.add("a foreign frame", verdict(with_a_foreign_frame(answer, strangers[face], rng)))
    for _ in range(10 * scale.trials):
        prompts = draw_prompts(rng)
        trials.add("honest, by numbers", judge(prompts, film(prompts, rng), selfie=None))
    for photograph in photographs(scale.photographs):
        trials.add("a photograph held up", photograph_replayed(photograph, rng))
    return _report(trials)


SHUFFLES: Mapping[str, Callable[[Answer, Random], Answer]] = {
    "frames of a move reordered": shuffled_within,
    "frames of all moves reordered": shuffled_over_all,
}


def of_another_challenge(answer: Answer, rng: Random) -> Answer:
    """Return honest films of the same moves in another order."""
    first, *others = answer
    order = [shots for _, shots in others]
    while True:
        mixed = rng.sample(order, len(order))
        if mixed != order:
            prompts = [prompt for prompt, _ in others]
            return [first, *zip(prompts, mixed, strict=True)]


def taken_over(answer: Answer, stranger: Film, rng: Random) -> Answer:
    at = rng.randrange(1, len(answer))
    prompt, _ = answer[at]
    return [*answer[:at], (prompt, list(stranger[prompt.move])), *answer[at + 1 :]]


def with_a_foreign_frame(answer: Answer, stranger: Film, rng: Random) -> Answer:
    at = rng.randrange(len(answer))
    prompt, shots = answer[at]
    place = rng.randrange(len(shots))
    foreign = rng.choice(stranger[prompt.move])
    others = [*shots[:place], foreign, *shots[place + 1 :]]
    return [*answer[:at], (prompt, others), *answer[at + 1 :]]


def _report(trials: Trials) -> Part:
    part = Part("liveness: answers to a challenge")
    for kind, count in trials.all.items():
        passed = trials.passed[kind]
        part.lines.append(f"{kind:32} passed {ratio(passed, count)}")
        if kind.startswith("honest"):
            part.at_most(f"{kind}, refused", 1 - passed / count, _MOST_REFUSED)
        elif not kind.endswith(": all"):
            part.at_most(f"{kind}, passed", passed, 0)
    part.lines.append(
        f"a face counts as changed from a distance of {FACE_CHANGED}, or a leap of {FACE_LEAPT}"
    )
    return part
