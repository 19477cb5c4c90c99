"""What any carrier of questions to the government's registries does, and how it fails.

RegistryError
├── RegistryUnavailable   no verdict now: ask again later, and at last let a person decide
└── RegistryRefused       asking again is of no use until the operator mends credentials or quota

Neither says anything of the person: that a registry knows no such person is an answer, given only
when the registry itself said so. Messages are words fit for a log, without personal data.
"""

from typing import Protocol

from acredita.domain.government.answers import Answer, CurpAnswer, IneAnswer, RfcAnswer
from acredita.domain.government.questions import CurpQuestion, IneQuestion, Question, RfcQuestion


class RegistryError(Exception):
    def __init__(self, word: str) -> None:
        super().__init__(word)
        self.word = word


class RegistryUnavailable(RegistryError):
    """`retry_after`: the seconds that the source asks to be left alone, if it named any."""

    def __init__(self, word: str, *, retry_after: float | None = None) -> None:
        super().__init__(word)
        self.retry_after = retry_after


class RegistryRefused(RegistryError):
    pass


class GovernmentRegistries(Protocol):
    """Every question may raise RegistryUnavailable or RegistryRefused, and nothing else.

    `request_key` stays the same over the retries of one question (1 to 200 printable ASCII
    characters; a job's id does), so that a source which bills by question bills it once.
    """

    @property
    def name(self) -> str:
        """Which provider this is, for the record of who judged."""
        ...

    async def lookup_curp(self, curp: str, *, request_key: str) -> CurpAnswer: ...

    async def check_ine(self, question: IneQuestion, *, request_key: str) -> IneAnswer: ...

    async def check_rfc(self, rfc: str, *, name: str | None, request_key: str) -> RfcAnswer: ...

    async def probe(self) -> None:
        """Return if questions can be asked just now; asks nobody anything that is billed."""
        ...


async def ask(registries: GovernmentRegistries, question: Question, *, request_key: str) -> Answer:
    """Put a planned question to the registry that it is for."""
    match question:
        case CurpQuestion(curp):
            return await registries.lookup_curp(curp, request_key=request_key)
        case RfcQuestion(rfc, name):
            return await registries.check_rfc(rfc, name=name, request_key=request_key)
        case _:
            return await registries.check_ine(question, request_key=request_key)
