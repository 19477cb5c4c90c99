"""Writes .env.example from the settings: `make settings`."""

from pathlib import Path

from acredita.settings_check.env_file import example

FILE = Path(__file__).parents[1] / ".env.example"


if __name__ == "__main__":
    FILE.write_text(example())
