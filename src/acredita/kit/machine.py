"""The processors and the memory that this process may use, also within a container's limits."""

import os
from pathlib import Path
from typing import Final

_CGROUP: Final = Path("/sys/fs/cgroup")
_KIB, _MIB = 1024, 1024 * 1024


def processes_that_fit(threads: int, memory_mib: int) -> int:
    """Return how many processes of so many threads and so much memory this machine can hold, at
    least 1. They get at most half of the memory: the database and other processes need the rest.
    """
    by_cores, memory = usable_cores() // threads, usable_memory_mib()
    by_memory = by_cores if memory is None else memory // 2 // memory_mib
    return max(1, min(by_cores, by_memory))


def usable_cores(cgroup: Path = _CGROUP) -> int:
    """Return the number of processors, at least 1: those of the process's affinity, and no more
    than the quota of its control group (version 2)."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    quota, _, period = _text(cgroup / "cpu.max").partition(" ")
    if quota.isdecimal() and period.isdecimal():
        cores = min(cores or 1, int(quota) // int(period))
    return max(cores or 1, 1)


def usable_memory_mib(cgroup: Path = _CGROUP, meminfo: Path = Path("/proc/meminfo")) -> int | None:
    """Return the machine's memory, or the limit of the control group (version 2) if that is less;
    None if neither is known."""
    lines = _text(meminfo).splitlines()
    limits = [int(line.split()[1]) * _KIB // _MIB for line in lines if line.startswith("MemTotal:")]
    limit = _text(cgroup / "memory.max")
    if limit.isdecimal():
        limits.append(int(limit) // _MIB)
    return min(limits, default=None)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii").strip()
    except OSError:
        return ""
