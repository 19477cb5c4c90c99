"""The Range header of RFC 9110, section 14: one range of bytes."""

import re
from typing import Final

from starlette.requests import Request

from acredita.api.errors import RangeNotSatisfiable

_BYTES: Final = re.compile(r"bytes=\s*([0-9]{0,18})-([0-9]{0,18})\s*", re.IGNORECASE)
_SEVERAL: Final = re.compile(r"bytes=[0-9\-,\s]*,[0-9\-,\s]*", re.IGNORECASE)


def wanted(header: str | None, size: int) -> range | None:
    """Return the requested bytes. None: all of them, also for a unit other than bytes.

    Raise RangeNotSatisfiable for a range beyond the end, and for several ranges.
    """
    if header is None:
        return None
    if _SEVERAL.fullmatch(header):
        raise _refused(size)
    found = _BYTES.fullmatch(header)
    if found is None or found[1] == found[2] == "":
        return None
    if found[1] == "":
        length = min(int(found[2]), size)
        asked = range(size - length, size)
    else:
        first = int(found[1])
        last = size - 1 if found[2] == "" else int(found[2])
        if found[2] and last < first:
            return None
        asked = range(first, min(last + 1, size))
    if not asked:
        raise _refused(size)
    return asked


def wanted_by(request: Request, etag: str, size: int) -> range | None:
    """Return the bytes that a request asks for, if it means this version. Raise
    RangeNotSatisfiable.
    """
    is_current = request.headers.get("if-range") in {None, etag}
    return wanted(request.headers.get("range"), size) if is_current else None


def _refused(size: int) -> RangeNotSatisfiable:
    return RangeNotSatisfiable(headers={"Content-Range": f"bytes */{size}"})
