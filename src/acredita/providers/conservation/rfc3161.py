"""Conservation certificates from providers that issue them as RFC 3161 timestamps over HTTP."""

from pathlib import Path

from acredita.kit.http import HttpClient
from acredita.providers.conservation.protocol import ConservationUnavailable, Constancia
from acredita.providers.timestamps.http import HttpTimestamps
from acredita.providers.timestamps.protocol import TimestampError


class Rfc3161Conservation:
    def __init__(
        self, http: HttpClient, *, url: str, username: str, password: str, trusted: Path
    ) -> None:
        self._tokens = HttpTimestamps(
            http, url=url, username=username, password=password, trusted=trusted
        )

    async def conserve(self, digest: bytes) -> Constancia:
        try:
            stamp = await self._tokens.stamp(digest)
        except TimestampError as fault:
            raise ConservationUnavailable(fault.word) from None
        return Constancia(stamp.token, stamp.moment, stamp.authority)
