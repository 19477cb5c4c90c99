"""Attacks with the order of steps and uploads, and with false claims of a browser."""

from collections.abc import Iterator

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
from benchmarks.attack.pictures import Actor, Clips
from benchmarks.attack.two_people import UNPROVEN, in_browser

SITTING_OF_ORDERS, SITTING_OF_SESSIONS, SITTING_OF_FOREIGN = 20, 40, 60
ANOTHER_FACE = frozenset(
    {
        "FACE_MISMATCH",
        "LIVENESS_PORTRAIT_MISMATCH",
        "LIVENESS_PORTRAIT_NOT_FOUND",
        "LIVENESS_SELFIE_MISMATCH",
        "SELFIES_DIFFER",
    }
)
# The victim's document is the last upload.
LATE = frozenset(
    {
        "A's INE, then V's passport",
        "A's INE, then V's INE",
        "A's passport, then V's INE",
        "A's photograph, then V's passport",
        "A's INE and challenge, then V's passport",
    }
)
NO_DATA = frozenset({"INSUFFICIENT_DATA", "REGISTRY_PERSON_DIFFERS"})


def attacks(victim: Actor, attacker: Actor) -> Iterator[Case]:
    yield from other_orders(victim, attacker)
    yield from another_living_person(victim, attacker)
    yield from sessions(victim, attacker)


def other_orders(victim: Actor, attacker: Actor) -> Iterator[Case]:
    """The attacker's document for FACE_MATCH, the victim's for DOCUMENT_OCR."""
    species = "steps in another order"
    own = upload(("front", attacker.front), ("selfie", attacker.selfie))
    own_passport = upload(("passport", attacker.passport), ("selfie", attacker.selfie))
    own_photo = upload(("front", attacker.photograph), ("selfie", attacker.selfie))
    their_passport = upload(("passport", victim.passport))
    their_front = upload(("front", victim.front), ("back", victim.back))
    living = Challenge(Clips(attacker, SITTING_OF_ORDERS))
    again = Challenge(Clips(attacker, SITTING_OF_ORDERS + 1))
    third = Challenge(Clips(attacker, SITTING_OF_ORDERS + 2))
    compared, alive = UntilJudged(FACE), UntilJudged(LIVENESS)
    orders: tuple[tuple[str, tuple[str, ...], tuple[Act, ...]], ...] = (
        ("A's INE, then V's passport", (FACE, OCR), (own, compared, their_passport)),
        ("A's INE, then V's INE", (FACE, OCR), (own, compared, their_front)),
        ("A's passport, then V's INE", (FACE, OCR), (own_passport, compared, their_front)),
        ("A's photograph, then V's passport", (FACE, OCR), (own_photo, compared, their_passport)),
        ("A's INE, then V's passport", (FACE, GOVERNMENT, OCR), (own, compared, their_passport)),
        ("A's INE, then V's passport", (FACE, OCR, GOVERNMENT), (own, compared, their_passport)),
        (
            "A's challenge, V's INE, A's photograph",
            (LIVENESS, OCR, FACE),
            (
                living,
                alive,
                their_front,
                UntilJudged(OCR),
                upload(("passport", attacker.photograph)),
            ),
        ),
        (
            "A's INE and challenge, then V's passport",
            (FACE, LIVENESS, OCR),
            (own, compared, again, alive, their_passport),
        ),
        (
            "A's INE and challenge, then V's passport",
            (LIVENESS, FACE, OCR),
            (third, alive, upload(("front", attacker.front)), compared, their_passport),
        ),
        (
            "A's INE, then V's passport, then A's challenge",
            (FACE, OCR, LIVENESS),
            (own, compared, their_passport, Challenge(Clips(attacker, SITTING_OF_ORDERS + 3))),
        ),
        (
            "A's INE, then V's INE, then A's challenge",
            (OCR, FACE, LIVENESS),
            (own, compared, their_front, Challenge(Clips(attacker, SITTING_OF_ORDERS + 4))),
        ),
        (
            "V's certificate, then A's INE as passport",
            (OCR, GOVERNMENT, FACE),
            (
                upload(("front", victim.curp_certificate)),
                UntilJudged(GOVERNMENT),
                upload(("passport", attacker.front), ("selfie", attacker.selfie)),
            ),
        ),
        (
            "everything at once, V's passport as back",
            (FACE, OCR),
            (
                upload(
                    ("front", attacker.front),
                    ("back", victim.passport),
                    ("selfie", attacker.selfie),
                ),
            ),
        ),
    )
    for name, steps, acts in orders:
        title, is_late = f"{_short(steps)}: {name}", name in LATE
        yield Case(species, title, steps, acts, UNPROVEN, is_late=is_late)


