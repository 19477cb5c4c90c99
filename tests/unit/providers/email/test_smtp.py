"""Mail over a real SMTP server: TLS, logins, and what each refusal means."""

import ssl

import pytest
import trustme

from acredita.domain.languages import Language
from acredita.kit.clock import SystemClock
from acredita.providers.email import Email, EmailRefused, EmailUnavailable, open_email
from acredita.providers.email.smtp import SmtpEmail, SmtpServer
from acredita.providers.mailbox import Mailbox
from acredita.resources.mail.message import Letter
from tests.factories.mail_server import HOST, PASSWORD, USER, mail_server

LETTER = Email("ana@banco.example", "Contraseña nueva", "Hola:\n\nñandú\n", "<p>Hola: ñandú</p>")
LOGIN = "acredita:p%40ss%3Aword%2Fwith%3Fmarks@"


@pytest.fixture
def authority(tmp_path):
    authority = trustme.CA()
    authority.cert_pem.write_to_path(tmp_path / "ca.pem")
    return authority


@pytest.fixture
def tls(authority):
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.issue_cert("localhost", HOST).configure_cert(context)
    return context


@pytest.fixture
def provider(tmp_path):
    def make(url, *, trusted=True, timeout=10.0):
        return SmtpEmail(
            SmtpServer.from_url(url),
            sender="Acredita <no-reply@acredita.example>",
            clock=SystemClock(),
            timeout=timeout,
            ca_file=tmp_path / "ca.pem" if trusted and (tmp_path / "ca.pem").exists() else None,
        )

    return make


async def test_a_message_arrives_whole_in_both_forms(provider):
    async with mail_server() as server:
        await provider(f"smtp://{HOST}:{server.port}").send(LETTER, key="0190-job")
    (message,) = server.received
    assert message["From"] == "Acredita <no-reply@acredita.example>"
    assert message["To"] == "ana@banco.example"
    assert message["Subject"] == "Contraseña nueva"
    assert message["Message-ID"] == "<0190-job@acredita.example>"
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["Date"].datetime.tzinfo is not None
    assert message.get_content_type() == "multipart/alternative"
    assert message.get_body(["plain"]).get_content().splitlines() == LETTER.text.splitlines()
    assert message.get_body(["html"]).get_content().strip() == LETTER.html
    assert server.envelopes[0].mail_from == "no-reply@acredita.example"
    assert server.envelopes[0].rcpt_tos == ["ana@banco.example"]


async def test_starttls_is_used_where_it_is_offered_and_the_login_goes_through_it(provider, tls):
    async with mail_server(start_tls=tls, needs_login=True) as server:
        await provider(f"smtp://{LOGIN}localhost:{server.port}").send(LETTER, key="k")
    assert server.was_encrypted == [True]
    assert server.logins == [USER]


async def test_smtps_speaks_tls_from_the_first_byte(provider, tls):
    async with mail_server(implicit_tls=tls, needs_login=True) as server:
        await provider(f"smtps://{LOGIN}localhost:{server.port}").send(LETTER, key="k")
    assert len(server.received) == 1
    assert server.logins == [USER]


async def test_a_certificate_that_nobody_trusts_or_of_another_name_stops_the_mail(
    provider, authority
):
    other = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.issue_cert("another.example").configure_cert(other)
    async with mail_server(implicit_tls=other) as server:
        for trusted, words in ((True, "Hostname mismatch"), (False, "unable to get local issuer")):
            with pytest.raises(EmailUnavailable, match=f"certificate is not trusted: {words}"):
                await provider(f"smtps://localhost:{server.port}", trusted=trusted).send(
                    LETTER, key="k"
                )
    assert server.received == []


async def test_away_from_this_machine_nothing_is_sent_in_clear(provider):
    """A server that offers no STARTTLS, under a name that is not the machine's own."""
    elsewhere = SmtpServer.from_url("smtp://mail.example")
    assert elsewhere.start_tls is True
    assert SmtpServer.from_url("smtp://mail.example?starttls=never").start_tls is False
    assert SmtpServer.from_url("smtp://localhost").start_tls is None
    async with mail_server() as server:
        mail = provider(f"smtp://{HOST}:{server.port}")
        mail._server = SmtpServer(HOST, server.port, False, True, None, None)
        with pytest.raises(EmailUnavailable, match="offers no STARTTLS"):
            await mail.send(LETTER, key="k")
    assert server.received == []


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ({"RCPT": "550 no such user ana@banco.example"}, EmailRefused),
        ({"RCPT": "450 try later"}, EmailUnavailable),
        ({"DATA": "554 message refused"}, EmailRefused),
        ({"DATA": "451 local error"}, EmailUnavailable),
    ],
)
async def test_refusals_are_for_good_or_for_now_and_quote_nobody(provider, answers, expected):
    async with mail_server() as server:
        server.answers = answers
        with pytest.raises(expected) as refusal:
            await provider(f"smtp://{HOST}:{server.port}").send(LETTER, key="k")
    assert "ana" not in str(refusal.value)


