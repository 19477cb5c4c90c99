"""The options of a step's `config`: how the contract describes them, and what is valid."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Option:
    """`values`, `meaning` and `default` are cells of the table in the API's description.

    `expected` completes the error "<name> must be ...", for a value that `is_valid` rejects.
    """

    name: str
    values: str
    expected: str
    is_valid: Callable[[object], bool]
    meaning: str
    default: str


def boolean(name: str, meaning: str, default: str) -> Option:
    return Option(
        name, "boolean", "true or false", lambda value: isinstance(value, bool), meaning, default
    )


def number(name: str, least: int, most: int, meaning: str, default: str) -> Option:
    """A number from `least` to `most`, both valid; not a boolean, not NaN."""

    def is_valid(value: object) -> bool:
        if isinstance(value, bool) or not isinstance(value, int | float):
            return False
        return least <= value <= most

    expected = f"a number from {least} to {most}"
    return Option(name, f"number, {least} to {most}", expected, is_valid, meaning, default)


def one_of(name: str, known: Collection[str], meaning: str, default: str) -> Option:
    values = tuple(known)
    expected = _listed(values, "or")
    return Option(name, ", ".join(values), expected, lambda it: it in values, meaning, default)


def names(name: str, known: Collection[str], meaning: str, default: str) -> Option:
    """A list of distinct names, and not an empty one."""
    values = tuple(known)

    def is_valid(value: object) -> bool:
        if not isinstance(value, list) or not value:
            return False
        texts = [each for each in value if isinstance(each, str)]
        return len(texts) == len(value) == len(set(texts)) and set(values).issuperset(texts)

    return Option(
        name,
        f"distinct names out of {', '.join(values)}",
        f"a list of distinct names out of {_listed(values, 'and')}",
        is_valid,
        meaning,
        default,
    )


def _listed(values: Sequence[str], conjunction: str) -> str:
    return f"{', '.join(values[:-1])} {conjunction} {values[-1]}"
