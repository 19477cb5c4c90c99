"""Compare the registries' answers with the person's claims.

| answer | sure reading | doubtful reading |
|---|---|---|
| CURP annulled, unknown; card not in force, unknown, of another | FAILED | REVIEW |
| a different name or birth date | FAILED (*) | REVIEW |
| nearly the same name or birth date; other sex or state | REVIEW | REVIEW |
| any problem at SAT; an undocumented status; another CURP in the answer | REVIEW | REVIEW |
| no answer, refused, too few data to ask | REVIEW | REVIEW |

(*) REVIEW if the registry's record was amended or has another CURP: the document may be older than
the change. A reading is sure if all fields that it uses are in `accepted`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from acredita.domain.government import name_comparison
from acredita.domain.government.name_comparison import Likeness
from acredita.domain.government.queries import Claimed, Registry, ine_fields
from acredita.domain.government.responses import (
    Answer,
    CurpAnswer,
    CurpRecord,
    IneAnswer,
    NoAnswer,
    Outcome,
    RfcAnswer,
)
from acredita.domain.identifiers import curp
from acredita.domain.identifiers.formatting import GENDERS, compact
from acredita.domain.reasons import RegistryReason
from acredita.domain.verification import StepStatus

RULES = "government/1"


_NO_ANSWER = {
    NoAnswer.UNAVAILABLE: RegistryReason.REGISTRY_UNAVAILABLE,
    NoAnswer.REFUSED: RegistryReason.REGISTRY_REFUSED,
    NoAnswer.INSUFFICIENT_DATA: RegistryReason.INSUFFICIENT_DATA,
}
_INE_CODES = {
    Outcome.MISMATCH: RegistryReason.INE_MISMATCH,
    Outcome.ANNULLED: RegistryReason.INE_NOT_CURRENT,
    Outcome.NOT_FOUND: RegistryReason.INE_NOT_FOUND,
}
_RFC_CODES = {
    Outcome.MISMATCH: RegistryReason.RFC_MISMATCH,
    Outcome.ANNULLED: RegistryReason.RFC_NOT_CURRENT,
    Outcome.NOT_FOUND: RegistryReason.RFC_NOT_FOUND,
    Outcome.UNKNOWN_STATUS: RegistryReason.RFC_STATUS_UNKNOWN,
}


@dataclass(frozen=True, slots=True)
class Reason:
    """A reason against passing. `detail` is a fixed word of this module, never data."""

    code: RegistryReason
    registry: Registry | None
    decisive: bool = False
    detail: str | None = None


@dataclass(frozen=True, slots=True)
class Judgement:
    """`result` is a JSON object for the step. It has personal data of RENAPO's record."""

    status: StepStatus
    reasons: tuple[Reason, ...]
    result: dict[str, Any]
    rules: str = RULES

    @property
    def code(self) -> RegistryReason | None:
        return self.reasons[0].code if self.reasons else None


def judge(answers: Mapping[Registry, Answer | NoAnswer], claimed: Claimed) -> Judgement:
    """Judge each answer; the worst one decides. Without any answer: INSUFFICIENT_DATA."""
    reasons = [
        reason for registry, it in answers.items() for reason in _weigh(registry, it, claimed)
    ]
    if not answers:
        reasons.append(Reason(RegistryReason.INSUFFICIENT_DATA, None))
    gravity = list(RegistryReason)
    reasons.sort(key=lambda reason: (not reason.decisive, gravity.index(reason.code)))
    if not reasons:
        status = StepStatus.PASSED
    else:
        status = StepStatus.FAILED if reasons[0].decisive else StepStatus.REVIEW
    result = {
        "registries": {registry.value: _report(it, claimed) for registry, it in answers.items()},
        "reasons": [
            {
                "code": reason.code.value,
                "registry": reason.registry.value if reason.registry else None,
                "decisive": reason.decisive,
                "detail": reason.detail,
            }
            for reason in reasons
        ],
    }
    return Judgement(status, tuple(reasons), result)


def _weigh(registry: Registry, answer: Answer | NoAnswer, claimed: Claimed) -> Iterator[Reason]:
    match answer:
        case NoAnswer():
            yield Reason(_NO_ANSWER[answer], registry)
        case CurpAnswer():
            yield from _weigh_curp(answer, claimed)
        case IneAnswer():
            yield from _weigh_ine(answer, claimed)
        case RfcAnswer(outcome=outcome) if outcome is not Outcome.MATCH:
            # SAT's records are often outdated, and a person need not be a taxpayer.
            yield Reason(_RFC_CODES[outcome], registry)


def _weigh_curp(answer: CurpAnswer, claimed: Claimed) -> Iterator[Reason]:
    sure = "curp" in claimed.accepted
    record = answer.record
    if record is None:
        yield Reason(RegistryReason.CURP_NOT_FOUND, Registry.RENAPO, decisive=sure)
        return
    status = record.status
    if status is None:
        yield Reason(RegistryReason.CURP_STATUS_UNKNOWN, Registry.RENAPO)
    elif status.annulment:
        yield Reason(
            RegistryReason.CURP_STATUS_ANNULLED, Registry.RENAPO, sure, status.annulment.value
        )
    changed = record.curp != compact(claimed.curp or "")
    if changed:
        yield Reason(RegistryReason.CURP_CHANGED, Registry.RENAPO)
    outdated = changed or status is None or status.amended
    yield from _contradictions(answer, record, claimed, decisive=sure and not outdated)


