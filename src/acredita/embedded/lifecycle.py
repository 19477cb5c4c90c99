"""Start and stop of an embedded server, as a context manager in plain and in async code."""

import asyncio
from abc import ABC, abstractmethod
from types import TracebackType
from typing import Self


class Startable(ABC):
    @abstractmethod
    def start(self) -> None:
        """Returns once connections are accepted; on failure nothing is left running."""

    @abstractmethod
    def stop(self) -> None:
        """Returns once the server has ended; does nothing when it is not running."""

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.stop()

    async def __aenter__(self) -> Self:
        starting = asyncio.ensure_future(asyncio.to_thread(self.start))
        try:
            await asyncio.shield(starting)
        except asyncio.CancelledError:
            # The thread can't be cancelled: let it finish, then undo what it did.
            await asyncio.wait([starting])
            await asyncio.to_thread(self.stop)
            raise
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await asyncio.to_thread(self.stop)
