"""One organization's things do not exist for another, nor may a low role touch its own.

Generated from the routes: a new one is held to all of this by being there.
"""

import re
from uuid import uuid4

import pytest
from sqlalchemy import update

from acredita.models import User
from acredita.providers.government.sandbox import BEHAVIOUR_CURPS
from tests.api.edge.turns import in_turns
from tests.factories.belongings import (
    BODIES,
    METAMAP,
    OPERATIONS,
    Operation,
    code_of,
    everything_of,
    make_one_of_each,
)
from tests.factories.organizations import PASSWORD, Member, with_new_key

# Anyone may see the looks of the pages that everyone sees, and the pages themselves.
OPEN = {
    ("GET", "/v1/workflows/{id}/theme"),
    ("GET", "/docs/{name}"),
    ("GET", "/web/{name}"),
    ("GET", "/verify/{verificationId}"),
}
# Addresses that only name their successor, whatever the id is.
RETIRED = f"{METAMAP}/api/v1/"
BY_ID = [
    o
    for o in OPERATIONS
    if o.nouns and (o.method, o.path) not in OPEN and not o.path.startswith(RETIRED)
]
CLOSED = [o for o in OPERATIONS if o.route.permission is not None]
# What a list does not answer without.
NEEDED = {
    "/v1/aml/entries": "?name=Ana",
    "/v1/sandbox/picture": f"?person={next(iter(BEHAVIOUR_CURPS))}&role=front",
}
THE_SAME_ID = {"X-Request-Id": "the-same"}
# What moves by itself: when a key was used last, and the moment of an answer that counts from it.
MOVING = re.compile(r'"(?:lastUsedAt|deliveriesSince|timestamp)":(?:"[^"]*"|null)')
UUIDS = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def named(operation: Operation) -> str:
    return f"{operation.method} {operation.path}"


def test_every_route_that_takes_json_has_a_valid_body_to_be_tried_with():
    missing = [named(o) for o in CLOSED if o.takes_json and (o.method, o.path) not in BODIES]
    assert not missing, "add a body to tests/factories/belongings.py"


async def test_the_things_of_another_organization_are_not_there(banco, rival, services):
    """TEN-01: in every request, a foreign id gets the answer of a random id, without effects."""
    ours = await make_one_of_each(services, banco)
    theirs = await make_one_of_each(services, rival)
    before = await everything_of(services, banco)
    for operation in BY_ID:
        # What a body refers to is the caller's own: the id in the path alone is foreign.
        foreign = operation.request(theirs | {noun: ours[noun] for noun in operation.nouns})
        unknown = operation.request(theirs | {noun: str(uuid4()) for noun in operation.nouns})
        answer = await rival.request(**foreign, headers=THE_SAME_ID)
        assert answer.status_code == 404, named(operation) + answer.text
        assert code_of(answer) == "NOT_FOUND"
        expected = await rival.request(**unknown, headers=THE_SAME_ID)
        assert answer.content == expected.content, named(operation)
        assert set(answer.headers) == set(expected.headers), named(operation)
    assert await everything_of(services, banco) == before


async def test_an_owner_sees_no_more_of_another_organization(client, banco, rival, services):
    """TEN-01 by a token that carries a user."""
    login = await client.post(
        "/v1/auth/login",
        json={
            "email": rival.registration["user"]["email"],
            "password": PASSWORD,
        },
    )
    owner = Member(client, rival.organization_id, "", login.json()["access_token"])
    ours = await make_one_of_each(services, banco)
    ours["users"] = banco.registration["user"]["id"]
    before = await everything_of(services, banco)
    for operation in BY_ID:
        answer = await owner.request(**operation.request(ours))
        assert answer.status_code == 404, named(operation) + answer.text
    assert await everything_of(services, banco) == before


async def test_a_foreign_workflow_in_a_body_is_not_found(banco, rival, services):
    """TEN-02, and for a workflow that was deleted, too: no word of its state."""
    ours = await make_one_of_each(services, banco)
    before = await everything_of(services, rival)
    unknown = await rival.post(
        "/v1/verifications", json={"workflowId": str(uuid4())}, headers=THE_SAME_ID
    )
    for _ in range(2):
        answer = await rival.post(
            "/v1/verifications", json={"workflowId": ours["workflows"]}, headers=THE_SAME_ID
        )
        assert (answer.status_code, answer.content) == (404, unknown.content)
        await banco.delete(f"/v1/workflows/{ours['workflows']}")
    assert await everything_of(services, rival) == before


