"""AUT-08 and AUT-10: a forgotten password, from the request to the new one."""

import asyncio
from collections import Counter
from datetime import timedelta

import pytest
from sqlalchemy import func, select, text

from acredita.domain.languages import Language
from acredita.jobs import Queue
from acredita.models import Job, LinkPurpose, PasswordLink, User
from acredita.resources.auth.links import INVITATION_LIFETIME, issue_password_link
from tests.api.accounts.conftest import Person, token_in
from tests.factories.organizations import PASSWORD

ME = "/v1/organizations/me"
NEW = "una contraseña nueva y larga"


async def status_with(client, token):
    return (await client.get(ME, headers={"Authorization": f"Bearer {token}"})).status_code


async def test_a_known_and_an_unknown_address_are_answered_and_worked_on_alike(
    services, ana, nobody
):
    def rows_written():
        return select(
            select(func.count()).select_from(Job).scalar_subquery(),
            select(func.count()).select_from(PasswordLink).scalar_subquery(),
        )

    written, answers = [], []
    for person in (ana, nobody):
        answers.append(await person.forget())
        async with services.database.reading() as connection:
            written.append(tuple((await connection.execute(rows_written())).one()))
    assert [answer.status_code for answer in answers] == [202, 202]
    assert answers[0].content == answers[1].content
    assert set(answers[0].json()) == {"message"}
    # The request does not even ask whether there is such a user: the mail's job does.
    jobs, links = written[0]
    assert (written[1][0] - jobs, written[1][1] - links) == (1, 1)
    async with services.database.reading() as connection:
        users = (await connection.execute(select(PasswordLink.user_id))).scalars().all()
    assert users == [None, None]


async def test_the_request_asks_the_database_nothing_about_users(services, app, ana):
    from sqlalchemy import event

    statements = []
    engine = app.state.services.database.engine.sync_engine
    event.listen(engine, "before_cursor_execute", lambda *a: statements.append(a[2]))
    await ana.forget()
    assert statements
    assert not [each for each in statements if "user_account" in each]


async def test_only_the_known_address_gets_a_mail(mails, ana, nobody, banco):
    await nobody.forget()
    await ana.forget()
    (mail,) = await mails.arrive()
    assert set(mail) == {"channel", "destination", "subject", "body", "createdAt"}
    assert mail["channel"] == "email"
    assert mail["destination"] == ana.email
    assert token_in(mail)
    sent = await banco.get("/v1/audit-logs?action=user.password_link_sent")
    (entry,) = sent.json()["auditLogs"]
    assert entry["resourceId"] == banco.registration["user"]["id"]
    assert (await ana.login()).status_code == 200


@pytest.mark.parametrize(
    ("accepted", "subject"),
    [
        (None, "Restablece tu contraseña"),
        ("fr-FR, en-GB;q=0.7, es;q=0.3", "Reset your password"),
        ("es-MX,en;q=0.9", "Restablece tu contraseña"),
    ],
)
async def test_the_mail_is_in_the_language_of_the_request(mails, ana, accepted, subject):
    await ana.forget(**({} if accepted is None else {"Accept-Language": accepted}))
    (mail,) = await mails.arrive()
    assert mail["subject"] == subject


async def test_a_disabled_user_gets_no_mail(services, mails, ana):
    await ana.forget()
    async with services.database.transaction() as session:
        await session.execute(text("UPDATE user_account SET is_active = false"))
    assert await mails.arrive() == []
    async with services.database.reading() as connection:
        assert (await connection.execute(select(PasswordLink.id))).all() == []


async def test_neither_address_nor_token_is_kept_in_clear(services, mails, ana):
    await ana.forget()
    dump = (
        "SELECT (SELECT json_agg(j)::text FROM job j),"
        " (SELECT json_agg(f)::text FROM job_finished f),"
        " (SELECT json_agg(p)::text FROM password_link p)"
    )
    rows = []
    async with services.database.reading() as connection:
        rows.append(str((await connection.execute(text(dump))).one()))
    (mail,) = await mails.arrive()
    async with services.database.reading() as connection:
        rows.append(str((await connection.execute(text(dump))).one()))
        sealed = (await connection.execute(select(PasswordLink.token_sealed))).scalar_one()
    for row in rows:
        assert token_in(mail) not in row
        assert token_in(mail).encode().hex() not in row
        assert ana.email not in row
        assert ana.email.encode().hex() not in row
    # Once the mail has left, not even the service can write the link again.
    assert sealed is None


