from fastapi import FastAPI

from acredita.api.server import config_of

# `keepalive` of Caddy's reverse_proxy, the longest of the proxies in docs/operators/deployment.md.
PROXY_KEEPS_IDLE_CONNECTIONS = 120


def test_a_proxy_closes_idle_connections_before_the_service_does():
    config = config_of(FastAPI(), "127.0.0.1", 0)
    assert config.timeout_keep_alive > PROXY_KEEPS_IDLE_CONNECTIONS
