"""Writes text messages to the development mailbox instead of sending them."""

from acredita.providers.mailbox import Mailbox
from acredita.providers.sms.protocol import Sms, SmsUnavailable


class MailboxSms:
    name = "sandbox"

    def __init__(self, mailbox: Mailbox) -> None:
        self._mailbox = mailbox

    async def send(self, sms: Sms, *, key: str, may_have_left: bool = False) -> None:  # noqa: ARG002 (the same key replaces the file)
        try:
            await self._mailbox.put(
                channel="sms", destination=sms.to, subject=None, body=sms.text, key=key
            )
        except OSError:
            raise SmsUnavailable("mailbox_not_writable") from None
