"""PostgreSQL and Redis of the system, over TLS and with passwords, as an operator runs them."""

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import redis
import trustme

from acredita.embedded.ports import free_port

PASSWORD = "0123456789abcdef"
START_SECONDS = 60


def postgres_folder() -> Path | None:
    """The programs of the newest PostgreSQL of the system, or None."""
    found = shutil.which("postgres")
    if found:
        return Path(found).resolve().parent
    folders = Path("/usr/lib/postgresql").glob("*/bin")
    return max(folders, key=lambda folder: int(folder.parent.name), default=None)


def redis_server() -> str | None:
    """The Redis of the system if it was built with TLS, or None."""
    found = shutil.which("redis-server")
    if found is None:
        return None
    told = subprocess.run(
        [found, "--tls-port", "none"], capture_output=True, text=True, check=False
    )
    return None if "Bad directive" in told.stdout + told.stderr else found


@contextmanager
def postgres_with_tls(ca: trustme.CA) -> Iterator[str]:
    """Yield the URL without TLS parameters. The server refuses connections without TLS."""
    programs = postgres_folder()
    assert programs is not None
    # root may not run it, and may not share pytest's folders with the user who does.
    user = {"user": "nobody", "group": "nogroup", "extra_groups": []} if os.geteuid() == 0 else {}
    folder = Path(tempfile.mkdtemp(prefix="acredita-postgres-"))
    try:
        issued = ca.issue_cert("localhost")
        (folder / "key.pem").write_bytes(issued.private_key_pem.bytes())
        (folder / "cert.pem").write_bytes(issued.cert_chain_pems[0].bytes())
        (folder / "password").write_text(PASSWORD)
        if user:
            for path in (folder, *folder.iterdir()):
                shutil.chown(path, "nobody", "nogroup")
        (folder / "key.pem").chmod(0o600)
        data = folder / "data"
        initialize = ["--auth=scram-sha-256", f"--pwfile={folder}/password", "--username=acredita"]
        _run(programs / "initdb", *initialize, "--encoding=UTF8", f"--pgdata={data}", **user)
        (data / "pg_hba.conf").write_text("hostssl all all 127.0.0.1/32 scram-sha-256\n")
        port = free_port()
        options = {
            "port": str(port),
            "listen_addresses": "127.0.0.1",
            "unix_socket_directories": "",
            "ssl": "on",
            "ssl_cert_file": f"{folder}/cert.pem",
            "ssl_key_file": f"{folder}/key.pem",
            "fsync": "off",
        }
        given = [part for name, value in options.items() for part in ("-c", f"{name}={value}")]
        with _running([str(programs / "postgres"), "-D", str(data), *given], cwd=folder, **user):
            _wait(lambda: _accepts(programs, port))
            yield f"postgresql://acredita:{PASSWORD}@localhost:{port}/postgres"
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def redis_with_tls(ca: trustme.CA, folder: Path) -> Iterator[str]:
    """Yield the URL without TLS parameters. The server has no port without TLS."""
    program = redis_server()
    assert program is not None
    issued = ca.issue_cert("localhost")
    issued.private_key_pem.write_to_path(str(folder / "redis-key.pem"))
    issued.cert_chain_pems[0].write_to_path(str(folder / "redis-cert.pem"))
    ca.cert_pem.write_to_path(str(folder / "redis-ca.pem"))
    port = free_port()
    options = {
        "port": "0",
        "tls-port": str(port),
        "bind": "127.0.0.1",
        "tls-cert-file": str(folder / "redis-cert.pem"),
        "tls-key-file": str(folder / "redis-key.pem"),
        "tls-ca-cert-file": str(folder / "redis-ca.pem"),
        "tls-auth-clients": "no",
        "requirepass": PASSWORD,
        "save": "",
    }
    given = [part for name, value in options.items() for part in (f"--{name}", value)]
    url = f"rediss://:{PASSWORD}@localhost:{port}/0"
    with _running([program, *given], cwd=folder):
        client = redis.Redis.from_url(url, ssl_ca_certs=str(folder / "redis-ca.pem"))
        _wait(lambda: _answers(client))
        client.close()
        yield url


def _answers(client: redis.Redis) -> bool:
    try:
        return bool(client.ping())
    except redis.ConnectionError:
        return False


def _accepts(programs: Path, port: int) -> bool:
    ready = [str(programs / "pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(port)]
    return subprocess.run(ready, check=False).returncode == 0


def _run(program: Path, *arguments: str, **how: Any) -> None:
    subprocess.run([str(program), *arguments], check=True, stdout=subprocess.DEVNULL, **how)


@contextmanager
def _running(command: list[str], **how: Any) -> Iterator[None]:
    silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, **silent, **how) as process:
        try:
            yield
        finally:
            # Nothing of it is needed again.
            process.kill()


def _wait(is_ready: Callable[[], bool]) -> None:
    deadline = time.monotonic() + START_SECONDS
    while not is_ready():
        assert time.monotonic() < deadline, "the server did not start"
        time.sleep(0.05)
