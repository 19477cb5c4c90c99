"""What `acredita dev` leaves for other commands, and what it takes from the environment."""

import os
import subprocess

from acredita.development import (
    VARIABLES,
    extra_settings,
    is_running,
    read_variables,
    write_variables,
)
from acredita.settings import Settings
from tests.loaded_processes import PROGRAM, LoadedProcess


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
    refusal = refusal_without_database(tmp_path, "migrate", ACREDITA_ENV="test")
    assert f"set -a; . {tmp_path / VARIABLES}; set +a" in refusal


def refusal_without_database(folder, *command, **more):
    environment = {name: v for name, v in os.environ.items() if not name.startswith("ACREDITA_")}
    with (folder / "refusal").open("w+") as refusal:
        process = LoadedProcess(
            [*PROGRAM, "acredita.cli", *command],
            env=environment | {"ACREDITA_DATA_DIR": str(folder)} | more,
            cwd=folder,
            stderr=refusal,
        )
        assert process.wait(60) == 2
        refusal.seek(0)
        return refusal.read()


def test_a_stack_that_has_ended_is_not_used_and_without_one_a_command_says_what_to_type(tmp_path):
    sent = {"ACREDITA_DATABASE_URL": "postgresql://u:p@127.0.0.1:9/db", "ACREDITA_X": "a 'b'"}
    write_variables(tmp_path / VARIABLES, sent)
    assert read_variables(tmp_path / VARIABLES) == sent
    assert read_variables(tmp_path / "absent") == {}
    assert not is_running(sent)
    assert not is_running({})
    refusal = refusal_without_database(tmp_path, "aml", "lists", ACREDITA_ENV="development")
    assert "does not run: start `acredita dev` (or `make dev`)" in refusal
    # Its variables lead nowhere.
    assert "set -a" not in refusal
    (tmp_path / VARIABLES).unlink()
    refusal = refusal_without_database(tmp_path, "aml", "lists", ACREDITA_ENV="development")
    assert "start `acredita dev` (or `make dev`) in another terminal" in refusal
