"""E-mail by SMTP, or to the development mailbox."""

from pathlib import Path

from acredita.kit.clock import Clock
from acredita.providers.email.none import NoEmail
from acredita.providers.email.protocol import (
    Email,
    EmailError,
    EmailProvider,
    EmailRefused,
    EmailUnavailable,
)
from acredita.providers.email.sandbox import MailboxEmail
from acredita.providers.email.smtp import SmtpEmail, SmtpServer
from acredita.providers.mailbox import Mailbox


def open_email(
    smtp_url: str, *, sender: str, mailbox: Mailbox, clock: Clock, ca_file: Path | None = None
) -> EmailProvider:
    """Open SMTP; the mailbox if `smtp_url` is empty; a provider that refuses all if it is `none`.

    Raise ValueError for an invalid URL.
    """
    if smtp_url == "none":
        return NoEmail()
    if not smtp_url:
        return MailboxEmail(mailbox)
    return SmtpEmail(SmtpServer.from_url(smtp_url), sender=sender, clock=clock, ca_file=ca_file)
