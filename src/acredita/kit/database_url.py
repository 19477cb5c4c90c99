"""Database URLs as managed databases hand them out, in the form that asyncpg takes.

libpq's TLS parameters (https://www.postgresql.org/docs/current/libpq-ssl.html) become an SSL
context. Other parameters of libpq are refused, since asyncpg would reject or ignore them.
"""

import ssl
from typing import Any

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

DRIVER = "postgresql+asyncpg"
SCHEMES = {"postgres", "postgresql", DRIVER}
MODES = ("disable", "allow", "prefer", "require", "verify-ca", "verify-full")
TLS = {"sslmode", "sslrootcert", "sslcert", "sslkey"}
OTHERS = {"host", "port", "ssl", "target_session_attrs", "prepared_statement_cache_size"}


def normalized(text: str) -> str:
    """Return the URL with our driver. Raise ValueError without the URL, which has a password."""
    url = _parsed(text)
    if url.drivername not in SCHEMES:
        raise ValueError("must begin with postgresql://")
    if not url.database:
        raise ValueError("must name a database: postgresql://user:password@host:5432/database")
    if unknown := sorted(set(url.query) - TLS - OTHERS):
        raise ValueError(f"has parameters that are not supported: {', '.join(unknown)}")
    resolve(text)
    if url.drivername == DRIVER:
        return text
    return url.set(drivername=DRIVER).render_as_string(hide_password=False)


def resolve(text: str) -> tuple[URL, dict[str, Any]]:
    """Return the URL for SQLAlchemy and the arguments that asyncpg needs besides it.

    Raise ValueError for an unknown sslmode or an unusable certificate file.
    """
    url = _parsed(text)
    parameters = _tls_of(url)
    plain = url.set(drivername=DRIVER).difference_update_query(TLS)
    return plain, {"ssl": _context(parameters)} if parameters else {}


def libpq_environment(text: str) -> dict[str, str]:
    """Return the environment variables with which PostgreSQL's own programs connect."""
    url = _parsed(text)
    parameters = {
        "PGHOST": url.host,
        "PGPORT": url.port,
        "PGUSER": url.username,
        "PGPASSWORD": url.password,
        "PGDATABASE": url.database,
        **{f"PG{name.upper()}": value for name, value in _tls_of(url).items()},
    }
    return {name: str(value) for name, value in parameters.items() if value is not None}


def _parsed(text: str) -> URL:
    try:
        return make_url(text)
    except (ArgumentError, ValueError):
        raise ValueError(
            "must have the form postgresql://user:password@host:5432/database, with other"
            " characters than letters and digits percent-encoded"
        ) from None


def _tls_of(url: URL) -> dict[str, str]:
    return {name: str(value) for name, value in url.query.items() if name in TLS}


def _context(parameters: dict[str, str]) -> ssl.SSLContext | str | bool:
    root = parameters.get("sslrootcert", "")
    # As in libpq: the default does not fail without TLS, unless a root is there to verify.
    mode = parameters.get("sslmode", "verify-full" if root == "system" else "prefer")
    if mode not in MODES:
        raise ValueError(f"sslmode must be one of {', '.join(MODES)}")
    if mode == "disable":
        return False
    certificate = parameters.get("sslcert")
    if mode in {"allow", "prefer"} and not certificate:
        return mode
    verifies = mode.startswith("verify") or bool(root)
    try:
        # A file replaces the system's authorities.
        context = ssl.create_default_context(cafile=None if root in {"", "system"} else root)
        if certificate:
            context.load_cert_chain(certificate, parameters.get("sslkey"))
    except OSError:  # an SSLError, too
        raise ValueError(
            "names a certificate file (sslrootcert, sslcert, sslkey) that cannot be used"
        ) from None
    context.check_hostname = mode == "verify-full"
    context.verify_mode = ssl.CERT_REQUIRED if verifies else ssl.CERT_NONE
    return context
