"""`make release` writes one version everywhere, and heads the changelog's entries with it."""

import json
import os
import shutil
import subprocess
import sys
import tomllib
from datetime import date
from pathlib import Path

import pytest
import yaml

from acredita.version import VERSION
from tests.factories.pages import block
from tools import release

DAY = date(2027, 1, 31)


def copy_files(names, folder):
    """Copy files of the project, with a change to release: there is none just after a release."""
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(release.PROJECT / name, folder / name)
    changelog = folder / release.CHANGELOG
    entry = f"{release.UNRELEASED}\n- A change.\n"
    changelog.write_text(changelog.read_text().replace(release.UNRELEASED, entry, 1))


@pytest.fixture
def copy(tmp_path):
    copy_files((*release.PLACES, release.CHANGELOG), tmp_path)
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


def run(folder, script):
    author = {"GIT_AUTHOR_NAME": "M", "GIT_AUTHOR_EMAIL": "m@id.example"}
    committer = {name.replace("AUTHOR", "COMMITTER"): value for name, value in author.items()}
    done = subprocess.run(
        [shutil.which("sh"), "-euc", script],
        cwd=folder,
        env=os.environ | author | committer | {"PYTHONPATH": str(folder / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_steps_of_a_release_publish_a_tag_whose_clone_states_version_and_commit(tmp_path):
    """The maintainer's steps in a repository that is thrown away, with the next version."""
    major, minor, _ = VERSION.split(".")
    version = f"{major}.{int(minor) + 1}.0"
    steps = block("CONTRIBUTING.md", "tag").replace("0.2.0", version)
    listed = run(release.PROJECT, "git ls-files src alembic.ini").split()
    work = tmp_path / "work"
    copy_files({*release.PLACES, release.CHANGELOG, *listed}, work)
    origin = tmp_path / "origin"
    run(tmp_path, f"git init --quiet --bare --initial-branch=main {origin}")
    run(
        work,
        "git init --quiet --initial-branch=main; git add .; git commit --quiet --message Begin;"
        f" git remote add origin {origin}; git push --quiet origin main",
    )
    release.prepare(version, DAY, work)
    run(work, steps)
    published = tmp_path / f"acredita-{version}"
    assert run(published, "git describe --exact-match").strip() == f"v{version}"
    assert run(published, "git cat-file -t v" + version).strip() == "tag"
    head = run(origin, "git rev-parse --short=12 main").strip()
    printed = run(published, f"{sys.executable} -m acredita.cli --version")
    assert printed == f"acredita {version} (commit {head})\n"
    assert f"## {version} (2027-01-31)\n" in (published / release.CHANGELOG).read_text()
    # The same steps again publish nothing: the tag exists.
    with pytest.raises(AssertionError, match="already exists"):
        run(work, f"git commit --quiet --allow-empty --message Again; {steps.split(chr(10), 1)[1]}")


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


def test_the_verifier_requires_nothing_that_the_service_does_not_require():
    service, verifier = (
        set(tomllib.loads((release.PROJECT / path).read_text())["project"]["dependencies"])
        for path in ("pyproject.toml", "verifier/pyproject.toml")
    )
    assert verifier < service
