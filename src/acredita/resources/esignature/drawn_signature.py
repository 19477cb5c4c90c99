"""Decode the drawn signature, an untrusted image."""

import asyncio
import base64
import binascii
import re
from uuid import UUID

from acredita.domain.errors import ServiceUnavailable, ValidationFailed
from acredita.engines.documents.accepted_types import CannotOpen, mime_type_of
from acredita.engines.documents.cost import estimated_seconds
from acredita.engines.documents.inspection import Inspection, InspectionBusy

DATA_URL = re.compile(r"data:image/(?:png|jpeg|jpg);base64,", re.IGNORECASE)
TYPES = ("image/png", "image/jpeg")
# Seconds. Decoding takes 0.1 s; starting a process takes 2 s.
LONGEST_WAIT = 5.0
FAULTS = {
    "TOO_MANY_PIXELS": "has more than 16 megapixels",
    "TOO_COMPLEX": "takes too much time or memory to decode",
    "TOO_MANY_SCANS": "is a JPEG with too many scans",
}


async def read_drawing(
    inspection: Inspection, organization_id: UUID, touch_signature: str | None
) -> bytes:
    """Re-encode the image as JPEG. Return empty bytes if there is none.

    Raise ValidationFailed, RateLimited, ServiceUnavailable.
    """
    if touch_signature is None:
        return b""
    encoded = DATA_URL.sub("", touch_signature, count=1)
    try:
        content = base64.b64decode(encoded, validate=True)
    except (binascii.Error, ValueError):
        raise _refusal("is neither base64 nor a PNG or JPEG data URL") from None
    mime_type = mime_type_of(content)
    if mime_type not in TYPES:
        raise _refusal("is not a PNG or JPEG image")
    try:
        estimate = await asyncio.to_thread(estimated_seconds, content)
        async with (
            asyncio.timeout(LONGEST_WAIT),
            inspection.place(organization_id, estimate=estimate) as place,
        ):
            return await inspection.drawing(content, mime_type, place)
    except CannotOpen as fault:
        raise _refusal(FAULTS.get(fault.code, "cannot be decoded")) from None
    except (InspectionBusy, TimeoutError):
        raise ServiceUnavailable from None


def _refusal(what: str) -> ValidationFailed:
    return ValidationFailed(details=[f"body.touchSignature: {what}"])
