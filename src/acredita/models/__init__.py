"""The tables, one file per aggregate."""

from acredita.models.account import AttemptLog, LinkPurpose, PasswordLink
from acredita.models.aml import (
    Monitor,
    MonitorMatch,
    MonitorOutcome,
    MonitorState,
    Outcome,
    ScreeningIndexFile,
    Standing,
    Watchlist,
    WatchlistEntity,
    WatchlistEntityForm,
    WatchlistVersion,
)
from acredita.models.audit import AuditEntry, AuditHead
from acredita.models.base import Base
from acredita.models.capture_link import CaptureLink, CaptureLinkPurpose
from acredita.models.consent import Consent
from acredita.models.credit import CreditCheck
from acredita.models.esignature import FileKind, SignatureFile, SignaturePackage
from acredita.models.form import CustomForm, CustomSubmission
from acredita.models.ground_truth import (
    LicenceTruth,
    OwnLicenceTemplate,
    SelfieTruth,
    TrialStatus,
    TruthFile,
)
from acredita.models.history import HistoryEntry
from acredita.models.hits import Hit, HitReview, HitState, ReviewKind
from acredita.models.idempotency import FirstAnswer
from acredita.models.identity_provider import IdentityProvider, ProviderSignIn
from acredita.models.invariant import AuditCheck, CheckedUntil
from acredita.models.job import FinishedJob, Job, JobState
from acredita.models.listing import (
    DayTally,
    IdentifierUse,
    NameWord,
    PersonIdentifier,
    SearchEntry,
    VerificationInStatus,
)
from acredita.models.liveness import LivenessChallenge, LivenessFilm
from acredita.models.metamap import MetamapAlias, MetamapCallback, MetamapIdentity
from acredita.models.organization import ApiKey, Organization, User
from acredita.models.otp import DailySends, OneTimePassword
from acredita.models.policy import (
    PolicyComparison,
    PolicyHead,
    PolicySimulation,
    PolicyStatus,
    PolicyVersion,
    SimulationStatus,
)
from acredita.models.reviews import ReviewCase, ReviewFilter
from acredita.models.screening import AskerType, ScreeningRecord
from acredita.models.second_factor import Passkey, PasskeyChallenge, RecoveryCode, TotpSecret
from acredita.models.session import Browser, UserSession
from acredita.models.training import (
    TrainingBatch,
    TrainingField,
    TrainingItem,
    TrainingLabel,
    TrainingSkip,
)
from acredita.models.verification import Document, Media, MediaKind, Verification, VerificationStep
from acredita.models.webhook import (
    Delivery,
    DeliveryAttempt,
    DeliveryState,
    Event,
    EventTurn,
    WebhookEndpoint,
    WebhookFormat,
    WebhookReceiver,
)
from acredita.models.work_tally import WorkTally
from acredita.models.workflow import Workflow
