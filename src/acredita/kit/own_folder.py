"""A folder that lasts as long as the process which made it."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from fcntl import LOCK_EX, LOCK_NB, flock
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

_PREFIX: Final = "own-"
_OWNER: Final = ".owner"


@contextmanager
def own_folder(parent: Path) -> Iterator[Path]:
    """Make a folder (mode 0700) in `parent`, and delete those there whose processes were killed."""
    parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    for other in parent.glob(f"{_PREFIX}*"):
        # A process that lives holds the lock; one that has just begun has no file yet.
        with suppress(OSError), (other / _OWNER).open() as owner:
            flock(owner, LOCK_EX | LOCK_NB)
            shutil.rmtree(other)
    with (
        TemporaryDirectory(prefix=_PREFIX, dir=parent, ignore_cleanup_errors=True) as made,
        (Path(made) / _OWNER).open("w") as owner,
    ):
        flock(owner, LOCK_EX)
        yield Path(made)
