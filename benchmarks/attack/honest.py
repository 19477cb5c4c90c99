"""Honest people with every kind of document, in every accepted order of steps and uploads."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from acredita_synthetic.capture import Difficulty
from benchmarks.attack.cases import (
    FACE,
    GOVERNMENT,
    LIVENESS,
    OCR,
    Act,
    Case,
    Challenge,
    UntilJudged,
    upload,
)
from benchmarks.attack.pictures import Actor, Clips, pdf, selfie

Content = Callable[[], bytes]
USUAL = (OCR, FACE)
PATIENT = 20.0
DIFFICULTIES = (Difficulty.CLEAN, Difficulty.MILD, Difficulty.PHOTO)
SITTING = 200


def everybody(actors: Sequence[Actor]) -> Iterator[Case]:
    for actor in actors[:2]:
        for difficulty in DIFFICULTIES:
            yield from kinds_of_documents(actor, difficulty)
        yield from arrangements(actor)
    yield from orders_of_steps(actors[0], actors[1])
    yield from challenges_in_one_place(actors[0])


def kinds_of_documents(actor: Actor, difficulty: Difficulty) -> Iterator[Case]:
    front, back = partial(actor.front, difficulty), partial(actor.back, difficulty)
    licence, passport = partial(actor.licence, difficulty), partial(actor.passport, difficulty)
    documents = {
        "INE, front and back": (("front", front), ("back", back)),
        "INE, front alone": (("front", front),),
        "passport": (("passport", passport),),
        "passport as front": (("front", passport),),
        "licence": (("front", licence),),
        "INE and passport": (("front", front), ("back", back), ("passport", passport)),
    }
    for name, files in documents.items():
        acts = (upload(*files, ("selfie", actor.selfie)),)
        yield _honest(name, f"{actor.seed}, {difficulty}", USUAL, acts)


def arrangements(actor: Actor) -> Iterator[Case]:
    mine = ("selfie", actor.selfie)
    front, back, passport = actor.front, actor.back, actor.passport
    in_one: dict[str, tuple[tuple[str, Content], ...]] = {
        "INE, sides exchanged": (("front", back), ("back", front)),
        "INE, both sides in a PDF": (("front", lambda: pdf(front(), back())),),
        "INE, sides exchanged in a PDF": (("front", lambda: pdf(back(), front())),),
        "INE, a PDF for each side": (
            ("front", lambda: pdf(front())),
            ("back", lambda: pdf(back())),
        ),
        "INE and passport in a PDF": (("front", lambda: pdf(front(), back(), passport())),),
        "INE front twice": (("front", front), ("front", partial(front, Difficulty.PHOTO))),
        "INE and licence": (("front", front), ("back", actor.licence)),
        "INE and CURP certificate": (("front", front), ("back", actor.curp_certificate)),
        "INE and RFC certificate": (("front", front), ("back", actor.rfc_certificate)),
        "INE and CURP certificate as passport": (
            ("front", front),
            ("back", back),
            ("passport", actor.curp_certificate),
        ),
        "INE and CURP certificate in a PDF": (
            ("front", lambda: pdf(front(), back(), actor.curp_certificate())),
        ),
        "RFC certificate and INE, both as front": (
            ("front", actor.rfc_certificate),
            ("front", front),
        ),
        "CURP certificate and INE": (("front", actor.curp_certificate), ("back", front)),
        "RFC certificate and INE": (("front", actor.rfc_certificate), ("back", front)),
        "CURP certificate and passport": (
            ("front", actor.curp_certificate),
            ("passport", passport),
        ),
    }
    for name, files in in_one.items():
        yield _honest(name, str(actor.seed), USUAL, (upload(*files, mine),))
    in_two: dict[str, tuple[Act, ...]] = {
        "INE in two requests": (upload(("front", front)), upload(("back", back), mine)),
        "INE in two requests, the back first": (
            upload(("back", back)),
            upload(("front", front), mine),
        ),
        "INE and selfie, each in a request": (
            upload(("front", front), ("back", back)),
            UntilJudged(OCR),
            upload(mine),
        ),
        "passport, then INE, while it is read": (
            upload(("passport", passport)),
            upload(("front", front), ("back", back), mine),
        ),
        "two selfies": (
            upload(("front", front), ("back", back), mine, ("selfie", partial(selfie, actor, 2))),
        ),
    }
    for name, acts in in_two.items():
        yield _honest(name, str(actor.seed), USUAL, acts, grace=PATIENT)
    for name, sheet in (("CURP", actor.curp_certificate), ("RFC", actor.rfc_certificate)):
        certificate = (upload(("front", sheet)),)
        yield _honest(f"{name} certificate alone", str(actor.seed), (OCR, GOVERNMENT), certificate)
    ine = (upload(("front", front), ("back", back), mine),)
    steps = (OCR, GOVERNMENT, FACE)
    yield _honest("INE, registries asked", str(actor.seed), steps, ine)
    yield _honest("INE, compared first", str(actor.seed), (FACE, OCR), ine)
    yield _honest("INE in a session", str(actor.seed), USUAL, ine, in_browser=True)


def orders_of_steps(*actors: Actor) -> Iterator[Case]:
    """With a challenge in any position. The selfie is one of its frames, or is uploaded."""
    orders = (
        (LIVENESS,),
        (OCR, FACE, LIVENESS),
        (OCR, LIVENESS, FACE),
        (LIVENESS, OCR, FACE),
        (LIVENESS, FACE, OCR),
        (OCR, LIVENESS),
        (OCR, FACE, LIVENESS, GOVERNMENT),
    )
    for number, steps in enumerate(orders):
        actor = actors[number % len(actors)]
        living = Challenge(Clips(actor, SITTING + number))
        files = [("front", actor.front), ("back", actor.back)]
        if steps[-1] == GOVERNMENT or steps.index(LIVENESS) > 1:
            files.append(("selfie", actor.selfie))
        acts: tuple[Act, ...] = (living,)
        if steps[0] == LIVENESS and len(steps) > 1:
            acts = (living, UntilJudged(LIVENESS), upload(*files))
        elif len(steps) > 1:
            acts = (upload(*files), UntilJudged(OCR), living)
        short = "-".join(step.partition("_")[0] for step in steps)
        yield _honest(f"INE and challenge: {short}", str(actor.seed), steps, acts)
        if steps[-1] == GOVERNMENT:
            yield _honest(
                "INE and challenge in a session",
                str(actor.seed),
                steps,
                _with_a_film(actor, files),
                in_browser=True,
            )


def challenges_in_one_place(actor: Actor) -> Iterator[Case]:
    """One person opens two accounts in the same place and light, with different films."""
    for take in (1, 2, 3):
        acts = (Challenge(Clips(actor, SITTING - 2, take)),)
        case = _honest("challenges in one place", f"{actor.seed}, {take}", (LIVENESS,), acts)
        yield replace(case, key=f"place of {actor.seed}")


def _with_a_film(actor: Actor, files: Sequence[tuple[str, Content]]) -> tuple[Act, ...]:
    living = Challenge(Clips(actor, SITTING - 1))
    return upload(*files), UntilJudged(OCR), living


def _honest(
    name: str,
    who: str,
    steps: tuple[str, ...],
    acts: tuple[Act, ...],
    *,
    grace: float = 1.0,
    in_browser: bool = False,
) -> Case:
    return Case(name, who, steps, acts, is_honest=True, grace=grace, in_browser=in_browser)
