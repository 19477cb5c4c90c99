"""The certificate authorities that this process trusts for TLS to other servers."""

import ssl
from functools import lru_cache
from pathlib import Path


def trusting(ca_file: Path | None = None) -> ssl.SSLContext:
    """Return a context that trusts the system's authorities and those of `ca_file`.

    Raises OSError or ssl.SSLError if `ca_file` cannot be read. Callers must not change the context.
    """
    if ca_file is None:
        return _system_authorities()
    context = ssl.create_default_context()
    context.load_verify_locations(cafile=ca_file)
    return context


@lru_cache(maxsize=1)
def _system_authorities() -> ssl.SSLContext:
    """Parse the system's certificates once: it takes tens of milliseconds."""
    return ssl.create_default_context()
