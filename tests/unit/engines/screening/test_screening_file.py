"""The saved index: whole, or refused."""

import random
import subprocess
import sys

import pytest

from acredita.engines.screening import DamagedIndex, Entry, ListedName, ScreeningIndex, build_index


def index_of(count):
    return build_index(
        Entry(str(number), "own", "person", (ListedName(f"Juan Pérez {number:05}"),))
        for number in range(count)
    )


@pytest.fixture
def path(tmp_path):
    index_of(50).save(tmp_path / "index")
    return tmp_path / "index"


def test_a_file_cut_short_at_any_place_is_refused(path):
    whole = path.read_bytes()
    for length in (*range(200), *range(200, len(whole), len(whole) // 50)):
        path.write_bytes(whole[:length])
        with pytest.raises(DamagedIndex):
            ScreeningIndex.open(path)


def test_a_file_with_a_changed_byte_is_refused_or_answers_the_same(path):
    whole, chance = path.read_bytes(), random.Random(1)
    expected = ScreeningIndex.open(path).screen("Juan Perez 00007")
    for _ in range(300):
        place = chance.randrange(len(whole))
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0x41]) + whole[place + 1 :])
        try:
            opened = ScreeningIndex.open(path)
        except DamagedIndex:
            continue
        # The byte was between two arrays, where nothing is read.
        assert opened.screen("Juan Perez 00007") == expected


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"ACRSCREEN", b"\0" * 5000])
def test_another_file_is_refused_by_name(tmp_path, content):
    (tmp_path / "other").write_bytes(content)
    with pytest.raises(DamagedIndex, match="other: "):
        ScreeningIndex.open(tmp_path / "other")


def test_a_later_format_is_refused_as_such(path):
    whole = bytearray(path.read_bytes())
    whole[9] += 1
    path.write_bytes(whole)
    with pytest.raises(DamagedIndex, match="version 4"):
        ScreeningIndex.open(path)


def test_a_reader_keeps_its_index_while_another_is_put_in_its_place(path):
    reader = ScreeningIndex.open(path)
    index_of(2).save(path)
    assert reader.screen("Juan Perez 00049").matches[0].entry_id == "49"
    assert ScreeningIndex.open(path).entries == 2


def test_a_save_that_fails_leaves_the_former_file_and_nothing_else(path, monkeypatch):
    before = path.read_bytes()

    def fail(_descriptor):
        raise OSError("no space left")

    monkeypatch.setattr("acredita.engines.screening.tables.os.fsync", fail)
    with pytest.raises(OSError, match="no space"):
        index_of(2).save(path)
    assert path.read_bytes() == before
    assert [each.name for each in path.parent.iterdir()] == ["index"]


def test_another_process_answers_the_same(path):
    script = (
        "import sys; from pathlib import Path\n"
        "from acredita.engines.screening import ScreeningIndex\n"
        "print(ScreeningIndex.open(Path(sys.argv[1])).screen('Peres Juan 00011').matches[0])"
    )
    told = subprocess.run(
        [sys.executable, "-c", script, path], capture_output=True, text=True, check=True
    ).stdout
    assert told.strip() == str(ScreeningIndex.open(path).screen("Peres Juan 00011").matches[0])
