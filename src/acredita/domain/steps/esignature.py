"""ESIGNATURE: a package of documents is signed for the verification."""

from typing import Final

from acredita.domain.steps import options, table
from acredita.domain.steps.kind import Act, Config, StepKind, Words
from acredita.domain.verification import StepType

ESIGNATURE: Final = StepType("ESIGNATURE")
# As of POST /v1/esignature/sign, the weakest first. Its rules name types of steps, so they import
# this folder, and it cannot import them.
TIERS: Final = ("name_only", "id_and_name", "face_id_and_name")


def sufficient_tiers(config: Config) -> tuple[str, ...]:
    """The tiers of a signature that ends the step."""
    return TIERS[TIERS.index(config.get("tier", TIERS[0])) :]


table.register(
    StepKind(
        type=ESIGNATURE,
        name=Words("Tu firma electrónica", "Your electronic signature"),
        act=lambda _config: Act.EXTERNAL,
        options=(options.one_of("tier", TIERS, "the weakest tier that suffices", TIERS[0]),),
    )
)