def another_living_person(victim: Actor, attacker: Actor) -> Iterator[Case]:
    """The victim's document and picture, with the attacker in front of the camera."""
    orders = (
        (OCR, FACE, LIVENESS),
        (OCR, LIVENESS, FACE),
        (LIVENESS, OCR, FACE),
        (LIVENESS, FACE, OCR),
        (FACE, LIVENESS),
        (LIVENESS, FACE),
        (OCR, LIVENESS),
        (LIVENESS, OCR),
    )
    for number, steps in enumerate(orders):
        alive = Challenge(Clips(attacker, SITTING_OF_FOREIGN + number))
        pictures = [("front", victim.front), ("back", victim.back)]
        if FACE in steps:
            pictures.append(("selfie", victim.selfie))
        uploads = upload(*pictures)
        if steps[0] == LIVENESS:
            acts: tuple[Act, ...] = (alive, UntilJudged(LIVENESS), uploads)
        else:
            acts = (uploads, UntilJudged(steps[0]), alive)
        yield Case(
            "another living person than the document's",
            f"{_short(steps)}: V's INE{' and picture' if FACE in steps else ''}, A's challenge",
            steps,
            acts,
            ANOTHER_FACE,
        )


def sessions(victim: Actor, attacker: Actor) -> Iterator[Case]:
    """Anonymous browser sessions with false claims, and all steps at once.

    The attacker uploads no own document: with one, an ignored false claim leads to a correct
    approval under the attacker's own name.
    """
    species = "a browser's own word"
    said = {
        "curp": victim.curp,
        "rfc": str(victim.person.rfc),
        "givenNames": victim.person.name.given,
        "paternalSurname": victim.person.name.paterno,
        "maternalSurname": victim.person.name.materno,
        "dateOfBirth": victim.person.birth_date.isoformat(),
    }
    picture = upload(("front", attacker.photograph), ("selfie", attacker.selfie))
    spoken: tuple[tuple[str, tuple[str, ...], dict[str, str], tuple[Act, ...]], ...] = (
        ("V's CURP alone", (GOVERNMENT,), {"curp": victim.curp}, ()),
        ("all of V's data", (GOVERNMENT,), said, ()),
        ("V's RFC alone", (GOVERNMENT,), {"rfc": said["rfc"]}, ()),
        (
            "V's CURP, A's challenge",
            (LIVENESS, GOVERNMENT),
            {"curp": victim.curp},
            (Challenge(Clips(attacker, SITTING_OF_SESSIONS)),),
        ),
        ("V's CURP, A's photograph", (FACE, GOVERNMENT), {"curp": victim.curp}, (picture,)),
        (
            "V's CURP, then A's photograph",
            (GOVERNMENT, FACE),
            {"curp": victim.curp},
            (UntilJudged(GOVERNMENT), picture),
        ),
        (
            "V's CURP, then A's challenge",
            (GOVERNMENT, LIVENESS),
            {"curp": victim.curp},
            (UntilJudged(GOVERNMENT), Challenge(Clips(attacker, SITTING_OF_SESSIONS + 10))),
        ),
    )
    for name, steps, metadata, acts in spoken:
        yield Case(
            species,
            f"{_short(steps)}: {name}",
            steps,
            acts,
            NO_DATA | UNPROVEN,
            in_browser=True,
            metadata=metadata,
        )
    steps = (OCR, FACE, LIVENESS, GOVERNMENT)
    mixed = {
        "V's passport as back, A's INE as front": upload(
            ("back", victim.passport), ("front", attacker.front)
        ),
        "V's passport as back, A's photograph as front": upload(
            ("back", victim.passport), ("front", attacker.photograph)
        ),
        "V's CURP certificate as front, A's photograph as passport": upload(
            ("front", victim.curp_certificate), ("passport", attacker.photograph)
        ),
        "V's INE as front, A's photograph as passport": upload(
            ("front", victim.front), ("back", victim.back), ("passport", attacker.photograph)
        ),
        "V's INE as front, V's picture as selfie": upload(
            ("front", victim.front), ("back", victim.back), ("selfie", victim.selfie)
        ),
    }
    for number, (name, uploads) in enumerate(mixed.items(), start=1):
        alive = Challenge(Clips(attacker, SITTING_OF_SESSIONS + number))
        case = Case(
            "all steps in an anonymous session",
            f"{name}, A's challenge",
            steps,
            (uploads, UntilJudged(OCR), alive),
            UNPROVEN | ANOTHER_FACE,
            metadata=said,
        )
        yield in_browser(case)


def _short(steps: tuple[str, ...]) -> str:
    return "-".join(
        {OCR: "OCR", FACE: "FACE", LIVENESS: "LIVE", GOVERNMENT: "GOV"}[s] for s in steps
    )