async def test_nothing_that_one_organization_does_shows_in_anothers_lists(
    app, banco, rival, services
):
    """TEN-03: neither ids nor totals."""
    # A stream ends after its first message.
    app.state.subscriptions.close()
    lists = [
        o
        for o in CLOSED
        if o.method == "GET" and "{" not in o.path and not o.path.startswith(METAMAP)
    ]
    # What is recorded when it is read comes first now, and last below: it shows in the audit log.
    lists.sort(key=lambda o: not o.path.endswith("/export"))
    calls = [(named(o), o.path + NEEDED.get(o.path, "")) for o in lists]
    calls += [("search", "/v1/verifications?search=cliente")]
    before = [(await rival.get(path, headers=THE_SAME_ID)).text for _, path in calls]
    ours = await make_one_of_each(services, banco)
    belonging = "".join(str(rows) for rows in (await everything_of(services, banco)).values())
    foreign = set(UUIDS.findall(belonging)) - {rival.organization_id}
    assert set(ours.values()) <= foreign
    for (name, path), formerly in reversed(list(zip(calls, before, strict=True))):
        answer = await rival.get(path, headers=THE_SAME_ID)
        assert answer.status_code == 200, name
        assert MOVING.sub("", answer.text) == MOVING.sub("", formerly), name
        assert not foreign & set(UUIDS.findall(answer.text)) - set(UUIDS.findall(formerly)), name


THEIR_OWN = ("id", "orgId", "organizationId", "role", "isActive", "createdAt")
VALUES = {"role": "OWNER", "isActive": False, "createdAt": "2020-01-01T00:00:00.000Z"}


@in_turns(3)
async def test_what_callers_may_not_assign_is_refused_and_not_assigned(
    banco, rival, services, share
):
    """TEN-05: in every body that is taken."""
    ours = await make_one_of_each(services, banco)
    before = await everything_of(services, banco)
    tried = 0
    for number, operation in enumerate(CLOSED):
        if not operation.takes_json or operation.path.startswith(METAMAP):
            # Of unknown keys nothing is assigned there; that is shown where it is tested.
            continue
        if not _covers("ADMIN", operation.route.permission.role):
            continue
        for key in THEIR_OWN[number % share :: share]:
            call = operation.request(ours)
            if key in call["json"] or (key == "role" and "api-keys" in operation.path):
                continue
            call["json"][key] = VALUES.get(key, rival.organization_id)
            answer = await banco.request(**call)
            assert answer.status_code == 422, (named(operation), key, answer.text)
            details = answer.json()["error"]["details"]
            assert any(detail.startswith(f"body.{key}: ") for detail in details), details
            tried += 1
    assert tried > 40
    assert await everything_of(services, banco) == before


@pytest.mark.parametrize("role", ["REVIEWER", "MEMBER"])
async def test_too_low_a_role_is_refused_and_changes_nothing(client, banco, services, role):
    """AUT-09: on every route that names a higher one, with valid bodies and ids of its own."""
    ours = await make_one_of_each(services, banco)
    # There are more such routes than a key asks at once.
    member = await with_new_key(banco, role, rateLimit=1000)
    user = await _user(banco, role)
    ways = ({"X-Api-Key": member.api_key}, member.headers, user.headers)
    before = await everything_of(services, banco)
    higher = [o for o in CLOSED if not _covers(role, o.route.permission.role)]
    assert len(higher) >= 16
    for operation in higher:
        for headers in ways:
            call = operation.request(ours) | {"headers": headers}
            answer = await client.request(call.pop("method"), call.pop("path"), **call)
            assert answer.status_code == 403, named(operation) + answer.text
            assert code_of(answer) == "FORBIDDEN"
    assert await everything_of(services, banco) == before
    for headers in ways:
        seen = await client.get("/v1/workflows", headers=headers)
        assert seen.status_code == 200


def _covers(role, needed):
    order = ["MEMBER", "REVIEWER", "ADMIN", "OWNER"]
    return order.index(role) >= order.index(needed)


async def _user(banco, role) -> Member:
    """Somebody of that role who signed in; the password was set by the mailed link's owner."""
    app = banco.client._transport.app
    services = app.state.services
    invited = await banco.post(
        "/v1/organizations/me/users", json={"email": f"{role}@banco.example", "role": role}
    )
    user = invited.json()["user"]
    async with services.database.transaction() as session:
        password_hash = await services.passwords.hash(PASSWORD)
        await session.execute(
            update(User).where(User.id == user["id"]).values(password_hash=password_hash)
        )
    login = await banco.client.post(
        "/v1/auth/login", json={"email": user["email"], "password": PASSWORD}
    )
    assert login.status_code == 200, login.text
    return Member(banco.client, banco.organization_id, "", login.json()["access_token"], user)
