"""Attacks with two people's pages: the victim's document, the attacker's face.

Documents are not altered, except for covered portraits. The attacker owns scans and photographs of
the victim's documents and face.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from acredita_synthetic.capture import Difficulty
from acredita_synthetic.ground_truth import SpecimenKind
from benchmarks.attack.cases import FACE, GOVERNMENT, OCR, Act, Case, UntilJudged, upload
from benchmarks.attack.pictures import Actor, beside, covered, pdf

Content = Callable[[], bytes]
USUAL = (OCR, FACE)
DIFFERENT = frozenset({"DOCUMENTS_OF_DIFFERENT_PEOPLE"})
UNKNOWN_PAGE = frozenset({"PAGE_NOT_RECOGNIZED", "PAGE_NOT_CONFIRMED"})
STRAY = DIFFERENT | UNKNOWN_PAGE
UNPROVEN = STRAY | {"PORTRAIT_NOT_FOUND", "FACE_MISMATCH"}


def attacks(victim: Actor, attacker: Actor, others: list[Actor]) -> Iterator[Case]:
    yield from documents_of_two(victim, attacker)
    yield from certificates(victim, attacker)
    yield from files_of_several(victim, attacker, others)
    yield from covered_portraits(victim, attacker)
    yield from roles_given_twice(victim, attacker)
    yield from replacements(victim, attacker)


def documents_of_two(victim: Actor, attacker: Actor) -> Iterator[Case]:
    """The victim's document in one role, a picture with the attacker's face in another."""
    species = "two people's pages"
    theirs = {"passport": victim.passport, "INE": victim.front, "licence": victim.licence}
    own = {
        "INE": attacker.front,
        "licence": attacker.licence,
        "photograph": attacker.photograph,
    }
    roles = (("back", "front"), ("passport", "front"), ("front", "passport"), ("front", "back"))
    for their_name, their in theirs.items():
        for own_name, mine in own.items():
            codes = UNKNOWN_PAGE if own_name == "photograph" else DIFFERENT
            for their_role, my_role in roles:
                yield Case(
                    species,
                    f"V's {their_name} as {their_role}, A's {own_name} as {my_role}",
                    USUAL,
                    (upload((their_role, their), (my_role, mine), ("selfie", attacker.selfie)),),
                    codes | {"FACE_MISMATCH"},
                )
    photo = partial(victim.passport, Difficulty.PHOTO)
    yield Case(
        species,
        "V's passport as back, photographed, A's INE as front",
        USUAL,
        (upload(("back", photo), ("front", attacker.front), ("selfie", attacker.selfie)),),
        DIFFERENT,
    )
    for role, name, their in (
        ("back", "passport", victim.passport),
        ("passport", "INE", victim.front),
        ("back", "licence", victim.licence),
        ("passport", "photograph", victim.photograph),
    ):
        yield Case(
            species,
            f"A's INE as front, V's {name} as {role}, V's picture as selfie",
            USUAL,
            (upload(("front", attacker.front), (role, their), ("selfie", victim.selfie)),),
            STRAY | {"FACE_MISMATCH"},
        )


def certificates(victim: Actor, attacker: Actor) -> Iterator[Case]:
    """A document without a portrait, and the attacker's face beside it."""
    species = "a certificate and another's face"
    for name, sheet in (("CURP", victim.curp_certificate), ("RFC", victim.rfc_certificate)):
        for role, own_name, own in (
            ("passport", "photograph", attacker.photograph),
            ("back", "photograph", attacker.photograph),
            ("passport", "INE", attacker.front),
            ("back", "INE", attacker.front),
            ("passport", "licence", attacker.licence),
        ):
            yield Case(
                species,
                f"V's {name} certificate as front, A's {own_name} as {role}",
                USUAL,
                (upload(("front", sheet), (role, own), ("selfie", attacker.selfie)),),
                UNPROVEN,
            )
        for role in ("back", "passport"):
            yield Case(
                species,
                f"A's INE as front, V's {name} certificate as {role}",
                (OCR, FACE, GOVERNMENT),
                (upload(("front", attacker.front), (role, sheet), ("selfie", attacker.selfie)),),
                STRAY,
            )
        yield Case(
            species,
            f"V's {name} certificate as passport, A's photograph as front",
            USUAL,
            (
                upload(
                    ("passport", sheet),
                    ("front", attacker.photograph),
                    ("selfie", attacker.selfie),
                ),
            ),
            UNPROVEN,
        )


