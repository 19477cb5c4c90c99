"""Token buckets by the generic cell rate algorithm (GCRA), shared by all processes through Redis.

A bucket's state is one number, the theoretical arrival time: the moment at which the bucket will be
full again. A request adds an interval to it, and is refused if that puts it further ahead than the
burst allows. All buckets of a request are judged in one script, and a refusal takes from none.

A bucket with a window is not filled drop by drop but whole, when the window that its first request
opened is over.
"""

import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import hiredis
import structlog

from acredita.kit.logging import describe
from acredita.kit.metrics import counter
from acredita.kit.redis_link import RedisLink, Unanswered

log = structlog.get_logger()

MICROSECONDS = 1_000_000
# How many buckets a process keeps before it looks for those that are full again.
MANY = 10_000

# Redis's own clock: those of the processes differ. '%.0f', because Lua writes large numbers with
# 14 digits. With a window, time stands still at zero until the key expires.
SCRIPT = """
local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]
local stored = redis.call('MGET', unpack(KEYS))
local arrivals, refused, chosen = {}, false, nil
for i, key in ipairs(KEYS) do
  local interval, burst = tonumber(ARGV[3 * i - 2]), tonumber(ARGV[3 * i - 1])
  local window = tonumber(ARGV[3 * i])
  local start = window > 0 and 0 or now
  local before = math.max(stored[i] and tonumber(stored[i]) or start, start)
  local left = start + burst * interval - before - interval
  local reset = before + interval - now
  if window > 0 then reset = stored[i] and redis.call('PTTL', key) * 1000 or window end
  local verdict
  if left >= 0 then
    verdict = {1, burst, math.floor(left / interval), reset, 0}
  else
    verdict = {0, burst, 0, window > 0 and reset or before - now, window > 0 and reset or -left}
  end
  arrivals[i] = before + interval
  if left < 0 then
    if not refused or verdict[5] > chosen[5] then chosen = verdict end
    refused = true
  elseif not refused and (not chosen or verdict[3] < chosen[3]) then
    chosen = verdict
  end
end
if not refused then
  for i, key in ipairs(KEYS) do
    local window, value = tonumber(ARGV[3 * i]), string.format('%.0f', arrivals[i])
    if window > 0 and stored[i] then
      redis.call('SET', key, value, 'KEEPTTL')
    else
      local lasts = window > 0 and window or arrivals[i] - now
      redis.call('SET', key, value, 'PX', string.format('%.0f', math.ceil(lasts / 1000)))
    end
  end
end
return chosen
"""
DIGEST = hashlib.sha1(SCRIPT.encode(), usedforsecurity=False).hexdigest()

FALLBACKS = counter("rate_limit_fallbacks", "Requests counted by a process alone, without Redis.")


@dataclass(frozen=True, slots=True)
class Bucket:
    key: str
    burst: int
    # Microseconds, whole ones: sums of fractions would refuse the last request of a burst.
    interval: int
    window: int = 0

    @classmethod
    def filling(cls, key: str, *, rate: float, burst: int) -> "Bucket":
        """Takes `burst` requests at once, and then `rate` a second."""
        return cls(key, burst, max(1, int(MICROSECONDS / rate)))

    @classmethod
    def windowed(cls, key: str, *, most: int, seconds: int) -> "Bucket":
        """Takes `most` requests in the `seconds` that begin with the first of them."""
        return cls(key, most, 1, seconds * MICROSECONDS)


class Verdict(NamedTuple):
    """What the tightest of the buckets says: the one that refuses, or has the least left."""

    is_admitted: bool
    burst: int
    remaining: int
    # Microseconds until the bucket is full again, and until it admits another request.
    reset: int
    wait: int


class OwnBuckets:
    """Buckets of this process alone."""

    def __init__(self, clock: Callable[[], int] = time.monotonic_ns) -> None:
        self._clock = clock
        # Of each bucket that is not full: the theoretical arrival time, and when it is full again.
        self._states: dict[str, tuple[int, int]] = {}
        self._many = MANY

    def take(self, buckets: Sequence[Bucket]) -> Verdict:
        """Take from all of the buckets, or from none."""
        now = self._clock() // 1000
        judged = [self._judge(bucket, now) for bucket in buckets]
        refusals = [verdict for verdict, _ in judged if not verdict.is_admitted]
        if refusals:
            return max(refusals, key=_wait)
        for bucket, (_, state) in zip(buckets, judged, strict=True):
            self._states[bucket.key] = state
        if len(self._states) > self._many:
            self._forget_full_ones(now)
        return min((verdict for verdict, _ in judged), key=_remaining)

    def look(self, bucket: Bucket) -> Verdict:
        """What `take` would say, without taking."""
        return self._judge(bucket, self._clock() // 1000)[0]

    def _judge(self, bucket: Bucket, now: int) -> tuple[Verdict, tuple[int, int]]:
        start = 0 if bucket.window else now
        before, full_at = self._states.get(bucket.key, (0, 0))
        if full_at <= now:
            before, full_at = start, now + bucket.window
        after = before + bucket.interval
        left = start + bucket.burst * bucket.interval - after
        if left < 0:
            wait = full_at - now if bucket.window else -left
            return Verdict(False, bucket.burst, 0, full_at - now, wait), (before, full_at)
        if not bucket.window:
            full_at = after
        verdict = Verdict(True, bucket.burst, left // bucket.interval, full_at - now, 0)
        return verdict, (after, full_at)

    def _forget_full_ones(self, now: int) -> None:
        self._states = {key: state for key, state in self._states.items() if state[1] > now}
        self._many = max(MANY, 2 * len(self._states))


class SharedBuckets:
    """Buckets in Redis. Those of the process count along, and stand in while Redis is away.

    They count along so that the beginning of an outage hands nobody a second burst.
    """

    def __init__(self, link: RedisLink) -> None:
        self._link = link
        self._own = OwnBuckets()
        self._is_away = False

    async def take(self, buckets: Sequence[Bucket]) -> Verdict:
        """Take from all of the buckets, or from none. Never raises because of Redis."""
        own = self._own.take(buckets)
        try:
            admitted, burst, remaining, reset, wait = await self._ask(buckets)
        except (Unanswered, hiredis.ReplyError) as fault:
            FALLBACKS.inc()
            if not self._is_away:
                self._is_away = True
                log.warning("rate limits are this process's own", error=describe(fault))
            return own
        if self._is_away:
            self._is_away = False
            log.info("rate limits are shared again")
        return Verdict(admitted == 1, burst, remaining, reset, wait)

    def look(self, bucket: Bucket) -> Verdict:
        """What this process alone knows of the bucket; asks nobody and takes nothing."""
        return self._own.look(bucket)

    async def _ask(self, buckets: Sequence[Bucket]) -> list[int]:
        arguments: list[str | int] = [len(buckets)]
        arguments += [bucket.key for bucket in buckets]
        for bucket in buckets:
            arguments += (bucket.interval, bucket.burst, bucket.window)
        try:
            return await self._link.call("EVALSHA", DIGEST, *arguments)  # type: ignore[no-any-return]
        except hiredis.ReplyError as fault:
            if not str(fault).startswith("NOSCRIPT"):
                raise
        # A Redis that was wiped or started anew learns the script once more.
        return await self._link.call("EVAL", SCRIPT, *arguments)  # type: ignore[no-any-return]


def _wait(verdict: Verdict) -> int:
    return verdict.wait


def _remaining(verdict: Verdict) -> int:
    return verdict.remaining
