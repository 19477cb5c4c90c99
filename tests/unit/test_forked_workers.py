import os
import sys
from pathlib import Path

import pytest


def test_a_worker_is_forked_from_a_process_that_has_the_tests_and_no_threads():
    if "PYTEST_XDIST_WORKER" not in os.environ or sys.platform != "linux":
        pytest.skip("no parallel run on Linux")
    parent = Path(f"/proc/{os.getppid()}")
    assert parent.joinpath("exe").resolve() == Path(f"/proc/{os.getpid()}/exe").resolve()
    assert parent.joinpath("cmdline").read_bytes() == Path("/proc/self/cmdline").read_bytes()
    assert len([*parent.joinpath("task").iterdir()]) == 1
    # Its children start as those of a new interpreter would.
    assert not hasattr(sys.modules["__main__"], "__file__")