def files_of_several(victim: Actor, attacker: Actor, others: list[Actor]) -> Iterator[Case]:
    """Pages of several people in one file."""
    files: dict[str, Content] = {
        "V's INE, A's INE": lambda: pdf(victim.front(), attacker.front()),
        "A's INE, V's INE": lambda: pdf(attacker.front(), victim.front()),
        "V's passport, A's photograph": lambda: pdf(victim.passport(), attacker.photograph()),
        "A's photograph, V's passport": lambda: pdf(attacker.photograph(), victim.passport()),
        "both of V's sides, A's photograph": lambda: pdf(
            victim.front(), victim.back(), attacker.photograph()
        ),
        "A's photograph, both of V's sides": lambda: pdf(
            attacker.photograph(), victim.front(), victim.back()
        ),
        "A's both sides, V's passport": lambda: pdf(
            attacker.front(), attacker.back(), victim.passport()
        ),
        "V's licence, A's licence": lambda: pdf(victim.licence(), attacker.licence()),
        "INEs of five": lambda: pdf(
            *(actor.front() for actor in (victim, *others, attacker)),
        ),
    }
    for name, content in files.items():
        codes = UNKNOWN_PAGE if "photograph" in name else DIFFERENT
        yield Case(
            "a file of several people",
            f"as front: {name}",
            USUAL,
            (upload(("front", content), ("selfie", attacker.selfie)),),
            codes | {"FACE_MISMATCH", "PORTRAIT_NOT_FOUND"},
        )
    content = files["A's photograph, V's passport"]
    yield Case(
        "a file of several people",
        "as passport: A's photograph, V's passport",
        USUAL,
        (upload(("passport", content), ("selfie", attacker.selfie)),),
        UNPROVEN,
    )


def covered_portraits(victim: Actor, attacker: Actor) -> Iterator[Case]:
    """A grey patch over the victim's portrait, and the attacker's photograph somewhere else."""
    kinds = {
        "INE": SpecimenKind.INE_FRONT,
        "passport": SpecimenKind.PASSPORT,
        "licence": SpecimenKind.DRIVER_LICENCE,
    }
    species = "a covered portrait"
    for name, kind in kinds.items():
        for role in ("passport", "back"):
            yield Case(
                species,
                f"V's {name} without its portrait as front, A's photograph as {role}",
                USUAL,
                (
                    upload(
                        ("front", partial(covered, victim, kind)),
                        (role, attacker.photograph),
                        ("selfie", attacker.selfie),
                    ),
                ),
                UNPROVEN,
            )

        def together(kind: SpecimenKind = kind) -> bytes:
            return beside(covered(victim, kind), attacker.photograph())

        yield Case(
            species,
            f"V's {name} without its portrait, A's photograph laid next to it",
            USUAL,
            (upload(("front", together), ("selfie", attacker.selfie)),),
            frozenset({"PORTRAIT_NOT_FOUND", "SEVERAL_DOCUMENTS", "FACE_MISMATCH"}),
        )
    for name, whole in (("INE", victim.front), ("passport", victim.passport)):

        def with_photograph(whole: Content = whole) -> bytes:
            return beside(whole(), attacker.photograph())

        yield Case(
            species,
            f"V's {name} whole, A's photograph laid next to it",
            USUAL,
            (upload(("front", with_photograph), ("selfie", attacker.selfie)),),
            frozenset({"PORTRAIT_NOT_FOUND", "SEVERAL_DOCUMENTS", "FACE_MISMATCH"}),
        )


