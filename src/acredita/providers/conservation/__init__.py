"""NOM-151-SCFI-2016: certificates (constancias) of the conservation of data messages.

Only a provider of certification services that the Secretaría de Economía has accredited can issue
one: a trusted time token over the SHA-256 of what is conserved. Without such a provider there is
none, and that is what is said.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from acredita.kit.http import HttpClient, HttpError
from acredita.kit.http.targets import parse_target
from acredita.providers.conservation.protocol import (
    ConservationProvider,
    ConservationUnavailable,
    Constancia,
)

__all__ = [
    "ConservationProvider",
    "ConservationUnavailable",
    "Constancia",
    "open_conservation",
]


@asynccontextmanager
async def open_conservation(
    provider: str,
    *,
    url: str = "",
    username: str = "",
    password: str = "",
    timeout: float = 10.0,
    trusted: Path | None = None,
) -> AsyncIterator[ConservationProvider | None]:
    """The provider that the settings name: None for `none`, or `rfc3161` at `url`.

    `trusted` is a PEM file of the authorities that its tokens' chain must lead to. Raise ValueError
    for an unknown provider, an address that is none, and for a provider without `trusted`: whose
    token it is must be known.
    """
    if provider == "none":
        yield None
        return
    if provider != "rfc3161":
        raise ValueError("the provider of conservation is none or rfc3161")
    if trusted is None:
        raise ValueError("a provider of conservation needs the certificates that it is known by")
    try:
        parse_target(url, allow_private=True)
    except HttpError:
        raise ValueError("the provider of conservation needs an http or https address") from None
    # pyHanko costs a second and 30 MB: a process that never signs does without.
    from acredita.providers.conservation.rfc3161 import Rfc3161Conservation  # noqa: PLC0415

    async with HttpClient(timeout=timeout, allow_private=True) as http:
        yield Rfc3161Conservation(
            http, url=url, username=username, password=password, trusted=trusted
        )
