"""Starts and stops an embedded server, as a sync or async context manager."""

import asyncio
from abc import ABC, abstractmethod
from typing import Self


class Startable(ABC):
    @abstractmethod
    def start(self) -> None:
        """Returns when the server accepts connections. After a failure, nothing keeps running."""

    @abstractmethod
    def stop(self) -> None:
        """Returns when the server has stopped. Does nothing if it is not running."""

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    async def __aenter__(self) -> Self:
        starting = asyncio.ensure_future(asyncio.to_thread(self.start))
        try:
            await asyncio.shield(starting)
        except asyncio.CancelledError:
            # The thread cannot be cancelled: wait for it, then undo its work.
            await asyncio.wait([starting])
            await asyncio.to_thread(self.stop)
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        await asyncio.to_thread(self.stop)
