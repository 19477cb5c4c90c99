"""Everything that is shipped has a licence that we accept, and NOTICE names it."""

import json
from email.message import Message

import pytest

from tools import notice


def test_notice_is_up_to_date():
    assert notice.FILE.read_text() == notice.notice(), "run `make notice`"


def test_every_shipped_package_has_an_allowed_licence():
    assert len(list(notice.packages())) > 100


def test_a_page_with_a_package_of_another_licence_is_refused(tmp_path):
    lock = tmp_path / "package-lock.json"
    licences = {"node_modules/good": "MIT", "node_modules/good/node_modules/bad": "GPL-3.0-only"}
    found = {path: {"version": "1.0.0", "license": name} for path, name in licences.items()}
    lock.write_text(json.dumps({"packages": {"": {"name": "page"}, **found}}))
    with pytest.raises(ValueError, match=r"bad: the licence 'GPL-3.0-only'"):
        list(notice.npm_packages(lock))


@pytest.mark.parametrize(
    ("expression", "is_allowed"),
    [
        ("MIT", True),
        ("MPL-2.0 AND (Apache-2.0 OR MIT)", True),
        ("GPL-3.0-only OR MIT", True),
        ("GPL-3.0-only", False),
        ("MIT AND AGPL-3.0-only", False),
        ("none", False),
        ("Proprietary", False),
    ],
)
def test_a_copyleft_or_unknown_licence_is_refused(expression, is_allowed):
    assert notice.is_allowed(expression) is is_allowed


def test_a_package_without_a_licence_is_named(monkeypatch):
    monkeypatch.setattr(notice.metadata, "metadata", lambda name: Message())
    with pytest.raises(ValueError, match=r"aiohappyeyeballs: the licence 'none'"):
        list(notice.packages())
