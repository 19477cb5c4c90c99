"""The parameters of a synthetic face, drawn from seeds."""

from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from typing import Any, Final

import numpy as np

from acredita_synthetic.faces.fields import Array, blend, linear, step

_SPREAD: Final = 1.3
"""How far invented people differ from the mean head."""
_INHERITED: Final = 0.3
_DENTS: Final = 14
_DENT: Final = 0.26

_HAIR_COLOURS: Final = {
    "black": (22, 18, 17),
    "dark": (44, 31, 25),
    "brown": (82, 54, 36),
    "chestnut": (112, 66, 40),
    "blond": (176, 136, 84),
    "grey": (142, 140, 138),
    "white": (205, 203, 200),
}
_SKINS: Final = np.array(
    [(238, 200, 178), (226, 181, 152), (207, 157, 122), (178, 126, 92), (139, 93, 65), (98, 63, 45)]
)
_IRISES: Final = ((52, 33, 22), (70, 44, 26), (92, 62, 34), (98, 92, 58), (84, 108, 122))
_MEN_WEAR: Final = {
    "short": 0.28,
    "side": 0.24,
    "buzz": 0.14,
    "bald": 0.08,
    "curly": 0.13,
    "back": 0.13,
}
_WOMEN_WEAR: Final = {"long": 0.33, "bob": 0.2, "tied": 0.22, "wavy": 0.2, "side": 0.05}
_BEARDS: Final = {"none": 0.4, "stubble": 0.2, "moustache": 0.12, "goatee": 0.13, "full": 0.15}


def _trait(mean: float, spread: float, **how: Any) -> Any:
    """Declare a trait around `mean`. `man` is added for men, `old` with age."""
    return field(metadata={"mean": mean, "spread": spread, **how})


@dataclass(frozen=True, slots=True)
class Shape:
    """The geometry of a head: lengths in centimetres, widths and factors around 1."""

    face_width: float = _trait(1.0, 0.055, man=0.015)
    jaw: float = _trait(0.9, 0.06, man=0.1)
    jaw_lift: float = _trait(3.0, 0.65, man=-0.25)
    chin: float = _trait(0.0, 0.4, man=0.25)
    chin_length: float = _trait(0.0, 0.45, man=0.15)
    crown: float = _trait(11.4, 0.35)
    brow: float = _trait(0.0, 0.16, man=0.28)
    brow_y: float = _trait(1.75, 0.22, man=-0.2)
    brow_arch: float = _trait(0.22, 0.17, man=-0.22)
    brow_thickness: float = _trait(0.22, 0.07, man=0.18)
    brow_gap: float = _trait(1.2, 0.25)
    brow_density: float = _trait(1.0, 0.3)
    eye_x: float = _trait(3.12, 0.17)
    eye_width: float = _trait(1.46, 0.11)
    eye_height: float = _trait(0.61, 0.07, man=-0.1)
    eye_tilt: float = _trait(0.05, 0.075)
    eye_depth: float = _trait(0.0, 0.16, man=-0.1)
    hood: float = _trait(0.35, 0.16, old=-0.12, limits=(0.12, 0.7))
    nose_y: float = _trait(-4.3, 0.36, man=-0.3)
    nose_width: float = _trait(0.95, 0.12, man=0.1)
    nose_tip: float = _trait(2.0, 0.32)
    nose_bridge: float = _trait(0.95, 0.28, man=0.12)
    nose_bridge_width: float = _trait(0.78, 0.1)
    nose_hump: float = _trait(0.0, 0.16, man=0.03)
    nose_ball: float = _trait(0.38, 0.14)
    mouth_shift: float = _trait(0.0, 0.24)
    mouth_width: float = _trait(2.42, 0.24)
    upper_lip: float = _trait(0.74, 0.15, man=-0.16)
    lower_lip: float = _trait(0.96, 0.16, man=-0.18)
    lip_red: float = _trait(0.7, 0.12, man=-0.4)
    mouth_curve: float = _trait(0.0, 0.13)
    cheekbone: float = _trait(0.3, 0.22)
    cheek: float = _trait(0.0, 0.36, old=-0.15)
    fold: float = _trait(0.12, 0.05, old=0.28)
    bags: float = _trait(0.25, 0.12, old=0.5)
    forehead: float = _trait(6.2, 0.5, old_man=0.8)
    temple: float = _trait(0.0, 0.3, old_man=0.6)
    ear: float = _trait(1.0, 0.1)
    ear_turn: float = _trait(0.38, 0.12)

    @property
    def mouth_y(self) -> float:
        return -6.75 + self.mouth_shift + 0.4 * (self.nose_y + 4.45)


@dataclass(frozen=True, slots=True)
class Dent:
    """A displacement of the surface that fades out around a place.

    `mirrored`: its share on the other side of the face.
    """

    x: float
    y: float
    size: float
    shift: tuple[float, float, float]
    mirrored: float


@dataclass(frozen=True, slots=True, eq=False)
class Identity:
    """A face. It equals only itself, so that its hair can be cached.

    Colours are linear light; `tone` rises from pale (0) to dark skin (5), `old` from 0 at thirty
    years to 1.
    """

    seed: int
    woman: bool
    age: int
    old: float
    tone: float
    skin: Array
    hair_colour: Array
    brow_colour: Array
    style: str
    beard: str
    iris: Array
    shape: Shape
    moles: tuple[tuple[float, float, float], ...]
    freckles: float
    makeup: float
    cloth: Array
    parting: float
    dents: tuple[Dent, ...]


@lru_cache(maxsize=64)
def invent(*seeds: int) -> Identity:
    """Return the face of the first seed. Each further seed adds about a third of its own traits.

    The first seed decides sex and age. The order of the random draws must not change.
    """
    face = _draw(seeds[0], woman=None)
    for seed in seeds[1:]:
        face = _crossed(face, _draw(seed, woman=face.woman), np.random.default_rng(seed))
    return face


