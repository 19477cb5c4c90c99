"""Reads the answers of SMS gateways."""

from typing import Any

import orjson

from acredita.kit.http import Response

LONGEST_RETRY_AFTER = 3600.0


def retry_after(response: Response) -> float | None:
    """Seconds from the Retry-After header, capped at an hour. The date form is not supported."""
    text = response.headers.get("Retry-After", "")
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        return None
    return min(float(text), LONGEST_RETRY_AFTER)


def json_of(response: Response) -> Any:
    """Parse the answer's JSON. None if it is truncated or invalid."""
    if response.truncated:
        return None
    try:
        return orjson.loads(response.body)
    except orjson.JSONDecodeError:
        return None
