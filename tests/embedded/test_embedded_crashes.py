"""What is left when a holder, a guardian or a server is killed: nothing, and the folder works."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager, suppress

import psutil
import pytest
from redis import Redis

from acredita.embedded import EmbeddedPostgres, EmbeddedServers, servers

pytestmark = pytest.mark.slow
HOLDER = """
import json, sys, time
from pathlib import Path
from acredita.embedded import EmbeddedServers
with EmbeddedServers(Path(sys.argv[1]), durable=True) as servers:
    print(json.dumps(servers.environment()), flush=True)
    time.sleep(60)
"""
EVENTUALLY = 15.0


@contextmanager
def holder_of(folder):
    """A process with a running stack: (its Popen, its URLs, all processes below it)."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(folder)], stdout=subprocess.PIPE, text=True
    ) as holder:
        try:
            urls = json.loads(holder.stdout.readline())
            yield holder, urls, psutil.Process(holder.pid).children(recursive=True)
        finally:
            with suppress(ProcessLookupError):
                holder.kill()


def assert_all_end(processes):
    _, alive = psutil.wait_procs(processes, timeout=EVENTUALLY)
    assert not alive


def named(processes, name):
    return [p for p in processes if p.is_running() and p.name() == name]


def guardian_of(processes, name):
    [server] = [p for p in named(processes, name) if p.parent().name() != name]
    return server.parent()


def test_killing_the_holder_ends_its_servers_and_the_next_start_finds_the_data(stack_folder, query):
    with holder_of(stack_folder) as (holder, urls, processes):
        assert named(processes, "postgres")
        assert named(processes, "redis-server")
        query(urls["ACREDITA_DATABASE_URL"], "CREATE TABLE kept AS SELECT 42 AS n", "SELECT 1")
        holder.kill()
        # At once, while the old servers are still on their way out.
        with EmbeddedServers(stack_folder) as servers:
            assert query(servers.database_url, "SELECT n FROM kept") == 42
        assert_all_end(processes)


def test_killing_everything_at_once_loses_nothing_that_was_committed(stack_folder, query):
    with holder_of(stack_folder) as (holder, urls, processes):
        query(urls["ACREDITA_DATABASE_URL"], "CREATE TABLE kept AS SELECT 42 AS n", "SELECT 1")
        holder.kill()
        for process in processes:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        assert_all_end(processes)
        assert (stack_folder / "postgres" / "data" / "postmaster.pid").exists()
        with EmbeddedServers(stack_folder) as servers:
            assert query(servers.database_url, "SELECT n FROM kept") == 42


@pytest.mark.parametrize("server", ["postgres", "redis-server"])
def test_killing_a_guardian_ends_its_server(server, stack_folder):
    with holder_of(stack_folder) as (_, _, processes):
        guardian = guardian_of(processes, server)
        below = guardian.children(recursive=True)
        assert below
        guardian.kill()
        assert_all_end(below)


def test_a_server_left_in_the_folder_by_nobody_known_is_ended_first(stack_folder, query):
    with holder_of(stack_folder) as (_, _, processes):
        (stack_folder / "postgres" / "lock").unlink()
        with EmbeddedPostgres(stack_folder / "postgres") as server:
            assert not named(processes, "postgres")
            assert query(server.database_url, "SELECT 1") == 1


def test_a_stale_pid_file_that_names_a_live_process_is_no_obstacle(stack_folder, query):
    folder = stack_folder / "postgres"
    (folder / "data" / "postmaster.pid").write_text(f"{os.getpid()}\n/elsewhere\n0\n1\n\n\n")
    with EmbeddedPostgres(folder, durable=False) as server:
        assert query(server.database_url, "SELECT 1") == 1


def test_a_half_made_cluster_is_made_anew(tmp_path, query):
    unfinished = tmp_path / "data.unfinished"
    unfinished.mkdir()
    (unfinished / "PG_VERSION").write_text("18\n")
    with EmbeddedPostgres(tmp_path, durable=False) as server:
        assert query(server.database_url, "SELECT 1") == 1
    assert not unfinished.exists()


def test_a_kill_during_the_first_start_leaves_a_folder_that_starts(tmp_path, query):
    with subprocess.Popen([sys.executable, "-c", HOLDER, str(tmp_path)]) as holder:
        deadline = time.monotonic() + EVENTUALLY
        while not (tmp_path / "postgres" / "data.unfinished" / "base").exists():
            assert time.monotonic() < deadline
            time.sleep(0.005)
        holder.kill()
    with EmbeddedServers(tmp_path, durable=False) as servers:
        assert query(servers.database_url, "SELECT 1") == 1


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_to_the_holder_ends_the_servers_in_order(number, stack_folder):
    with holder_of(stack_folder) as (holder, _, processes):
        holder.send_signal(number)
        assert_all_end(processes)
    assert "database system is shut down" in (stack_folder / "postgres/postgres.log").read_text()
    assert not (stack_folder / "postgres" / "data" / "postmaster.pid").exists()


def test_ctrl_c_in_a_terminal_reaches_the_holder_alone(stack_folder):
    """Were the servers signalled too, work that the holder finishes would lose its database."""
    with holder_of(stack_folder) as (holder, urls, processes):
        groups = {os.getpgid(p.pid) for p in processes}
        assert os.getpgid(holder.pid) not in groups
        with Redis.from_url(urls["ACREDITA_REDIS_URL"]) as redis:
            assert redis.ping()


@contextmanager
def temporary_run(folder, *command):
    """`acredita.embedded run` with a command that has said "started", and all processes below."""
    with subprocess.Popen(
        [sys.executable, "-m", "acredita.embedded", "run", "--", *command],
        env={**os.environ, "TMPDIR": str(folder)},
        stdout=subprocess.PIPE,
        text=True,
    ) as run:
        assert run.stdout.readline() == "started\n"
        yield run, psutil.Process(run.pid).children(recursive=True)


def test_folders_of_killed_temporary_stacks_are_removed_and_those_of_others_are_not(
    tmp_path, monkeypatch
):
    """`temporary_servers` removes them first (test_embedded_servers.py)."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with temporary_run(tmp_path, "sh", "-c", "echo started; exec sleep 60") as (run, processes):
        [abandoned] = tmp_path.iterdir()
        os.utime(abandoned, (0, 0))
        servers._remove_abandoned()
        assert abandoned.exists(), "a live stack lost its folder"
        run.kill()
        assert_all_end(processes)
    os.utime(abandoned, (0, 0))
    servers._remove_abandoned()
    assert not list(tmp_path.iterdir())


NOTES_A_SIGNAL = """
trap 'echo noted' HUP
trap 'kill $!; trap - TERM; kill $$' TERM
sleep 60 &
echo started
wait
wait
"""


def test_run_passes_signals_on_and_cleans_up(tmp_path):
    with temporary_run(tmp_path, "sh", "-c", NOTES_A_SIGNAL) as (run, processes):
        run.send_signal(signal.SIGHUP)
        assert run.stdout.readline() == "noted\n"
        run.send_signal(signal.SIGTERM)
        assert run.wait(EVENTUALLY) == 128 + signal.SIGTERM
        assert_all_end(processes)
    assert not list(tmp_path.iterdir())
