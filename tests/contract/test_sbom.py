"""`make sbom` lists what the lock installs."""

import json
import re
import subprocess
import venv

import pytest

from tests.conftest import PROJECT

pytestmark = [pytest.mark.thorough, pytest.mark.timeout(900)]


def test_the_list_of_packages_names_every_package_of_the_lock_with_its_version(tmp_path):
    environment = tmp_path / "venv"
    venv.create(environment, with_pip=True)
    # make takes this environment as made from the lock.
    command = ["make", "sbom", f"VENV={environment}", "-o", f"{environment}/.locked"]
    subprocess.run(command, cwd=PROJECT, check=True, capture_output=True)
    listed = json.loads((PROJECT / "dist" / "sbom.json").read_text())
    assert (listed["bomFormat"], listed["metadata"]["component"]["name"]) == (
        "CycloneDX",
        "acredita",
    )
    found = {(one["name"], one["version"]) for one in listed["components"]}
    lock = (PROJECT / "requirements.lock").read_text()
    assert found == set(re.findall(r"^([\w.-]+)==([^\s;]+)", lock, re.MULTILINE))
