import platform
from threading import Thread

import numpy as np
import pytest

from acredita.kit.floating_point import subnormals_as_zero

pytestmark = pytest.mark.skipif(
    platform.machine() != "x86_64" or platform.libc_ver()[0] != "glibc",
    reason="needs glibc on x86-64",
)

SUBNORMALS = np.array([5e-324, 1e-310, -1e-310])


def doubled():
    return (SUBNORMALS * 2).tolist()


@pytest.fixture
def exact():
    return [1e-323, 2e-310, -2e-310]


def test_subnormal_numbers_are_zero_in_the_block_alone(exact):
    assert doubled() == exact
    with subnormals_as_zero():
        within = doubled()
    assert [abs(each) for each in within] == [0.0, 0.0, 0.0]
    assert doubled() == exact


def test_an_error_ends_the_block_too(exact):
    with pytest.raises(ValueError, match="of the block"), subnormals_as_zero():
        raise ValueError("of the block")
    assert doubled() == exact


def test_blocks_nest(exact):
    with subnormals_as_zero():
        with subnormals_as_zero():
            pass
        within = doubled()
    assert [abs(each) for each in within] == [0.0, 0.0, 0.0]
    assert doubled() == exact


def test_a_thread_that_runs_already_keeps_its_numbers(exact):
    found = []
    with subnormals_as_zero():
        pass
    other = Thread(target=lambda: found.append(doubled()))
    other.start()
    other.join()
    assert found == [exact]
