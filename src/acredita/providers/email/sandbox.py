"""Writes the plain-text part of e-mails to the development mailbox instead of sending them."""

from acredita.providers.email.protocol import Email, EmailUnavailable
from acredita.providers.mailbox import Mailbox


class MailboxEmail:
    def __init__(self, mailbox: Mailbox) -> None:
        self._mailbox = mailbox

    async def check(self) -> None:
        """The mailbox is a folder: there is no server."""

    async def send(self, email: Email, *, key: str) -> None:
        try:
            await self._mailbox.put(
                channel="email",
                destination=email.to,
                subject=email.subject,
                body=email.text,
                key=key,
            )
        except OSError as fault:
            raise EmailUnavailable("the mailbox's folder cannot be written") from fault
