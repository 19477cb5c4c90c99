"""Conditions of policies in CEL: checked when they are saved, evaluated at a decision.

CEL always ends. The library (the C++ implementation of its authors) also limits the depth of an
expression (32), the steps of all comprehensions of one evaluation (10,000), and uses RE2 for
patterns. The limits here bound the size of a policy and, by an estimate, the time of an evaluation.
Types and names are checked against `domain.policies.variables`. What can still fail at a decision
is a missing key of `metadata`, an overflow and a division by zero. The caller then decides by
review.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from cel_expr_python import cel

from acredita.domain import policies, steps
from acredita.domain.decision import Decision
from acredita.domain.policies import (
    Act,
    Kind,
    Outcome,
    Policy,
    PolicyDecision,
    Rule,
    patterns,
    variables,
)
from acredita.domain.policies.costs import (
    SCALAR,
    Cost,
    Extent,
    estimate,
    list_of,
    map_of,
    text_of,
)
from acredita.domain.policies.kinds import LONGEST_LIST, Value
from acredita.domain.policies.patterns import GAP
from acredita.domain.verification import StepType

# Characters of one condition. The library itself refuses 100,000.
LONGEST_CONDITION: Final = 2_000
MOST_FAULTY_STEPS: Final = 5
# Characters of a text in the input. Longer ones are cut, so that no evaluation handles large texts.
LONGEST_TEXT: Final = 1_000
# With a time zone, these functions read its file, and any other file that its name leads to: from
# a pipe, they never return.
_OF_TIME_ZONES: Final = {
    "getDate": "timestamp_to_day_of_month_1_based_with_tz",
    "getDayOfMonth": "timestamp_to_day_of_month_with_tz",
    "getDayOfWeek": "timestamp_to_day_of_week_with_tz",
    "getDayOfYear": "timestamp_to_day_of_year_with_tz",
    "getFullYear": "timestamp_to_year_with_tz",
    "getHours": "timestamp_to_hours_with_tz",
    "getMilliseconds": "timestamp_to_milliseconds_with_tz",
    "getMinutes": "timestamp_to_minutes_with_tz",
    "getMonth": "timestamp_to_month_with_tz",
    "getSeconds": "timestamp_to_seconds_tz",
}
_LIBRARY: Final = cel.NewEnvConfigFromYaml(
    "stdlib:\n  exclude_functions:\n"
    + "".join(
        f"    - name: {name}\n      overloads:\n        - id: {overload}\n"
        for name, overload in _OF_TIME_ZONES.items()
    )
)
_TYPES: Final = {
    Kind.BOOL: cel.Type.BOOL,
    Kind.INT: cel.Type.INT,
    Kind.DOUBLE: cel.Type.DOUBLE,
    Kind.STRING: cel.Type.STRING,
    Kind.STRINGS: cel.Type.List(cel.Type.STRING),
    Kind.TEXTS: cel.Type.Map(cel.Type.STRING, cel.Type.STRING),
}
# Characters of a key and of a value in a map, and of a text in a list. Longer ones are cut; a list
# or map has LONGEST_LIST entries.
LONGEST_ENTRY: Final = 250
_EXTENTS: Final = {
    Kind.BOOL: SCALAR,
    Kind.INT: SCALAR,
    Kind.DOUBLE: SCALAR,
    Kind.STRING: text_of(LONGEST_TEXT),
    Kind.STRINGS: list_of(LONGEST_LIST, text_of(LONGEST_ENTRY)),
    Kind.TEXTS: map_of(LONGEST_LIST, text_of(LONGEST_ENTRY)),
}
# Seconds of processor, estimated, for one condition on the largest input, and for all of a policy
# or workflow.
LONGEST_EVALUATION: Final = 0.01
LONGEST_TOGETHER: Final = 0.03
# Iterations of all comprehensions of a condition, which the library allows.
MOST_ITERATIONS: Final = 10_000
# Microseconds of processor that compiling and estimating take at most: of a word or sign, and of a
# condition with other characters than ASCII, by the square of its length. All conditions together
# have MOST_COMPILING.
_OF_A_TOKEN: Final = 8
_OF_SQUARED_CHARACTERS: Final = 1 / 400
MOST_COMPILING: Final = 32_000
_TOKEN: Final = re.compile(r"\w+|[^\w\s]")
_LOOPS: Final = r"(?:all|exists|exists_one|existsOne|map|filter|transformList|transformMap)"
# A comprehension over a literal list, which no size of the input bounds: ten numbers nested four
# deep with a costly pattern take six seconds. The list may be a field of a literal map, and remarks
# may stand anywhere. It is refused within a text, too, as those have many forms.
_OVER_A_LITERAL: Final = re.compile(
    # No two gaps in a row, which would have many readings.
    rf"[\])}}]{GAP}\.{GAP}(?:(?:\?{GAP})?(?:\w+|`[^`]*`){GAP}\.{GAP})*"
    rf"{_LOOPS}{GAP}\("
)
_PLACE: Final = re.compile(r"ERROR: <input>:(-?\d+):(-?\d+): (.*)")


class CannotEvaluate(Exception):
    """A policy has no result for this input. The message has no personal data."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a condition; line and column count from 1, as in an editor."""

    line: int
    column: int
    message: str


