"""CREDIT: the credit bureau is asked about the person."""

from typing import Final

from acredita.domain.steps import options, table
from acredita.domain.steps.kind import Config, StepKind, Words
from acredita.domain.verification import StepType

CREDIT: Final = StepType("CREDIT")


def least_score(config: Config) -> float | None:
    """The lowest sufficient score; None without such a rule."""
    return config.get("minimumScore")


table.register(
    StepKind(
        type=CREDIT,
        name=Words("Tu historial de crédito", "Your credit history"),
        discloses=Words(
            "Tu historial de crédito se consulta con una sociedad de información crediticia.",
            "Your credit history is requested from a credit bureau.",
        ),
        options=(
            options.number(
                "minimumScore",
                0,
                1000,
                "the lowest score that passes; below it the step goes to review",
                "none",
            ),
        ),
    )
)
