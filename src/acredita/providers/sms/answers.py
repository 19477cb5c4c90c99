"""What the adapters read of a gateway's answer."""

from typing import Any

import orjson

from acredita.kit.http import Response

LONGEST_RETRY_AFTER = 3600.0


def retry_after(response: Response) -> float | None:
    """Seconds; the header's date form is not worth a parser here."""
    text = response.headers.get("Retry-After", "")
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        return None
    return min(float(text), LONGEST_RETRY_AFTER)


def json_of(response: Response) -> Any:
    """The answer's JSON, or None where it is cut off or is none."""
    if response.truncated:
        return None
    try:
        return orjson.loads(response.body)
    except orjson.JSONDecodeError:
        return None
