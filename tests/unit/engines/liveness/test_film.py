import io

import numpy as np
import pytest
from PIL import Image

from acredita.engines.documents.accepted_types import CannotOpen
from acredita.engines.liveness.film import FEWEST_FRAMES, MOST_FRAMES, frames_of_film
from tests.factories.films import CODECS, make_film, shades


def brightness(frame):
    return float(np.asarray(Image.open(io.BytesIO(frame)).convert("L")).mean())


@pytest.mark.parametrize("ending", CODECS)
@pytest.mark.parametrize("count", [FEWEST_FRAMES, MOST_FRAMES, 100])
def test_frames_are_taken_evenly_over_the_film_in_order(tmp_path, ending, count):
    frames = frames_of_film(make_film(tmp_path, shades(count), ending), "")
    assert min(count, MOST_FRAMES // 2) <= len(frames) <= MOST_FRAMES
    seen = [brightness(frame) for frame in frames]
    assert seen == sorted(seen)
    steps = np.diff(seen)
    assert steps.max() < 2.5 * steps.mean()
    assert seen[0] < 20
    assert seen[-1] > 255 - 2.5 * steps.mean()


def test_frames_are_at_most_1280_pixels_long(tmp_path):
    frames = frames_of_film(make_film(tmp_path, shades(6, width=1920, height=1080)), "")
    assert {Image.open(io.BytesIO(frame)).size for frame in frames} == {(1280, 720)}


def test_what_is_no_film_or_a_broken_one_is_refused(tmp_path):
    whole = make_film(tmp_path, shades(20))
    playlist = b"#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n"
    for content, code in [
        (b"", "UNSUPPORTED_FILE_TYPE"),
        (playlist, "UNSUPPORTED_FILE_TYPE"),
        (b"\x00\x00\x00\x18ftypmp42" + playlist, "BROKEN_FILE"),
        (b"\x1a\x45\xdf\xa3" + bytes(64), "BROKEN_FILE"),
        (whole[: len(whole) // 2], "BROKEN_FILE"),
        (make_film(tmp_path, shades(FEWEST_FRAMES - 1)), "BROKEN_FILE"),
    ]:
        with pytest.raises(CannotOpen) as refused:
            frames_of_film(content, "")
        assert refused.value.code == code
