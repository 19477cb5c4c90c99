"""PROOF_OF_ADDRESS: read a bill or bank statement, and compare it with the identity document."""

from collections.abc import Sequence
from functools import partial
from typing import Any, Final
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.proof_of_address.judging import (
    RULES_VERSION,
    Known,
    Limits,
    ProofJudgement,
    judge_proofs,
)
from acredita.domain.steps import kind_of
from acredita.domain.steps.proof_of_address import (
    PROOF_OF_ADDRESS,
    compares_address,
    max_age_months,
)
from acredita.domain.subject import Subject, UploadedPage
from acredita.domain.time_zone import mexican_date
from acredita.domain.verification import DocumentRole, StepStatus
from acredita.engines.documents.process import ENGINE_VERSION
from acredita.jobs import JobContext, Queue
from acredita.models import Document, Verification
from acredita.ports import DocumentReading
from acredita.resources.verifications import pipeline, subjects
from acredita.resources.verifications.outcome import StepOutcome
from acredita.resources.verifications.registry_claims import (
    DOCUMENTS,
    METADATA,
    holder_of_metadata,
)
from acredita.resources.verifications.step_table import StepEntry, register
from acredita.resources.verifications.step_translation import (
    Part,
    StepTranslation,
    TranslationInput,
)
from acredita.resources.verifications.steps import reading, running
from acredita.resources.verifications.steps.document_views import evidence_item, signal_view
from acredita.resources.verifications.steps.reading import FreshReadings
from acredita.resources.verifications.steps.running import RunningStep

DOCUMENT_TYPE: Final = "proof-of-residency"
"""The document's type in the compatible API."""


@running.step_job(
    "verification.read_proof_of_address", queue=Queue.ENGINES, timeout=240, max_attempts=4
)
async def read_proof_of_address(context: JobContext, step_id: UUID) -> None:
    await reading.read_and_finish(context, step_id, _proofs, partial(_finish, context))


def _proofs(found: RunningStep) -> Sequence[Document]:
    return found.files.get(DocumentRole.PROOF_OF_ADDRESS, ())


async def _finish(
    context: JobContext, session: AsyncSession, found: RunningStep, fresh: FreshReadings
) -> None:
    services, documents = context.services, _proofs(found)
    await reading.store_readings(session, services.keys, documents, fresh)
    if not reading.are_all_read(documents):
        context.run_again(delay=0)
        return
    pages = reading.uploaded_pages(services.keys, documents)
    subject = subjects.load(services.keys, found.verification, found.steps)
    known, source = _known(subject, found.verification)
    outcome = _outcome(services, pages, known, source, found.step.config)
    await reading.queue_for_labels(session, services.keys, found.verification, documents, outcome)
    await pipeline.finish_step(session, services, found.verification, found.step, outcome)


def _known(subject: Subject, verification: Verification) -> tuple[Known, str]:
    """Return what the judged document says of the person. If it has no fields, return what an
    authenticated caller's metadata say; metadata of a browser are no evidence.
    """
    if subject.fields or verification.has_session:
        holder, address = subject.holder, subject.fields.get("address")
        return Known(
            holder.name,
            "name" in holder.sure,
            address.value if address else None,
            address is not None and address.accepted,
        ), DOCUMENTS
    holder = holder_of_metadata(verification)
    return Known(holder.name, "name" in holder.sure), METADATA


def _outcome(
    services: DocumentReading,
    pages: Sequence[UploadedPage],
    known: Known,
    source: str,
    config: dict[str, Any],
) -> StepOutcome:
    verdict = judge_proofs(
        [page.reading for page in pages],
        mexican_date(services.clock.now()),
        known,
        Limits(max_age_months(config), compares_address(config)),
        services.gazetteer,
    )
    gazetteer = services.gazetteer
    named = {} if gazetteer is None else {"postalCodes": gazetteer.named}
    document_id = None if verdict.place is None else pages[verdict.place].document_id
    return StepOutcome(
        StepStatus.PASSED if verdict.code is None else StepStatus.REVIEW,
        code=verdict.code,
        result={
            **verdict.result,
            "source": source,
            "reasons": list(verdict.reasons),
            "signals": [
                signal_view(signal, page.document_id)
                for page in pages
                for signal in page.reading.signals
            ],
            "pages": [_page_view(verdict, place, page) for place, page in enumerate(pages)],
        },
        evidence=[
            evidence_item(finding, document_id)
            for finding in verdict.fields
            if finding.value is not None
        ],
        judged_by={"engine": ENGINE_VERSION, "rules": RULES_VERSION, **named},
    )


def _page_view(verdict: ProofJudgement, place: int, page: UploadedPage) -> dict[str, Any]:
    return {
        "documentId": str(page.document_id),
        "page": page.number,
        "kind": page.reading.kind,
        "judged": place == verdict.place,
        "code": verdict.page_codes.get(place),
    }


def _translation_parts(step: TranslationInput) -> tuple[Part, ...]:
    return (
        # Clients look for fields in the data of a proof even before it is read.
        Part("document-reading", step.fields),
        Part("template-matching"),
        Part("alteration-detection"),
    )


register(
    StepEntry(
        kind=kind_of(PROOF_OF_ADDRESS),
        job=read_proof_of_address,
        translation=StepTranslation(
            parts=_translation_parts, initial_id="document", document_type=DOCUMENT_TYPE
        ),
    )
)
