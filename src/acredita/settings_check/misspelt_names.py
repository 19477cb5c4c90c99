"""Finds variables that look like a setting but are none: most of them are misspelt."""

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
    """Return a fault for each name that is no setting, with the nearest setting.

    It has our prefix, or a misspelt prefix before the name of a setting.
    """
    known = {variable(setting) for setting in Settings.model_fields}
    # Without the prefix, which would make all names look similar.
    bare = [each.removeprefix(PREFIX) for each in known]
    for name in sorted({name.upper() for name in names} - OTHERS - known):
        if name.startswith(PREFIX):
            nearest = get_close_matches(name.removeprefix(PREFIX), bare, n=1)
        else:
            first, _, rest = name.partition("_")
            is_misspelt = bool(get_close_matches(f"{first}_", [PREFIX], cutoff=0.85))
            nearest = [rest] if is_misspelt and rest in bare else []
            if not nearest:
                continue
        advice = f"Did you mean {PREFIX}{nearest[0]}?" if nearest else "Remove it."
        yield Fault(name, f"there is no such setting. {advice}")


def without_prefix() -> list[Fault]:
    """Return a fault for each name in `.env` that is a setting's, but lacks the prefix.

    Docker Compose may read such a name for a purpose of its own, so it stops nothing.
    """
    settings = {name.upper() for name in Settings.model_fields}
    return [
        Fault(name, f"has no effect here. Did you mean {PREFIX}{name.upper()}?")
        for name in dotenv_values(ENV_FILE)
        if name.upper() in settings
    ]
