"""The interface of a provider for government registries and its errors.

RegistryError
├── RegistryUnavailable   no result now: retry later, and finally send the person to review
└── RegistryRefused       retries are useless until the operator fixes credentials or quota

Neither says anything about the person. "No such person" is an answer, and only the registry itself
can give it. Messages are codes that are safe to log, without personal data.
"""

from typing import Protocol

from acredita.domain.government.queries import CurpQuestion, IneQuestion, Question, RfcQuestion
from acredita.domain.government.responses import Answer, CurpAnswer, IneAnswer, RfcAnswer
from acredita.kit.dependencies import DependencyUnavailable


class RegistryError(Exception):
    def __init__(self, word: str) -> None:
        super().__init__(word)
        self.word = word


class RegistryUnavailable(RegistryError, DependencyUnavailable):
    """`retry_after`: seconds until a retry, if the source named them."""

    def __init__(self, word: str, *, retry_after: float | None = None) -> None:
        super().__init__(word)
        self.retry_after = retry_after


class RegistryRefused(RegistryError):
    pass


class GovernmentRegistries(Protocol):
    """Every query raises only RegistryUnavailable or RegistryRefused.

    `request_key` identifies a query across retries, so that the source bills it once: 1 to 200
    printable ASCII characters, for example a job's id.
    """

    @property
    def name(self) -> str:
        """The provider's name, stored with the result."""
        ...

    async def lookup_curp(self, curp: str, *, request_key: str) -> CurpAnswer: ...

    async def check_ine(self, question: IneQuestion, *, request_key: str) -> IneAnswer: ...

    async def check_rfc(self, rfc: str, *, name: str | None, request_key: str) -> RfcAnswer: ...

    async def probe(self) -> None:
        """Return if the registries are available now. Sends no billed query."""
        ...


async def ask(registries: GovernmentRegistries, question: Question, *, request_key: str) -> Answer:
    """Send a question to its registry."""
    match question:
        case CurpQuestion(curp):
            return await registries.lookup_curp(curp, request_key=request_key)
        case RfcQuestion(rfc, name):
            return await registries.check_rfc(rfc, name=name, request_key=request_key)
        case _:
            return await registries.check_ine(question, request_key=request_key)
