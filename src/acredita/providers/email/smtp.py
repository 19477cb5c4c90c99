"""E-mail by SMTP (RFC 5321), with TLS unless the server is local."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP as SMTP_POLICY
from email.utils import format_datetime, parseaddr
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import aiosmtplib

from acredita.kit.clock import Clock
from acredita.kit.trust import trusting
from acredita.kit.unreachable import reason
from acredita.providers.email.protocol import Email, EmailRefused, EmailUnavailable

SUBMISSION_PORT, SUBMISSIONS_PORT = 587, 465
# RFC 4954, section 6.
LOGIN_REQUIRED = 530


@dataclass(frozen=True, slots=True)
class SmtpServer:
    """The mail server to submit messages to.

    `smtps://` uses TLS from the first byte. `smtp://` requires STARTTLS, because e-mails contain
    links that set passwords. On loopback addresses STARTTLS is optional. `?starttls=never` turns it
    off, for a relay in the same network.
    """

    host: str
    port: int
    implicit_tls: bool
    # True: required; None: if offered; False: never.
    start_tls: bool | None
    user: str | None
    password: str | None

    @classmethod
    def from_url(cls, url: str) -> "SmtpServer":
        """Raise ValueError without the URL in its message, because it may contain a password."""
        wrong = ValueError(
            "the mail server must have the form smtp://user:password@host:587 or smtps://host:465"
        )
        try:
            parts = urlsplit(url)
            port = parts.port
        except ValueError:
            raise wrong from None
        options = parse_qs(parts.query, keep_blank_values=True)
        if (
            parts.scheme not in {"smtp", "smtps"}
            or not parts.hostname
            or parts.path not in {"", "/"}
            or parts.fragment
            or options not in ({}, {"starttls": ["never"]})
            or (parts.username is None) != (parts.password is None)
        ):
            raise wrong
        implicit = parts.scheme == "smtps"
        start_tls: bool | None = None if _is_local(parts.hostname) else True
        if implicit or options:
            start_tls = False
        return cls(
            host=parts.hostname,
            port=port or (SUBMISSIONS_PORT if implicit else SUBMISSION_PORT),
            implicit_tls=implicit,
            start_tls=start_tls,
            user=None if parts.username is None else unquote(parts.username),
            password=None if parts.password is None else unquote(parts.password),
        )


def _is_local(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class SmtpEmail:
    def __init__(
        self,
        server: SmtpServer,
        *,
        sender: str,
        clock: Clock,
        timeout: float = 30.0,
        ca_file: Path | None = None,
    ) -> None:
        """`sender`: the From header. `timeout`: seconds for one whole exchange."""
        self._server, self._clock, self._timeout = server, clock, timeout
        self._sender = read_sender(sender)
        self._tls = trusting(ca_file)

    async def send(self, email: Email, *, key: str) -> None:
        try:
            message = self._message(email, key)
        except ValueError as fault:
            raise EmailRefused("the address is not valid in a message") from fault
        async with self._connection() as client:
            await client.send_message(message)

    async def check(self) -> None:
        async with self._connection() as client:
            await client.mail(self._sender.addr_spec)

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[aiosmtplib.SMTP]:
        """Connect, start TLS and log in. Translate the errors of all that is done with it."""
        server = self._server
        client = aiosmtplib.SMTP(
            hostname=server.host,
            port=server.port,
            use_tls=server.implicit_tls,
            start_tls=server.start_tls,
            username=server.user,
            password=server.password,
            tls_context=self._tls,
            timeout=self._timeout,
        )
        try:
            async with asyncio.timeout(self._timeout), client:
                yield client
        except aiosmtplib.SMTPException as fault:
            raise _classify(fault) from fault
        except (OSError, TimeoutError, ValueError) as fault:
            raise EmailUnavailable(f"the mail server cannot be reached: {reason(fault)}") from fault

    def _message(self, email: Email, key: str) -> EmailMessage:
        message = EmailMessage(policy=SMTP_POLICY)
        message["From"] = self._sender
        message["To"] = _address(email.to)
        message["Subject"] = email.subject
        message["Date"] = format_datetime(self._clock.now())
        message["Message-ID"] = f"<{key}@{self._sender.domain}>"
        # Prevents automatic replies (RFC 3834).
        message["Auto-Submitted"] = "auto-generated"
        message.set_content(email.text)
        message.add_alternative(email.html, subtype="html")
        return message


def read_sender(text: str) -> Address:
    """Parse `Acredita <no-reply@example.com>` or only an address. Raise ValueError."""
    if not text.isprintable():
        raise ValueError("an e-mail address must have the form Name <address@domain>")
    name, address = parseaddr(text)
    return _address(address, name)


def _address(text: str, name: str = "") -> Address:
    """Parse exactly one address and encode its domain in ASCII. Raise ValueError.

    Servers without SMTPUTF8 need `xn--and-6ma2c.mx` for `ñandú.mx`.
    """
    local, _, domain = text.rpartition("@")
    if not local or not domain or not text.isprintable() or set(text) & set(' ,;<>"()'):
        raise ValueError("an e-mail address must have the form Name <address@domain>")
    return Address(name, username=local, domain=domain.encode("idna").decode())


def _classify(fault: aiosmtplib.SMTPException) -> EmailUnavailable | EmailRefused:
    """5yz is permanent (RFC 5321, 4.2.1). The operator must fix a refused login or sender."""
    if isinstance(fault, aiosmtplib.SMTPRecipientsRefused):
        codes = [refusal.code for refusal in fault.recipients]
        if all(code >= 500 for code in codes):
            return EmailRefused("the mail server refused the address")
    elif isinstance(fault, aiosmtplib.SMTPNotSupported):
        return EmailRefused("the mail server does not support this address")
    elif isinstance(fault, aiosmtplib.SMTPDataError) and fault.code >= 500:
        return EmailRefused("the mail server refused the message")
    return EmailUnavailable(_why_unavailable(fault))


def _why_unavailable(fault: aiosmtplib.SMTPException) -> str:
    if isinstance(fault, aiosmtplib.SMTPAuthenticationError):
        return "the mail server refused the user or the password"
    if isinstance(fault, aiosmtplib.SMTPConnectError | aiosmtplib.SMTPTimeoutError):
        return f"the mail server cannot be reached: {reason(fault)}"
    if isinstance(fault, aiosmtplib.SMTPSenderRefused):
        if fault.code == LOGIN_REQUIRED:
            return "the mail server requires a user and a password"
        return "the mail server refused the sender (ACREDITA_MAIL_FROM)"
    if "STARTTLS" in str(fault):
        return "the mail server offers no STARTTLS"
    return "the mail server did not accept the message"
