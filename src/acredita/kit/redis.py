"""Redis: wake-ups, rate-limit buckets, caches. It may be wiped or gone at any moment."""

from redis.asyncio import Redis

# Long enough for a loaded machine, short enough that a request never waits for a dead Redis.
TIMEOUT = 0.5


def connect(url: str) -> Redis:
    """A client with a pool of its own; it connects when first used."""
    client: Redis = Redis.from_url(url, socket_timeout=TIMEOUT, socket_connect_timeout=TIMEOUT)
    return client