def _draw(seed: int, *, woman: bool | None) -> Identity:
    rng = np.random.default_rng(seed)
    is_drawn_a_woman = not rng.random() < 0.5
    woman = is_drawn_a_woman if woman is None else woman
    age = int(rng.integers(19, 68))
    old = float(step(30, 68, age))
    tone = float(np.clip(rng.beta(2.2, 2.6), 0.03, 0.97)) * 5
    skin = _skin(tone, rng)
    hair, brow = _hair_and_brow(tone, old, rng)
    style = _chosen(_WOMEN_WEAR if woman else _MEN_WEAR, rng)
    beard = "none" if woman else _chosen(_BEARDS, rng)
    brow_colour = linear(brow) * float(rng.uniform(0.5, 1.1))
    iris = linear(_IRISES[int(rng.integers(0, 3 if tone > 1.5 else 5))])
    shape = _shape(rng, old, woman=woman)
    moles = _moles(rng)
    freckles = max(0.0, _deviation(0.5, rng)) * (tone < 1.6)
    makeup = float(rng.random() < 0.6) * woman
    _pass_over_glasses(rng)
    return Identity(
        seed=seed,
        woman=woman,
        age=age,
        old=old,
        tone=tone,
        skin=skin,
        hair_colour=linear(hair),
        brow_colour=brow_colour,
        style=style,
        beard=beard,
        iris=iris,
        shape=shape,
        moles=moles,
        freckles=freckles,
        makeup=makeup,
        cloth=cloth_colour(rng),
        parting=float(rng.choice([-1, 1])),
        dents=tuple(_dent(rng, woman=woman) for _ in range(_DENTS)),
    )


def _crossed(face: Identity, other: Identity, rng: np.random.Generator) -> Identity:
    traits: dict[str, Any] = {}

    def inherit(*names: str) -> None:
        if rng.random() < _INHERITED:
            traits.update({name: getattr(other, name) for name in names})

    inherit("tone", "skin")
    inherit("hair_colour", "brow_colour")
    for name in ("style", "beard", "iris"):
        inherit(name)
    shape = {
        trait.name: getattr(other.shape, trait.name)
        for trait in fields(Shape)
        if rng.random() < _INHERITED
    }
    for name in ("moles", "freckles", "makeup"):
        inherit(name)
    _pass_over_glasses(rng)
    for name in ("cloth", "parting", "dents"):
        inherit(name)
    return replace(face, shape=replace(face.shape, **shape), **traits)


def _pass_over_glasses(rng: np.random.Generator) -> None:
    """Draw the number that once decided on glasses, so that seeds keep their faces."""
    rng.random()


def _deviation(spread: float, rng: np.random.Generator) -> float:
    return float(np.clip(rng.standard_normal(), -1.9, 1.9) * spread * _SPREAD)


def _chosen(shares: dict[str, float], rng: np.random.Generator) -> str:
    return str(rng.choice(list(shares), p=list(shares.values())))


def _skin(tone: float, rng: np.random.Generator) -> Array:
    paler = int(min(tone, 4))
    tint = np.array([0, _deviation(0.025, rng), _deviation(0.04, rng)])
    colour = blend(_SKINS[paler].astype(float), _SKINS[paler + 1], tone - paler) * (1 + tint)
    return linear(np.clip(colour, 20, 250))


def _hair_and_brow(
    tone: float, old: float, rng: np.random.Generator
) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    shares = (0.34, 0.32, 0.2, 0.08, 0.06) if tone > 1.2 else (0.1, 0.2, 0.3, 0.2, 0.2)
    names = ("black", "dark", "brown", "chestnut", "blond")
    hair = _chosen(dict(zip(names, shares, strict=True)), rng)
    if rng.random() < old * 0.75:
        hair = _chosen({"grey": 0.65, "white": 0.35}, rng)
    if hair not in ("grey", "white"):
        return _HAIR_COLOURS[hair], _HAIR_COLOURS[hair]
    return _HAIR_COLOURS[hair], (95, 88, 82) if rng.random() < 0.6 else _HAIR_COLOURS["grey"]


def _shape(rng: np.random.Generator, old: float, *, woman: bool) -> Shape:
    drawn: dict[str, float] = {}
    for trait in fields(Shape):
        how = trait.metadata
        value = how["mean"] + _deviation(how["spread"], rng) + how.get("old", 0) * old
        if not woman:
            value += how.get("man", 0) + how.get("old_man", 0) * old
        drawn[trait.name] = float(np.clip(value, *how.get("limits", (-np.inf, np.inf))))
    return Shape(**drawn)


def _moles(rng: np.random.Generator) -> tuple[tuple[float, float, float], ...]:
    """Return the place and the size of each mole."""
    return tuple(
        (rng.uniform(-5, 5), rng.uniform(-9, 3), rng.uniform(0.06, 0.13))
        for _ in range(int(rng.integers(0, 4)))
    )


def cloth_colour(rng: np.random.Generator) -> Array:
    grey = np.full(3, rng.uniform(0.03, 0.6))
    return np.asarray(blend(grey, rng.uniform(0.02, 0.6, 3), 0.45))


def _dent(rng: np.random.Generator, *, woman: bool) -> Dent:
    x, y, size = rng.uniform(-6, 6), rng.uniform(-10.5, 2.5), rng.uniform(1.6, 4)
    aside, up, ahead = rng.normal(0, _DENT * (0.8 if woman else 1.0), 3) * [0.8, 0.8, 1.2]
    return Dent(x, y, size, (float(aside), float(up), float(ahead)), rng.uniform(0.6, 1))
