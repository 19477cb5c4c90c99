"""GOVERNMENT_VERIFY: government registries are asked about the person."""

from typing import Final

from acredita.domain.government.queries import Registry
from acredita.domain.steps import options, table
from acredita.domain.steps.kind import Config, StepKind, Words
from acredita.domain.verification import StepType

GOVERNMENT_VERIFY: Final = StepType("GOVERNMENT_VERIFY")


def registries(config: Config) -> list[Registry] | None:
    """The registries that a step names; None where it leaves the choice to the service."""
    named = config.get("registries")
    return None if named is None else [Registry(name) for name in named]


table.register(
    StepKind(
        type=GOVERNMENT_VERIFY,
        name=Words("Registros oficiales", "Official registries"),
        discloses=Words(
            "Tus datos se comparan con los registros oficiales (RENAPO, INE, SAT).",
            "Your data are compared with the official registries (RENAPO, INE, SAT).",
        ),
        options=(
            options.names(
                "registries",
                list(Registry),
                "the registries to query",
                "all whose required fields are known",
            ),
        ),
    )
)
