"""Files that are encrypted in parts open as those that are encrypted at once, and vice versa."""

from io import BytesIO

import pytest

from acredita.kit import crypto
from acredita.kit.crypto import CannotUnseal

SIZES = (0, 1, 15, 16, 17, 1000)
CONTEXT = "aml/one"


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch):
    monkeypatch.setattr(crypto, "CHUNK_BYTES", 16)


def opened(key, encrypted, context=CONTEXT):
    target = BytesIO()
    crypto.decrypt_stream(key, BytesIO(encrypted), target, context=context)
    return target.getvalue()


@pytest.mark.parametrize("size", SIZES)
def test_both_forms_are_one(size):
    content = bytes(range(256)) * 4
    content, target = content[:size], BytesIO()
    key = crypto.encrypt_stream(BytesIO(content), target, context=CONTEXT)
    assert crypto.decrypt_file(key, target.getvalue(), context=CONTEXT) == content
    assert opened(*crypto.encrypt_file(content, context=CONTEXT)) == content


def test_no_changed_shortened_or_moved_file_opens():
    key, encrypted = crypto.encrypt_file(bytes(100), context=CONTEXT)
    changed = [
        bytes((*encrypted[:at], encrypted[at] ^ 1, *encrypted[at + 1 :]))
        for at in range(len(encrypted))
    ]
    shortened = [encrypted[:size] for size in range(len(encrypted))]
    for other in (*changed, *shortened, encrypted + b"\0"):
        with pytest.raises(CannotUnseal):
            opened(key, other)
    with pytest.raises(CannotUnseal):
        opened(key, encrypted, "aml/two")
