"""A folder of a process is deleted with it, or by the next one if it was killed."""

import shutil

from acredita.kit.own_folder import own_folder


def test_a_folder_lasts_as_long_as_its_owner(tmp_path):
    parent = tmp_path / "engines"
    with own_folder(parent) as one, own_folder(parent) as other:
        assert one != other
        assert one.stat().st_mode & 0o777 == 0o700
        (one / "model").write_bytes(b"x")
    assert list(parent.iterdir()) == []


def test_what_a_killed_process_left_is_deleted_and_nothing_else(tmp_path):
    (tmp_path / "of-others").mkdir()
    with own_folder(tmp_path) as living:
        left = tmp_path / "own-killed"
        shutil.copytree(living, left)
        has_just_begun = tmp_path / "own-begins"
        has_just_begun.mkdir()
        with own_folder(tmp_path) as mine:
            assert set(tmp_path.iterdir()) == {
                *(tmp_path / "of-others", living, has_just_begun, mine)
            }
