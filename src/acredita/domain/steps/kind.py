"""What the service knows of one type of step, apart from the job that carries it out."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from acredita.domain.verification import DocumentRole, StepType

Config = Mapping[str, Any]
Roles = frozenset[DocumentRole]


@dataclass(frozen=True, slots=True)
class Words:
    """One text for people, in both languages of the pages."""

    es: str
    en: str


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a step's `config`. The table of the API's description has a row for it.

    `values`, `meaning` and `default` are texts of that row. `expected` completes the error
    "<name> must be ...", for a value that `is_valid` rejects.
    """

    name: str
    values: str
    meaning: str
    default: str
    is_valid: Callable[[object], bool]
    expected: str


def _needs_nothing(_config: Config, _present: Roles, _lacking: Roles) -> Sequence[DocumentRole]:
    return ()


def _asks_for_nothing(_code: str, _present: Roles) -> Roles:
    return frozenset()


def _has_no_optional_role(_present: Roles) -> Sequence[DocumentRole]:
    return ()


def _has_no_further_fault(_config: Config) -> Iterator[str]:
    yield from ()


@dataclass(frozen=True, slots=True, kw_only=True)
class StepKind:
    """A type of step: what it needs, what it may ask for again, its options and its words."""

    type: StepType
    # What the step checks, for the person whom it checks.
    name: Words
    # A sentence of the consent: to whom the step discloses personal data; None for nobody.
    discloses: Words | None = None
    # Whether it measures the face: the consent names biometric data.
    takes_face: bool = False
    # (config, present, lacking): the roles that it needs. `lacking` were asked for again, and
    # `present` is without them.
    needed_roles: Callable[[Config, Roles, Roles], Sequence[DocumentRole]] = _needs_nothing
    # A role that serves in place of a needed one.
    alternatives: Mapping[DocumentRole, DocumentRole] = field(default_factory=dict)
    # (present): the roles that help, and that the step does not await for long.
    optional_roles: Callable[[Roles], Sequence[DocumentRole]] = _has_no_optional_role
    # The roles that it judges, in groups: a picture in one role of a group settles the group.
    judged_roles: tuple[Roles, ...] = ()
    # (code, present): the roles that it asks for again after that code.
    roles_to_retake: Callable[[str, Roles], Roles] = _asks_for_nothing
    # (config): whether a challenge serves it; None for a step that no challenge can serve.
    asks_challenge: Callable[[Config], bool] | None = None
    options: tuple[Option, ...] = ()
    # (config): faults that lie in several options together, each of which is valid by itself.
    further_faults: Callable[[Config], Iterator[str]] = _has_no_further_fault

    def faults(self, config: Config) -> list[str]:
        """What is wrong with a config, a sentence per fault: `backGraceSeconds must be ...`.

        Options that the type does not know are valid (DECISIONS, Verifications). A known option of
        a wrong type is a fault, so that a mistyped value is not silently ignored.
        """
        wrong = [
            f"{option.name} must be {option.expected}"
            for option in self.options
            if option.name in config and not option.is_valid(config[option.name])
        ]
        return wrong or list(self.further_faults(config))


def is_boolean(value: object) -> bool:
    return isinstance(value, bool)


def is_number(least: float, most: float) -> Callable[[object], bool]:
    """A check that a value is a number from `least` to `most`, and no boolean."""

    def check(value: object) -> bool:
        if isinstance(value, bool) or not isinstance(value, int | float):
            return False
        return least <= value <= most

    return check


def is_one_of(*values: str) -> Callable[[object], bool]:
    return lambda value: value in values


def are_distinct(known: frozenset[str]) -> Callable[[object], bool]:
    """A check that a value is a list of distinct texts out of `known`, and not empty."""

    def check(value: object) -> bool:
        if not isinstance(value, list) or not value:
            return False
        texts = [name for name in value if isinstance(name, str)]
        return len(texts) == len(value) == len(set(texts)) and known.issuperset(texts)

    return check
