"""Detection of films that were sent before, and of the screen's light, with synthetic people.

A film of a challenge is sent again with many alterations, and compared with other honest films of
the same person, place and light. Faces are lit by a screen's colours, or by none.
"""

from collections.abc import Callable, Mapping, Sequence
from random import Random

import cv2
import numpy as np

from acredita.domain.liveness import light
from acredita.domain.liveness.challenge import Move, Prompt
from acredita.domain.liveness.light import Observation
from acredita.domain.liveness.repeated_recordings import KEPT, is_repeated, moving_frames
from acredita.engines.face.find import find_faces
from acredita.engines.liveness.frame_prints import differences
from acredita.engines.liveness.measure_frames import MeasuredFrame, build_frames, measure_frame
from acredita.engines.liveness.reflected_light import measure_glow
from acredita_synthetic.faces.identity import Identity
from acredita_synthetic.faces.people import people
from acredita_synthetic.faces.pictures import Picture, draw_frames, draw_lit_frames
from benchmarks.recognition.report import Part, Scale, ratio

EACH = 5
TAKES = 3
STRENGTHS = (0.05, 0.1, 0.25)
PROMPTS = [Prompt(f"p{at}", move) for at, move in enumerate(Move, start=1)]
Film = Sequence[MeasuredFrame | None]


def jpeg(picture: Picture, quality: int = 88) -> bytes:
    return cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()


def levels(picture: object) -> Picture:
    return np.clip(np.asarray(picture), 0, 255).astype(np.uint8)


def turned(picture: Picture, angle: float) -> Picture:
    height, width = picture.shape[:2]
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), angle, 1)
    return levels(cv2.warpAffine(picture, turn, (width, height), borderMode=cv2.BORDER_REPLICATE))


def scaled(picture: Picture, across: float, down: float) -> Picture:
    return levels(cv2.resize(picture, None, fx=across, fy=down, interpolation=cv2.INTER_AREA))


def noisy(picture: Picture, level: float) -> Picture:
    rng = np.random.default_rng(picture.size)
    return levels(picture + rng.normal(0, level, picture.shape))


def blurred(picture: Picture) -> Picture:
    return levels(cv2.GaussianBlur(picture, (0, 0), 1.5))


def all_at_once(picture: Picture) -> bytes:
    altered = turned(np.ascontiguousarray(picture[20:-12, 15:-22, :][:, ::-1]), -3)
    return jpeg(noisy(levels(255 * (altered / 255) ** 0.8), 6), 70)


ALTERATIONS: Mapping[str, Callable[[Picture], bytes]] = {
    "unchanged": jpeg,
    "encoded at 35": lambda picture: jpeg(picture, 35),
    "cropped": lambda picture: jpeg(np.ascontiguousarray(picture[24:-12, 16:-22])),
    "0.7 times as large": lambda picture: jpeg(scaled(picture, 0.7, 0.7)),
    "1.6 times as large": lambda picture: jpeg(scaled(picture, 1.6, 1.6)),
    "five per cent wider": lambda picture: jpeg(scaled(picture, 1.05, 1)),
    "at 0.6 of its brightness": lambda picture: jpeg(levels(picture * 0.6)),
    "gamma 0.7": lambda picture: jpeg(levels(255 * (picture / 255) ** 0.7)),
    "mirrored": lambda picture: jpeg(np.ascontiguousarray(picture[:, ::-1])),
    "noise of 12 levels": lambda picture: jpeg(noisy(picture, 12)),
    "blurred by 1.5 pixels": lambda picture: jpeg(blurred(picture)),
    "turned by 6 degrees": lambda picture: jpeg(turned(picture, 6)),
    "mirrored, cropped, turned, lighter, noisy": all_at_once,
}


def measured(pictures: Sequence[Sequence[Picture]], alter: Callable[[Picture], bytes]) -> Film:
    return [measure_frame(alter(each), "image/jpeg", None) for clip in pictures for each in clip]


def clips(film: Film, least: float | None = None) -> dict[str, list[MeasuredFrame]]:
    names = [prompt.id for prompt in PROMPTS for _ in range(EACH)]
    frames = build_frames(names, film)
    found = (
        moving_frames(PROMPTS, frames) if least is None else moving_frames(PROMPTS, frames, least)
    )
    return {
        prompt: [measured for measured in (film[at] for at in places) if measured is not None]
        for prompt, places in found.items()
    }


