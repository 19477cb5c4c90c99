"""Structured logs that cannot contain personal data by accident.

Numbers, booleans and ids pass under any key. Text passes only under the keys in `TEXT_KEYS`, and
even there identifiers and secrets are masked. An exception is logged as its class and frames,
without its message: library messages quote data (PostgreSQL's unique violation quotes the e-mail).
"""

import json
import logging
import re
import sys
from collections.abc import MutableMapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from traceback import extract_tb
from typing import Any, TextIO
from uuid import UUID

import orjson
import structlog

TEXT_KEYS = frozenset(
    {
        "event",
        "level",
        "timestamp",
        "logger",
        "method",
        "route",
        "request_id",
        "caller",
        "kind",
        "queue",
        "state",
        "code",
        "error",
        "frames",
        "process",
        "version",
        "address",
        "provider",
        "step_type",
        "status_name",
        "reason",
        "name",
        "outcome",
        "queues",
    }
)
REDACTED = "[redacted]"
_PATTERNS = re.compile(
    r"""
      [A-ZÑ&]{4}\d{6}[HMX][A-Z]{5}[0-9A-Z]\d   # CURP
    | [A-Z]{6}\d{8}[HM]\d{3}                   # clave de elector
    | [A-ZÑ&]{3,4}\d{6}[0-9A-Z]{3}             # RFC
    | [A-Z0-9<]*<<[A-Z0-9<]*                   # a machine-readable line
    | eyJ[\w-]+\.[\w-]+\.[\w-]*                # JSON web token
    | ak_[\w-]{8,} | whsec_[\w+/=-]+           # API key, webhook secret
    | [\w.+-]+@[\w-]+(\.[\w-]+)+               # e-mail
    | \+?\d[\d \-]{8,}\d                       # phone, card and document numbers
    """,
    re.VERBOSE | re.IGNORECASE,
)
# Our UUIDs, with or without hyphens. Their runs of digits look like phone numbers.
_OUR_IDS = re.compile(r"(?<![0-9a-z])[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12}(?![0-9a-z])")


# Cached, because most texts are constants of the code.
@lru_cache(maxsize=1024)
def mask(text: str) -> str:
    """Mask what looks like an identifier, an e-mail, a phone number or a secret. Keep our ids."""
    masked, position = [], 0
    for our_id in _OUR_IDS.finditer(text):
        masked += [_PATTERNS.sub(REDACTED, text[position : our_id.start()]), our_id.group()]
        position = our_id.end()
    return "".join([*masked, _PATTERNS.sub(REDACTED, text[position:])])


def redact(_logger: Any, _method: str, entry: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    return {key: _safe(key, value) for key, value in entry.items()}


def _safe(key: str, value: Any) -> Any:
    match value:
        case None | bool() | int() | float():
            return value
        case UUID():
            return str(value)
        case str() if key in TEXT_KEYS or key.endswith("_id"):
            return value if key in {"timestamp", "level"} else mask(value)
        case list() if key == "frames":
            return value
        case list() if key in TEXT_KEYS:
            return [_safe(key, item) for item in value]
        case _:
            return REDACTED


def exception_without_message(
    _logger: Any, _method: str, entry: MutableMapping[str, Any]
) -> MutableMapping[str, Any]:
    info = entry.pop("exc_info", None)
    if info is True:
        info = sys.exc_info()
    fault = info[1] if isinstance(info, tuple) else info
    if isinstance(fault, BaseException):
        entry["error"] = describe(fault)
        entry["frames"] = [
            f"{Path(frame.filename).name}:{frame.lineno} {frame.name}"
            for frame in extract_tb(fault.__traceback__)[-12:]
        ]
    return entry


def describe(fault: BaseException) -> str:
    """The class names of an exception and its cause, without their messages."""
    cause = fault.__cause__
    name = f"{type(fault).__module__}.{type(fault).__qualname__}"
    return f"{name} from {type(cause).__qualname__}" if cause else name


class _Lines:
    """Writes whole lines. A line that cannot be written must not fail the code that logs it."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, line: str) -> None:
        with suppress(OSError, ValueError):
            self._stream.write(line + "\n")
            self._stream.flush()

    debug = info = warning = error = critical = write


def _to_json(entry: Any, **_: Any) -> str:
    try:
        return orjson.dumps(entry).decode()
    except TypeError:  # an integer beyond 64 bits, half of a surrogate pair
        return json.dumps(entry)


def configure_logging(*, level: str, as_json: bool) -> None:
    """Redact our log lines and those of libraries, and write both to standard error."""
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        exception_without_message,
        redact,
    ]
    renderer: structlog.typing.Processor = (
        structlog.processors.JSONRenderer(serializer=_to_json)
        if as_json
        else structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    )
    lines = _Lines(sys.stderr)
    structlog.configure(
        # Bypasses the standard library's logging, which doubles the cost of a line.
        processors=[*shared, renderer],
        logger_factory=lambda *_: lines,
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelName(level)),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[structlog.stdlib.add_logger_name, *shared],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(level)
    # api/middleware.py writes the access log: uvicorn logs query strings, arq logs arguments.
    for name in ("uvicorn.access", "uvicorn.error", "uvicorn", "arq", "httpx", "alembic"):
        library = logging.getLogger(name)
        library.handlers, library.propagate = [], True
    pool = "acredita.kit.connection_pool"  # it logs each connection that it closes
    for name in ("uvicorn.access", "httpx", "arq", "rapidocr", "RapidOCR", pool):
        logging.getLogger(name).setLevel(logging.WARNING)
