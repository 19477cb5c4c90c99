"""Simulation of cue timing: honest films, and films that were made for other moments.

Honest people do not keep perfectly still: the former move may continue, the face trembles, and some
move without a prompt. A film that is played to the camera cannot wait for the cue.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from acredita.domain.liveness import cue_timing
from acredita.domain.liveness.challenge import Frame, Move, Prompt, draw_prompts, judge
from acredita.domain.liveness.cue_timing import STILLS, before_cue, draw_stills
from acredita.domain.liveness.light import Observation
from benchmarks.recognition.courses import face, film
from benchmarks.recognition.report import Part, Scale, ratio

_TAKEN_TWICE = 800
"""From this length in milliseconds, the page also takes a frame in the middle."""
_MOST_NOT_SEEN = 0.05


def asked(rng: Random) -> list[Prompt]:
    return draw_stills(draw_prompts(rng), rng)


def moments_of(prompt: Prompt) -> list[float]:
    """Return the times of the frames before the cue, in seconds after the start of the prompt."""
    if not prompt.still:
        return []
    end = prompt.still / 1000
    return [end / 2, end] if prompt.still >= _TAKEN_TWICE else [end]


def honest_stills(
    prompts: Sequence[Prompt], rng: Random, *, restless: float = 0.0
) -> dict[str, list[Frame]]:
    """Return the frames before the cue, by prompt.

    One former move in three is held for up to 0.8 s and takes up to 0.6 s to end. `restless`: the
    share of prompts with a move without a prompt.
    """
    taken = {}
    person, former = rng.uniform(0.85, 1.4), Move.LOOK_STRAIGHT
    for prompt in prompts:
        held, takes = rng.choice([-1.0, -1.0, rng.uniform(0, 0.8)]), rng.uniform(0.2, 0.6)
        stray = rng.choice([*Move]) if rng.random() < restless else None
        frames = []
        for at in moments_of(prompt):
            lingering = 0.0 if held < 0 else max(0.0, min(1.0, 1 - (at - held) / takes))
            made = {former: person * lingering}
            if stray is not None:
                made[stray] = max(made.get(stray, 0.0), person * rng.uniform(0.2, 1.0))
            frames.append(Frame(before_cue(prompt.id), 1, face(made, rng), 0.2))
        taken[prompt.id] = frames
        former = prompt.move
    return taken


def honest(prompts: Sequence[Prompt], rng: Random, *, restless: float = 0.0) -> list[Frame]:
    stills = honest_stills(prompts, rng, restless=restless)
    sent = film(prompts, rng)
    return [
        frame
        for prompt in prompts
        for frame in [*stills[prompt.id], *(f for f in sent if f.prompt == prompt.id)]
    ]


@dataclass(frozen=True)
class Clip:
    """A film of one move: the face waits, makes the move, stays, and comes back. Seconds."""

    waits: float
    rises: float
    stays: float
    falls: float

    @classmethod
    def draw(cls, move: Move, still: int, rng: Random) -> "Clip":
        waits = still / 1000 + rng.uniform(0.3, 0.9)
        if move is Move.BLINK:
            return cls(waits, 0.05, rng.uniform(0.1, 0.3), 0.05)
        stays = rng.choice([rng.uniform(0.1, 1.0), rng.uniform(1.0, 4.0)])
        return cls(waits, rng.uniform(0.25, 0.6), stays, rng.uniform(0.25, 0.6))

    @property
    def ends(self) -> float:
        return self.waits + self.rises + self.stays + self.falls

    def reached(self, at: float) -> float:
        into = at - self.waits
        back = into - self.rises - self.stays
        return max(0.0, min(into / self.rises, 1.0, 1 - back / self.falls))


def played(prompts: Sequence[Prompt], stills: Sequence[int], rng: Random) -> list[Frame]:
    """Return the frames of clips of the right moves, each started when its prompt begins.

    The clips were made for the times to keep still `stills` (ms). After the cue, the page takes six
    frames, one of them at the full extent.
    """
    frames = []
    person = rng.uniform(0.85, 1.4)
    for prompt, still in zip(prompts, stills, strict=True):
        clip = Clip.draw(prompt.move, still, rng)
        cue = prompt.still / 1000
        end = max(cue + 1.0, min(clip.ends, cue + 3.0))
        after = [cue + (end - cue) * place / 4 for place in range(5)]
        after.append(max(cue + 0.1, min(clip.waits + clip.rises, end)))
        for name, times in (
            (before_cue(prompt.id), moments_of(prompt)),
            (prompt.id, sorted(after)),
        ):
            frames += [
                Frame(name, 1, face({prompt.move: person * clip.reached(at)}, rng), 0.2)
                for at in times
            ]
    return frames


def _of_no_stills(prompts: Sequence[Prompt], _: Random) -> list[int]:
    return [0] * len(prompts)


def _of_others(prompts: Sequence[Prompt], rng: Random) -> list[int]:
    return [rng.choice(STILLS) for _ in prompts]


def _of_the_cue(prompts: Sequence[Prompt], _: Random) -> list[int]:
    return [prompt.still for prompt in prompts]


FILMS: Mapping[str, Callable[[Sequence[Prompt], Random], list[int]]] = {
    "moves at once": _of_no_stills,
    "of another challenge's moments": _of_others,
    "each clip started at its cue": _of_the_cue,
}


def measure(scale: Scale) -> Part:
    part = Part("liveness: cue timing, simulated")
    rng, count = Random(scale.seed), 10 * scale.trials
    for restless in (0.0, 0.02, 0.1):
        found: Counter[Observation] = Counter()
        for _ in range(count):
            prompts = asked(rng)
            found[cue_timing.judge(prompts, honest(prompts, rng, restless=restless)).verdict] += 1
        name = f"honest, {restless:.0%} of prompts with a stray move"
        part.lines.append(f"{name}: {_listed(found, count)}")
        if not restless:
            part.at_most(f"{name}, different", found[Observation.DIFFERENT], 0)
            part.at_most(f"{name}, not seen", found[Observation.NOT_SEEN] / count, _MOST_NOT_SEEN)
    for name, stills in FILMS.items():
        found, passed = Counter(), 0
        missed: Counter[Observation] = Counter()
        for _ in range(count):
            prompts = asked(rng)
            sent = played(prompts, stills(prompts, rng), rng)
            verdict = cue_timing.judge(prompts, sent).verdict
            found[verdict] += 1
            if judge(prompts, sent, selfie=None).passed:
                passed += 1
                missed[verdict] += 1
        part.lines.append(f"played, {name}: {_listed(found, count)}; passed {ratio(passed, count)}")
        part.lines.append(f"  of those that passed: {_listed(missed, passed)}")
    return part


def _listed(found: Mapping[Observation, int], count: int) -> str:
    return ", ".join(f"{verdict.value} {ratio(number, count)}" for verdict, number in found.items())
