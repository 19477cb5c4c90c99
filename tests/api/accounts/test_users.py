"""Users beyond the first: invitations, roles, changed addresses, the last owner."""

import asyncio
import re
from datetime import timedelta

import pytest
from sqlalchemy import select, text

from acredita.models import User
from tests.api.accounts.conftest import Person, token_in
from tests.factories.organizations import PASSWORD, Member, with_new_key

PATH = "/v1/organizations/me/users"


@pytest.fixture
async def owner(client, banco, ana) -> Member:
    """The first organization, seen by its OWNER."""
    return Member(client, banco.organization_id, "", await ana.token(), banco.registration)


async def invite(member, email, role="REVIEWER"):
    answer = await member.post(PATH, json={"email": email, "role": role})
    assert answer.status_code == 201, answer.text
    return answer.json()["user"]


async def mail_to(mails, address):
    """The newest mail to an address."""
    return [mail for mail in await mails.arrive() if mail["destination"] == address][-1]


async def join(client, mails, member, email, role) -> Person:
    """Somebody invited who chose a password."""
    await invite(member, email, role)
    person = Person(client, email)
    answer = await person.reset(token_in(await mail_to(mails, email)), PASSWORD)
    assert answer.status_code == 200, answer.text
    return person


async def as_member(member, person) -> Member:
    return Member(member.client, member.organization_id, "", await person.token())


async def user_of(member, email):
    users = (await member.get(PATH)).json()["users"]
    return next(user for user in users if user["email"] == email)


def confirmation_token(mail):
    (token,) = re.findall(r"http://test/confirm-email\?token=([\w-]+)\s", mail["body"])
    return token


async def confirm(client, token):
    return await client.post("/v1/auth/confirm-email", json={"token": token})


async def test_an_invited_person_sets_a_password_and_signs_in(client, banco, mails):
    user = await invite(banco, "Luis@Banco.example", "REVIEWER")
    assert set(user) == {"id", "email", "pendingEmail", "role", "hasJoined", "createdAt"}
    assert (user["role"], user["hasJoined"], user["pendingEmail"]) == ("REVIEWER", False, None)
    listed = (await banco.get(PATH)).json()["users"]
    assert [entry["id"] for entry in listed] == [user["id"], banco.registration["user"]["id"]]
    assert "password" not in str(listed).lower()
    luis = Person(client, "luis@banco.example")
    assert (await luis.login()).status_code == 401
    token = token_in(await mail_to(mails, "Luis@banco.example"))
    assert (await luis.reset(token, PASSWORD)).status_code == 200
    answer = await luis.login()
    assert answer.json()["user"]["role"] == "REVIEWER"
    assert answer.json()["org"]["id"] == banco.organization_id
    assert (await user_of(banco, "Luis@banco.example"))["hasJoined"] is True


async def test_an_invitation_lives_seven_days_and_can_be_sent_again(
    client,
    banco,
    mails,
    clock,
):
    user = await invite(banco, "luis@banco.example")
    luis = Person(client, "luis@banco.example")
    first = token_in(await mail_to(mails, luis.email))
    clock.ahead = timedelta(days=7, seconds=1)
    assert (await luis.reset(first, PASSWORD)).status_code == 422
    # The tokens of the organization's key have expired, too.
    key = {"X-Api-Key": banco.api_key}
    again = await client.post(f"{PATH}/{user['id']}/invitation", headers=key)
    assert again.status_code == 202, again.text
    second = token_in(await mail_to(mails, luis.email))
    assert second != first
    clock.ahead = timedelta(days=13, hours=23)
    assert (await luis.reset(second, PASSWORD)).status_code == 200
    joined = await client.post(f"{PATH}/{user['id']}/invitation", headers=key)
    assert (joined.status_code, joined.json()["error"]["code"]) == (409, "CONFLICT")


@pytest.mark.parametrize(
    "body",
    [
        {"email": "luis@banco.example"},
        {"role": "MEMBER"},
        {"email": "luis", "role": "MEMBER"},
        {"email": None, "role": "MEMBER"},
        {"email": "luis@banco.example", "role": None},
        {"email": "luis@banco.example", "role": "ROOT"},
        {"email": "luis@banco.example", "role": "MEMBER", "password": PASSWORD},
        {"email": "luis@banco.example", "role": "MEMBER", "organizationId": "x"},
    ],
)
async def test_an_invitation_out_of_bounds_is_refused(banco, body):
    assert (await banco.post(PATH, json=body)).status_code == 422
    assert len((await banco.get(PATH)).json()["users"]) == 1


