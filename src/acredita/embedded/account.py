"""The user account that the servers run as, and its access to their files.

PostgreSQL refuses to run as root, and Redis should not. If root starts them, both run as an
unprivileged account. That account often cannot traverse the path to the files, for example to a
virtual environment below /root. Making those folders readable for everyone would be unsafe. So root
opens the files and passes descriptors, which the account uses through /proc/self/fd without
traversing the path. Programs find their libraries by path, so they are copied, once per version, to
a folder that the account can read.
"""

import os
import pwd
import shutil
import stat
import sys
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from acredita.embedded.errors import EmbeddedError

_UNPRIVILEGED = "nobody"
_PROGRAM_COPIES = Path("/var/cache/acredita")


@dataclass(frozen=True)
class Account:
    uid: int
    gid: int

    def own(self, path: Path) -> None:
        os.chown(path, self.uid, self.gid)


def server_account(data: Path) -> Account | None:
    """The account to run the server of folder `data` as. None means the current user.

    A folder keeps its owner, so that its user can still start a stack that root started once.

    Raise EmbeddedError if root cannot run the server on this machine.
    """
    if os.geteuid() != 0:
        return None
    if sys.platform != "linux":
        raise EmbeddedError(
            "As root, the embedded servers run only on Linux. Use an ordinary user."
        )
    if data.exists() and (owner := data.stat()).st_uid != 0:
        return Account(owner.st_uid, owner.st_gid)
    try:
        entry = pwd.getpwnam(_UNPRIVILEGED)
    except KeyError as error:
        raise EmbeddedError(
            f"Started as root, the embedded servers run as the user {_UNPRIVILEGED!r}, which does "
            "not exist on this machine. Start them as an ordinary user."
        ) from error
    return Account(entry.pw_uid, entry.pw_gid)


class PathAccess:
    """Gives the server's account access to paths while servers start.

    Pass `descriptors` to every process that uses a path from `path`.
    """

    def __init__(self, account: Account | None) -> None:
        self._account = account
        self.descriptors: list[int] = []

    def path(self, path: Path) -> str:
        if self._account is None:
            return str(path)
        descriptor = os.open(path, os.O_PATH)
        self.descriptors.append(descriptor)
        return f"/proc/self/fd/{descriptor}"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for descriptor in self.descriptors:
            os.close(descriptor)


def reachable_programs(
    root: Path, wanted: Iterable[str], name: str, account: Account | None
) -> Path:
    """Return `root`, or a copy of its `wanted` files if `account` cannot read `root`.

    `wanted`: globs relative to `root`. `name`: package and version; each has one copy.
    """
    if account is None or _is_world_readable(root):
        return root
    copy = _PROGRAM_COPIES / name
    if copy.exists():
        return copy
    unfinished = copy.with_name(f"{name}.{os.getpid()}")
    try:
        for pattern in wanted:
            for source in root.glob(pattern):
                target = unfinished / source.relative_to(root)
                if source.is_dir():
                    shutil.copytree(source, target, dirs_exist_ok=True)
                else:
                    target.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy2(source, target)
        _make_world_readable(unfinished)
        _PROGRAM_COPIES.chmod(0o755)
        with suppress(OSError):  # another process created the same copy first
            unfinished.rename(copy)
    except OSError as error:
        raise EmbeddedError(
            f"Cannot copy the servers' programs to {copy}, where the user {_UNPRIVILEGED!r} can "
            f"run them: {error.strerror}. Start as an ordinary user."
        ) from error
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    return copy


def _is_world_readable(root: Path) -> bool:
    root = root.resolve()
    folders = [root, *root.parents, *(path for path in root.glob("*/*") if path.is_dir())]
    return all(folder.stat().st_mode & stat.S_IXOTH for folder in folders)


def _make_world_readable(folder: Path) -> None:
    for path in (folder, *folder.rglob("*")):
        if not path.is_symlink():
            mode = path.stat().st_mode
            executable = 0o111 if path.is_dir() or mode & stat.S_IXUSR else 0
            path.chmod(stat.S_IMODE(mode) | 0o444 | executable)
