"""Which account the servers run as, and how it reaches what they need.

PostgreSQL refuses to run as root, and Redis should not: started by root, both run as an account
without privileges. That account often can't walk to the files: a project or a virtual environment
below a closed home folder such as /root. Opening those folders to everybody would be a hole, so
root opens the files itself and hands over descriptors, which the kernel lets the account use by way
of /proc/self/fd without walking the path. Programs, which look for their own neighbours by path,
are copied to a place that it can read, once a version.
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
from types import TracebackType
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
    """The account for the server of folder `data`; None means as we are.

    A folder that already belongs to somebody keeps its owner, so that a stack started as root once
    can still be started by its user.
    """
    if os.geteuid() != 0:
        return None
    if sys.platform != "linux":
        raise EmbeddedError("As root the embedded servers run on Linux only; use an ordinary user.")
    if data.exists() and (owner := data.stat()).st_uid != 0:
        return Account(owner.st_uid, owner.st_gid)
    try:
        entry = pwd.getpwnam(_UNPRIVILEGED)
    except KeyError as error:
        raise EmbeddedError(
            f"Started as root, the embedded servers run as the user {_UNPRIVILEGED!r}, which this "
            "machine lacks; start them as an ordinary user."
        ) from error
    return Account(entry.pw_uid, entry.pw_gid)


class Reach:
    """Names under which the server's account reaches paths; open while servers are being started.

    `descriptors` must be handed to every process that uses the names.
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

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for descriptor in self.descriptors:
            os.close(descriptor)


def reachable_programs(
    root: Path, wanted: Iterable[str], name: str, account: Account | None
) -> Path:
    """The folder `root`, or when `account` can't read it a copy of what is `wanted` of it.

    `wanted` are globs relative to `root`; `name` tells package and version, one copy for each.
    """
    if account is None or _anybody_reads(root):
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
        _let_anybody_read(unfinished)
        _PROGRAM_COPIES.chmod(0o755)
        with suppress(OSError):  # another process was first, with the same content
            unfinished.rename(copy)
    except OSError as error:
        raise EmbeddedError(
            f"The servers' programs can't be copied to {copy}, where the user "
            f"{_UNPRIVILEGED!r} could run them: {error.strerror}. Start as an ordinary user."
        ) from error
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    return copy


def _anybody_reads(root: Path) -> bool:
    root = root.resolve()
    folders = [root, *root.parents, *(path for path in root.glob("*/*") if path.is_dir())]
    return all(folder.stat().st_mode & stat.S_IXOTH for folder in folders)


def _let_anybody_read(folder: Path) -> None:
    for path in (folder, *folder.rglob("*")):
        if not path.is_symlink():
            mode = path.stat().st_mode
            executable = 0o111 if path.is_dir() or mode & stat.S_IXUSR else 0
            path.chmod(stat.S_IMODE(mode) | 0o444 | executable)
