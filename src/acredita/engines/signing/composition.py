"""Making a package's PDF, in processes of its own.

Contents are strangers': whatever they make a parser do, a process is all that it costs. It has no
settings and no keys, a limit of memory, and so many seconds.
"""

import asyncio
from typing import Final

from acredita.engines.signing.package import ComposedPackage, Package
from acredita.kit.processes import PoolError, ProcessDied, ProcessPool, TaskTimedOut

PROCESSES: Final = 2
# Address space, of which libraries map a good part without using it.
MEMORY_MIB: Final = 1024
MOST_PAGES: Final = 10_000
AUTHOR: Final = "Acredita"


class CannotCompose(Exception):
    """The contents cannot be made into a PDF: `code` is TOO_LONG or TOO_COMPLEX."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Composition:
    """The processes, which start when they are first needed."""

    def __init__(self, *, hidden_environment: str | None = None) -> None:
        self._pool = ProcessPool(
            PROCESSES,
            initializer=_warm_up,
            memory_limit_mib=MEMORY_MIB,
            hidden_environment=hidden_environment,
            plain_data_from=(__name__, "acredita.engines.signing.package"),
        )
        self._starting: asyncio.Task[None] | None = None

    async def compose(self, package: Package, *, seconds: float) -> ComposedPackage:
        """The PDF, unsigned; `seconds` do not count the wait for a free process.

        Raise CannotCompose, PoolError when a process could not be started.
        """
        await self.start()
        try:
            return await self._pool.run(compose, package, timeout=seconds)
        except (TaskTimedOut, ProcessDied):
            raise CannotCompose("TOO_COMPLEX") from None

    async def start(self) -> None:
        """Start what is not running. Who gives up waiting does not keep the processes from it."""
        if self._starting is None or self._starting.done():
            self._starting = asyncio.create_task(self._pool.start())
        await asyncio.shield(self._starting)

    async def close(self) -> None:
        if self._starting is not None:
            self._starting.cancel()
            await asyncio.gather(self._starting, return_exceptions=True)
        await self._pool.close()


# What follows runs in the processes; only there are typefaces and parsers loaded.


def _warm_up() -> None:
    from acredita.engines.signing.contents import Style  # noqa: PLC0415
    from acredita.engines.signing.typefaces import FALLBACK, face  # noqa: PLC0415

    for name in (*Style, FALLBACK):
        face(name)


def compose(package: Package) -> ComposedPackage:
    """The PDF of a package: each document from a page of its own, the certificate at the end."""
    from acredita.engines.signing.layout import lay_out  # noqa: PLC0415
    from acredita.engines.signing.pages import PackageTooLong, draw  # noqa: PLC0415

    try:
        pages, replaced = lay_out(package, most_pages=MOST_PAGES)
    except PackageTooLong:
        raise CannotCompose("TOO_LONG") from None
    title = " · ".join(document.title for document in package.documents)
    pdf = draw(pages, title=title, author=AUTHOR, foot=f"Paquete {package.id}")
    return ComposedPackage(pdf, len(pages), replaced)


__all__ = ["CannotCompose", "Composition", "PoolError", "compose"]
