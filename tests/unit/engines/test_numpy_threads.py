import os
import subprocess
import sys

PROGRAM = """
import acredita, numpy
from pathlib import Path

squares = numpy.ones((20_000, 64), numpy.float32) @ numpy.ones((64, 12), numpy.float32)
print(len(list(Path("/proc/self/task").iterdir())))
"""


def test_numpy_starts_no_threads_beside_those_of_the_engines():
    without = {k: v for k, v in os.environ.items() if k != "OPENBLAS_NUM_THREADS"}
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=without, capture_output=True, text=True, check=True
    )
    assert run.stdout == "1\n"