async def test_a_login_that_is_refused_is_the_operators_to_mend(provider, tls):
    async with mail_server(start_tls=tls, needs_login=True) as server:
        for login, words in (
            ("acredita:wrong@", "refused the user or the password"),
            ("", "requires a user and a password"),
        ):
            with pytest.raises(EmailUnavailable, match=words):
                await provider(f"smtp://{login}localhost:{server.port}").send(LETTER, key="k")
    assert server.received == []
    assert PASSWORD not in str(server.logins)


async def test_a_server_that_is_away_or_hangs_is_unavailable(provider, unused_tcp_port):
    with pytest.raises(EmailUnavailable, match="nothing listens at its address"):
        await provider(f"smtp://{HOST}:{unused_tcp_port}").send(LETTER, key="k")
    async with mail_server() as server:
        server.hangs = True
        with pytest.raises(EmailUnavailable):
            await provider(f"smtp://{HOST}:{server.port}", timeout=0.5).send(LETTER, key="k")


async def test_a_domain_of_other_letters_is_written_in_ascii(provider):
    async with mail_server() as server:
        mail = provider(f"smtp://{HOST}:{server.port}")
        await mail.send(Email("ana@ñandú.example", "s", "t", "<p>h</p>"), key="k")
        assert server.envelopes[0].rcpt_tos == ["ana@xn--and-6ma2c.example"]
        # This server cannot take such a local part, now or later.
        with pytest.raises(EmailRefused):
            await mail.send(Email("añá@banco.example", "s", "t", "<p>h</p>"), key="k")


@pytest.mark.parametrize(
    "address", ["ana@banco.example\r\nBcc: all@banco.example", "a@b, c@d", "<a@b>", "@", ""]
)
async def test_an_address_cannot_carry_headers_or_others(provider, address):
    async with mail_server() as server:
        with pytest.raises(EmailRefused):
            await provider(f"smtp://{HOST}:{server.port}").send(
                Email(address, "s", "t", "<p>h</p>"), key="k"
            )
    assert server.received == []


@pytest.mark.parametrize(
    "url",
    [
        "http://mail.example",
        "smtp://",
        "mail.example:25",
        "smtp://mail.example:99999",
        "smtp://secret@mail.example",
        "smtp://a:secret@mail.example/path",
        "smtp://a:secret@mail.example?starttls=maybe",
    ],
)
def test_a_wrong_address_of_a_server_is_refused_without_being_shown(url):
    with pytest.raises(ValueError, match="must have the form smtp://") as refusal:
        SmtpServer.from_url(url)
    assert "secret" not in str(refusal.value)


@pytest.mark.parametrize("sender", ["", "Acredita", "Acredita <>", "a@b\r\nBcc: c@d"])
def test_a_sender_that_is_no_address_is_refused(sender, tmp_path):
    clock = SystemClock()
    with pytest.raises(ValueError, match="address"):
        open_email("smtp://localhost", sender=sender, mailbox=Mailbox(tmp_path, clock), clock=clock)


def test_a_letter_sets_names_as_text_and_never_as_markup():
    mail = Letter(
        Language.ENGLISH,
        "Hello\r\nBcc: x",
        before=("Invited by <b>Evil & Co</b>",),
        action=("Open", "http://test/?a=1&token=x"),
    ).to("a@b.example")
    assert mail.subject == "Hello Bcc: x"
    assert "Invited by <b>Evil & Co</b>" in mail.text
    assert "http://test/?a=1&token=x\n" in mail.text
    assert "Invited by &lt;b&gt;Evil &amp; Co&lt;/b&gt;" in mail.html
    assert 'href="http://test/?a=1&amp;token=x"' in mail.html