def roles_given_twice(victim: Actor, attacker: Actor) -> Iterator[Case]:
    """Two files in one role, and sides of two cards."""
    species = "a role given twice, sides of two cards"
    pairs: dict[str, tuple[tuple[str, Content], ...]] = {
        "front twice: V's INE, A's INE": (("front", victim.front), ("front", attacker.front)),
        "front twice: A's INE, V's INE": (("front", attacker.front), ("front", victim.front)),
        "passport twice: V's, A's": (
            ("passport", victim.passport),
            ("passport", attacker.passport),
        ),
        "passport twice: A's photograph, V's passport": (
            ("passport", attacker.photograph),
            ("passport", victim.passport),
        ),
        "passport twice: V's passport, A's photograph": (
            ("passport", victim.passport),
            ("passport", attacker.photograph),
        ),
        "A's front, V's back": (("front", attacker.front), ("back", victim.back)),
        "V's front, A's back": (("front", victim.front), ("back", attacker.back)),
        "A's front, both backs": (
            ("front", attacker.front),
            ("back", victim.back),
            ("back", attacker.back),
        ),
    }
    for name, files in pairs.items():
        codes = STRAY | {"FIELDS_CONTRADICT", "FACE_MISMATCH", "PORTRAIT_NOT_FOUND"}
        acts = (upload(*files, ("selfie", attacker.selfie)),)
        yield Case(species, name, USUAL, acts, codes)
    for name, selfies in (
        ("A's, V's", (attacker.selfie, victim.selfie)),
        ("V's, A's", (victim.selfie, attacker.selfie)),
    ):
        acts = (
            upload(
                ("front", victim.front),
                ("back", victim.back),
                *(("selfie", content) for content in selfies),
            ),
        )
        codes = frozenset({"SELFIES_DIFFER", "FACE_MISMATCH"})
        yield Case(species, f"V's INE, selfie twice: {name}", USUAL, acts, codes)


def replacements(victim: Actor, attacker: Actor) -> Iterator[Case]:
    """Another picture while the first is being read, or when only one step has judged it.

    A document that replaces another in the same role is an ordinary replacement. These cases keep
    pictures of both people.
    """
    species = "a document replaced while it is read"
    mine = ("selfie", attacker.selfie)
    first: dict[str, tuple[Act, ...]] = {
        "A's INE and selfie, at once V's INE": (
            upload(("front", attacker.front), mine),
            upload(("front", victim.front)),
        ),
        "A's INE and selfie, at once V's passport": (
            upload(("front", attacker.front), mine),
            upload(("passport", victim.passport)),
        ),
        "V's passport and A's selfie, at once A's photograph as front": (
            upload(("passport", victim.passport), mine),
            upload(("front", attacker.photograph)),
        ),
        "V's INE, at once A's photograph as passport and A's selfie": (
            upload(("front", victim.front)),
            upload(("passport", attacker.photograph), mine),
        ),
        "A's INE and selfie, at once V's INE, at once V's back": (
            upload(("front", attacker.front), mine),
            upload(("front", victim.front)),
            upload(("back", victim.back)),
        ),
        "V's INE read, then A's INE as front and A's selfie": (
            upload(("front", victim.front), ("back", victim.back)),
            UntilJudged(OCR),
            upload(("front", attacker.front), mine),
        ),
        "V's INE read, then A's photograph as passport and A's selfie": (
            upload(("front", victim.front), ("back", victim.back)),
            UntilJudged(OCR),
            upload(("passport", attacker.photograph), mine),
        ),
        "V's certificate read, then A's INE as passport and A's selfie": (
            upload(("front", victim.curp_certificate)),
            UntilJudged(OCR),
            upload(("passport", attacker.front), mine),
        ),
    }
    for name, acts in first.items():
        yield Case(species, name, USUAL, acts, UNPROVEN)


def in_browser(case: Case) -> Case:
    """The same through an anonymous session."""
    return replace(case, in_browser=True, name=f"session: {case.name}")
