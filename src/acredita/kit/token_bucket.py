"""Token buckets by the generic cell rate algorithm (GCRA), shared by all processes through Redis.

A bucket's state is one number, the theoretical arrival time (TAT): when the bucket will be full
again. A request adds one interval to the TAT, and is refused if the TAT would then be further ahead
than the burst allows. One script checks all buckets of a request. A refusal takes from none.

A bucket with a window does not refill continuously. It refills completely when the window ends; its
first request starts the window.
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
from acredita.kit.redis_pipeline import RedisLink, RedisUnavailable

log = structlog.get_logger()

MICROSECONDS = 1_000_000
# A process removes full buckets from its memory when it has more buckets than this.
PRUNE_ABOVE = 10_000

# The script uses Redis's clock, because the clocks of processes differ. It formats with '%.0f',
# because Lua prints only 14 digits of a large number. For a bucket with a window, the time is 0
# until the key expires.
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

FALLBACKS = counter("rate_limit_fallbacks", "Requests that a process counted without Redis.")


@dataclass(frozen=True, slots=True)
class Bucket:
    key: str
    burst: int
    # Microseconds, as integers: rounding errors would refuse the last request of a burst.
    interval: int
    # Microseconds; 0 for a bucket that refills continuously.
    window: int = 0

    @classmethod
    def filling(cls, key: str, *, rate: float, burst: int) -> "Bucket":
        """A bucket that allows `burst` requests at once and refills with `rate` per second."""
        return cls(key, burst, max(1, int(MICROSECONDS / rate)))

    @classmethod
    def windowed(cls, key: str, *, most: int, seconds: int) -> "Bucket":
        """A bucket that allows `most` requests within `seconds` of the first one."""
        return cls(key, most, 1, seconds * MICROSECONDS)


class RateLimitResult(NamedTuple):
    """The state of the tightest bucket: the one that refuses, or the one with the least left."""

    is_admitted: bool
    burst: int
    remaining: int
    # Microseconds until the bucket is full again, and until it allows another request.
    reset: int
    wait: int


class LocalBuckets:
    """Buckets in the memory of this process."""

    def __init__(self, clock: Callable[[], int] = time.monotonic_ns) -> None:
        self._clock = clock
        # For each bucket that is not full: (theoretical arrival time, time when it is full again).
        self._states: dict[str, tuple[int, int]] = {}
        self._prune_above = PRUNE_ABOVE

    def take(self, buckets: Sequence[Bucket]) -> RateLimitResult:
        """Take from all of the buckets, or from none."""
        now = self._clock() // 1000
        judged = [self._judge(bucket, now) for bucket in buckets]
        refusals = [verdict for verdict, _ in judged if not verdict.is_admitted]
        if refusals:
            return max(refusals, key=_wait)
        for bucket, (_, state) in zip(buckets, judged, strict=True):
            self._states[bucket.key] = state
        if len(self._states) > self._prune_above:
            self._drop_full(now)
        return min((verdict for verdict, _ in judged), key=_remaining)

    def peek(self, bucket: Bucket) -> RateLimitResult:
        """The result that `take` would return, without taking."""
        return self._judge(bucket, self._clock() // 1000)[0]

    def _judge(self, bucket: Bucket, now: int) -> tuple[RateLimitResult, tuple[int, int]]:
        start = 0 if bucket.window else now
        before, full_at = self._states.get(bucket.key, (0, 0))
        if full_at <= now:
            before, full_at = start, now + bucket.window
        after = before + bucket.interval
        left = start + bucket.burst * bucket.interval - after
        if left < 0:
            wait = full_at - now if bucket.window else -left
            return RateLimitResult(False, bucket.burst, 0, full_at - now, wait), (before, full_at)
        if not bucket.window:
            full_at = after
        verdict = RateLimitResult(True, bucket.burst, left // bucket.interval, full_at - now, 0)
        return verdict, (after, full_at)

    def _drop_full(self, now: int) -> None:
        self._states = {key: state for key, state in self._states.items() if state[1] > now}
        self._prune_above = max(PRUNE_ABOVE, 2 * len(self._states))


class SharedBuckets:
    """Buckets in Redis, with local buckets as the fallback while Redis is unavailable.

    Local buckets always count too, so that an outage does not grant a second burst.
    """

    def __init__(self, link: RedisLink) -> None:
        self._link = link
        self._local = LocalBuckets()
        self._is_away = False

    async def take(self, buckets: Sequence[Bucket]) -> RateLimitResult:
        """Take from all of the buckets, or from none. An unavailable Redis raises nothing."""
        local = self._local.take(buckets)
        try:
            admitted, burst, remaining, reset, wait = await self._take_in_redis(buckets)
        except (RedisUnavailable, hiredis.ReplyError) as fault:
            FALLBACKS.inc()
            if not self._is_away:
                self._is_away = True
                log.warning("rate limits are this process's own", error=describe(fault))
            return local
        if self._is_away:
            self._is_away = False
            log.info("rate limits are shared again")
        return RateLimitResult(admitted == 1, burst, remaining, reset, wait)

    def peek(self, bucket: Bucket) -> RateLimitResult:
        """The state of the local bucket, without a call to Redis and without taking."""
        return self._local.peek(bucket)

    async def _take_in_redis(self, buckets: Sequence[Bucket]) -> list[int]:
        arguments: list[str | int] = [len(buckets)]
        arguments += [bucket.key for bucket in buckets]
        for bucket in buckets:
            arguments += (bucket.interval, bucket.burst, bucket.window)
        try:
            return await self._link.call("EVALSHA", DIGEST, *arguments)  # type: ignore[no-any-return]
        except hiredis.ReplyError as fault:
            if not str(fault).startswith("NOSCRIPT"):
                raise
        # Redis was wiped or restarted and lost the cached script.
        return await self._link.call("EVAL", SCRIPT, *arguments)  # type: ignore[no-any-return]


def _wait(verdict: RateLimitResult) -> int:
    return verdict.wait


def _remaining(verdict: RateLimitResult) -> int:
    return verdict.remaining
