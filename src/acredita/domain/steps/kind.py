"""What the service knows of one type of step, apart from the job that carries it out."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from acredita.domain.steps.options import Option
from acredita.domain.verification import DocumentRole, StepType

Config = Mapping[str, Any]
Roles = frozenset[DocumentRole]


# The option that every type has: a condition in CEL, as in policies.
WHEN: Final = "when"


def condition(config: Config) -> str | None:
    """The condition under which a step runs; None for a step that always runs."""
    when = config.get(WHEN)
    return when if isinstance(when, str) else None


class Act(StrEnum):
    """What a step waits for, besides pictures."""

    CODE = "code"
    FORM = "form"
    LOCATION = "location"
    # What only the organization's own application asks for.
    EXTERNAL = "external"


@dataclass(frozen=True, slots=True)
class Words:
    """One text for people, in both languages of the pages."""

    es: str
    en: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StepKind:
    """A type of step: what it needs, what it may ask for again, its options and its words."""

    type: StepType
    # What the step checks, in words for the verified person.
    name: Words
    # A sentence of the consent: the recipients of personal data; None if there are none.
    discloses: Words | None = None
    # Whether it measures the face: the consent names biometric data.
    takes_face: bool = False
    # (config, present, lacking): the roles that it needs. `lacking` were asked for again, and
    # `present` is without them.
    needed_roles: Callable[[Config, Roles, Roles], Sequence[DocumentRole]] = (
        lambda _config, _present, _lacking: ()
    )
    # A role that serves in place of a needed one.
    alternatives: Mapping[DocumentRole, DocumentRole] = field(default_factory=dict)
    # (present): the roles that help, and that the step does not await for long.
    optional_roles: Callable[[Roles], Sequence[DocumentRole]] = lambda _present: ()
    # The roles that it judges, in groups: a picture in one role of a group settles the group.
    judged_roles: tuple[Roles, ...] = ()
    # (code, present): the roles that it asks for again after that code.
    roles_to_retake: Callable[[str, Roles], Roles] = lambda _code, _present: frozenset()
    # (config): the act of the person that it waits for; None for a step that waits for none.
    act: Callable[[Config], Act | None] = lambda _config: None
    # (config): whether a challenge serves it; None for a step that no challenge can serve.
    asks_challenge: Callable[[Config], bool] | None = None
    options: tuple[Option, ...] = ()
    # (config): faults that lie in several options together, each of which is valid by itself.
    further_faults: Callable[[Config], Iterable[str]] = lambda _config: ()

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
