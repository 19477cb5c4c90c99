"""Processes share the weights of a model, which computes the same from them."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from onnxruntime import SessionOptions

from acredita.engines import sessions
from acredita.engines.face import model_folder
from tests.kept_networks import computed_again

MODEL = model_folder.folder(None) / "blazeface.onnx"


@pytest.fixture
def shared(tmp_path):
    sessions.share_in(tmp_path)
    with computed_again():
        yield tmp_path
    sessions.share_in(None)


def answers(session):
    (given,) = session.get_inputs()
    shape = [size if isinstance(size, int) else 1 for size in given.shape]
    pixels = np.random.default_rng(1).random(shape, np.float32)
    return session.run(None, {given.name: pixels})


def opened():
    return sessions.open_session("blazeface", MODEL, SessionOptions())


def test_a_shared_model_computes_the_same_and_is_mapped(shared):
    sessions.share_in(None)
    alone = answers(opened())
    sessions.share_in(shared)
    first, second = opened(), opened()
    for session in (first, second):
        for expected, found in zip(alone, answers(session), strict=True):
            np.testing.assert_array_equal(found, expected)
    mapped = Path("/proc/self/maps").read_text()
    assert mapped.count(str(shared / "blazeface.weights")) >= 2


def test_processes_that_load_a_model_at_once_write_it_once(shared):
    with ThreadPoolExecutor(4) as threads:
        alike = list(threads.map(lambda _: answers(opened()), range(4)))
    for each in alike[1:]:
        np.testing.assert_array_equal(each[0], alike[0][0])
    assert {path.name for path in shared.iterdir()} == {
        *("blazeface.lock", "blazeface.onnx", "blazeface.weights")
    }


def test_a_process_that_was_killed_while_it_wrote_leaves_no_model(shared):
    (shared / "blazeface.part").write_bytes(b"half")
    (shared / "blazeface.weights").write_bytes(b"half")
    sessions.share_in(None)
    alone = answers(opened())
    sessions.share_in(shared)
    np.testing.assert_array_equal(answers(opened())[0], alone[0])
