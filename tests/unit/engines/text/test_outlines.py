"""The outlines of lines are those that the package of the detector's models computes."""

import cv2
import numpy as np
import pytest

from acredita.engines.text.outlines import outlines

SIZES = [(64, 960, 97, 1901), (704, 448, 1400, 891), (96, 96, 96, 96), (32, 32, 20, 40)]


def map_of_lines(seed, rows, columns):
    """Lines of all sizes, turned and sure to all degrees; some lie over others or over the edge."""
    chance = np.random.default_rng(seed)
    drawn = np.zeros((rows, columns), np.float32)
    for _ in range(25):
        middle = (chance.uniform(0, columns), chance.uniform(0, rows))
        size = (chance.uniform(1, 200), chance.uniform(1, 40))
        corners = cv2.boxPoints((middle, size, float(chance.choice([0, 3, 45, 90]))))
        cv2.fillPoly(drawn, [corners.astype(np.int32)], [chance.uniform(0.2, 1)])
    return cv2.GaussianBlur(drawn, (5, 5), 0)


@pytest.mark.parametrize(("rows", "columns", "height", "width"), SIZES)
def test_they_are_those_of_the_package(rows, columns, height, width):
    # Importing it takes a second, which only the process of this test is to spend.
    from rapidocr.ch_ppocr_det import TextDetector
    from rapidocr.ch_ppocr_det.utils import DBPostProcess

    package = DBPostProcess(thresh=0.3, box_thresh=0.5, unclip_ratio=1.6, use_dilation=True)
    count = 0
    for seed in range(8):
        drawn = map_of_lines(seed, rows, columns)
        expected = TextDetector.sorted_boxes(package(drawn[None, None], (height, width))[0])
        found = outlines(drawn, height, width)
        assert len(found) == len(expected)
        for one, other in zip(found, expected, strict=True):
            # A half may be rounded either way.
            assert np.abs(one - other).max() <= 1
            count += (one == other).all()
    assert count >= 8


def test_an_empty_map_has_none():
    assert outlines(np.zeros((64, 64), np.float32), 80, 80) == []
