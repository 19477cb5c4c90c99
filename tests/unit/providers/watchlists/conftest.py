from collections.abc import Callable
from pathlib import Path

import pytest

from acredita.providers.watchlists.formats import detect
from acredita.providers.watchlists.protocol import Facts, ListedEntity, ListFile

Read = Callable[..., list[ListedEntity]]


def read_paths(*paths: Path) -> tuple[str, list[ListedEntity], Facts]:
    """The format that was found, the entries, and what else was said."""
    files = [ListFile(path, path.name) for path in paths]
    form, facts = detect(files), Facts()
    return form.name, list(form.read(files, facts)), facts


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Entries of files with these contents, by their names."""

    def read(**contents: str | bytes) -> list[ListedEntity]:
        paths = []
        for name, content in contents.items():
            path = tmp_path / name.replace("__", ".")
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
            paths.append(path)
        return read_paths(*paths)[1]

    return read
