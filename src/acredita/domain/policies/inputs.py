"""The input of policies: typed variables with dotted names, such as `face.similarity`.

Every variable always has a value of its type, so that no rule fails because something is unknown:
`face.known` says whether `face.similarity` was measured. A new fact is one `Variable` here, and one
entry in the value of its group.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Final

from acredita.domain import steps
from acredita.domain.ages import age_on
from acredita.domain.government.queries import Registry
from acredita.domain.labelling import FIELDS
from acredita.domain.policies import circumstances
from acredita.domain.policies.kinds import LONGEST_LIST, Kind, Value, Variable
from acredita.domain.reasons import CreditReason
from acredita.domain.steps import (
    AML_SCREEN,
    CREDIT,
    DOCUMENT_OCR,
    ESIGNATURE,
    FACE_MATCH,
    FORM,
    GOVERNMENT_VERIFY,
    LIVENESS,
    LOCATION,
    OTP,
)
from acredita.domain.steps.location import DEVICE
from acredita.domain.verification import StepStatus, StepType

ACCEPTED: Final = "ACCEPTED"


@dataclass(frozen=True, slots=True)
class JudgedStep:
    type: StepType
    status: StepStatus
    code: str | None = None
    result: Mapping[str, Any] = field(default_factory=dict)
    # The read fields, as in the evidence of DOCUMENT_OCR.
    evidence: Sequence[Mapping[str, Any]] = ()
    retakes: int = 0


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of a verification when its steps have ended."""

    steps: Sequence[JudgedStep]
    today: date
    document_kind: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    # Whether a one-time password was confirmed, and a form submitted.
    code_confirmed: bool = False
    form_submitted: bool = False
    # In the form in which the verification stores them.
    circumstances: Mapping[str, Any] = field(default_factory=dict)


def variables(types: Sequence[StepType]) -> Iterator[Variable]:
    """The variables, for these types of steps."""
    yield from _FIXED
    yield from circumstances.VARIABLES
    for step_type in types:
        step = f"step.{step_type}"
        yield Variable(f"{step}.status", Kind.STRING, "its status; ABSENT without such a step")
        yield Variable(f"{step}.code", Kind.STRING, "its reason code, or an empty text")
    for registry in Registry:
        meaning = "its answer, such as match; empty if it was not asked"
        yield Variable(f"registry.{registry}", Kind.STRING, meaning)
    for name in sorted(FIELDS):
        yield Variable(f"field.{name}.known", Kind.BOOL, "whether it was read")
        meaning = "its text, or an empty one"
        yield Variable(f"field.{name}.value", Kind.STRING, meaning, is_personal=True)
        yield Variable(f"field.{name}.accepted", Kind.BOOL, "whether its reading is sure")
        yield Variable(f"field.{name}.confidence", Kind.DOUBLE, "0 to 1; 0 if it was not read")


