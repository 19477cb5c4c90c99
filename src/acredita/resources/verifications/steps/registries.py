"""GOVERNMENT_VERIFY: ask the registries about the person whom the documents name."""

from uuid import UUID

from acredita.domain import step_options
from acredita.domain.government.answers import Answer, NoAnswer
from acredita.domain.government.judgement import Judgement, judge
from acredita.domain.government.questions import Question, Registry, plan
from acredita.jobs import JobContext, Later, Queue, job
from acredita.providers.government import RegistryRefused, RegistryUnavailable, ask
from acredita.resources.verifications import subjects
from acredita.resources.verifications.claims import claimed_by
from acredita.resources.verifications.outcome import StepOutcome
from acredita.resources.verifications.steps import running

Answers = dict[Registry, Answer | NoAnswer]


@job(
    "verification.ask_registries",
    queue=Queue.REGISTRIES,
    timeout=120,
    max_attempts=5,
    on_dead=running.give_up,
)
async def ask_registries(context: JobContext, step_id: UUID) -> None:
    services = context.services
    async with services.database.transaction() as session:
        found = await running.load(session, step_id)
        if found is None:
            return
        subject = subjects.subject_of(services.keys, found.verification, found.steps)
        claimed, source = claimed_by(subject, found.verification)
        named = step_options.registries(found.step.config)
    questions = plan(claimed, named)
    answers = await _ask_all(context, questions)
    await running.finish(
        context, step_id, _outcome(judge(answers, claimed), services.government.name, source)
    )


async def _ask_all(context: JobContext, questions: dict[Registry, Question | None]) -> Answers:
    """Every registry's answer. Raise Later while one is away and attempts are left."""
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
        except RegistryUnavailable as fault:
            if context.job.attempts < context.job.max_attempts:
                raise Later(f"{registry} {fault.word}", delay=fault.retry_after) from None
            answers[registry] = NoAnswer.UNAVAILABLE
    return answers


def _outcome(judgement: Judgement, provider: str, source: str) -> StepOutcome:
    """`source` says whether the registries were asked about the judged document's holder or about
    the person whom the caller's metadata name.
    """
    return StepOutcome(
        judgement.status,
        code=judgement.code,
        result={**judgement.result, "source": source},
        judged_by={"provider": provider, "rules": judgement.rules},
    )