async def test_a_reset_works_once_and_ends_the_old_password_and_its_sessions(client, mails, ana):
    before = await ana.token()
    assert await status_with(client, before) == 200
    await ana.forget()
    (mail,) = await mails.arrive()
    answer = await ana.reset(token_in(mail), NEW)
    assert answer.status_code == 200
    assert set(answer.json()) == {"message"}
    again = await ana.reset(token_in(mail), "another password of mine")
    assert again.status_code == 422
    assert again.json()["error"]["code"] == "VALIDATION_ERROR"
    assert (await ana.login(PASSWORD)).status_code == 401
    ana.password = NEW
    after = await ana.token()
    # The new session works at once, although the old one was remembered a moment ago.
    assert await status_with(client, after) == 200
    async with asyncio.timeout(1):
        while True:
            if await status_with(client, before) == 401:
                break
            await asyncio.sleep(0.05)
    assert await status_with(client, after) == 200


async def test_an_api_keys_tokens_outlive_a_reset(client, mails, ana, banco):
    await ana.forget()
    (mail,) = await mails.arrive()
    await ana.reset(token_in(mail), NEW)
    client_transport_credentials(client)._cache.clear()
    assert (await banco.get(ME)).status_code == 200


def client_transport_credentials(client):
    return client._transport.app.state.credentials


async def test_a_link_is_over_after_sixty_minutes(mails, ana, clock):
    await ana.forget()
    (mail,) = await mails.arrive()
    clock.ahead = timedelta(minutes=60)
    assert (await ana.reset(token_in(mail), NEW)).status_code == 422
    clock.ahead = timedelta(minutes=59)
    assert (await ana.reset(token_in(mail), NEW)).status_code == 200


async def test_of_parallel_uses_of_one_link_one_succeeds(mails, ana):
    await ana.forget()
    (mail,) = await mails.arrive()
    passwords = [f"{NEW} {number}" for number in range(4)]
    answers = await asyncio.gather(*(ana.reset(token_in(mail), each) for each in passwords))
    codes = [answer.status_code for answer in answers]
    assert Counter(codes) == {200: 1, 422: 3}
    for password, code in zip(passwords, codes, strict=True):
        assert (await ana.login(password)).status_code == (200 if code == 200 else 401)


async def test_a_used_link_voids_its_siblings_even_at_the_same_moment(mails, ana):
    for _ in range(4):
        await ana.forget()
    sent = await mails.arrive()
    tokens = [token_in(mail) for mail in sent]
    assert len(set(tokens)) == 4
    answers = await asyncio.gather(*(ana.reset(token, NEW) for token in tokens))
    assert Counter(answer.status_code for answer in answers) == {200: 1, 422: 3}
    for token in tokens:
        assert (await ana.reset(token, NEW)).status_code == 422


async def test_a_link_asked_for_before_a_reset_is_void_though_its_mail_comes_later(mails, ana):
    await ana.forget()
    (first,) = await mails.arrive()
    await ana.forget()
    assert (await ana.reset(token_in(first), NEW)).status_code == 200
    assert await mails.arrive() == [first]


async def test_one_users_link_does_nothing_to_another(mails, ana, rosa):
    await ana.forget()
    await rosa.forget()
    sent = {mail["destination"]: token_in(mail) for mail in await mails.arrive()}
    assert (await ana.reset(sent[ana.email], NEW)).status_code == 200
    assert (await rosa.login()).status_code == 200
    assert (await rosa.reset(sent[rosa.email], NEW)).status_code == 200


async def test_a_reset_lets_a_throttled_account_in_again(mails, ana):
    for _ in range(11):
        refused = await ana.login("a wrong password of some length")
    assert refused.status_code == 429
    await ana.forget()
    (mail,) = await mails.arrive()
    await ana.reset(token_in(mail), NEW)
    assert (await ana.login(NEW)).status_code == 200


