"""Networks compute with subnormal numbers as zeros, in each thread, and change no thread."""

import platform
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from onnx import TensorProto, helper
from onnxruntime import SessionOptions

from acredita.engines.sessions import open_session
from tests.kept_networks import computed_again

pytestmark = pytest.mark.skipif(
    platform.machine() != "x86_64" or platform.libc_ver()[0] != "glibc",
    reason="needs glibc on x86-64",
)

# Enough for the runtime to share them out among its threads.
MANY = 4_000_000
SMALL = np.float32(1e-39)


def doubling(threads):
    value = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [MANY]) for name in "xy"]
    node = helper.make_node("Add", ["x", "x"], ["y"])
    graph = helper.make_graph([node], "doubling", value[:1], value[1:])
    imports = [helper.make_opsetid("", 17)]
    model = helper.make_model(graph, opset_imports=imports, ir_version=9)
    options = SessionOptions()
    options.intra_op_num_threads = threads
    return open_session("doubling", model.SerializeToString(), options)


@pytest.mark.parametrize("threads", [1, 2])
def test_each_thread_of_a_network_takes_a_subnormal_number_for_zero(threads):
    given = np.full(MANY, SMALL)
    with computed_again(), ThreadPoolExecutor(1) as pool:
        running = pool.submit(float, 1)  # the thread starts before the session
        running.result()
        session = doubling(threads)
        (here,) = session.run(None, {"x": given})
        (there,) = pool.submit(session.run, None, {"x": given}).result()
    assert not np.count_nonzero(here)
    assert not np.count_nonzero(there)


# The first session of a process is the one whose setting reaches the thread that opens it.
FIRST_SESSION = """
from tests.unit.engines.test_sessions_of_networks import MANY, SMALL, doubling
import numpy
doubling(2).run(None, {"x": numpy.full(MANY, SMALL)})
print(SMALL + SMALL)
"""


def test_the_thread_of_the_caller_keeps_subnormal_numbers():
    run = subprocess.run(
        [sys.executable, "-c", FIRST_SESSION], capture_output=True, text=True, check=True
    )
    assert run.stdout == "2e-39\n"
