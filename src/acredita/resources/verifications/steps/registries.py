"""GOVERNMENT_VERIFY: check the person's claims with the registries."""

from collections.abc import Mapping
from datetime import date
from typing import Any
from uuid import UUID

from acredita.domain.events import EventKind
from acredita.domain.government.matching import Judgement, judge
from acredita.domain.government.queries import Question, Registry, plan
from acredita.domain.government.responses import Answer, NoAnswer
from acredita.domain.reasons import RegistryReason
from acredita.domain.steps import kind_of
from acredita.domain.steps.registries import GOVERNMENT_VERIFY, registries
from acredita.jobs import JobContext, Queue
from acredita.kit.db import Database
from acredita.models import EventTurn
from acredita.providers.government import RegistryRefused, RegistryUnavailable, ask
from acredita.resources.verifications import event_recording, subjects
from acredita.resources.verifications.outcome import StepOutcome
from acredita.resources.verifications.registry_claims import (
    claims_for_registries,
    claims_of_metadata,
)
from acredita.resources.verifications.step_table import StepEntry, register
from acredita.resources.verifications.step_translation import (
    Part,
    Place,
    StepTranslation,
    TranslationInput,
)
from acredita.resources.verifications.steps import running

# The compatible API's step id of each registry, in the order of the response.
STEP_IDS = {
    Registry.RENAPO: "mexican-curp-validation",
    Registry.INE: "mexican-ine-validation",
    Registry.SAT: "mexican-rfc-validation",
}
# For the compatible API, if no registry was queried and the step's options name none.
DEFAULT_REGISTRIES = [Registry.RENAPO, Registry.INE]
# The compatible API names the country; the code of any other is shown as the source has it.
COUNTRIES = {"MEX": "Mexico"}

Answers = dict[Registry, Answer | NoAnswer]


@running.step_job("verification.ask_registries", queue=Queue.REGISTRIES, timeout=120)
async def ask_registries(context: JobContext, step_id: UUID) -> None:
    services = context.services
    async with services.database.transaction() as session:
        found = await running.load(session, step_id)
        if found is None:
            return
        subject = subjects.load(services.keys, found.verification, found.steps)
        claimed, source = claims_for_registries(subject, found.verification)
        named = registries(found.step.config)
        is_postponed = found.step.code == RegistryReason.REGISTRY_UNAVAILABLE
    questions = plan(claimed, named)
    try:
        answers = await _ask_all(context, questions)
    except RegistryUnavailable:
        if not is_postponed:
            await _postpone(services.database, step_id)
        raise
    await running.finish(
        context, step_id, _outcome(judge(answers, claimed), services.government.name, source)
    )


async def _postpone(database: Database, step_id: UUID) -> None:
    """Mark the step as waiting for a registry, and record the event."""
    async with database.transaction() as session:
        found = await running.load(session, step_id, lock=True)
        if found is None:
            return
        found.step.code = RegistryReason.REGISTRY_UNAVAILABLE
        await event_recording.record(
            session,
            found.verification,
            EventKind.VERIFICATION_UPDATED,
            {"verificationId": str(found.verification.id), "changes": ["steps"]},
            turn=EventTurn.POSTPONED,
        )


async def _ask_all(context: JobContext, questions: dict[Registry, Question | None]) -> Answers:
    """Return each registry's answer. Raise RegistryUnavailable unless this is the last attempt."""
    answers: Answers = {}
    for registry, question in questions.items():
        if question is None:
            answers[registry] = NoAnswer.INSUFFICIENT_DATA
            continue
        try:
            answers[registry] = await ask(
                context.services.government,
                question,
                request_key=f"{context.job.id}-{registry}",
            )
        except RegistryRefused:
            answers[registry] = NoAnswer.REFUSED
        except RegistryUnavailable:
            if context.job.attempts < context.job.max_attempts:
                raise
            answers[registry] = NoAnswer.UNAVAILABLE
    return answers