async def test_a_mailbox_is_not_flooded_and_the_answer_says_nothing_of_it(services, ana):
    answers = [await ana.forget() for _ in range(65)]
    assert {answer.status_code for answer in answers} == {202}
    assert len({answer.content for answer in answers}) == 1
    async with services.database.reading() as connection:
        made = (await connection.execute(select(func.count()).select_from(PasswordLink))).scalar()
    assert made == 60


@pytest.mark.parametrize(
    "body",
    [
        {"token": "x" * 31, "password": NEW},
        {"token": "x" * 129, "password": NEW},
        {"token": "x" * 43, "password": "short"},
        {"token": "x" * 43, "password": NEW},
        {"token": "ñ" * 43, "password": NEW},
        {"token": "x" * 43},
    ],
)
async def test_a_reset_without_a_link_is_refused_before_anything_is_hashed(client, app, body):
    app.state.services.passwords._waiting = 10**6  # a request that hashes now is refused
    answer = await client.post("/v1/auth/reset-password", json=body)
    app.state.services.passwords._waiting = 0
    assert answer.status_code == 422


async def test_a_password_of_wrong_length_leaves_the_link_as_it_was(mails, ana):
    await ana.forget()
    (mail,) = await mails.arrive()
    assert (await ana.reset(token_in(mail), "short")).status_code == 422
    assert (await ana.reset(token_in(mail), NEW)).status_code == 200


async def test_an_invitation_lives_a_week_and_gives_the_first_password(
    services, mails, ana, banco, clock
):
    async with services.database.transaction() as session:
        user = User(
            organization_id=banco.organization_id,
            email="nueva@banco.example",
            password_hash=None,
            role="REVIEWER",
        )
        session.add(user)
        await session.flush()
        await issue_password_link(
            session,
            services,
            user_id=user.id,
            purpose=LinkPurpose.INVITATION,
            lifetime=INVITATION_LIFETIME,
            language=Language.ENGLISH,
        )
    (mail,) = await mails.arrive()
    assert mail["subject"] == "Your Acredita account"
    assert mail["destination"] == "nueva@banco.example"
    invited = Person(ana.client, "nueva@banco.example", NEW)
    assert (await invited.login()).status_code == 401
    clock.ahead = timedelta(days=6, hours=23)
    assert (await invited.reset(token_in(mail), NEW)).status_code == 200
    assert (await invited.login()).json()["user"]["role"] == "REVIEWER"


async def test_a_mail_that_cannot_be_sent_yet_waits_and_leaves_then(services, mails, ana):
    folder = services.settings.mailbox_folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.write_text("a file where the folder should be")
    await ana.forget()
    async with asyncio.timeout(10):
        while True:
            await mails.runner.pull(Queue.LIGHT)
            async with services.database.transaction() as session:
                job = await session.scalar(select(Job).where(Job.kind.like("auth.mail%")))
            if job.last_error and job.state == "pending":
                break
            await asyncio.sleep(0.02)
    assert "banco" not in job.last_error
    folder.unlink()
    async with services.database.transaction() as session:
        await session.execute(text("UPDATE job SET run_at = now()"))
    (mail,) = await mails.arrive()
    assert (await ana.reset(token_in(mail), NEW)).status_code == 200


async def test_what_has_expired_is_cleared_away(services, mails, ana, clock):
    from acredita.jobs import JobContext
    from acredita.models import AttemptLog
    from acredita.resources.auth.jobs import purge

    await ana.forget()
    await ana.login("a wrong password of some length")
    await mails.arrive()

    async def left():
        async with services.database.reading() as connection:
            return [
                (await connection.execute(select(func.count()).select_from(table))).scalar()
                for table in (PasswordLink, AttemptLog)
            ]

    class Run(JobContext):
        def __init__(self, services):
            self.services = services

    await purge.handler(Run(ana.client._transport.app.state.services))
    assert await left() == [1, 4]
    clock.ahead = timedelta(minutes=61)
    await purge.handler(Run(ana.client._transport.app.state.services))
    assert await left() == [0, 0]
