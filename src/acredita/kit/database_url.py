"""Database URLs as managed databases hand them out, in the form that asyncpg takes.

libpq's TLS parameters (https://www.postgresql.org/docs/current/libpq-ssl.html) become an SSL
context. Several hosts are tried in turn. Other parameters of libpq are refused, since asyncpg would
reject or ignore them. `pgbouncer=true` says that the address is a pooler in transaction mode.
"""

import re
import ssl
from typing import Any
from urllib.parse import quote

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

DRIVER = "postgresql+asyncpg"
SCHEMES = {"postgres", "postgresql", DRIVER}
MODES = ("disable", "allow", "prefer", "require", "verify-ca", "verify-full")
TLS = {"sslmode", "sslrootcert", "sslcert", "sslkey"}
OTHERS = {"host", "port", "ssl", "prepared_statement_cache_size"}
# Parameters with the values that they may have.
CHOICES = {
    "target_session_attrs": {
        "any",
        "primary",
        "standby",
        "read-write",
        "read-only",
        "prefer-standby",
    },
    "pgbouncer": {"true", "false"},
    # asyncpg cannot bind a password to its channel, so it must not be required.
    "channel_binding": {"prefer", "disable"},
}
OURS = {"pgbouncer", "channel_binding"}
# postgresql://user:password@host:5432,host:5432/database
SEVERAL_HOSTS = re.compile(
    r"(?P<start>[a-z+]+://(?:[^@/?#]*@)?)(?P<hosts>[^@/?#]*,[^@/?#]*)(?P<rest>[/?#].*)?"
)
DEFAULT_PORT = 5432
WRONG_FORM = (
    "must have the form postgresql://user:password@host:5432/database, with other characters than"
    " letters and digits percent-encoded"
)


def normalized(text: str) -> str:
    """Return the URL with our driver. Raise ValueError without the URL, which has a password."""
    url = _parsed(text)
    if url.drivername not in SCHEMES:
        raise ValueError("must begin with postgresql://")
    if not url.database:
        raise ValueError("must name a database: postgresql://user:password@host:5432/database")
    if unknown := sorted(set(url.query) - TLS - OTHERS - set(CHOICES)):
        raise ValueError(f"has parameters that are not supported: {', '.join(unknown)}")
    for name, values in CHOICES.items():
        if name in url.query and url.query[name] not in values:
            raise ValueError(f"{name} must be one of {', '.join(sorted(values))}")
    resolve(text)
    if url.drivername == DRIVER and not SEVERAL_HOSTS.fullmatch(text):
        return text
    return url.set(drivername=DRIVER).render_as_string(hide_password=False)


def resolve(text: str) -> tuple[URL, dict[str, Any]]:
    """Return the URL for SQLAlchemy and the arguments that asyncpg needs besides it.

    Raise ValueError for an unknown sslmode or an unusable certificate file.
    """
    url = _parsed(text)
    parameters = _tls_of(url)
    plain = url.set(drivername=DRIVER).difference_update_query(TLS | OURS)
    return plain, {"ssl": _context(parameters)} if parameters else {}


def is_pooled(text: str) -> bool:
    """Whether the address is a pooler, which gives each transaction another connection."""
    return _parsed(text).query.get("pgbouncer") == "true"


def libpq_environment(text: str) -> dict[str, str]:
    """Return the environment variables with which PostgreSQL's own programs connect."""
    url = _parsed(text)
    hosts = [str(host).rpartition(":") for host in _values(url, "host")]
    tls = _tls_of(url)
    # As the service does. libpq would look for a file of the user's, and fail.
    if tls.get("sslmode") == "verify-full":
        tls = {"sslrootcert": "system"} | tls
    parameters = {
        "PGHOST": ",".join(host for host, _, _ in hosts) or url.host,
        "PGPORT": ",".join(port for _, _, port in hosts) or url.port,
        "PGTARGETSESSIONATTRS": url.query.get("target_session_attrs"),
        "PGUSER": url.username,
        "PGPASSWORD": url.password,
        "PGDATABASE": url.database,
        **{f"PG{name.upper()}": value for name, value in tls.items()},
    }
    return {name: str(value) for name, value in parameters.items() if value is not None}


def _values(url: URL, name: str) -> tuple[str, ...]:
    value = url.query.get(name, ())
    return (value,) if isinstance(value, str) else value


def _with_hosts_as_parameters(text: str) -> str:
    """Move several hosts to where SQLAlchemy reads them."""
    found = SEVERAL_HOSTS.fullmatch(text)
    if found is None:
        return text
    rest = found["rest"] or "/"
    hosts = (
        host if ":" in host else f"{host}:{DEFAULT_PORT}" for host in found["hosts"].split(",")
    )
    query = "&".join(f"host={quote(host)}" for host in hosts)
    return f"{found['start']}{rest}{'&' if '?' in rest else '?'}{query}"


def _parsed(text: str) -> URL:
    try:
        url = make_url(_with_hosts_as_parameters(text))
    except (ArgumentError, ValueError):
        raise ValueError(WRONG_FORM) from None
    # A password with a slash ends there: what follows it would be the database.
    if set("@/") & set(url.database or ""):
        raise ValueError(WRONG_FORM)
    return url


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