async def test_an_address_is_one_users_in_the_whole_service(banco, rival):
    await invite(banco, "luis@banco.example")
    for member in (banco, rival):
        answer = await member.post(PATH, json={"email": "LUIS@banco.EXAMPLE", "role": "MEMBER"})
        assert (answer.status_code, answer.json()["error"]["code"]) == (409, "CONFLICT")
    assert len((await rival.get(PATH)).json()["users"]) == 1


async def test_nobody_acts_on_a_role_above_their_own(banco, owner):
    """An API key is ADMIN at the most."""
    owner_id = banco.registration["user"]["id"]
    admin = await invite(banco, "admin@banco.example", "ADMIN")
    for answer in (
        await banco.post(PATH, json={"email": "o@banco.example", "role": "OWNER"}),
        await banco.patch(f"{PATH}/{admin['id']}", json={"role": "OWNER"}),
        await banco.patch(f"{PATH}/{owner_id}", json={"role": "MEMBER"}),
        await banco.patch(f"{PATH}/{owner_id}", json={"email": "mine@evil.example"}),
        await banco.delete(f"{PATH}/{owner_id}"),
    ):
        assert (answer.status_code, answer.json()["error"]["code"]) == (403, "FORBIDDEN")
    shown = await user_of(banco, "owner@banco-uno.example")
    assert (shown["role"], shown["pendingEmail"]) == ("OWNER", None)
    promoted = await owner.patch(f"{PATH}/{admin['id']}", json={"role": "OWNER"})
    assert promoted.json()["user"]["role"] == "OWNER"
    # An owner by invitation alone is out of an admin's reach, too.
    assert (await banco.post(f"{PATH}/{admin['id']}/invitation")).status_code == 403
    assert (await banco.delete(f"{PATH}/{admin['id']}")).status_code == 403


@pytest.mark.parametrize("role", ["REVIEWER", "MEMBER"])
async def test_lower_roles_neither_see_nor_change_users(banco, role):
    lower = await with_new_key(banco, role)
    owner_id = banco.registration["user"]["id"]
    for answer in (
        await lower.get(PATH),
        await lower.post(PATH, json={"email": "x@banco.example", "role": "MEMBER"}),
        await lower.patch(f"{PATH}/{owner_id}", json={}),
        await lower.delete(f"{PATH}/{owner_id}"),
        await lower.post(f"{PATH}/{owner_id}/invitation"),
    ):
        assert answer.status_code == 403


async def test_the_last_owner_is_neither_removed_nor_demoted(client, banco, owner, mails):
    owner_id = banco.registration["user"]["id"]
    # One who was only invited cannot act, and is no second owner yet.
    await invite(owner, "otra@banco.example", "OWNER")
    for answer in (
        await owner.delete(f"{PATH}/{owner_id}"),
        await owner.patch(f"{PATH}/{owner_id}", json={"role": "ADMIN"}),
    ):
        assert (answer.status_code, answer.json()["error"]["code"]) == (409, "LAST_OWNER")
    otra = Person(client, "otra@banco.example")
    await otra.reset(token_in(await mail_to(mails, otra.email)), PASSWORD)
    second = await as_member(banco, otra)
    assert (await second.patch(f"{PATH}/{owner_id}", json={"role": "ADMIN"})).status_code == 200
    otra_id = (await user_of(second, otra.email))["id"]
    assert (await second.delete(f"{PATH}/{otra_id}")).status_code == 409


@pytest.mark.parametrize("way", ["demote", "remove"])
async def test_owners_who_act_on_each_other_at_once_leave_one(
    client,
    services,
    banco,
    owner,
    mails,
    way,
):
    second = await as_member(banco, await join(client, mails, owner, "b@banco.example", "OWNER"))
    third = await as_member(banco, await join(client, mails, owner, "c@banco.example", "OWNER"))
    users = (await owner.get(PATH)).json()["users"]
    requests = [
        member.patch(f"{PATH}/{user['id']}", json={"role": "MEMBER"})
        if way == "demote"
        else member.delete(f"{PATH}/{user['id']}")
        for member in (owner, second, third)
        for user in users
    ]
    await asyncio.gather(*requests)
    async with services.database.reading() as connection:
        remaining = await connection.scalars(select(User.role).where(User.role == "OWNER"))
    assert remaining.all() == ["OWNER"]


