"""The table of step types. Code that depends on a step's type asks it."""

from collections.abc import Iterator

from acredita.domain.steps.kind import StepKind
from acredita.domain.verification import StepType

KINDS: dict[StepType, StepKind] = {}


def register(kind: StepKind) -> StepKind:
    """Add a kind. Raise ValueError where the table has another one of that type."""
    if KINDS.setdefault(kind.type, kind) is not kind:
        raise ValueError(f"two kinds of steps have the type {kind.type}")
    return kind


def kind_of(step_type: StepType) -> StepKind:
    """The kind of a type. Raise LookupError for a type that the table does not have."""
    try:
        return KINDS[step_type]
    except KeyError:
        raise LookupError(f"the table of step types has no kind of type {step_type}") from None


def types() -> list[StepType]:
    return sorted(KINDS)


def options_table() -> str:
    """All options as a table in Markdown, for the API's description."""
    return "\n".join(_rows())


def _rows() -> Iterator[str]:
    yield "| step | option | type | meaning | default |"
    yield "|---|---|---|---|---|"
    for kind in KINDS.values():
        for option in kind.options:
            cells = (kind.type, option.name, option.values, option.meaning, option.default)
            yield f"| {' | '.join(cells)} |"
