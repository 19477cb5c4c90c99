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


class Secrets(Protocol):
    """Seal values and compute keyed hashes."""

    @property
    def keys(self) -> KeyRing: ...
    @property
    def signer(self) -> Signer: ...


class StepEnding(Secrets, Protocol):
    """Store the outcome of a step, with what judged it."""

    @property
    def settings(self) -> Settings: ...


class CaseReviewing(Secrets, Protocol):
    """Decide a verification that reviewers lease."""

    @property
    def clock(self) -> Clock: ...
    @property
    def settings(self) -> Settings: ...


class SealedRows(Protocol):
    """Read and write rows that have sealed values and a time."""

    @property
    def clock(self) -> Clock: ...
    @property
    def database(self) -> Database: ...
    @property
    def keys(self) -> KeyRing: ...


class JobEnding(SealedRows, StepEnding, Protocol):
    """End a job that has no attempts left, and the work that it served."""


class FileStore(Protocol):
    """Store and fetch encrypted files."""

    @property
    def storage(self) -> Storage: ...
    @property
    def keys(self) -> KeyRing: ...


class Pictures(FileStore, Protocol):
    """Fetch stored images, re-encoded."""

    @property
    def inspection(self) -> Inspection: ...


class Intake(SealedRows, Pictures, Protocol):
    """Inspect uploaded files, and store them with their rows."""

    @property
    def settings(self) -> Settings: ...
    @property
    def reads(self) -> Reads: ...


class DocumentReading(SealedRows, FileStore, Protocol):
    """Read, judge and compare the pages of stored documents."""

    @property
    def readers(self) -> ProcessPool: ...
    @property
    def faces(self) -> ProcessPool: ...
    @property
    def calibration(self) -> Calibration | None: ...
    @property
    def gazetteer(self) -> Gazetteer | None: ...


class LivenessChecks(FileStore, Secrets, Protocol):
    """Judge the frames of a liveness challenge, and find films received before."""

    @property
    def settings(self) -> Settings: ...
    @property
    def database(self) -> Database: ...
    @property
    def faces(self) -> ProcessPool: ...


class LinkSigning(Protocol):
    """Make signed links to pictures."""

    @property
    def settings(self) -> Settings: ...
    @property
    def link_signer(self) -> Signer: ...


class LinkOpening(Protocol):
    """Serve the picture of a signed link."""

    @property
    def reads(self) -> Reads: ...
    @property
    def clock(self) -> Clock: ...
    @property
    def database(self) -> Database: ...
    @property
    def link_signer(self) -> Signer: ...


class Messaging(Secrets, Protocol):
    """Queue messages with links or codes, at a limited rate."""

    @property
    def settings(self) -> Settings: ...
    @property
    def clock(self) -> Clock: ...


class DirectMessaging(Messaging, Protocol):
    """Send a message during a request."""

    @property
    def database(self) -> Database: ...
    @property
    def email(self) -> EmailProvider: ...
    @property
    def sms(self) -> SmsProvider: ...


class RecentSignIn(Protocol):
    """Know how long ago a user signed in."""

    @property
    def settings(self) -> Settings: ...
    @property
    def clock(self) -> Clock: ...


class SessionOpening(Secrets, Protocol):
    """Open the session of a user's browser."""

    @property
    def clock(self) -> Clock: ...
    @property
    def settings(self) -> Settings: ...


class SecondFactorChecks(SealedRows, Secrets, Protocol):
    """Check codes of second factors."""


class ProviderSignIn(SecondFactorChecks, Protocol):
    """Sign in with an organization's identity provider."""

    @property
    def settings(self) -> Settings: ...


class SignIn(SecondFactorChecks, Protocol):
    """Check passwords and count failures."""

    @property
    def passwords(self) -> Passwords: ...


class EventSources(LinkSigning, Protocol):
    """Render the body of an event."""

    @property
    def reads(self) -> Reads: ...
    @property
    def keys(self) -> KeyRing: ...


class EventPosting(EventSources, Protocol):
    """Post an event to its receiver during a request."""

    @property
    def clock(self) -> Clock: ...
    @property
    def database(self) -> Database: ...
    @property
    def http(self) -> HttpClient: ...


class Creation(EventSources, Secrets, Protocol):
    """Create a verification."""

    @property
    def clock(self) -> Clock: ...


class SessionCreation(Creation, Protocol):
    """Create a verification and its session, in one transaction."""

    @property
    def database(self) -> Database: ...
    @property
    def writes(self) -> Writes: ...


class ViewSources(Creation, Protocol):
    """Show a verification with links to its documents."""


class RegistryChecks(Protocol):
    """Query government registries."""

    @property
    def settings(self) -> Settings: ...
    @property
    def clock(self) -> Clock: ...
    @property
    def database(self) -> Database: ...
    @property
    def http(self) -> HttpClient: ...
    @property
    def keys(self) -> KeyRing: ...
    @property
    def government(self) -> GovernmentRegistries: ...


class CreditChecks(SealedRows, Protocol):
    """Query the credit bureau."""

    @property
    def settings(self) -> Settings: ...
    @property
    def credit(self) -> CreditBureau | None: ...


class IndexBuilding(FileStore, Protocol):
    """Build the index of watchlists."""

    @property
    def settings(self) -> Settings: ...
    @property
    def database(self) -> Database: ...


class ListLoading(Protocol):
    """Download watchlists and load them."""

    @property
    def settings(self) -> Settings: ...
    @property
    def clock(self) -> Clock: ...
    @property
    def database(self) -> Database: ...


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


class EvidenceMaking(SealedRows, FileStore, PackageMaking, Protocol):
    """Make the evidence file of a decision."""

    @property
    def signer(self) -> Signer: ...


class PackageSigning(Intake, PackageMaking, Protocol):
    """Make a signed package and store it."""


class AnswerStore(Protocol):
    """Keep the first answer to a request, sealed."""

    @property
    def database(self) -> Database: ...
    @property
    def reads(self) -> Reads: ...
    @property
    def writes(self) -> Writes: ...
    @property
    def keys(self) -> KeyRing: ...


class MatchReviewing(Protocol):
    """Decide about matches of watchlists."""

    @property
    def settings(self) -> Settings: ...
    @property
    def clock(self) -> Clock: ...
    @property
    def keys(self) -> KeyRing: ...


class MatchMemory(Protocol):
    """Find what reviewers decided about matches."""

    @property
    def reads(self) -> Reads: ...
    @property
    def keys(self) -> KeyRing: ...
    @property
    def signer(self) -> Signer: ...


class ScreeningRecords(MatchMemory, Protocol):
    """Record screenings."""

    @property
    def clock(self) -> Clock: ...
    @property
    def writes(self) -> Writes: ...


class ListChecks(ScreeningRecords, Protocol):
    """Record screenings, and post them."""

    @property
    def database(self) -> Database: ...


class MetricSources(Protocol):
    """Read what the metrics report."""

    @property
    def redis(self) -> Redis: ...

    @property
    def settings(self) -> Settings: ...
    @property
    def database(self) -> Database: ...
