"""uvicorn with a graceful shutdown that resets no connection."""

import asyncio
import contextlib
import os
import socket
from collections.abc import Callable

import uvicorn
from fastapi import FastAPI
from uvicorn.config import STARTUP_FAILURE

# Seconds after SIGTERM in which it still accepts connections: a load balancer that is notified at
# the same time keeps sending for a moment.
ACCEPT_SECONDS = 1.0
# Seconds after that in which open connections get one last response, with `Connection: close`.
LAST_REQUESTS = 0.5
# Whole seconds that running requests have after that. The sum must stay below 15.
GRACE = 13
# Seconds. Longer than clients and proxies keep an idle connection (httpx 5 s, AWS's load balancer
# 60 s, Caddy 120 s). Otherwise, the service may close a connection on which a request is on its
# way, and the proxy answers 502. uvicorn's own limit is 5 s.
KEEP_ALIVE = 130


class Server(uvicorn.Server):
    """After SIGTERM, each response closes its connection; no connection closes without a response.

    uvicorn alone closes all at once. This resets requests that arrive on idle connections, and
    connections that are not accepted yet (measured: 5 of 8 busy clients saw a reset).
    """

    def __init__(self, config: uvicorn.Config, leave: Callable[[], None] = lambda: None) -> None:
        """`leave` runs first at shutdown; it ends responses that would otherwise stay open."""
        super().__init__(config)
        self._leave = leave

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._leave()
        state = self.server_state
        state.default_headers = [*state.default_headers, (b"connection", b"close")]
        if state.connections and not self.force_exit:
            await asyncio.sleep(ACCEPT_SECONDS)
        await self._stop_listening()
        if state.connections and not self.force_exit:
            await asyncio.sleep(LAST_REQUESTS)
        await super().shutdown(sockets)

    async def _stop_listening(self) -> None:
        """Accept the waiting connections, then close: closing alone would reset them."""
        loop = asyncio.get_running_loop()
        for server in self.servers:
            listening = [socket.socket(fileno=os.dup(each.fileno())) for each in server.sockets]
            server.close()
            for each in listening:
                for connection in _accept_waiting(each):
                    await loop.connect_accepted_socket(self._protocol, connection)

    def _protocol(self) -> asyncio.Protocol:
        protocol: asyncio.Protocol = self.config.http_protocol_class(  # type: ignore[call-arg]
            config=self.config, server_state=self.server_state, app_state=self.lifespan.state
        )
        return protocol


def _accept_waiting(listening: socket.socket) -> list[socket.socket]:
    accepted = []
    with listening:
        listening.setblocking(False)
        with contextlib.suppress(BlockingIOError):
            while True:
                connection, _ = listening.accept()
                accepted.append(connection)
        # The event loop may keep the socket open until its next iteration.
        with contextlib.suppress(OSError):
            listening.shutdown(socket.SHUT_RD)
    return accepted


def config_of(app: FastAPI, host: str, port: int) -> uvicorn.Config:
    """How uvicorn serves the API."""
    return uvicorn.Config(
        app,
        host=host,
        port=port,
        log_config=None,
        access_log=False,
        server_header=False,
        # uvicorn reports the address of the peer; `api/client_address` reads X-Forwarded-For.
        proxy_headers=False,
        timeout_keep_alive=KEEP_ALIVE,
        timeout_graceful_shutdown=GRACE,
        h11_max_incomplete_event_size=64 * 1024,
    )


def serve(
    config: uvicorn.Config,
    leave: Callable[[], None] = lambda: None,
    sockets: list[socket.socket] | None = None,
) -> None:
    """Serve until SIGTERM or SIGINT; exit as `uvicorn.run` does if the start fails."""
    server = Server(config, leave)
    with contextlib.suppress(KeyboardInterrupt):
        server.run(sockets)
    if not server.started:
        raise SystemExit(STARTUP_FAILURE)