_FIXED: Final = (
    Variable("steps.total", Kind.INT, "the number of steps"),
    Variable("steps.passed", Kind.INT, "how many passed"),
    Variable("steps.failed", Kind.INT, "how many failed"),
    Variable("steps.review", Kind.INT, "how many ended in review"),
    Variable("steps.skipped", Kind.INT, "how many were skipped"),
    Variable("steps.codes", Kind.STRINGS, "the reason codes of the steps that did not pass"),
    Variable("steps.retakes", Kind.INT, "how many retakes were requested"),
    Variable("document.known", Kind.BOOL, "whether a document was judged"),
    Variable("document.kind", Kind.STRING, "such as INE_FRONT or PASSPORT; empty if not known"),
    Variable("person.age_known", Kind.BOOL, "whether an accepted date of birth is known"),
    Variable("person.age", Kind.INT, "years; 0 if not known", is_personal=True),
    Variable("face.known", Kind.BOOL, "whether the selfie was compared with a portrait"),
    Variable("face.similarity", Kind.DOUBLE, "0 to 1; 0 if not known"),
    Variable("liveness.known", Kind.BOOL, "whether LIVENESS judged a challenge or pictures"),
    Variable("liveness.active", Kind.BOOL, "whether it judged a challenge"),
    Variable(
        "liveness.passive.known", Kind.BOOL, "whether the operator's passive model judged pictures"
    ),
    Variable(
        "liveness.passive.score",
        Kind.DOUBLE,
        "its lowest probability of a living face, 0 to 1; 0 if not known",
    ),
    Variable("signals.known", Kind.BOOL, "whether signs of tampering were looked for"),
    Variable("signals.raised", Kind.STRINGS, "the names of the raised signals"),
    Variable("screening.known", Kind.BOOL, "whether watchlists were screened"),
    Variable("screening.matches", Kind.INT, "the number of matches without false hits"),
    Variable("screening.score", Kind.DOUBLE, "the highest score, 0 to 1; 0 without a match"),
    Variable("screening.lists", Kind.STRINGS, "the ids of the lists with matches"),
    Variable("code.confirmed", Kind.BOOL, "whether a one-time password was confirmed"),
    Variable("code.channel", Kind.STRING, "sms or email, of the step OTP; empty if not confirmed"),
    Variable("location.known", Kind.BOOL, "whether the step LOCATION found a country"),
    Variable("location.allowed", Kind.BOOL, "whether its rules allow the place"),
    Variable("location.country", Kind.STRING, "ISO 3166-1 alpha-2; empty if not known"),
    Variable(
        "location.hidden",
        Kind.BOOL,
        "whether it is known to be a VPN, a proxy or Tor; false also if the database does not say",
    ),
    Variable(
        "location.city",
        Kind.STRING,
        "as the database names it; empty if not known",
        is_personal=True,
    ),
    Variable(
        "location.hosting",
        Kind.BOOL,
        "whether it is known to be of a data centre; false also if the database does not say",
    ),
    Variable(
        "location.device.answer",
        Kind.STRING,
        "given, refused or unavailable; empty if the page did not ask for the position",
    ),
    Variable("location.device.latitude", Kind.DOUBLE, "degrees; 0 if not given", is_personal=True),
    Variable("location.device.longitude", Kind.DOUBLE, "degrees; 0 if not given", is_personal=True),
    Variable("location.device.accuracy", Kind.DOUBLE, "radius in metres; 0 if not known"),
    Variable("location.distance_known", Kind.BOOL, "whether both places are known"),
    Variable(
        "location.distance",
        Kind.DOUBLE,
        "kilometres between the device and the place of the address; 0 if not known",
    ),
    Variable("form.submitted", Kind.BOOL, "whether a form was submitted"),
    Variable(
        "form.answers", Kind.TEXTS, "the texts in the answers of the step FORM", is_personal=True
    ),
    Variable("credit.known", Kind.BOOL, "whether the bureau answered the step CREDIT"),
    Variable("credit.found", Kind.BOOL, "whether the bureau has a file of the person"),
    Variable("credit.score_known", Kind.BOOL, "whether the report has a score"),
    Variable(
        "credit.score",
        Kind.INT,
        "the first score of the report; 0 if not known",
        is_personal=True,
    ),
    Variable(
        "credit.alerts", Kind.STRINGS, "the codes of the alerts of the report", is_personal=True
    ),
    Variable("signature.signed", Kind.BOOL, "whether the step ESIGNATURE found a signed package"),
    Variable("signature.tier", Kind.STRING, "its tier, or an empty text"),
    Variable(
        "metadata", Kind.TEXTS, "the texts in the metadata that the caller sent", is_personal=True
    ),
)


def values(facts: Facts, types: Sequence[StepType] | None = None) -> dict[str, Value]:
    """The value of each variable, by name."""
    types = steps.types() if types is None else types
    found = {step.type: step for step in facts.steps}
    read = _fields(facts.steps)
    known: dict[str, Value] = {
        **_counts(facts.steps),
        **_document(facts, read),
        **_face(found.get(FACE_MATCH)),
        **_liveness(found.get(LIVENESS)),
        **_signals(facts.steps),
        **_screening(found.get(AML_SCREEN)),
        **_location(found.get(LOCATION)),
        **_credit(found.get(CREDIT)),
        **_acts(_result(found.get(OTP)), _result(found.get(FORM)), _result(found.get(ESIGNATURE))),
        "code.confirmed": facts.code_confirmed,
        "form.submitted": facts.form_submitted,
        "metadata": _texts(facts.metadata),
        **circumstances.restored(facts.circumstances),
    }
    for step_type in types:
        step = found.get(step_type)
        known[f"step.{step_type}.status"] = "ABSENT" if step is None else step.status.value
        known[f"step.{step_type}.code"] = (step and step.code) or ""
    asked = _mapping(_result(found.get(GOVERNMENT_VERIFY)).get("registries"))
    for registry in Registry:
        known[f"registry.{registry}"] = _mapping(asked.get(registry)).get("outcome") or ""
    for name in FIELDS:
        item = read.get(name, {})
        known[f"field.{name}.known"] = bool(item)
        known[f"field.{name}.value"] = str(item.get("value") or "")
        known[f"field.{name}.accepted"] = item.get("decision") == ACCEPTED
        known[f"field.{name}.confidence"] = float(item.get("confidence") or 0)
    return known


def _counts(judged: Sequence[JudgedStep]) -> dict[str, Value]:
    statuses = [step.status for step in judged]
    return {
        "steps.total": len(statuses),
        "steps.passed": statuses.count(StepStatus.PASSED),
        "steps.failed": statuses.count(StepStatus.FAILED),
        "steps.review": statuses.count(StepStatus.REVIEW),
        "steps.skipped": statuses.count(StepStatus.SKIPPED),
        "steps.codes": [step.code for step in judged if step.code][:LONGEST_LIST],
        "steps.retakes": sum(step.retakes for step in judged),
    }


