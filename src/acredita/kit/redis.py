"""Redis holds wake-ups, rate-limit buckets and caches. It may be wiped or down at any time."""

from redis.asyncio import Redis

# Seconds: long enough for a loaded machine, too short to stall a request if Redis is dead.
TIMEOUT = 0.5


def connect(url: str) -> Redis:
    """Create a client with its own connection pool. It connects on first use."""
    client: Redis = Redis.from_url(url, socket_timeout=TIMEOUT, socket_connect_timeout=TIMEOUT)
    return client