def _contradictions(
    answer: CurpAnswer, record: CurpRecord, claimed: Claimed, *, decisive: bool
) -> Iterator[Reason]:
    coded = curp.parse(record.curp).value
    birth_date = record.birth_date or (coded and coded.birth_date)
    sex = record.sex or (coded and coded.sex)
    state = record.state or (coded and coded.state)
    yield from _weigh_name(answer, record, claimed, decisive=decisive)
    if claimed.birth_date and birth_date:
        like = name_comparison.of_dates(claimed.birth_date, birth_date)
        sure = decisive and "birth_date" in claimed.accepted
        yield from _unless_same(like, RegistryReason.BIRTH_DATE_MISMATCH, sure)
    # One letter, and both can legally be corrected: never decisive alone.
    for code, claim, known in (
        (RegistryReason.SEX_MISMATCH, claimed.sex, sex),
        (RegistryReason.STATE_MISMATCH, claimed.state, state),
    ):
        if claim and known and claim != known:
            yield Reason(code, Registry.RENAPO)


def _weigh_name(
    answer: CurpAnswer, record: CurpRecord, claimed: Claimed, *, decisive: bool
) -> Iterator[Reason]:
    """Compare with the registry's name, or else with the letters of the CURP."""
    if not claimed.name:
        return
    coded = curp.parse(record.curp).value
    if record.name:
        like = name_comparison.of_names(claimed.name, record.name)
        sure = decisive and "name" in claimed.accepted
        yield from _unless_same(like, RegistryReason.NAME_MISMATCH, sure)
    elif coded and curp.contradictions(coded, name=claimed.name):
        yield Reason(RegistryReason.NAME_MISMATCH, Registry.RENAPO, detail="letters")
    elif not answer.receipt.sandbox:
        # Any name can be printed next to a stolen CURP. (A sandbox has no names.)
        yield Reason(RegistryReason.NAME_NOT_CONFIRMED, Registry.RENAPO)


def _unless_same(like: Likeness, code: RegistryReason, sure: bool) -> Iterator[Reason]:  # noqa: FBT001
    if like is not Likeness.SAME:
        decisive = sure and like is Likeness.DIFFERENT
        yield Reason(code, Registry.RENAPO, decisive, like.value)


def _weigh_ine(answer: IneAnswer, claimed: Claimed) -> Iterator[Reason]:
    fields = ine_fields(claimed)
    sure = bool(fields) and fields <= claimed.accepted
    if answer.outcome is Outcome.UNKNOWN_STATUS:
        yield Reason(RegistryReason.INE_STATUS_UNKNOWN, Registry.INE)
    elif answer.outcome is not Outcome.MATCH:
        yield Reason(_INE_CODES[answer.outcome], Registry.INE, decisive=sure)
    # Genuine numbers, printed on the back of another person's card.
    if answer.clave and claimed.clave and compact(claimed.clave) != compact(answer.clave):
        sure = sure and "clave" in claimed.accepted
        yield Reason(RegistryReason.INE_MISMATCH, Registry.INE, decisive=sure, detail="clave")


def _report(answer: Answer | NoAnswer, claimed: Claimed) -> dict[str, Any]:
    if isinstance(answer, NoAnswer):
        return {"outcome": answer.value}
    report: dict[str, Any] = {
        "outcome": answer.outcome.value,
        "responseId": answer.receipt.response_id,
        "checkedAt": _timestamp(answer.receipt.checked_at),
        "sandbox": answer.receipt.sandbox,
    }
    if not isinstance(answer, CurpAnswer):
        report["sourceStatus"] = answer.source_status
        if isinstance(answer, IneAnswer):
            years = {
                "registrationYear": answer.registration_year,
                "emissionYear": answer.emission_year,
            }
            report |= {name: year for name, year in years.items() if year is not None}
        return report
    if answer.record is None:
        return report
    record, status = answer.record, answer.record.status
    registered = _registered(record)
    gender = GENDERS.get(record.sex)
    return report | {
        "sourceStatus": record.source_status,
        "status": status and status.code,
        "annulment": status and status.annulment and status.annulment.value,
        "askedCurp": compact(claimed.curp or ""),
        "registered": registered | {"gender": gender},
        "undisclosed": [field for field, value in registered.items() if value is None],
    }


def _registered(record: CurpRecord) -> dict[str, str | None]:
    return {
        "curp": record.curp,
        "given": record.name.given if record.name else None,
        "paterno": record.name.paterno if record.name else None,
        "materno": record.name.materno if record.name else None,
        "birthDate": record.birth_date.isoformat() if record.birth_date else None,
        "sex": record.sex.value if record.sex else None,
        "state": record.state.code if record.state else None,
        "nationality": record.nationality,
    }


def _timestamp(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
