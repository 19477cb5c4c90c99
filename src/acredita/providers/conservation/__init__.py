"""NOM-151-SCFI-2016: conservation certificates (constancias) for data messages.

Only a certification service provider accredited by the Secretaría de Economía can issue one: a
trusted timestamp token over the SHA-256 of the data. Without such a provider there is no
certificate, and the service says so.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from acredita.kit.http import HttpClient, HttpError
from acredita.kit.http.urls import parse_target
from acredita.providers.conservation.protocol import ConservationProvider, Constancia


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
    """Open the configured provider: None for `none`, or `rfc3161` at `url`.

    `trusted`: PEM file of the root certificates for its tokens, required to identify the issuer.
    Raise ValueError for an unknown provider, an invalid URL or a missing `trusted`.
    """
    if provider == "none":
        yield None
        return
    if provider != "rfc3161":
        raise ValueError("the conservation provider must be none or rfc3161")
    if trusted is None:
        raise ValueError("the conservation provider needs trusted certificates")
    try:
        parse_target(url, allow_private=True)
    except HttpError:
        raise ValueError("the conservation provider needs an http or https URL") from None
    # Imported here: pyHanko costs a second and 30 MB, and only processes that sign need it.
    from acredita.providers.conservation.rfc3161 import Rfc3161Conservation  # noqa: PLC0415

    async with HttpClient(timeout=timeout, allow_private=True) as http:
        yield Rfc3161Conservation(
            http, url=url, username=username, password=password, trusted=trusted
        )
