import secrets
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from acredita.kit import development_authority


@pytest.fixture(scope="session")
def made_authority(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("authority") / "made"


@pytest.fixture(scope="module", autouse=True)
def copied_authority(made_authority: Path) -> Iterator[None]:
    """Give each test a copy of one authority: making its keys takes longer than most tests."""
    make = development_authority._make

    def copy(folder: Path) -> None:
        if not made_authority.exists():
            make(made_authority)
        folder.parent.mkdir(parents=True, exist_ok=True)
        draft = folder.with_name(f".{folder.name}-{secrets.token_hex(4)}")
        shutil.copytree(made_authority, draft)
        try:
            draft.rename(folder)
        except OSError:
            # Another thread was faster.
            if not folder.exists():
                raise
            shutil.rmtree(draft)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(development_authority, "_make", copy)
        yield