def _outcome(judgement: Judgement, provider: str, source: str) -> StepOutcome:
    """`source`: whether the claims come from the judged document or from the caller's metadata."""
    return StepOutcome(
        judgement.status,
        code=judgement.code,
        result={**judgement.result, "source": source},
        judged_by={"provider": provider, "rules": judgement.rules},
    )


def _translation_parts(step: TranslationInput) -> list[Part]:
    """Return a part for each registry that was or will be queried."""
    answers: Mapping[str, Any] = step.result.get("registries") or {}
    shown = answers or registries(step.config) or DEFAULT_REGISTRIES
    return [
        Part(
            step_id,
            _answer_data(registry, answers.get(registry) or {}, step.fields),
            Place.DOCUMENT_IF_ANY,
            _error_codes(registry, step, was_asked=bool(answers)),
            registry,
        )
        for registry, step_id in STEP_IDS.items()
        if registry in shown
    ]


def _error_codes(registry: Registry, step: TranslationInput, *, was_asked: bool) -> list[str]:
    """Return the codes of a registry's reasons; the step's own code if no registry was queried."""
    codes = [
        reason["code"]
        for reason in step.result.get("reasons", ())
        if reason["registry"] in (registry, None)
    ]
    return codes if was_asked or step.code is None else [*codes, step.code]


def _answer_data(
    registry: Registry, answer: Mapping[str, Any], fields: Mapping[str, Mapping[str, str | None]]
) -> dict[str, Any] | None:
    """Return the data that a registry disclosed or confirmed; None without a match."""
    if answer.get("outcome") != "match":
        return None
    if registry is Registry.RENAPO:
        return _shown_person(answer.get("registered") or {})
    if registry is Registry.INE:
        return card_view({name: each["value"] for name, each in fields.items()}, answer)
    return {}


def _shown_person(registered: Mapping[str, str | None]) -> dict[str, Any]:
    """Return the same as that API shows it in a verification: the date as DD/MM/YYYY, the country
    in capitals.
    """
    shown = person_view(registered)
    born, nationality = shown["birthDate"], shown["nationality"]
    if born is not None:
        shown["birthDate"] = date.fromisoformat(born).strftime("%d/%m/%Y")
    if nationality is not None:
        shown["nationality"] = nationality.upper()
    return shown


def card_view(
    confirmed: Mapping[str, str | None], answer: Mapping[str, Any]
) -> dict[str, str | None]:
    """Return INE's data of a card in the compatible API's format, with None for gaps.

    `confirmed`: the values that a match confirms. The years are those that the source discloses.
    """
    numbers = ("documentNumber", "cde", "ne", "ocrNumber")
    years = ("registrationYear", "emissionYear")
    return {name: confirmed.get(name) or None for name in numbers} | {
        name: answer.get(name) for name in years
    }


def person_view(registered: Mapping[str, str | None]) -> dict[str, Any]:
    """Return RENAPO's record of a person in the compatible API's format, with None for gaps.

    There, the full name begins with the surnames.
    """
    given, paternal, maternal = (registered.get(each) for each in ("given", "paterno", "materno"))
    nationality = registered.get("nationality")
    return {
        "curp": registered.get("curp"),
        "birthDate": registered.get("birthDate"),
        "gender": {"H": "HOMBRE", "M": "MUJER"}.get(registered.get("sex") or ""),
        "fullName": " ".join(filter(None, (paternal, maternal, given))) or None,
        "name": given,
        "surname": paternal,
        "secondSurname": maternal,
        "nationality": COUNTRIES.get(nationality or "", nationality),
    }


register(
    StepEntry(
        kind=kind_of(GOVERNMENT_VERIFY),
        job=ask_registries,
        translation=StepTranslation(parts=_translation_parts),
        begins_on=lambda metadata: any(plan(claims_of_metadata(metadata)).values()),
    )
)
