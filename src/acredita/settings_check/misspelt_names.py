"""Finds environment variables with our prefix that are no setting: most of them are misspelt."""

import os
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from pathlib import Path

from dotenv import dotenv_values

from acredita.settings import Settings
from acredita.settings_check.faults import PREFIX, Fault, variable

# Variables that other programs read: docker-compose.yml and the tests.
OTHERS = {
    "ACREDITA_IMAGE",
    "ACREDITA_PUBLISHED_PORT",
    "ACREDITA_NAME_PAIRS",
    "ACREDITA_TEST_DATA",
    "ACREDITA_FUZZ_CREDENTIALS",
}


# In the working directory, like the `.env` that Settings reads.
ENV_FILE = Path(".env")


def unknown_variables() -> list[Fault]:
    """Return the faults of names in the environment and in `.env` that are no setting."""
    return list(unknown([*os.environ, *dotenv_values(ENV_FILE)]))


def unknown(names: Iterable[str]) -> Iterator[Fault]:
    """Return a fault for each unknown name with our prefix, with the nearest setting."""
    known = [variable(setting) for setting in Settings.model_fields]
    given = {name.upper() for name in names if name.upper().startswith(PREFIX)}
    for name in sorted(given - OTHERS - set(known)):
        # Without the prefix, which would make all names look similar.
        bare = [each.removeprefix(PREFIX) for each in known]
        nearest = get_close_matches(name.removeprefix(PREFIX), bare, n=1)
        advice = f"Did you mean {PREFIX}{nearest[0]}?" if nearest else "Remove it."
        yield Fault(name, f"there is no such setting. {advice}")
