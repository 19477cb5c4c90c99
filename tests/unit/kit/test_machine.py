import pytest

from acredita.kit import machine


@pytest.fixture
def cgroup(tmp_path):
    return tmp_path


def test_a_containers_quota_bounds_the_cores(cgroup, monkeypatch):
    monkeypatch.setattr(machine.os, "sched_getaffinity", lambda _: range(8))
    assert machine.usable_cores(cgroup) == 8
    (cgroup / "cpu.max").write_text("max 100000\n")
    assert machine.usable_cores(cgroup) == 8
    (cgroup / "cpu.max").write_text("250000 100000\n")
    assert machine.usable_cores(cgroup) == 2
    (cgroup / "cpu.max").write_text("50000 100000\n")
    assert machine.usable_cores(cgroup) == 1


def test_the_lesser_of_the_machines_memory_and_the_containers_counts(cgroup):
    meminfo = cgroup / "meminfo"
    assert machine.usable_memory_mib(cgroup, meminfo) is None
    meminfo.write_text("MemTotal:       16384000 kB\nMemFree:        1 kB\n")
    assert machine.usable_memory_mib(cgroup, meminfo) == 16000
    (cgroup / "memory.max").write_text("max\n")
    assert machine.usable_memory_mib(cgroup, meminfo) == 16000
    (cgroup / "memory.max").write_text(f"{6 * 1024**3}\n")
    assert machine.usable_memory_mib(cgroup, meminfo) == 6144


@pytest.mark.parametrize(
    ("cores", "memory", "threads", "fitting"),
    [
        (8, 32768, 1, 8),
        (8, 32768, 2, 4),
        (8, 6144, 1, 3),  # half of the memory
        (2, 1024, 1, 1),
        (1, 32768, 2, 1),
        (4, None, 1, 4),
    ],
)
def test_processes_fit_the_cores_and_half_of_the_memory(
    monkeypatch, cores, memory, threads, fitting
):
    monkeypatch.setattr(machine, "usable_cores", lambda: cores)
    monkeypatch.setattr(machine, "usable_memory_mib", lambda: memory)
    assert machine.processes_that_fit(threads, memory_mib=1024) == fitting
