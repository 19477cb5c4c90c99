"""Groups of services that functions use together, by purpose. `Services` satisfies each of them.

A function that uses only one or two services takes these as parameters. mypy checks that a function
touches nothing else.
"""

from typing import Protocol

from redis.asyncio import Redis

from acredita.domain.documents import Calibration, Gazetteer
from acredita.engines.documents.inspection import Inspection
from acredita.engines.signing.composition import Composition
from acredita.engines.signing.seal import Seal
from acredita.kit.clock import Clock
from acredita.kit.crypto import KeyRing, Signer
from acredita.kit.db import Database
from acredita.kit.http import HttpClient
from acredita.kit.password_hashing import Passwords
from acredita.kit.processes import ProcessPool
from acredita.kit.statement_pool import Reads, Writes
from acredita.kit.storage import Storage
from acredita.providers.conservation import ConservationProvider
from acredita.providers.credit import CreditBureau
from acredita.providers.email import EmailProvider
from acredita.providers.government import GovernmentRegistries
from acredita.providers.sms import SmsProvider
from acredita.providers.timestamps import TimestampAuthority
from acredita.settings import Settings


class HasSettings(Protocol):
    @property
    def settings(self) -> Settings: ...


class HasClock(Protocol):
    @property
    def clock(self) -> Clock: ...


class HasReads(Protocol):
    @property
    def reads(self) -> Reads: ...


class HasWrites(Protocol):
    @property
    def writes(self) -> Writes: ...


class HasDatabase(Protocol):
    @property
    def database(self) -> Database: ...


class HasKeys(Protocol):
    @property
    def keys(self) -> KeyRing: ...


class HasSigner(Protocol):
    @property
    def signer(self) -> Signer: ...


class HasLinkSigner(Protocol):
    @property
    def link_signer(self) -> Signer: ...


class HasHttp(Protocol):
    @property
    def http(self) -> HttpClient: ...


class HasFaces(Protocol):
    @property
    def faces(self) -> ProcessPool: ...


class Secrets(HasKeys, HasSigner, Protocol):
    """Seal values and compute keyed hashes."""


class StepEnding(Secrets, HasSettings, Protocol):
    """Store the outcome of a step, with what judged it."""


class CaseReviewing(Secrets, HasSettings, HasClock, Protocol):
    """Decide a verification that reviewers lease."""


class SealedRows(HasClock, HasDatabase, HasKeys, Protocol):
    """Read and write rows that have sealed values and a time."""


class JobEnding(SealedRows, StepEnding, Protocol):
    """End a job that has no attempts left, and the work that it served."""


class FileStore(HasKeys, Protocol):
    """Store and fetch encrypted files."""

    @property
    def storage(self) -> Storage: ...


class Pictures(FileStore, Protocol):
    """Fetch stored images, re-encoded."""

    @property
    def inspection(self) -> Inspection: ...


class Intake(SealedRows, Pictures, HasSettings, HasReads, Protocol):
    """Inspect uploaded files, and store them with their rows."""


class DocumentReading(SealedRows, FileStore, HasFaces, Protocol):
    """Read, judge and compare the pages of stored documents."""

    @property
    def readers(self) -> ProcessPool: ...
    @property
    def calibration(self) -> Calibration | None: ...
    @property
    def gazetteer(self) -> Gazetteer | None: ...


class LivenessChecks(FileStore, Secrets, HasSettings, HasDatabase, HasFaces, Protocol):
    """Judge the frames of a liveness challenge, and find films received before."""


class LinkSigning(HasSettings, HasLinkSigner, Protocol):
    """Make signed links to pictures."""


class LinkOpening(HasClock, HasReads, HasDatabase, HasLinkSigner, Protocol):
    """Serve the picture of a signed link."""


class Messaging(Secrets, HasSettings, HasClock, Protocol):
    """Queue messages with links or codes, at a limited rate."""


class DirectMessaging(Messaging, HasDatabase, Protocol):
    """Send a message during a request."""

    @property
    def email(self) -> EmailProvider: ...
    @property
    def sms(self) -> SmsProvider: ...


class RecentSignIn(HasSettings, HasClock, Protocol):
    """Know how long ago a user signed in."""


class SessionOpening(Secrets, HasSettings, HasClock, HasDatabase, Protocol):
    """Open the session of a user's browser."""


class SecondFactorChecks(SealedRows, Secrets, Protocol):
    """Check codes of second factors."""


class ProviderSignIn(SecondFactorChecks, HasSettings, Protocol):
    """Sign in with an organization's identity provider."""


class SignIn(SecondFactorChecks, Protocol):
    """Check passwords and count failures."""

    @property
    def passwords(self) -> Passwords: ...


class EventSources(LinkSigning, HasReads, HasKeys, Protocol):
    """Render the body of an event."""


class EventPosting(EventSources, HasClock, HasDatabase, HasHttp, Protocol):
    """Post an event to its receiver during a request."""


class Creation(EventSources, Secrets, HasClock, Protocol):
    """Create a verification."""


class SessionCreation(Creation, HasWrites, HasDatabase, Protocol):
    """Create a verification and its session, in one transaction."""


class ViewSources(Creation, Protocol):
    """Show a verification with links to its documents."""


class RegistryChecks(HasSettings, HasClock, HasDatabase, HasKeys, HasHttp, Protocol):
    """Query government registries."""

    @property
    def government(self) -> GovernmentRegistries: ...


class CreditChecks(SealedRows, HasSettings, Protocol):
    """Query the credit bureau."""

    @property
    def credit(self) -> CreditBureau | None: ...


class IndexBuilding(FileStore, HasSettings, HasDatabase, Protocol):
    """Build the index of watchlists."""


class ListLoading(HasSettings, HasClock, HasDatabase, Protocol):
    """Download watchlists and load them."""


class PackageMaking(Protocol):
    """Compose, stamp and seal a signed package."""

    @property
    def composition(self) -> Composition: ...
    @property
    def seal(self) -> Seal | None: ...
    @property
    def timestamps(self) -> TimestampAuthority: ...
    @property
    def conservation(self) -> ConservationProvider | None: ...


class EvidenceMaking(SealedRows, FileStore, PackageMaking, HasSigner, Protocol):
    """Make the evidence file of a decision."""


class PackageSigning(Intake, PackageMaking, Protocol):
    """Make a signed package and store it."""


class AnswerStore(HasReads, HasWrites, HasDatabase, HasKeys, Protocol):
    """Keep the first answer to a request, sealed."""


class MatchReviewing(HasSettings, HasClock, HasKeys, Protocol):
    """Decide about matches of watchlists."""


class MatchMemory(HasReads, HasKeys, HasSigner, Protocol):
    """Find what reviewers decided about matches."""


class ScreeningRecords(MatchMemory, HasClock, HasWrites, Protocol):
    """Record screenings."""


class ListChecks(ScreeningRecords, HasDatabase, Protocol):
    """Record screenings, and post them."""


class MetricSources(HasSettings, HasDatabase, Protocol):
    """Read what the metrics report."""

    @property
    def redis(self) -> Redis: ...
