"""Several providers in order of preference: where one cannot, the next one tries."""

import time
from collections.abc import Callable, Sequence

import structlog

from acredita.providers.sms.protocol import Sms, SmsError, SmsProvider, SmsRefused, SmsUnavailable

log = structlog.get_logger()

# A provider that just failed is asked after the others for so many seconds: waiting for its
# time-out before each message would make every code late.
REST = 30.0


class FailoverSms:
    name = "failover"

    def __init__(
        self, providers: Sequence[SmsProvider], *, seconds: Callable[[], float] = time.monotonic
    ) -> None:
        self._providers = tuple(providers)
        self._seconds = seconds
        self._rests_until: dict[str, float] = {}

    async def send(self, sms: Sms, *, key: str, may_have_left: bool = False) -> None:
        """Raise SmsUnavailable if one of the providers may take it later, else SmsRefused."""
        unavailable: SmsUnavailable | None = None
        refused: SmsRefused | None = None
        for provider in self._in_order():
            try:
                await provider.send(sms, key=key, may_have_left=may_have_left)
            except SmsUnavailable as fault:
                self._rests_until[provider.name] = self._seconds() + REST
                unavailable = _sooner(unavailable, fault)
                _tell(provider, fault)
            except SmsRefused as fault:
                refused = fault
                _tell(provider, fault)
            else:
                self._rests_until.pop(provider.name, None)
                return
        raise unavailable or refused or SmsUnavailable("no_provider")

    def _in_order(self) -> list[SmsProvider]:
        now = self._seconds()
        return sorted(self._providers, key=lambda p: self._rests_until.get(p.name, now) > now)


def _sooner(known: SmsUnavailable | None, other: SmsUnavailable) -> SmsUnavailable:
    """Whichever asks for less patience."""
    if known is None or (other.retry_after or 0) < (known.retry_after or 0):
        return other
    return known


def _tell(provider: SmsProvider, fault: SmsError) -> None:
    log.warning("sms.not_taken", provider=provider.name, reason=fault.word)
