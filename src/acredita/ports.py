"""Groups of services that functions use together, by purpose. `Services` satisfies each of them.

A function that uses only one or two services takes these as parameters. mypy checks that a function
touches nothing else.
"""

from typing import Protocol

from acredita.engines.documents.inspection import Inspection
from acredita.kit.clock import Clock
from acredita.kit.crypto import KeyRing, Signer
from acredita.kit.db import Database
from acredita.kit.processes import ProcessPool
from acredita.kit.reads import Reads
from acredita.kit.storage import Storage
from acredita.settings import Settings


class Secrets(Protocol):
    """Seal values and compute keyed hashes."""

    @property
    def keys(self) -> KeyRing: ...
    @property
    def signer(self) -> Signer: ...


class SealedRows(Protocol):
    """Read and write rows that have sealed values and a time."""

    @property
    def clock(self) -> Clock: ...
    @property
    def database(self) -> Database: ...
    @property
    def keys(self) -> KeyRing: ...


class JobEnding(SealedRows, Secrets, Protocol):
    """End a job that has no attempts left, and the work that it served."""


class FileStore(Protocol):
    """Store and fetch encrypted files."""

    @property
    def storage(self) -> Storage: ...
    @property
    def keys(self) -> KeyRing: ...


class Intake(SealedRows, FileStore, Protocol):
    """Inspect uploaded files, and store them with their rows."""

    @property
    def inspection(self) -> Inspection: ...


class DocumentReading(SealedRows, FileStore, Protocol):
    """Read the pages of stored documents."""

    @property
    def readers(self) -> ProcessPool: ...
    @property
    def faces(self) -> ProcessPool: ...


class LinkSigning(Protocol):
    """Make signed links to this service."""

    @property
    def settings(self) -> Settings: ...
    @property
    def link_signer(self) -> Signer: ...


class Mailing(Protocol):
    """Queue messages with links to this service."""

    @property
    def settings(self) -> Settings: ...
    @property
    def clock(self) -> Clock: ...
    @property
    def keys(self) -> KeyRing: ...


class Creation(Mailing, Protocol):
    """Create verifications."""

    @property
    def reads(self) -> Reads: ...
