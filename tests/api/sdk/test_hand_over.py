"""Continue on another device: one code, one session, within ten minutes."""

import html
from dataclasses import replace
from datetime import timedelta

from sqlalchemy import select, update

from acredita.domain.languages import PersonLanguage
from acredita.models import AuditEntry, CaptureLink, Job
from acredita.resources.sdk import hand_over_texts
from acredita.resources.verifications.link_texts import texts_of
from tests.api.sdk.test_sessions import bearer, open_session, path, refusal
from tests.factories.organizations import make_workflow

PHONE = {"channel": "sms", "destination": "+52 55 1234 5678"}


async def start(client, opened, **body):
    return await client.post(path(opened, "/hand-over"), json=body, headers=bearer(opened["token"]))


async def open_code(client, url):
    return await client.post("/v1/sdk/hand-overs", json={"code": url.partition("#")[2]})


async def state(client, opened):
    return (await client.get(path(opened), headers=bearer(opened["token"]))).json()["handOver"]


async def test_a_code_opens_one_session_on_another_device_until_it_is_ended(
    client, banco, services
):
    opened = await open_session(client, banco, await make_workflow(banco))
    made = await start(client, opened)
    assert made.status_code == 201, made.text
    url = made.json()["url"]
    assert url.startswith("http://test/go#")
    assert len(url.partition("#")[2]) == 14
    assert await state(client, opened) == {
        "state": "waiting",
        "expiresAt": made.json()["expiresAt"],
    }
    # A program that follows the link presses no button, and uses up nothing.
    page = await client.get("/go")
    assert (page.status_code, page.headers["referrer-policy"]) == (200, "no-referrer")
    for wrong in ("0000-0000-0000", url[-14:-1] + "U"):
        answer = await client.post("/v1/sdk/hand-overs", json={"code": wrong})
        assert refusal(answer) == (404, "NOT_FOUND")

    # As a person types it.
    typed = url[-14:].lower().replace("-", " ").replace("0", "o").replace("1", "l")
    phone = await client.post("/v1/sdk/hand-overs", json={"code": typed})
    assert phone.status_code == 201, phone.text
    token = phone.json()["token"]
    assert phone.json()["pageUrl"].endswith(f"/verify/{opened['verificationId']}#{token}")
    assert (await state(client, opened))["state"] == "opened"
    assert (await client.get(path(opened), headers=bearer(token))).status_code == 200
    assert refusal(await open_code(client, url)) == (409, "LINK_CLOSED")

    ended = await client.post(path(opened, "/hand-over/end"), headers=bearer(opened["token"]))
    assert ended.status_code == 204
    assert await state(client, opened) is None
    assert refusal(await client.get(path(opened), headers=bearer(token))) == (401, "UNAUTHORIZED")
    # The device that handed over goes on, also by the id alone: no link for the person was made.
    assert (await client.get(path(opened))).status_code == 200

    first, second = [(await start(client, opened)).json()["url"] for _ in range(2)]
    assert refusal(await open_code(client, first)) == (409, "LINK_CLOSED")
    async with services.database.transaction() as session:
        late = services.clock.now() - timedelta(seconds=1)
        await session.execute(update(CaptureLink).values(expires_at=late))
        actions = [row.action for row in await session.scalars(select(AuditEntry))]
        kept = repr([row.token_digest for row in await session.scalars(select(CaptureLink))])
    assert refusal(await open_code(client, second)) == (409, "LINK_CLOSED")
    assert await state(client, opened) is None
    assert second[-14:].replace("-", "") not in kept
    for action in ("link_created", "session_opened", "link_revoked"):
        assert f"verification.{action}" in actions
    answers = [await start(client, opened) for _ in range(18)]
    assert refusal(answers[-1]) == (409, "TOO_MANY_HAND_OVERS")
    decision = {"status": "REJECTED"}
    await banco.patch(f"/v1/verifications/{opened['verificationId']}/status", json=decision)
    assert refusal(await start(client, opened)) == (409, "VERIFICATION_CLOSED")


async def test_a_link_is_sent_within_the_budgets_of_anonymous_codes(client, banco, services):
    opened = await open_session(client, banco, await make_workflow(banco))
    assert (await start(client, opened, send=PHONE)).status_code == 201
    async with services.database.transaction() as session:
        link = (await session.scalars(select(CaptureLink))).one()
        [job] = await session.scalars(select(Job).where(Job.kind == "capture_link.send"))
        message = link.message.open(services.keys)
    assert job.payload == {"link_id": str(link.id)}
    assert message.address == "+525512345678"
    sent = texts_of(link.purpose, message, "Banco Uno")
    text = sent.sms
    assert text.startswith("Sigue aqui tu verificacion con Banco Uno: http://test/go#")
    assert len(text) <= 160
    assert sent.letter.language is PersonLanguage.SPANISH
    assert sent.letter.action == ("Continuar en este teléfono", message.url)
    for language in PersonLanguage:
        other = replace(message, language=language)
        text = texts_of(link.purpose, other, "Banco Uno " * 9).sms
        assert message.url in text
        assert text.encode("latin-1")
        assert len(text) <= 160
        assert texts_of(link.purpose, other, "").letter.to("ana@correo.example").subject
        answer = await client.get("/go", headers={"Accept-Language": f"{language}-CH, es;q=0.5"})
        assert answer.headers["content-language"] == language
        for part in ("text", "warning"):
            assert html.escape(hand_over_texts.PAGE[language][part]) in answer.text

    # Codes and links count together: three to one phone within ten minutes.
    for _ in range(2):
        body = {"verificationId": opened["verificationId"], **PHONE}
        assert (await client.post("/v1/otp/send", json=body)).status_code == 200
    refused = await start(client, opened, send=PHONE)
    assert refusal(refused) == (429, "RATE_LIMITED")
    # The refusal undoes the rest: the former link is still the one.
    assert (await state(client, opened))["state"] == "waiting"
    other = {"channel": "email", "destination": "not an address"}
    assert refusal(await start(client, opened, send=other)) == (422, "VALIDATION_ERROR")
