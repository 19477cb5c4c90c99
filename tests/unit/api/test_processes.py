"""The parent of several API processes: starts again what dies, ends with all of them."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

PARENT = """
import sys
from acredita.api import processes
processes.PAUSE = 0.05
child = sys.argv[1:]
sys.exit(processes.supervise(child, [{"NUMBER": "0"}, {"NUMBER": "1"}]))
"""
# Adds a line to a file at each start, then waits.
CHILD = """
import os, sys, time
with open(sys.argv[1], "a") as lines:
    lines.write(f"{os.environ['NUMBER']} {os.getpid()}\\n")
{then}
"""


def parent(path: Path, then: str) -> subprocess.Popen[bytes]:
    child = [sys.executable, "-c", CHILD.replace("{then}", then), str(path)]
    return subprocess.Popen(
        [sys.executable, "-c", PARENT, *child], env=os.environ | {"ACREDITA_ENV": "test"}
    )


def started(path: Path, count: int) -> list[list[str]]:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        lines = path.read_text().splitlines() if path.exists() else []
        if len(lines) >= count:
            return [line.split() for line in lines]
        time.sleep(0.05)
    raise AssertionError("the processes did not start")


def test_a_process_that_dies_is_started_again_and_all_end_with_the_parent(tmp_path):
    path = tmp_path / "lines"
    running = parent(path, "time.sleep(100)")
    try:
        first = started(path, 2)
        assert {number for number, _ in first} == {"0", "1"}
        victim = next(pid for number, pid in first if number == "1")
        os.kill(int(victim), signal.SIGKILL)
        assert started(path, 3)[2][0] == "1"
        running.send_signal(signal.SIGTERM)
        assert running.wait(30) == 0
    finally:
        running.kill()
    for _, pid in started(path, 3):
        with pytest.raises(ProcessLookupError):
            os.kill(int(pid), 0)


@pytest.mark.parametrize("code", [2, 3])
def test_a_process_that_cannot_start_ends_all_with_its_exit_code(tmp_path, code):
    then = f"if os.environ['NUMBER'] == '1': sys.exit({code})\ntime.sleep(100)"
    running = parent(tmp_path / "lines", then)
    try:
        assert running.wait(60) == code
    finally:
        running.kill()
