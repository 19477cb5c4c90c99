"""A customer's webhook receiver, over TLS, in a process of its own that survives the faults.

    python -m tests.chaos.receiver PORT CERTIFICATE LOG SEED [well-behaved]

It answers 5 % of the requests with 500, leaves 2 % without an answer and resets the connection of
1 %. A line is written of every request before it is answered.
"""

import asyncio
import hashlib
import random
import socket
import ssl
import struct
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import IO

import orjson
from aiohttp import web

# What a request comes to, and how often in a hundred.
ANSWERS = {"200": 92, "500": 5, "hang": 2, "reset": 1}
WELL_BEHAVED = {"200": 100}
# close() with this sends a RST.
NO_LINGER = struct.pack("ii", 1, 0)


class Receiver:
    def __init__(self, log: IO[bytes], seed: int, answers: Mapping[str, int]) -> None:
        self._log, self._answers = log, answers
        self._chance = random.Random(seed)

    async def handle(self, request: web.Request) -> web.StreamResponse:
        body = await request.read()
        (answer,) = self._chance.choices([*self._answers], [*self._answers.values()])
        line = {
            "at": time.time(),
            "path": request.path,
            "id": orjson.loads(body)["id"],
            "delivery": request.headers["X-Service-Delivery"],
            "sha256": hashlib.sha256(body).hexdigest(),
            "answer": answer,
        }
        self._log.write(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE))
        self._log.flush()
        if answer == "hang":
            await asyncio.Event().wait()
        if answer == "reset" and request.transport is not None:
            connection = request.transport.get_extra_info("socket")
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, NO_LINGER)
            request.transport.abort()
        return web.Response(status=500 if answer == "500" else 200)


async def serve(
    port: int, certificate: Path, log_path: Path, seed: int, answers: Mapping[str, int]
) -> None:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate)
    with log_path.open("ab") as log:
        app = web.Application()
        app.router.add_post("/{endpoint}", Receiver(log, seed, answers).handle)
        runner = web.AppRunner(app, access_log=None, handler_cancellation=True)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", port, ssl_context=context).start()
        await asyncio.Event().wait()


if __name__ == "__main__":
    port, certificate, log, seed, *manners = sys.argv[1:]
    answers = WELL_BEHAVED if manners else ANSWERS
    asyncio.run(serve(int(port), Path(certificate), Path(log), int(seed), answers))
