"""A sign of tampering judges a measure by its limit."""

import pytest

from acredita.domain.documents import Signal
from acredita.domain.tampering.signs import Sign

ABOVE = Sign("tampering.example", "example-1", limit=0.5, digits=2)
BELOW = Sign("tampering.example", "example-1", limit=0.5, digits=2, is_raised_below=True)


@pytest.mark.parametrize(("measure", "above", "below"), [(0.49, False, True), (0.51, True, False)])
def test_a_measure_beyond_the_limit_raises_the_sign(measure, above, below):
    assert ABOVE.signal(measure).raised is above
    assert BELOW.signal(measure).raised is below


def test_a_measure_that_rounds_to_the_limit_does_not_raise_the_sign():
    assert not ABOVE.signal(0.5049).raised
    assert not BELOW.signal(0.4951).raised


def test_a_signal_has_the_rounded_measure_the_place_and_the_version():
    box = (0.1, 0.2, 0.3, 0.4)
    assert ABOVE.signal(0.876, "curp", box) == Signal(
        "tampering.example", True, 0.88, 0.5, "curp", box, "example-1"
    )