def _fields(judged: Sequence[JudgedStep]) -> dict[str, Mapping[str, Any]]:
    return {
        item["field"]: item
        for step in judged
        if step.type == DOCUMENT_OCR
        for item in step.evidence
    }


def _document(facts: Facts, read: Mapping[str, Mapping[str, Any]]) -> dict[str, Value]:
    born = read.get("dateOfBirth", {})
    age = None
    if born.get("decision") == ACCEPTED:
        age = _age(str(born.get("value")), facts.today)
    return {
        "document.known": facts.document_kind is not None,
        "document.kind": facts.document_kind or "",
        "person.age_known": age is not None,
        "person.age": age or 0,
    }


def _age(born: str, today: date) -> int | None:
    try:
        day = date.fromisoformat(born)
    except ValueError:
        return None
    return age_on(day, today)


def _face(step: JudgedStep | None) -> dict[str, Value]:
    similarity = _result(step).get("similarity")
    return {"face.known": similarity is not None, "face.similarity": float(similarity or 0)}


def _liveness(step: JudgedStep | None) -> dict[str, Value]:
    result = _result(step)
    score = result.get("passiveProbability")
    active = _mapping(result.get("methods")).get("active") is True
    return {
        "liveness.known": active or score is not None,
        "liveness.active": active,
        "liveness.passive.known": score is not None,
        "liveness.passive.score": float(score or 0),
    }


def _signals(judged: Sequence[JudgedStep]) -> dict[str, Value]:
    # LIVENESS keeps measures of another shape, or none, under the same name.
    looked = [s for step in judged if isinstance(s := step.result.get("signals"), list)]
    raised = {
        str(signal.get("signal"))
        for signals in looked
        for signal in signals
        if signal.get("raised")
    }
    return {"signals.known": bool(looked), "signals.raised": sorted(raised)[:LONGEST_LIST]}


def _screening(step: JudgedStep | None) -> dict[str, Value]:
    result = _result(step)
    matches = [
        match
        for match in result.get("matches") or []
        if (match.get("review") or {}).get("state") != "false_hit"
    ]
    return {
        "screening.known": result.get("screened") is True,
        # Results of former releases have only the total.
        "screening.matches": int(result.get("openMatches", result.get("totalMatches")) or 0),
        "screening.score": max((float(match["score"]) for match in matches), default=0.0),
        "screening.lists": sorted({match["list"] for match in matches})[:LONGEST_LIST],
    }


def _location(step: JudgedStep | None) -> dict[str, Value]:
    result = _result(step)
    return {
        "location.known": bool(result.get("country")),
        "location.allowed": result.get("allowed") is True,
        "location.country": result.get("country") or "",
        "location.city": result.get("city") or "",
        "location.hidden": any(result.get(name) is True for name in ("vpn", "proxy", "tor")),
        "location.hosting": result.get("hosting") is True,
        **_device(_mapping(result.get(DEVICE))),
    }


def _device(answer: Mapping[str, Any]) -> dict[str, Value]:
    """The browser states the position: a person can change it."""
    distance = answer.get("distanceKm")
    return {
        "location.device.answer": answer.get("state") or "",
        "location.device.latitude": float(answer.get("latitude") or 0),
        "location.device.longitude": float(answer.get("longitude") or 0),
        "location.device.accuracy": float(answer.get("accuracyMetres") or 0),
        "location.distance_known": distance is not None,
        "location.distance": float(distance or 0),
    }


def _credit(step: JudgedStep | None) -> dict[str, Value]:
    result = _result(step)
    score = result.get("score")
    code = None if step is None else step.code
    return {
        "credit.known": "found" in result and code != CreditReason.CREDIT_NO_ANSWER,
        "credit.found": result.get("found") is True,
        "credit.score_known": score is not None,
        "credit.score": int(score or 0),
        "credit.alerts": list(result.get("alerts") or [])[:LONGEST_LIST],
    }


def _acts(
    code: Mapping[str, Any], form: Mapping[str, Any], signature: Mapping[str, Any]
) -> dict[str, Value]:
    """What the person did, from the results of the steps that waited for it."""
    return {
        "code.channel": code.get("channel") or "",
        "form.answers": _texts(_mapping(form.get("answers"))),
        "signature.signed": "packageId" in signature,
        "signature.tier": signature.get("tier") or "",
    }


def _texts(known: Mapping[str, Any]) -> dict[str, str]:
    return {key: text for key, text in known.items() if isinstance(text, str)}


def _result(step: JudgedStep | None) -> Mapping[str, Any]:
    return {} if step is None else step.result


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
