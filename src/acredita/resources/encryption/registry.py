"""Every column that holds sealed values, and the context in which each row's is sealed.

A test walks the models: a column named `*_sealed` that is missing here fails it, because a rotation
would leave its values behind.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

from sqlalchemy import Column, Table
from sqlalchemy.orm import InstrumentedAttribute

from acredita.api.idempotency import answer_context
from acredita.models import (
    Consent,
    CreditCheck,
    CustomSubmission,
    Document,
    Event,
    FirstAnswer,
    LicenceTruth,
    LivenessFilm,
    Media,
    MetamapCallback,
    Monitor,
    MonitorMatch,
    OneTimePassword,
    PasswordLink,
    ScreeningIndexFile,
    SelfieTruth,
    SignatureFile,
    SignaturePackage,
    TrainingLabel,
    TruthFile,
    Verification,
    VerificationStep,
    WebhookEndpoint,
)
from acredita.resources.aml.sealing import index_context, subject_context
from acredita.resources.aml.sealing import notes_context as match_notes_context
from acredita.resources.auth.password_links import email_context, token_context
from acredita.resources.credit.sealing import check_context
from acredita.resources.documents.files import file_context, reading_context
from acredita.resources.esignature.sealing import package_context
from acredita.resources.forms.sealing import submission_context
from acredita.resources.groundtruth.sealing import licence_context, selfie_context
from acredita.resources.metamap.callbacks import callback_context as check_callback_context
from acredita.resources.otp.sealing import message_context
from acredita.resources.retention.holds import hold_context
from acredita.resources.sdk.sealing import consent_context
from acredita.resources.training.sealing import label_context
from acredita.resources.verifications.films import film_context
from acredita.resources.verifications.sealing import notes_context, step_context
from acredita.resources.verifications.subjects import (
    subject_context as verification_subject_context,
)
from acredita.resources.webhooks.secrets import callback_context, endpoint_context, event_context


@dataclass(frozen=True, slots=True)
class SealedColumn:
    attribute: InstrumentedAttribute[Any]
    # From the row's primary key, which is one column.
    context: Callable[[Any], str]

    @property
    def table(self) -> Table:
        return self.column.table

    @property
    def column(self) -> Column[Any]:
        return cast("Column[Any]", self.attribute.property.columns[0])

    @property
    def key(self) -> Column[Any]:
        (key,) = self.table.primary_key.columns
        return key

    @property
    def name(self) -> str:
        return f"{self.table.name}.{self.column.name}"


SEALED_COLUMNS = (
    SealedColumn(Document.data_key_sealed, partial(file_context, "document")),
    SealedColumn(Document.reading_sealed, reading_context),
    SealedColumn(Media.data_key_sealed, partial(file_context, "media")),
    SealedColumn(VerificationStep.result_sealed, step_context),
    SealedColumn(VerificationStep.evidence_sealed, step_context),
    SealedColumn(Verification.subject_sealed, verification_subject_context),
    SealedColumn(LivenessFilm.prints_sealed, film_context),
    SealedColumn(Verification.notes_sealed, notes_context),
    SealedColumn(Verification.hold_reason_sealed, hold_context),
    SealedColumn(Verification.callback_secret_sealed, callback_context),
    SealedColumn(WebhookEndpoint.secret_sealed, endpoint_context),
    SealedColumn(Consent.origin_sealed, consent_context),
    SealedColumn(CustomSubmission.values_sealed, submission_context),
    SealedColumn(OneTimePassword.message_sealed, message_context),
    SealedColumn(SignaturePackage.details_sealed, package_context),
    SealedColumn(SignatureFile.data_key_sealed, partial(file_context, "signature_file")),
    SealedColumn(PasswordLink.email_sealed, email_context),
    SealedColumn(PasswordLink.token_sealed, token_context),
    SealedColumn(CreditCheck.question_sealed, check_context),
    SealedColumn(CreditCheck.result_sealed, check_context),
    SealedColumn(CreditCheck.hold_reason_sealed, hold_context),
    SealedColumn(FirstAnswer.answer_sealed, answer_context),
    SealedColumn(Event.data_sealed, event_context),
    SealedColumn(MetamapCallback.body_sealed, check_callback_context),
    SealedColumn(ScreeningIndexFile.data_key_sealed, index_context),
    SealedColumn(Monitor.subject_sealed, subject_context),
    SealedColumn(MonitorMatch.notes_sealed, match_notes_context),
    SealedColumn(TrainingLabel.label_sealed, label_context),
    SealedColumn(TruthFile.data_key_sealed, partial(file_context, "truth_file")),
    SealedColumn(LicenceTruth.truth_sealed, licence_context),
    SealedColumn(LicenceTruth.reading_sealed, licence_context),
    SealedColumn(LicenceTruth.previous_sealed, licence_context),
    SealedColumn(SelfieTruth.notes_sealed, selfie_context),
)
