import os
import subprocess
import sys

# A session of a network that returns its input, and what has been written to the user's folder.
PROGRAM = """
from acredita.engines.sessions import open_session
from onnx import TensorProto, helper
from onnxruntime import SessionOptions
from pathlib import Path
import numpy, psutil

value = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1]) for name in "xy"]
graph = helper.make_graph([helper.make_node("Relu", ["x"], ["y"])], "relu", value[:1], value[1:])
imports = [helper.make_opsetid("", 17)]
model = helper.make_model(graph, opset_imports=imports, ir_version=9)
session = open_session("relu", model.SerializeToString(), SessionOptions())
print(session.run(None, {"x": numpy.ones(1, numpy.float32)})[0][0])
print(sorted(path.name for path in Path.home().rglob("*")))
print(psutil.Process().net_connections())
"""


def test_no_session_is_reported_to_the_publisher_of_the_runtime(tmp_path):
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("ORT", "XDG"))
    }
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env=kept | {"HOME": str(tmp_path), "ORT_DISABLE_TELEMETRY": "0"},
        capture_output=True,
        text=True,
        check=True,
    )
    # A runtime that reports writes its id and its unsent events to the user's folder.
    assert run.stdout.splitlines() == ["1.0", "[]", "[]"]