async def test_a_changed_role_ends_the_tokens_of_the_former_one(client, banco, mails):
    luis = await join(client, mails, banco, "luis@banco.example", "ADMIN")
    member = await as_member(banco, luis)
    assert (await member.get(PATH)).status_code == 200
    user = await user_of(banco, luis.email)
    await banco.patch(f"{PATH}/{user['id']}", json={"role": "REVIEWER"})
    await asyncio.sleep(0.95)
    assert (await member.get("/v1/workflows")).status_code == 401
    renewed = await as_member(banco, luis)
    assert (await renewed.get("/v1/workflows")).status_code == 200
    assert (await renewed.get(PATH)).status_code == 403


async def test_a_removed_user_is_gone_within_a_second_and_the_address_is_free(
    client,
    services,
    banco,
    rival,
    mails,
):
    luis = await join(client, mails, banco, "luis@banco.example", "ADMIN")
    member = await as_member(banco, luis)
    await luis.forget()
    user = await user_of(banco, luis.email)
    assert (await banco.delete(f"{PATH}/{user['id']}")).status_code == 204
    assert (await banco.delete(f"{PATH}/{user['id']}")).status_code == 404
    await asyncio.sleep(0.95)
    assert (await member.get("/v1/workflows")).status_code == 401
    assert (await luis.login()).status_code == 401
    await invite(rival, luis.email)
    async with services.database.reading() as connection:
        rows = await connection.scalars(text("SELECT audit_log::text FROM audit_log"))
        assert luis.email not in "".join(rows)


async def test_a_changed_address_counts_once_confirmed_and_the_old_one_is_told_first(
    client,
    banco,
    mails,
):
    luis = await join(client, mails, banco, "luis@banco.example", "REVIEWER")
    user = await user_of(banco, luis.email)
    answer = await banco.patch(f"{PATH}/{user['id']}", json={"email": "luisa@banco.example"})
    assert answer.status_code == 200
    assert answer.json()["user"] == user | {"pendingEmail": "luisa@banco.example"}
    arrived = await mails.arrive()
    *_, warning = (mail for mail in arrived if mail["destination"] == "luis@banco.example")
    (confirmation,) = (mail for mail in arrived if mail["destination"] == "luisa@banco.example")
    assert warning["createdAt"] <= confirmation["createdAt"]
    assert "http" not in warning["body"]
    assert "luisa" not in warning["body"]
    luisa = Person(client, "luisa@banco.example")
    assert (await luisa.login()).status_code == 401
    assert (await luis.login()).status_code == 200

    await luis.forget()
    link_to_the_old_address = token_in(await mail_to(mails, luis.email))
    token = confirmation_token(confirmation)
    assert (await confirm(client, token)).status_code == 200
    assert (await luisa.login()).status_code == 200
    assert (await luis.login()).status_code == 401
    assert (await luis.reset(link_to_the_old_address, PASSWORD)).status_code == 422
    assert (await confirm(client, token)).status_code == 422
    shown = await user_of(banco, "luisa@banco.example")
    assert shown == user | {"email": "luisa@banco.example", "pendingEmail": None}


async def test_a_link_confirms_the_address_that_waits_now_and_no_other(
    client,
    banco,
    mails,
    clock,
):
    user = await invite(banco, "luis@banco.example")
    path = f"{PATH}/{user['id']}"
    await banco.patch(path, json={"email": "one@banco.example"})
    one = confirmation_token(await mail_to(mails, "one@banco.example"))
    await banco.patch(path, json={"email": "two@banco.example"})
    two = confirmation_token(await mail_to(mails, "two@banco.example"))
    changed = two[:-5] + ("AAAAA" if two[-5:] != "AAAAA" else "BBBBB")
    for spent in (one, changed, "x" * 32, "x" * 75, "ñ" * 40, "=" * 75):
        answer = await confirm(client, spent)
        assert (answer.status_code, answer.json()["error"]["code"]) == (422, "VALIDATION_ERROR")
    # The present address withdraws the wish.
    withdrawn = await banco.patch(path, json={"email": "Luis@banco.example"})
    assert withdrawn.json()["user"]["pendingEmail"] is None
    assert (await confirm(client, two)).status_code == 422
    await banco.patch(path, json={"email": "two@banco.example"})
    clock.ahead = timedelta(days=1, seconds=1)
    assert (await confirm(client, two)).status_code == 422


