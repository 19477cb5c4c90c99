"""AML_SCREEN: the person is looked for on watchlists."""

from typing import Any, Final

from acredita.domain.steps import options, table
from acredita.domain.steps.kind import Config, StepKind, Words
from acredita.domain.verification import StepType

AML_SCREEN: Final = StepType("AML_SCREEN")
# As of POST /v1/aml/screen.
MOST_LISTS, LONGEST_ID = 20, 50


def list_ids(config: Config) -> list[str] | None:
    """The watchlists that a step names; None for all."""
    return config.get("lists")


def threshold(config: Config) -> float | None:
    """The lowest score of a match, 0 to 1; None for the default of the screening."""
    return config.get("fuzzyThreshold")


def _are_ids(value: Any) -> bool:
    return (
        isinstance(value, list)
        and 0 < len(value) <= MOST_LISTS
        and all(isinstance(each, str) and 0 < len(each) <= LONGEST_ID for each in value)
    )


table.register(
    StepKind(
        type=AML_SCREEN,
        name=Words("Listas de personas bloqueadas", "Watchlists"),
        options=(
            options.number("fuzzyThreshold", 0, 1, "the lowest score of a match", "0.75"),
            options.Option(
                "lists",
                "ids of watchlists",
                f"a list of 1 to {MOST_LISTS} ids of watchlists",
                _are_ids,
                "the watchlists to screen",
                "all of them",
            ),
        ),
    )
)
