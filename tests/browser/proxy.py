"""A proxy between a browser and the service, as they stand in people's way."""

import http.server
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum, auto
from urllib.parse import urlsplit

import httpx


class Whim(Enum):
    NONE = auto()
    # Streams of events are collected until they end, which they don't.
    BUFFERS_STREAMS = auto()
    # An upload is cut off in its middle.
    CUTS_UPLOADS = auto()
    # An upload goes through, and its answer is lost.
    LOSES_ANSWERS = auto()


class Proxy(http.server.ThreadingHTTPServer):
    daemon_threads = True
    whim = Whim.NONE

    def __init__(self, upstream: str) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.upstream = upstream
        self.url = f"http://127.0.0.1:{self.server_port}"
        self.ending = threading.Event()
        # What was asked for, as it came: the path's last part.
        self.asked: list[str] = []

    def through(self, page_url: str) -> str:
        parts = urlsplit(page_url)
        return f"{self.url}{parts.path}#{parts.fragment}"

    def handle_error(self, *_: object) -> None:
        """Browsers close what they no longer need."""


class _Handler(http.server.BaseHTTPRequestHandler):
    server: Proxy

    def do_GET(self) -> None:
        last = urlsplit(self.path).path.rpartition("/")[2]
        self.server.asked.append(last)
        if last == "events" and self.server.whim is Whim.BUFFERS_STREAMS:
            self.server.ending.wait()
        elif last == "events":
            self._stream()
        else:
            self._forward(b"")

    def do_POST(self) -> None:
        last = urlsplit(self.path).path.rpartition("/")[2]
        self.server.asked.append(last)
        length = int(self.headers["Content-Length"])
        whim = self.server.whim if last == "inputs" else Whim.NONE
        if whim is Whim.CUTS_UPLOADS:
            self.rfile.read(length // 2)
            self.close_connection = True
            return
        body = self.rfile.read(length)
        if whim is Whim.LOSES_ANSWERS:
            self._ask(body)
            self.close_connection = True
            return
        self._forward(body)

    def _ask(self, body: bytes) -> httpx.Response:
        headers = self._headers()
        address = self.server.upstream + self.path
        return httpx.request(
            self.command, address, headers=headers, content=body, trust_env=False, timeout=60
        )

    def _headers(self) -> dict[str, str]:
        """Replace our origin by the service's, as for a proxy that has the service's name."""
        dropped = {"host", "connection", "accept-encoding", "content-length"}
        sent = {name: value for name, value in self.headers.items() if name.lower() not in dropped}
        sent["Accept-Encoding"] = "identity"
        return sent | ({"Origin": self.server.upstream} if "Origin" in sent else {})

    def _forward(self, body: bytes) -> None:
        answer = self._ask(body)
        self._begin(answer)
        self.send_header("Content-Length", str(len(answer.content)))
        self.end_headers()
        self.wfile.write(answer.content)

    def _stream(self) -> None:
        address = self.server.upstream + self.path
        with (
            httpx.Client(trust_env=False, timeout=60) as client,
            client.stream("GET", address, headers=self._headers()) as answer,
        ):
            self._begin(answer)
            self.end_headers()
            for chunk in answer.iter_raw():
                self.wfile.write(chunk)

    def _begin(self, answer: httpx.Response) -> None:
        self.send_response(answer.status_code)
        for name, value in answer.headers.items():
            if name not in ("content-length", "transfer-encoding", "connection", "date", "server"):
                self.send_header(name, value)

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def proxy(upstream: str) -> Iterator[Proxy]:
    server = Proxy(upstream)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.ending.set()
    server.shutdown()
    server.server_close()
