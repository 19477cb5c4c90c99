"""What the npm packages contain, and state of themselves."""

import json

import pytest

from tools import packages


def paths_in(exports) -> set[str]:
    if isinstance(exports, str):
        return {exports}
    return {path for part in exports.values() for path in paths_in(part)}


def test_an_npm_package_has_all_that_it_states_with_its_licence_and_repository(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(packages, "_origin", lambda: "https://ana:secret@git.example/a/b.git")
    found = {}
    for package in packages.stage_npm(tmp_path):
        manifest = json.loads((package / "package.json").read_text())
        found[manifest["name"]] = manifest
        # `make check` builds the Node client, `make test` alone does not.
        is_built = package.name == "sdk" or packages.NODE_CLIENT.joinpath("dist").is_dir()
        for path in paths_in(manifest["exports"]) if is_built else ():
            assert (package / path).is_file(), path
        assert (package / "README.md").read_text().startswith(f"# {manifest['name']}\n")
        assert "Apache License" in (package / "LICENSE").read_text()
        assert manifest["license"] == "Apache-2.0"
        assert manifest["type"] == "module"
        assert {"scripts", "devDependencies"}.isdisjoint(manifest)
        assert manifest["repository"]["url"] == "git+https://git.example/a/b.git"
    assert set(found) == {"@acredita/browser", "@acredita/node"}
    assert set(found["@acredita/browser"]["exports"]) == {".", "./react"}


@pytest.mark.parametrize(
    ("remote", "repository"),
    [
        ("https://git.example/a/b.git", "git+https://git.example/a/b.git"),
        ("https://secret@git.example/a/b.git", "git+https://git.example/a/b.git"),
        ("git@git.example:a/b.git", "git+ssh://git@git.example/a/b.git"),
        ("ssh://git@git.example:22/a/b.git", "git+ssh://git@git.example:22/a/b.git"),
        ("ssh://git@git.example/a/b.git", "git+ssh://git@git.example/a/b.git"),
        ("/srv/acredita.git", None),
        ("../acredita", None),
        ("", None),
    ],
)
def test_a_remote_of_git_is_a_repository_of_npm_without_credentials(remote, repository):
    assert packages.repository_of(remote) == repository
