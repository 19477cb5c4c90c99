"""Parses JSON bodies, large ones in a thread."""

import asyncio
from typing import Any

from acredita.domain import strict_json

# Above this many bytes parsing takes milliseconds, and leaves the event loop for a thread.
PARSED_ON_THE_LOOP = 64 * 1024


async def parse(body: bytes) -> Any:
    """Return the value of a JSON body. Raise ValidationFailed."""
    if len(body) > PARSED_ON_THE_LOOP:
        return await asyncio.to_thread(strict_json.parse, body)
    return strict_json.parse(body)
