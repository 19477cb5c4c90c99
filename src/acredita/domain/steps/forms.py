"""FORM: a form of the organization is answered for the verification."""

from collections.abc import Iterator
from typing import Final
from uuid import UUID

from acredita.domain.steps import options, table
from acredita.domain.steps.kind import Act, Config, StepKind, Words
from acredita.domain.verification import StepType

FORM: Final = StepType("FORM")
EXPECTED = "the id of a form"


def form_id(config: Config) -> UUID | None:
    """The form that must be answered; None if the options name none."""
    named = config.get("formId")
    return UUID(named) if _is_id(named) else None


def _is_id(value: object) -> bool:
    if not isinstance(value, str):
        return False
    try:
        return str(UUID(value)) == value.lower()
    except ValueError:
        return False


def _further_faults(config: Config) -> Iterator[str]:
    if "formId" not in config:
        yield f"formId must be {EXPECTED}"


table.register(
    StepKind(
        type=FORM,
        name=Words("Un formulario", "A form"),
        act=lambda _config: Act.FORM,
        options=(
            options.Option(
                "formId", "UUID", EXPECTED, _is_id, "the form that must be answered", "required"
            ),
        ),
        further_faults=_further_faults,
    )
)