@dataclass(slots=True)
class Costs:
    """The processor time of the conditions of one policy or workflow, in seconds."""

    seconds: float = 0.0
    # Estimated microseconds of compiling.
    compiling: float = 0.0
    # A condition took too long. The rest is not checked, so that the check takes bounded time.
    are_too_high: bool = False

    def add(self, cost: Cost) -> str | None:
        """Add the cost of a condition. Return what is wrong with it."""
        self.seconds += cost.seconds
        said = None
        if cost.iterations > MOST_ITERATIONS:
            said = "the condition takes too many steps"
        elif cost.seconds > LONGEST_EVALUATION:
            said = f"the condition takes more than {LONGEST_EVALUATION * 1000:.0f} ms"
        elif self.seconds > LONGEST_TOGETHER:
            said = f"the conditions up to here take more than {LONGEST_TOGETHER * 1000:.0f} ms"
        self.are_too_high = said is not None
        return said and f"{said} on the largest input"

    def add_size(self, condition: str) -> str | None:
        """Add a condition that is not yet compiled. Return what is wrong with it."""
        self.compiling += _OF_A_TOKEN * len(_TOKEN.findall(condition))
        if not condition.isascii():
            self.compiling += _OF_SQUARED_CHARACTERS * len(condition) ** 2
        self.are_too_high = self.compiling > MOST_COMPILING
        return "the conditions up to here are too long together" if self.are_too_high else None


def faults(condition: str, costs: Costs | None = None) -> list[Fault]:
    """Return what is wrong with a condition: syntax, names, types, cost; empty for a valid one.

    `costs` are those of the conditions before it.
    """
    costs = costs or Costs()
    if refused := _fault_of_text(condition, costs):
        return [refused]
    types = tuple(steps.types())
    try:
        expression = _compiled(condition, types)
    except RuntimeError as fault:
        return list(_located(str(fault)))
    if expression.return_type() != cel.Type.BOOL:
        kind = expression.return_type().name()
        return [Fault(1, 1, f"the condition is of the type {kind}, not a boolean")]
    said = costs.add(estimate(expression.serialize(), _extents(types)))
    return [Fault(1, 1, said)] if said else []


def _fault_of_text(condition: str, costs: Costs) -> Fault | None:
    """Return what is wrong with a condition that is not compiled for it."""
    if len(condition) > LONGEST_CONDITION:
        return Fault(1, 1, f"the condition has more than {LONGEST_CONDITION} characters")
    if found := _OVER_A_LITERAL.search(condition):
        place = found.start()
        return _fault_at(condition, place, "a comprehension runs over a variable, not over a value")
    matched = patterns.find(condition)
    if matched.fault:
        return _fault_at(condition, *matched.fault)
    for place, written in matched.written.items():
        if said := _fault_of_pattern(written):
            return _fault_at(condition, place, said)
    too_long = costs.add_size(condition)
    return Fault(1, 1, too_long) if too_long else None


@lru_cache(maxsize=1024)
def _fault_of_pattern(written: str) -> str | None:
    """Return why RE2 does not accept a pattern, a text in CEL with the closing parenthesis. The
    library compiles patterns when it evaluates them.
    """
    try:
        value = _environment(()).compile(f"''.matches({written}").eval()
    except RuntimeError:
        return None  # the text itself is not valid, which the condition's compilation says
    return str(value.value()).removeprefix("INVALID_ARGUMENT: ") if _is_error(value) else None


def _is_error(value: Any) -> bool:
    return bool(value.type() == cel.Type.ERROR)


def _fault_at(condition: str, place: int, said: str) -> Fault:
    line = condition.count("\n", 0, place) + 1
    return Fault(line, place - condition.rfind("\n", 0, place), said)


@lru_cache(maxsize=16)
def _extents(types: Sequence[StepType]) -> Mapping[str, Extent]:
    return {variable.name: _EXTENTS[variable.kind] for variable in variables(types)}


def first_match(policy: Policy, known: Mapping[str, Value]) -> int | None:
    """Return the number of the first rule that applies, from 0; None for none.

    Raise CannotEvaluate for a rule without a result, or one that is not valid any more.
    """
    types = tuple(steps.types())
    try:
        activation = _environment(types).Activation(
            {name: _bounded(value) for name, value in known.items()}
        )
        for number, rule in enumerate(policy.rules):
            value = _compiled(rule.when, types).eval(activation)
            if value.type() != cel.Type.BOOL:
                raise CannotEvaluate(f"the rule {number} has no result")
            if value.value():
                return number
    except RuntimeError:
        raise CannotEvaluate("a rule is not valid") from None
    return None


