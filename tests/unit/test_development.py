"""What `acredita dev` leaves for other commands, and what it takes from the environment."""

import os
import subprocess
import sys

from acredita.development import (
    VARIABLES,
    extra_settings,
    is_running,
    read_variables,
    write_variables,
)
from acredita.settings import Settings


def test_private_webhook_addresses_are_allowed_unless_a_setting_says_otherwise():
    name = "ACREDITA_WEBHOOK_ALLOW_PRIVATE"
    assert extra_settings(Settings(_env_file=None)) == {name: "true"}
    for value in (True, False):
        assert extra_settings(Settings(_env_file=None, webhook_allow_private=value)) == {}


def test_a_shell_reads_the_variables_of_the_running_stack(tmp_path):
    file = tmp_path / VARIABLES
    sent = {"ACREDITA_DATABASE_URL": "postgresql://u:p@/db?host=/a b&x='y'", "ACREDITA_PORT": "1"}
    write_variables(file, sent)
    assert file.stat().st_mode & 0o777 == 0o600
    script = f"set -a; . '{file}'; set +a; printenv ACREDITA_DATABASE_URL ACREDITA_PORT"
    shown = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=True)
    assert shown.stdout.splitlines() == [*sent.values()]


def test_a_command_without_a_database_names_the_development_stacks_variables(tmp_path):
    write_variables(tmp_path / VARIABLES, {"ACREDITA_PORT": "1"})
    environment = {name: v for name, v in os.environ.items() if not name.startswith("ACREDITA_")}
    refused = subprocess.run(
        [sys.executable, "-m", "acredita.cli", "migrate"],
        cwd=tmp_path,
        env=environment | {"ACREDITA_ENV": "test", "ACREDITA_DATA_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert refused.returncode == 2
    assert f"set -a; . {tmp_path / VARIABLES}; set +a" in refused.stderr


def refused_without_database(folder, **more):
    environment = {name: v for name, v in os.environ.items() if not name.startswith("ACREDITA_")}
    return subprocess.run(
        [sys.executable, "-m", "acredita.cli", "aml", "lists"],
        cwd=folder,
        env=environment | {"ACREDITA_DATA_DIR": str(folder)} | more,
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_stack_that_has_ended_is_not_used_and_without_one_a_command_says_what_to_type(tmp_path):
    sent = {"ACREDITA_DATABASE_URL": "postgresql://u:p@127.0.0.1:9/db", "ACREDITA_X": "a 'b'"}
    write_variables(tmp_path / VARIABLES, sent)
    assert read_variables(tmp_path / VARIABLES) == sent
    assert read_variables(tmp_path / "absent") == {}
    assert not is_running(sent)
    assert not is_running({})
    refused = refused_without_database(tmp_path, ACREDITA_ENV="development")
    assert refused.returncode == 2
    assert "does not run: start `acredita dev` (or `make dev`)" in refused.stderr
    # Its variables lead nowhere.
    assert "set -a" not in refused.stderr
    (tmp_path / VARIABLES).unlink()
    refused = refused_without_database(tmp_path, ACREDITA_ENV="development")
    assert refused.returncode == 2
    assert "start `acredita dev` (or `make dev`) in another terminal" in refused.stderr
