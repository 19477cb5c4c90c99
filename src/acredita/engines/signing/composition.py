"""Compose the PDF of a package in separate processes.

The contents are untrusted: an attack on a parser can cost only one process. That process has no
settings and no keys, and limits on memory and time.
"""

import asyncio
import sys
from typing import Final
from uuid import UUID

from acredita.engines.signing.package import ComposedPackage, Package
from acredita.kit.fair_places import FairPlaces
from acredita.kit.processes import PoolError, ProcessDied, ProcessPool, TaskTimedOut
from acredita.kit.processor_accounts import ProcessorAccounts

PROCESSES: Final = 2
# Limit of the address space. Libraries map much more than they use.
MEMORY_MIB: Final = 1024
MOST_PAGES: Final = 10_000
AUTHOR: Final = "Acredita"
# Cores that an organization may use on average, and the CPU seconds after which it leaves one
# process to the others. An ordinary contract takes a twentieth of a second.
CORES_OF_ORGANIZATION: Final = 1.0
COSTLY_ORGANIZATION: Final = 5.0
# How many times its CPU time a package may take, because a busy machine stretches it.
PATIENCE: Final = 1.5


class CannotCompose(Exception):
    """The contents cannot be composed into a PDF. `code`: TOO_LONG or TOO_COMPLEX."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Composition:
    """The pool of composing processes. They start at their first use. Organizations take turns."""

    def __init__(self, *, hidden_environment: str | None = None) -> None:
        self._organizations = ProcessorAccounts(CORES_OF_ORGANIZATION)
        # Callers limit how many packages they make at once.
        self._places = FairPlaces(
            PROCESSES,
            longest_queue=sys.maxsize,
            longest_group_queue=sys.maxsize,
            most_of_group=lambda group: (
                1 if self._organizations.debt(group) > COSTLY_ORGANIZATION else PROCESSES
            ),
        )
        self._pool = ProcessPool(
            PROCESSES,
            initializer=_warm_up,
            memory_limit_mib=MEMORY_MIB,
            hidden_environment=hidden_environment,
            plain_data_from=(__name__, "acredita.engines.signing.package"),
        )
        self._starting: asyncio.Task[None] | None = None

    async def compose(
        self, package: Package, organization: UUID, *, seconds: float
    ) -> ComposedPackage:
        """Compose the unsigned PDF in at most `seconds` of CPU time.

        The CPU seconds are charged to the organization. Raise CannotCompose, or PoolError if a
        process cannot be started.
        """
        await self.start()
        try:
            async with self._places.place(organization):
                return await self._pool.run(
                    compose,
                    package,
                    timeout=PATIENCE * seconds,
                    most_processor_time=seconds,
                    charge=lambda spent: self._organizations.charge(organization, spent),
                )
        except (TaskTimedOut, ProcessDied):
            raise CannotCompose("TOO_COMPLEX") from None

    async def start(self) -> None:
        """Start the processes that are not running. A cancelled caller does not stop the start."""
        if self._starting is None or self._starting.done():
            self._starting = asyncio.create_task(self._pool.start())
        await asyncio.shield(self._starting)

    async def close(self) -> None:
        if self._starting is not None:
            self._starting.cancel()
            await asyncio.gather(self._starting, return_exceptions=True)
        await self._pool.close()


# The code below runs in the pool's processes. Only they load typefaces and parsers.


def _warm_up() -> None:
    from acredita.engines.signing.blocks import Style  # noqa: PLC0415
    from acredita.engines.signing.typefaces import FALLBACK, face  # noqa: PLC0415

    for name in (*Style, FALLBACK):
        face(name)


def compose(package: Package) -> ComposedPackage:
    """Compose the PDF: each document starts on a new page; the certificate comes last.

    Raise CannotCompose.
    """
    from acredita.engines.signing.layout import lay_out  # noqa: PLC0415
    from acredita.engines.signing.pages import PackageTooLong, draw  # noqa: PLC0415

    try:
        pages, replaced = lay_out(package, most_pages=MOST_PAGES)
    except PackageTooLong:
        raise CannotCompose("TOO_LONG") from None
    title = " · ".join(document.title for document in package.documents) or package.heading
    pdf = draw(pages, title=title, author=AUTHOR, foot=f"{package.id_label} {package.id}")
    return ComposedPackage(pdf, len(pages), replaced)


__all__ = ["CannotCompose", "Composition", "PoolError", "compose"]
