"""The examples of deploy/: systemd accepts the units; nginx and Caddy carry uploads and streams.

A proxy runs with the file of the example; only names, ports and certificates are replaced. Its test
is skipped with a reason where the program is not installed.
"""

import asyncio
import io
import os
import re
import shutil
import ssl
import subprocess
from contextlib import asynccontextmanager

import aiohttp
import pytest
import trustme
from aiohttp import web

from acredita.embedded.ports import free_port
from tests.conftest import PROJECT

DEPLOY = PROJECT / "deploy"
UNITS = DEPLOY / "systemd"
# Ten files of 10 MB are the most that a request may have.
LARGEST = 100 * 1024 * 1024
pytestmark = pytest.mark.slow


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
def test_systemd_accepts_the_units(tmp_path):
    for unit in UNITS.iterdir():
        # The program of an installation; systemd checks that it exists.
        text = unit.read_text().replace("/opt/acredita/.venv/bin/acredita", "/bin/true")
        (tmp_path / unit.name).write_text(text)
    units = sorted(str(path) for path in tmp_path.iterdir())
    assert len(units) == 3
    checked = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *units],
        env=os.environ | {"SYSTEMD_UNIT_PATH": f"{tmp_path}:"},
        capture_output=True,
        text=True,
        check=False,
    )
    ours = [line for line in checked.stderr.splitlines() if "acredita" in line]
    assert (checked.returncode, ours) == (0, [])


@asynccontextmanager
async def upstream():
    """A service that says what reached it, and a stream that waits after its first line."""
    seen = asyncio.Event()

    async def take(request):
        size = sum([len(chunk) async for chunk in request.content.iter_any()])
        forwarded = request.headers["X-Forwarded-For"]
        return web.json_response({"size": size, "forwarded": forwarded, "host": request.host})

    async def stream(request):
        response = web.StreamResponse()
        response.content_type = "text/event-stream"
        await response.prepare(request)
        await response.write(b"data: first\n\n")
        await seen.wait()
        await response.write(b"data: second\n\n")
        return response

    app = web.Application(client_max_size=0)
    app.add_routes([web.post("/take", take), web.get("/stream", stream)])
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        yield runner.addresses[0][1], seen
    finally:
        await runner.cleanup()


def nginx(folder, port, to):
    text = (DEPLOY / "nginx" / "acredita.conf").read_text()
    text = re.sub(r"^\s*listen (\[::\]:).*$", "", text, flags=re.MULTILINE)
    text = text.replace("listen 443", f"listen 127.0.0.1:{port}").replace("127.0.0.1:8000", to)
    text = text.replace("listen 80;", f"listen 127.0.0.1:{free_port()};")
    text = re.sub(r"/etc/letsencrypt/live/id.example/(\w+)\.pem", rf"{folder}/\1.pem", text)
    # Without these, nginx writes to the folders of the system.
    head = f"pid {folder}/pid;\nerror_log {folder}/error.log;\ndaemon off;\nevents {{}}\nhttp {{\n"
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    paths = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in kinds)
    (folder / "nginx.conf").write_text(f"{head}access_log off;\n{paths}{text}}}\n")
    return ["nginx", "-c", str(folder / "nginx.conf"), "-p", str(folder)]


def caddy(folder, port, to):
    text = (DEPLOY / "caddy" / "Caddyfile").read_text().replace("127.0.0.1:8000", to)
    # Caddy gets no certificate for a name that is not public.
    text = text.replace(
        "id.example {",
        f"https://id.example:{port} {{\n\ttls {folder}/fullchain.pem {folder}/privkey.pem",
    )
    (folder / "Caddyfile").write_text(f"{{\n\tadmin off\n\tauto_https off\n}}\n{text}")
    return ["caddy", "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]


@pytest.mark.parametrize("proxy", [nginx, caddy], ids=["nginx", "caddy"])
async def test_a_proxy_carries_uploads_streams_and_the_callers_address(tmp_path, proxy):
    if shutil.which(proxy.__name__) is None:
        pytest.skip(f"{proxy.__name__} is not installed")
    authority = trustme.CA()
    issued = authority.issue_cert("id.example")
    issued.private_key_pem.write_to_path(str(tmp_path / "privkey.pem"))
    issued.cert_chain_pems[0].write_to_path(str(tmp_path / "fullchain.pem"))
    trusted = ssl.create_default_context()
    authority.configure_trust(trusted)
    port = free_port()
    async with upstream() as (behind, seen):
        command = proxy(tmp_path, port, f"127.0.0.1:{behind}")
        process = await asyncio.create_subprocess_exec(
            *command,
            env=os.environ | {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)},
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )
        try:
            await use(port, trusted, seen)
        finally:
            process.terminate()
            await process.wait()


async def use(port, trusted, seen):
    resolver = {"ssl": trusted, "server_hostname": "id.example"}
    base, named = f"https://127.0.0.1:{port}", {"Host": "id.example"}
    async with aiohttp.ClientSession(headers=named) as session:
        async with asyncio.timeout(60):
            while True:
                try:
                    async with session.post(f"{base}/take", data=b"x", **resolver):
                        break
                except aiohttp.ClientConnectorError:
                    await asyncio.sleep(0.05)
        forged = {"X-Forwarded-For": "203.0.113.9"}
        body = io.BytesIO(bytes(LARGEST))
        async with session.post(f"{base}/take", data=body, headers=forged, **resolver) as answer:
            took = await answer.json()
        assert took["size"] == LARGEST
        # The address that the proxy saw is the last: what a caller claims stands before it.
        assert took["forwarded"].split(", ")[-1] == "127.0.0.1"
        assert took["host"] == "id.example"
        async with asyncio.timeout(30), session.get(f"{base}/stream", **resolver) as answer:
            assert await answer.content.readline() == b"data: first\n"
            seen.set()
            assert (await answer.content.read()).endswith(b"data: second\n\n")