def distances(film: Film, former: Film) -> dict[str, list[float]]:
    """Return by prompt the distances of the film's moving frames from those of the former film."""
    kept = [measured.print.levels for clip in clips(former, KEPT).values() for measured in clip]
    return {
        prompt: differences([measured.print.levels for measured in clip], kept)
        for prompt, clip in clips(film).items()
    }


def shares_a_code(film: Film, former: Film) -> bool:
    """Return whether one of the film's codes is a stored code of the former film."""
    kept = {
        (band, codes[0])
        for clip in clips(former, KEPT).values()
        for measured in clip
        for band, codes in enumerate(measured.print.codes)
    }
    return any(
        (band, code) in kept
        for clip in clips(film).values()
        for measured in clip
        for band, codes in enumerate(measured.print.codes)
        for code in codes
    )


def measure(scale: Scale) -> Part:
    part = Part("liveness: films sent again, and the screen's light")
    faces = people()[: scale.people]
    honest, known, refused = [0, 0], [0, 0], {name: [0, 0] for name in ALTERATIONS}
    for face in faces:
        drawn = [
            draw_frames(face, list(Move), take=take, each=EACH) for take in range(1, TAKES + 1)
        ]
        films = [measured(each, jpeg) for each in drawn]
        for one in films:
            for other in films:
                if one is not other:
                    near = distances(one, other)
                    honest[0] += sum(is_repeated([{name: clip}]) for name, clip in near.items())
                    honest[1] += len(near)
        for name, alter in ALTERATIONS.items():
            again = measured(drawn[0], alter)
            near = distances(again, films[0])
            # Each clip is judged alone, as if the rest of the film were new.
            refused[name][0] += sum(
                is_repeated([{p: clip}]) for p, clip in near.items() if len(clip) > 1
            )
            refused[name][1] += sum(len(clip) > 1 for clip in near.values())
            known[0] += shares_a_code(again, films[0])
            known[1] += 1
    part.lines.append(f"clips of another take, refused {ratio(*honest)}")
    part.at_most("clips of another take, refused", honest[0], 0)
    for name, (count, total) in refused.items():
        part.lines.append(f"clips sent again, {name:42} refused {ratio(count, total)}")
        part.at_least(f"clips sent again, {name}, refused", count, total, 1)
    part.at_least("films found by their codes", *known, 1)
    _measure_light(part, faces, Random(scale.seed))
    return part


def _measure_light(part: Part, faces: Sequence[Identity], rng: Random) -> None:
    for face in faces:
        colours = light.draw_colours(rng)
        for strength in STRENGTHS:
            lit = draw_lit_frames(face, colours, strength=strength)
            reflection = _judged(colours, lit)
            part.lines.append(f"lit by {strength:4} of the room's light: {reflection}")
            part.at_least(f"lit by {strength}, seen", reflection.verdict is Observation.SEEN, 1, 1)
            other = [_judged(light.draw_colours(rng), lit).verdict for _ in range(20)]
            different = other.count(Observation.DIFFERENT)
            part.lines.append(f"  compared with another sequence: different {different} of 20")
            part.at_most("another sequence, seen", other.count(Observation.SEEN), 0)
        unlit = draw_lit_frames(face, colours, strength=0)
        for name, film in (("never lit", unlit), ("tinted as a whole", _tinted(unlit, colours))):
            reflection = _judged(colours, film)
            part.lines.append(f"{name}: {reflection}")
            part.at_most(f"{name}, seen", float(reflection.verdict is Observation.SEEN), 0)


def _judged(colours: Sequence[str], frames: Sequence[Picture]) -> light.Reflection:
    pictures = [cv2.imdecode(np.frombuffer(jpeg(each), np.uint8), 1) for each in frames]
    return light.judge(
        colours, [measure_glow(levels(each), find_faces(levels(each))[0]) for each in pictures]
    )


def _tinted(frames: Sequence[Picture], colours: Sequence[str]) -> list[Picture]:
    tinted = []
    for picture, colour in zip(frames, colours, strict=True):
        gain = 1 + 0.3 * np.array([*bytes.fromhex(colour[1:])][::-1]) / 255
        tinted.append(levels(255 * ((picture / 255) ** 2.2 * gain) ** (1 / 2.2)))
    return tinted
