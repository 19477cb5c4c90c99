"""`make release` writes one version everywhere, and heads the changelog's entries with it."""

import json
import shutil
import tomllib
from datetime import date
from pathlib import Path

import pytest
import yaml

from acredita.version import VERSION
from tools import release

DAY = date(2027, 1, 31)


@pytest.fixture
def copy(tmp_path):
    for name in (*release.PLACES, release.CHANGELOG):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(release.PROJECT / name, tmp_path / name)
    return tmp_path


def contents(folder):
    return {path: path.read_text() for path in folder.rglob("*") if path.is_file()}


def test_every_file_states_the_version_of_the_package():
    assert release.versions() == {name: {VERSION} for name in release.PLACES}


def test_all_packages_state_the_same_licence_author_and_keywords():
    python = [
        tomllib.loads((release.PROJECT / folder / "pyproject.toml").read_text())["project"]
        for folder in (".", "clients/python", "synthetic")
    ]
    node = json.loads((release.PROJECT / "clients/node/package.json").read_text())
    chart = yaml.safe_load((release.PROJECT / "deploy/helm/acredita/Chart.yaml").read_text())
    sdk = (release.PROJECT / "web/build.mjs").read_text()
    stated = {(one["license"], one["authors"][0]["name"], *one["keywords"]) for one in python} | {
        (node["license"], node["author"], *node["keywords"]),
        (
            chart["annotations"]["artifacthub.io/license"],
            chart["maintainers"][0]["name"],
            *chart["keywords"],
        ),
    }
    [(licence, author, *keywords)] = stated
    for name, value in (("license", licence), ("author", author), ("keywords", keywords)):
        assert f"{name}: {json.dumps(value)}," in sdk


def test_a_release_changes_the_version_everywhere_and_dates_its_changes(copy):
    before = contents(copy)
    release.prepare("12.3.4", DAY, copy)
    assert release.versions(copy) == {name: {"12.3.4"} for name in release.PLACES}
    changed = {
        path.relative_to(copy).as_posix(): len(
            set(text.splitlines()) - set(before[path].splitlines())
        )
        for path, text in contents(copy).items()
    }
    assert all(0 < lines <= 2 for lines in changed.values()), changed
    changelog = (copy / release.CHANGELOG).read_text()
    entries = before[copy / release.CHANGELOG].partition("## Unreleased\n")[2]
    assert changelog.endswith(f"## Unreleased\n\n## 12.3.4 (2027-01-31)\n{entries}")


@pytest.mark.parametrize(
    ("version", "message"), [("1.2", "form"), ("v1.2.3", "form"), ("0.0.9", "older")]
)
def test_a_version_that_is_none_or_older_changes_nothing(copy, version, message):
    before = contents(copy)
    with pytest.raises(ValueError, match=message):
        release.prepare(version, DAY, copy)
    assert contents(copy) == before


def test_a_release_needs_changes(copy):
    release.prepare("12.3.4", DAY, copy)
    before = contents(copy)
    with pytest.raises(ValueError, match="no entries"):
        release.prepare("12.3.5", DAY, copy)
    assert contents(copy) == before


def test_the_changelogs_sections_have_a_version_and_a_date():
    text = (Path(release.PROJECT) / release.CHANGELOG).read_text()
    headings = [line for line in text.splitlines() if line.startswith("## ")]
    assert headings[0] == "## Unreleased"
    for heading in headings[1:]:
        number, _, day = heading.removeprefix("## ").partition(" ")
        assert release._order(number)
        assert date.fromisoformat(day.strip("()"))
