"""Files in a local folder: durable, private, never outside the folder, gone when refused."""

import asyncio
import os
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acredita.kit.storage import LocalFolder, NoSuchFile, StorageUnavailable
from acredita.kit.storage.folder import ABANDONED_AFTER, INCOMING


@pytest.fixture
def root(tmp_path):
    return tmp_path / "files"


@pytest.fixture
def storage(root):
    return LocalFolder(root)


def everything_in(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


async def test_what_was_put_is_got_back(storage):
    await storage.put("org/2026/one", b"\x00content\xff")
    assert await storage.get("org/2026/one") == b"\x00content\xff"
    assert await storage.exists("org/2026/one")


async def test_an_empty_content_is_a_file_too(storage):
    await storage.put("empty", b"")
    assert await storage.get("empty") == b""


async def test_a_deleted_file_is_gone_and_deleting_again_is_no_fault(storage, root):
    await storage.put("org/one", b"content")
    await storage.delete("org/one")
    await storage.delete("org/one")
    await storage.delete("never/was")
    assert not await storage.exists("org/one")
    assert everything_in(root) == set()
    with pytest.raises(NoSuchFile):
        await storage.get("org/one")


async def test_a_folder_is_not_a_file(storage):
    await storage.put("org/one", b"content")
    assert not await storage.exists("org")
    for key in ("org", "org/one/deeper"):
        with pytest.raises(NoSuchFile):
            await storage.get(key)


async def test_only_the_file_itself_is_left_behind_and_only_its_owner_reads_it(storage, root):
    await storage.put("org/2026/one", b"content")
    assert everything_in(root) == {"org/2026/one"}
    for path in [root, *root.rglob("*")]:
        expected = 0o700 if path.is_dir() else 0o600
        assert stat.S_IMODE(path.stat().st_mode) == expected, path


@pytest.mark.parametrize(
    "key",
    [
        "",
        "/",
        "/etc/passwd",
        "../up",
        "org/../../up",
        "org/./one",
        "org//one",
        "org/",
        ".incoming/one",
        "org/.hidden",
        "org/one\n",
        "org/one\x00",
        "ORG/one",
        "órg/one",
        "org\\one",
        "a" * 65,
        "/".join("a" * 9),
    ],
)
async def test_a_key_of_another_form_is_refused(storage, root, key):
    with pytest.raises(ValueError, match="storage key"):
        await storage.put(key, b"content")
    for method in (storage.get, storage.delete, storage.exists):
        with pytest.raises(ValueError, match="storage key"):
            await method(key)
    assert not root.exists()


@given(key=st.text(alphabet="ab./\\-_\x00~%", max_size=20))
def test_no_key_leads_out_of_the_folder(key, tmp_path_factory):
    root = tmp_path_factory.getbasetemp() / "hypothesis"
    try:
        path = LocalFolder(root)._path(key)
    except ValueError:
        return
    assert Path(os.path.normpath(path)).is_relative_to(root)
    assert path != root
    assert INCOMING not in path.parts


async def test_a_link_planted_in_the_folder_is_not_followed(storage, root, tmp_path):
    (tmp_path / "secret").write_bytes(b"secret")
    await storage.put("org/one", b"content")
    (root / "org" / "link").symlink_to(tmp_path / "secret")
    with pytest.raises(StorageUnavailable):
        await storage.get("org/link")


@pytest.fixture
def full_disk():
    """Files of this process larger than 64 KiB fail, as on a full disk."""
    import resource
    import signal

    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (65536, limits[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    signal.signal(signal.SIGXFSZ, handler)


async def test_a_disk_that_fills_up_is_unavailable_and_keeps_nothing(storage, root, full_disk):
    with pytest.raises(StorageUnavailable, match="EFBIG"):
        await storage.put("org/one", bytes(1_000_000))
    assert everything_in(root) == set()
    assert not await storage.exists("org/one")
    await storage.put("org/one", b"it works again")
    assert await storage.get("org/one") == b"it works again"


async def test_a_place_that_takes_no_files_is_unavailable_and_its_path_is_not_told(tmp_path):
    (tmp_path / "occupied").write_bytes(b"")
    storage = LocalFolder(tmp_path / "occupied" / "files")
    with pytest.raises(StorageUnavailable) as caught:
        await storage.put("org/one", b"content")
    assert "occupied" not in str(caught.value)


async def test_a_cancelled_put_has_ended_when_its_caller_goes_on(storage, root):
    task = asyncio.create_task(storage.put("org/one", bytes(5_000_000)))
    while not (root / INCOMING).exists():  # noqa: ASYNC110 (the thread has begun)
        await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await storage.delete("org/one")
    assert everything_in(root) == set()


async def test_writers_of_one_folder_do_not_disturb_each_other(storage, root):
    other = LocalFolder(root)
    await asyncio.gather(
        *((storage, other)[n % 2].put(f"org/{n % 3}/file{n}", bytes([n])) for n in range(40))
    )
    contents = [await storage.get(f"org/{n % 3}/file{n}") for n in range(40)]
    assert contents == [bytes([n]) for n in range(40)]


async def test_what_a_killed_process_left_half_written_is_removed_when_it_is_old(root):
    incoming = root / INCOMING
    incoming.mkdir(parents=True)
    (incoming / "old").write_bytes(b"half")
    (incoming / "fresh").write_bytes(b"another process is writing this")
    long_ago = time.time() - ABANDONED_AFTER - 1
    os.utime(incoming / "old", (long_ago, long_ago))
    await LocalFolder(root).put("org/one", b"content")
    assert everything_in(root) == {"org/one", f"{INCOMING}/fresh"}


def test_a_killed_writer_leaves_whole_files_or_none(root):
    program = (
        "import asyncio, sys, itertools\n"
        "from pathlib import Path\n"
        "from acredita.kit.storage import LocalFolder\n"
        "async def main():\n"
        "    storage = LocalFolder(Path(sys.argv[1]))\n"
        "    for n in itertools.count():\n"
        "        await storage.put(f'org/file{n}', bytes(2_000_000))\n"
        "        print(n, flush=True)\n"
        "asyncio.run(main())\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, str(root)], stdout=subprocess.PIPE
    ) as writer:
        assert writer.stdout is not None
        for _ in range(3):
            acknowledged = int(writer.stdout.readline())
        writer.kill()
    files = sorted((root / "org").iterdir())
    assert len(files) > acknowledged
    assert {path.stat().st_size for path in files} == {2_000_000}
