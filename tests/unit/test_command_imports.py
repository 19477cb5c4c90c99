"""`acredita --help` and `--version` answer before anything is loaded that takes long to load."""

import subprocess
import sys

LONG = {"acredita.settings", "fastapi", "numpy", "pydantic", "sqlalchemy"}


def test_the_command_loads_neither_settings_nor_the_service_before_it_knows_what_to_do():
    program = f"import sys, acredita.cli; print({LONG} & sys.modules.keys())"
    shown = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    assert shown.stdout.strip() == "set()"
