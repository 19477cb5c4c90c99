"""The options that a step's `config` knows. Others are kept and ignored (DECISIONS, Verifications).

A known option of a wrong type is refused, so that a mistyped one is not silently ignored.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from acredita.domain import faces
from acredita.domain.documents.pictures import DOCUMENTS
from acredita.domain.government.questions import Registry
from acredita.domain.light import Option
from acredita.domain.verification import StepType

# For the API's description; tests hold it against what is checked.
TABLE = """\
| step | option | type | meaning | default |
|---|---|---|---|---|
| DOCUMENT_OCR | requireBack | boolean | whether the step always waits for the back | false |
| DOCUMENT_OCR | backGraceSeconds | number, 0 to 3600 | seconds that the step waits for the back \
after the front | 30 |
| DOCUMENT_OCR | documents | distinct names out of ine, passport, driverLicence, curp, rfc | the \
accepted documents; any other goes to review with WRONG_DOCUMENT | all of them |
| FACE_MATCH | acceptSimilarity | number, 0 to 1 | the minimum similarity of a match | 0.80 |
| FACE_MATCH | rejectSimilarity | number, 0 to 1, at most acceptSimilarity | below it the step \
fails; from it up to acceptSimilarity the step goes to review | 0.50 |
| LIVENESS | mode | active, passive | passive: the operator's passive model judges frames without \
a challenge | active |
| LIVENESS | light | off, signal, required | whether the step looks on the face for the colours \
that the screen shows. off: never; signal: a miss is a signal; required: a miss leads to review | \
signal |
| GOVERNMENT_VERIFY | registries | distinct names out of renapo, ine, sat | the registries to \
query | all whose required fields are known |"""
LONGEST_GRACE_SECONDS = 3600
DEFAULT_GRACE_SECONDS = 30.0


def faults(step_type: StepType, config: Mapping[str, Any]) -> Iterator[str]:
    """What is wrong with a config, a sentence an option: `backGraceSeconds must be ...`."""
    wrong = [
        f"{option} must be {expected}"
        for option, (is_right, expected) in _OPTIONS.get(step_type, {}).items()
        if option in config and not is_right(config[option])
    ]
    yield from wrong
    if step_type is StepType.FACE_MATCH and not wrong:
        accept, reject = face_thresholds(config)
        if reject > accept:
            yield "rejectSimilarity must not be above acceptSimilarity"


def known(step_type: StepType) -> frozenset[str]:
    """The names of the options that are checked."""
    return frozenset(_OPTIONS.get(step_type, {}))


def requires_back(config: Mapping[str, Any]) -> bool:
    return config.get("requireBack") is True


def back_grace_seconds(config: Mapping[str, Any]) -> float:
    return float(config.get("backGraceSeconds", DEFAULT_GRACE_SECONDS))


def asked_documents(config: Mapping[str, Any]) -> list[str] | None:
    """The documents that a step takes, by their names in DOCUMENTS; None for any."""
    return config.get("documents")


def registries(config: Mapping[str, Any]) -> list[Registry] | None:
    """The registries that a step names; None where it leaves the choice to us."""
    named = config.get("registries")
    return None if named is None else [Registry(name) for name in named]


def face_thresholds(config: Mapping[str, Any]) -> tuple[float, float]:
    """From which similarity on faces match, and under which they do not."""
    return (
        float(config.get("acceptSimilarity", faces.DEFAULT_ACCEPT)),
        float(config.get("rejectSimilarity", faces.DEFAULT_REJECT)),
    )


def judges_passively(config: Mapping[str, Any]) -> bool:
    return config.get("mode") == "passive"


def light(config: Mapping[str, Any]) -> Option:
    return Option(config.get("light", Option.SIGNAL))


def _is_boolean(value: object) -> bool:
    return isinstance(value, bool)


def _is_grace(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return 0 <= value <= LONGEST_GRACE_SECONDS


def _is_similarity(value: object) -> bool:
    return not isinstance(value, bool) and isinstance(value, int | float) and 0 <= value <= 1


def _is_mode(value: object) -> bool:
    return value in ("active", "passive")


def _is_light(value: object) -> bool:
    return value in tuple(Option)


def _are_distinct(known: frozenset[str]) -> Callable[[object], bool]:
    def check(value: object) -> bool:
        if not isinstance(value, list) or not value:
            return False
        texts = [name for name in value if isinstance(name, str)]
        return len(texts) == len(value) == len(set(texts)) and known.issuperset(texts)

    return check


_OPTIONS: dict[StepType, dict[str, tuple[Callable[[object], bool], str]]] = {
    StepType.DOCUMENT_OCR: {
        "requireBack": (_is_boolean, "true or false"),
        "documents": (
            _are_distinct(frozenset(DOCUMENTS)),
            "a list of distinct names out of ine, passport, driverLicence, curp and rfc",
        ),
        "backGraceSeconds": (_is_grace, f"a number from 0 to {LONGEST_GRACE_SECONDS}"),
    },
    StepType.FACE_MATCH: {
        "acceptSimilarity": (_is_similarity, "a number from 0 to 1"),
        "rejectSimilarity": (_is_similarity, "a number from 0 to 1"),
    },
    StepType.LIVENESS: {
        "mode": (_is_mode, "active or passive"),
        "light": (_is_light, "off, signal or required"),
    },
    StepType.GOVERNMENT_VERIFY: {
        "registries": (
            _are_distinct(frozenset(Registry)),
            "a list of distinct names out of renapo, ine and sat",
        ),
    },
}
