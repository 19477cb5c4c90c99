"""Redis holds wake-ups, rate-limit buckets and caches. It may be wiped or down at any time."""

from redis.asyncio import Redis
from redis.exceptions import RedisError

# Seconds: long enough for a loaded machine, too short to stall a request if Redis is dead.
TIMEOUT = 0.5


def connect(url: str, *, timeout: float = TIMEOUT) -> Redis:
    """Create a client with its own connection pool. It connects on first use. `timeout` in s."""
    client: Redis = Redis.from_url(url, socket_timeout=timeout, socket_connect_timeout=timeout)
    return client


async def require_single_server(client: Redis) -> None:
    """Raise ValueError if the server is a Redis Cluster or a Sentinel, which would refuse commands.

    An unreachable server, or one that does not say, passes: Redis may be down at any time.
    """
    try:
        mode = (await client.info("server")).get("redis_mode")
    except (RedisError, OSError):
        return
    if mode == "sentinel":
        raise ValueError(
            "names a Sentinel, not a Redis server. Set the address of a proxy or a name that"
            " follows the primary server"
        )
    if mode == "cluster":
        raise ValueError(
            "names a Redis Cluster. Scripts use several keys at a time, which a cluster refuses,"
            " even with one node. Set the address of a single server; it may have replicas"
        )
