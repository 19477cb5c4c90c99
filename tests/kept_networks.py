"""What the engines' networks answered in a run, for all of its processes.

A network is a function of its input, and computing it takes most of the time of the engines' tests.
So a network that was given the same numbers earlier in the run answers with what it answered then.
All that the engines do before and after is done each time.
"""

import hashlib
import pickle
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnxruntime import InferenceSession, SessionOptions

from tests import kept_in_run

# A long line has 2.3 MB. Maps of large pages have more, and few of them are asked for again.
LARGEST_ANSWER = 2_500_000
_open, _run = InferenceSession.__init__, InferenceSession.run


def install() -> None:
    InferenceSession.__init__ = _open_known
    InferenceSession.run = _answer_once


@contextmanager
def computed_again() -> Iterator[None]:
    """Compute each answer, whatever was computed before: for tests of the networks themselves."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(InferenceSession, "run", _run)
        yield


def _open_known(
    self: Any, model: Any, options: SessionOptions | None = None, *others: Any, **more: Any
) -> None:
    _open(self, model, options, *others, **more)
    content = model if isinstance(model, bytes) else Path(model).read_bytes()
    # The number of threads decides on the last digits.
    how = options and (options.intra_op_num_threads, str(options.graph_optimization_level))
    opened = repr((how, others, sorted(more.items()))).encode()
    self._digest = hashlib.sha256(content + opened).digest()


def _answer_once(
    self: Any, outputs: Any, inputs: Mapping[str, Any], *options: Any, **more: Any
) -> Any:
    arrays = [inputs[name] for name in sorted(inputs)]
    if options or more or not all(isinstance(each, np.ndarray) for each in arrays):
        return _run(self, outputs, inputs, *options, **more)
    shapes = [(each.shape, str(each.dtype)) for each in arrays]
    asked = repr((outputs, sorted(inputs), shapes)).encode()
    key = (b"network", self._digest, asked, *(each.tobytes() for each in arrays))
    if kept := kept_in_run.find(*key):
        return pickle.loads(kept)  # noqa: S301 (of our own process)
    answer = _run(self, outputs, inputs)
    if sum(each.nbytes for each in answer) <= LARGEST_ANSWER:
        kept_in_run.keep(pickle.dumps(answer), *key)
    return answer
