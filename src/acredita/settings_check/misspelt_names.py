"""Finds variables that look like a setting but are none: most of them are misspelt."""

import os
from collections.abc import Iterable, Iterator
from difflib import get_close_matches

from dotenv import dotenv_values

from acredita.settings import Settings
from acredita.settings_check.env_lines import ENV_FILE
from acredita.settings_check.faults import PREFIX, Fault, variable

# Variables that other programs read: docker-compose.yml and the tests.
OTHERS = {
    "ACREDITA_IMAGE",
    "ACREDITA_PUBLISHED_PORT",
    "ACREDITA_NAME_PAIRS",
    "ACREDITA_TEST_DATA",
    "ACREDITA_FUZZ_CREDENTIALS",
}

# Other names for a setting, which no similarity finds.
SYNONYMS = {
    "DB_URL": "DATABASE_URL",
    "POSTGRES_URL": "DATABASE_URL",
    "PUBLIC_URL": "BASE_URL",
    "S3_URL": "STORAGE_URL",
}
# How similar a name of another group is at least. Less similar ones are about something else:
# RETENTION_DAYS and ENCRYPTION_KEYS have 0.62, SECRETKEY and SECRET_KEY 0.95.
LEAST_SIMILARITY = 0.78
GROUP_SIMILARITY = 0.6


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
            advice = _advice(name.removeprefix(PREFIX), bare)
        else:
            first, _, rest = name.partition("_")
            is_misspelt = bool(get_close_matches(f"{first}_", [PREFIX], cutoff=0.85))
            if not (is_misspelt and rest in bare):
                continue
            advice = f"Did you mean {PREFIX}{rest}?"
        yield Fault(name, f"there is no such setting. {advice}")


def _advice(name: str, known: list[str]) -> str:
    """A setting of the same group is what was meant, also if another one looks more similar."""
    if name in SYNONYMS:
        return f"Did you mean {PREFIX}{SYNONYMS[name]}?"
    group = f"{name.partition('_')[0]}_"
    alike = sorted(each for each in known if each.startswith(group))
    least = GROUP_SIMILARITY if alike else LEAST_SIMILARITY
    if nearest := get_close_matches(name, alike or known, n=1, cutoff=least):
        return f"Did you mean {PREFIX}{nearest[0]}?"
    if alike:
        return f"Settings that begin like it: {', '.join(PREFIX + each for each in alike)}."
    return "Remove it. .env.example describes all settings."


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
