"""The certificate authorities that this process trusts for TLS to other servers."""

import ssl
from functools import lru_cache
from pathlib import Path


def trusting(ca_file: Path | None = None) -> ssl.SSLContext:
    """Return a context that trusts the system's authorities and those of `ca_file`.

    Raises OSError or ssl.SSLError if `ca_file` cannot be read. Callers must not change the context.
    """
    return _context(ca_file, ca_file and ca_file.stat().st_mtime_ns)


@lru_cache(maxsize=8)
def _context(ca_file: Path | None, _changed: int | None) -> ssl.SSLContext:
    """Parse the system's certificates once: it takes tens of milliseconds."""
    context = ssl.create_default_context()
    if ca_file is not None:
        context.load_verify_locations(cafile=ca_file)
    return context
