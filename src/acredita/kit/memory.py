"""Memory that is freed, given back to the system or used again."""

import ctypes
import sys

M_MMAP_THRESHOLD, M_ARENA_MAX = -3, -8
LARGE = 1024 * 1024


def give_large_buffers_back() -> None:
    """Let glibc map every buffer of a megabyte or more by itself, for the life of the process.

    Left alone it raises that threshold with the first large buffer that is freed, and keeps later
    ones in heaps, one a thread: eight uploads of 100 MB left 350 MB behind, with this less than
    150. Elsewhere than on glibc it does nothing.
    """
    _set(M_MMAP_THRESHOLD, LARGE)


def share_one_heap() -> None:
    """Let all threads that are started from now on take memory from one heap of glibc's.

    Left alone each has a heap of its own, and what one frees the others cannot use: an engine whose
    threads pass pictures to each other grew to 702 MB, with this to 615, and is no slower.
    Elsewhere than on glibc it does nothing.
    """
    _set(M_ARENA_MAX, 1)


def _set(parameter: int, value: int) -> None:
    if sys.platform == "linux":
        mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
        if mallopt is not None:
            mallopt(parameter, value)
