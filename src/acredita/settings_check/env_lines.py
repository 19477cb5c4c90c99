"""Finds what is wrong with `.env` as a file: its reader skips lines that it does not understand."""

import logging
import re
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

from dotenv.parser import Binding, parse_stream

from acredita.settings_check.faults import PREFIX, Fault

# In the working directory, like the `.env` that Settings reads.
ENV_FILE = Path(".env")
NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
# Other words of a line may be part of a secret.
OUR_NAME = re.compile(rf"\s*(?:export\s+)?({PREFIX}\w*)", re.ASCII | re.IGNORECASE)

# The faults say the same in words, with the name.
logging.getLogger("dotenv").addHandler(logging.NullHandler())


def why_unreadable() -> Fault | None:
    """Return why nothing of `.env` can be read, or None."""
    try:
        ENV_FILE.read_text(encoding="utf-8")
    except (FileNotFoundError, IsADirectoryError):
        return None
    except OSError as fault:
        return Fault(
            str(ENV_FILE), f"cannot be read: {fault.strerror}. Give it to the user who runs this."
        )
    except UnicodeDecodeError:
        return Fault(str(ENV_FILE), "is not in UTF-8. Save it in that encoding.")
    return None


def skipped_lines() -> list[Fault]:
    """Return a fault for each line of `.env` that sets nothing. It names no value."""
    if not ENV_FILE.is_file():
        return []
    return list(skipped(ENV_FILE.read_text(encoding="utf-8")))


def skipped(text: str) -> Iterator[Fault]:
    """As `skipped_lines`, in the text of such a file."""
    for found in parse_stream(StringIO(text)):
        if is_skipped(found):
            name = OUR_NAME.match(found.original.string)
            of = f" ({name[1]})" if name else ""
            yield Fault(
                str(ENV_FILE),
                f"line {found.original.line}{of} sets nothing. Write NAME=value, and close quotes.",
            )


def is_skipped(found: Binding) -> bool:
    """Whether a line is neither empty, nor a comment, nor an assignment, nor of another program."""
    if found.error:
        return True
    key = found.key or ""
    return "ACREDITA" in key.upper() and (found.value is None or not NAME.fullmatch(key))