async def test_an_address_that_was_taken_meanwhile_is_a_conflict(client, banco, rival, mails):
    user = await invite(banco, "luis@banco.example")
    await banco.patch(f"{PATH}/{user['id']}", json={"email": "new@banco.example"})
    token = confirmation_token(await mail_to(mails, "new@banco.example"))
    await invite(rival, "NEW@banco.example")
    again = await banco.patch(f"{PATH}/{user['id']}", json={"email": "new@banco.example"})
    assert again.status_code == 409
    answer = await confirm(client, token)
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "CONFLICT")
    assert (await user_of(banco, "luis@banco.example"))["pendingEmail"] == "new@banco.example"


async def test_one_who_had_not_joined_is_invited_at_the_confirmed_address(client, banco, mails):
    user = await invite(banco, "typo@banco.example")
    wrong = token_in(await mail_to(mails, "typo@banco.example"))
    await banco.patch(f"{PATH}/{user['id']}", json={"email": "luis@banco.example"})
    token = confirmation_token(await mail_to(mails, "luis@banco.example"))
    assert (await confirm(client, token)).status_code == 200
    luis = Person(client, "luis@banco.example")
    assert (await luis.reset(wrong, PASSWORD)).status_code == 422
    right = token_in(await mail_to(mails, luis.email))
    assert (await luis.reset(right, PASSWORD)).status_code == 200
    assert (await luis.login()).status_code == 200


@pytest.mark.parametrize(
    "body", [{"email": None}, {"role": None}, {"role": "ROOT"}, {"isActive": False}, {"id": "x"}]
)
async def test_a_change_out_of_bounds_changes_nothing(banco, body):
    user = await invite(banco, "luis@banco.example")
    path = f"{PATH}/{user['id']}"
    assert (await banco.patch(path, json={"role": "MEMBER"} | body)).status_code == 422
    assert await user_of(banco, "luis@banco.example") == user
    assert (await banco.patch(path, json={})).json()["user"] == user


async def test_users_of_another_organization_are_not_found(banco, rival):
    user = await invite(banco, "luis@banco.example")
    for answer in (
        await rival.patch(f"{PATH}/{user['id']}", json={"role": "MEMBER"}),
        await rival.delete(f"{PATH}/{user['id']}"),
        await rival.post(f"{PATH}/{user['id']}/invitation"),
    ):
        assert answer.status_code == 404
    assert await user_of(banco, "luis@banco.example") == user


async def test_changes_of_users_are_recorded_by_id_and_digest(banco, services):
    user = await invite(banco, "luis@banco.example")
    await banco.patch(f"{PATH}/{user['id']}", json={"role": "MEMBER", "email": "new@banco.example"})
    await banco.delete(f"{PATH}/{user['id']}")
    logs = (await banco.get(f"/v1/audit-logs?resourceId={user['id']}")).json()["auditLogs"]
    assert [(entry["action"], entry["details"]) for entry in logs] == [
        ("user.removed", {"role": "MEMBER"}),
        (
            "user.updated",
            {
                "changes": ["role", "pendingEmail"],
                "role": "MEMBER",
                "previousRole": "REVIEWER",
            },
        ),
        (
            "user.invited",
            {
                "role": "REVIEWER",
                "email": services.signer.digest("audit-email", b"luis@banco.example").hex(),
            },
        ),
    ]


@pytest.mark.parametrize(("language", "title"), [("es", "Confirma"), ("en", "Confirm your")])
async def test_the_page_of_the_link_confirms_nothing_by_itself(client, language, title):
    answer = await client.get(
        "/confirm-email?token=" + "x" * 75, headers={"Accept-Language": language}
    )
    assert answer.status_code == 200
    assert title in answer.text
    assert "x" * 75 not in answer.text
    assert "default-src 'none'" in answer.headers["content-security-policy"]
