import pytest

from acredita.engines.documents import read
from acredita.engines.text import TextReader
from tests import kept_networks

kept_networks.install()


@pytest.fixture(scope="session")
def reader() -> TextReader:
    """The one reader of this process: its models take seconds of the processor to load."""
    read.warm_up(2)
    return read._reader()
