import json
import stat

import pytest

from acredita.kit.clock import SystemClock
from acredita.providers.email import Email, EmailUnavailable
from acredita.providers.email.sandbox import MailboxEmail
from acredita.providers.mailbox import Mailbox

MAIL = Email("ana@banco.example", "Contraseña", "Hola:\nñ\n", "<p>Hola</p>")


async def test_a_message_is_one_file_that_its_owner_alone_can_read(tmp_path):
    folder = tmp_path / "box"
    provider = MailboxEmail(Mailbox(folder, SystemClock()))
    await provider.send(MAIL, key="first/../job")
    await provider.send(MAIL, key="second")
    files = sorted(folder.iterdir())
    assert [file.suffix for file in files] == [".json", ".json"]
    message = json.loads(files[0].read_text("utf-8"))
    assert list(message) == ["channel", "destination", "subject", "body", "createdAt"]
    assert message["channel"] == "email"
    assert message["destination"] == MAIL.to
    assert message["subject"] == MAIL.subject
    assert message["body"] == MAIL.text
    assert message["createdAt"].endswith("Z")
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}


async def test_the_same_message_sent_again_is_one_message(tmp_path):
    provider = MailboxEmail(Mailbox(tmp_path, SystemClock()))
    for _ in range(2):
        await provider.send(MAIL, key="job")
    assert len(list(tmp_path.iterdir())) == 1


async def test_a_folder_that_cannot_be_written_leaves_nothing_and_is_tried_again(tmp_path):
    (tmp_path / "file").write_text("in the way")
    provider = MailboxEmail(Mailbox(tmp_path / "file", SystemClock()))
    with pytest.raises(EmailUnavailable):
        await provider.send(MAIL, key="job")
    (tmp_path / "box" / "job.json").mkdir(parents=True)
    with pytest.raises(EmailUnavailable):
        await MailboxEmail(Mailbox(tmp_path / "box", SystemClock())).send(MAIL, key="job")
    assert [file.name for file in (tmp_path / "box").iterdir()] == ["job.json"]
