"""Several providers in order of preference. If one fails, the next one tries."""

import time
from collections.abc import Callable, Sequence

import structlog

from acredita.providers.sms.protocol import Sms, SmsError, SmsProvider, SmsRefused, SmsUnavailable

log = structlog.get_logger()

# Seconds that a failed provider comes after the others, so that its time-out does not delay every
# message.
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
        """Raise SmsUnavailable if any provider may accept it later, otherwise SmsRefused."""
        unavailable: SmsUnavailable | None = None
        refused: SmsRefused | None = None
        for provider in self._in_order():
            try:
                await provider.send(sms, key=key, may_have_left=may_have_left)
            except SmsUnavailable as fault:
                self._rests_until[provider.name] = self._seconds() + REST
                unavailable = _earlier(unavailable, fault)
                _log_failure(provider, fault)
            except SmsRefused as fault:
                refused = fault
                _log_failure(provider, fault)
            else:
                self._rests_until.pop(provider.name, None)
                return
        raise unavailable or refused or SmsUnavailable("no_provider")

    def _in_order(self) -> list[SmsProvider]:
        now = self._seconds()
        return sorted(self._providers, key=lambda p: self._rests_until.get(p.name, now) > now)


def _earlier(known: SmsUnavailable | None, other: SmsUnavailable) -> SmsUnavailable:
    """The failure with the shorter retry_after."""
    if known is None or (other.retry_after or 0) < (known.retry_after or 0):
        return other
    return known


def _log_failure(provider: SmsProvider, fault: SmsError) -> None:
    log.warning("sms.not_taken", provider=provider.name, reason=fault.word)