def holds(condition: str, known: Mapping[str, Value]) -> bool:
    """Return whether a single condition applies. Raise CannotEvaluate as `first_match` does."""
    outcome = Outcome(Act.DEFAULT)
    return first_match(Policy((Rule("", condition, outcome),), outcome), known) == 0


def step_faults(configs: Sequence[Mapping[str, object]]) -> list[str]:
    """Return what is wrong with the conditions of the configs of a workflow's steps: a sentence per
    fault. After a few faulty ones the rest is not checked, so that it takes bounded time.
    """
    found: list[str] = []
    faulty = 0
    costs = Costs()
    for place, config in enumerate(configs):
        said = list(_config_faults(config, costs))
        found += [f"{place}.config.{sentence}" for sentence in said]
        faulty += bool(said)
        if faulty == MOST_FAULTY_STEPS or costs.are_too_high:
            break
    return found


def _config_faults(config: Mapping[str, object], costs: Costs) -> Iterator[str]:
    if steps.WHEN not in config:
        return
    condition = steps.condition(config)
    if condition is None:
        yield f"{steps.WHEN} must be a text"
        return
    for fault in faults(condition, costs):
        yield f"{steps.WHEN}, line {fault.line}, column {fault.column}: {fault.message}"


def decide(
    policy: Policy,
    known: Mapping[str, Value],
    default: Decision,
    present: Sequence[StepType],
    against_one_person: Collection[str],
) -> PolicyDecision:
    """Return the decision of a policy on the values of its variables: review without a result.

    `default` is the decision without a policy. `present` are the types of the verification's steps.
    `against_one_person` are the codes for which no policy approves a verification.
    """
    try:
        matched = first_match(policy, known)
    except CannotEvaluate:
        return policies.cannot_be_evaluated(default)
    concluded = policies.conclude(policy, matched, default, present)
    return policies.withhold_approval(concluded, default) if against_one_person else concluded


def names_read(policy: Policy, names: Sequence[str]) -> list[str]:
    """Return those of `names` that a condition reads: it is not valid without them."""
    types = tuple(steps.types())
    # Compiling takes milliseconds; most conditions read none of the names.
    naming = {
        rule.when: mentioned
        for rule in policy.rules
        if (mentioned := frozenset(name for name in names if _mentions(rule.when, name)))
    }
    valid = [when for when in naming if _is_valid(when, types, frozenset())]
    readers = [when for when in valid if not _is_valid(when, types, naming[when])]
    return [
        name
        for name in names
        if any(
            name in naming[when] and not _is_valid(when, types, frozenset({name}))
            for when in readers
        )
    ]


def _mentions(condition: str, name: str) -> bool:
    """Return whether the text may name the variable; spaces may separate the parts of a name."""
    return all(part in condition for part in name.split("."))


def _is_valid(condition: str, types: Sequence[StepType], without: frozenset[str]) -> bool:
    try:
        _environment(types, without).compile(condition)
    except RuntimeError:
        return False
    return True


def _bounded(value: Value) -> Value:
    match value:
        case str():
            return value[:LONGEST_TEXT]
        case dict():
            # Sorted: the same entries stay, whatever order they are stored in.
            entries = sorted(value.items())[:LONGEST_LIST]
            return {key[:LONGEST_ENTRY]: text[:LONGEST_ENTRY] for key, text in entries}
        case list():
            return [text[:LONGEST_ENTRY] for text in value[:LONGEST_LIST]]
        case _:
            return value


@lru_cache(maxsize=64)
def _environment(types: Sequence[StepType], without: frozenset[str] = frozenset()) -> Any:
    return cel.NewEnv(config=_LIBRARY, variables=_declared(types, without))


def _declared(types: Sequence[StepType], without: frozenset[str] = frozenset()) -> dict[str, Any]:
    return {
        variable.name: _TYPES[variable.kind]
        for variable in variables(types)
        if variable.name not in without
    }


@lru_cache(maxsize=4096)
def _compiled(condition: str, types: Sequence[StepType]) -> Any:
    return _environment(types).compile(condition)


def _located(message: str) -> Iterator[Fault]:
    found = _PLACE.findall(message)
    for line, column, text in found:
        said = text.removesuffix("[INVALID_ARGUMENT]").replace(" (in container '')", "").strip()
        yield Fault(max(int(line), 1), max(int(column), 1), said)
    if not found:
        yield Fault(1, 1, "the condition is nested too deeply or too long")
