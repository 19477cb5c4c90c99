import tomllib
from pathlib import Path

from acredita import version

PROJECT = Path(__file__).parents[3]


def test_the_version_is_that_of_the_package():
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]
    assert project["version"] == version.VERSION


def test_the_commit_of_an_image_is_that_of_its_file(tmp_path, monkeypatch):
    monkeypatch.setattr(version, "COMMIT_FILE", tmp_path / "commit")
    (tmp_path / "commit").write_text("1f8b2c6a90e1\n")
    assert version.commit() == "1f8b2c6a90e1"
    (tmp_path / "commit").write_text("unknown\n")
    assert version.commit() is None
