"""A real SMTP server on this machine: TLS, logins, and refusals on demand."""

import asyncio
import email
import ssl
import warnings
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.policy import default

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

HOST = "127.0.0.1"
USER, PASSWORD = "acredita", "p@ss:word/with?marks"


@dataclass
class MailServer:
    """`answers` maps a command to the reply that it gets instead of the usual one."""

    port: int = 0
    answers: dict[str, str] = field(default_factory=dict)
    received: list[EmailMessage] = field(default_factory=list)
    envelopes: list[Envelope] = field(default_factory=list)
    was_encrypted: list[bool] = field(default_factory=list)
    logins: list[str] = field(default_factory=list)
    # Set: the server takes the message and never says so.
    hangs: bool = False

    async def handle_RCPT(  # noqa: N802 (the name that aiosmtpd looks for)
        self,
        _server: SMTP,
        _session: Session,
        envelope: Envelope,
        address: str,
        _options: list[str],
    ) -> str:
        if "RCPT" in self.answers:
            return self.answers["RCPT"]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(  # noqa: N802
        self, _server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        if "DATA" in self.answers:
            return self.answers["DATA"]
        message = email.message_from_bytes(envelope.content, policy=default)
        self.received.append(message)
        self.envelopes.append(envelope)
        self.was_encrypted.append(session.ssl is not None)
        if self.hangs:
            await asyncio.Event().wait()
        return "250 OK"

    def authenticate(self, _server, _session, _envelope, _mechanism, login) -> AuthResult:
        assert isinstance(login, LoginPassword)
        self.logins.append(login.login.decode())
        is_right = login.login == USER.encode() and login.password == PASSWORD.encode()
        return AuthResult(success=is_right, handled=False)


@asynccontextmanager
async def mail_server(
    *,
    start_tls: ssl.SSLContext | None = None,
    implicit_tls: ssl.SSLContext | None = None,
    needs_login: bool = False,
) -> AsyncIterator[MailServer]:
    state = MailServer()
    protocols = []

    def protocol() -> SMTP:
        with warnings.catch_warnings():
            # It warns of logins in clear where TLS came first, too.
            warnings.simplefilter("ignore")
            smtp = SMTP(
                state,
                hostname="mail.test",
                tls_context=start_tls,
                require_starttls=start_tls is not None,
                authenticator=state.authenticate,
                auth_required=needs_login,
                auth_require_tls=implicit_tls is None,
                enable_SMTPUTF8=False,
            )
        protocols.append(smtp)
        return smtp

    server = await asyncio.get_running_loop().create_server(protocol, HOST, 0, ssl=implicit_tls)
    state.port = server.sockets[0].getsockname()[1]
    try:
        yield state
    finally:
        server.close()
        for smtp in protocols:
            if smtp.transport is not None:
                smtp.transport.abort()
        await server.wait_closed()
