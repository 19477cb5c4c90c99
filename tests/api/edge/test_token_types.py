"""AUT-03, AUT-05: each type of token, and each thing that looks like one, on every route."""

from urllib.parse import parse_qs, urlparse

import pytest
from jose import jwt

from acredita.api.permissions import may_be_known
from acredita.domain.caller import CallerKind
from acredita.domain.roles import Role
from acredita.domain.token_types import TOKEN_RULES, TokenType
from acredita.kit import ids
from acredita.resources.images import links
from acredita.resources.users.address_links import address_link
from tests.api.edge.turns import in_turns
from tests.factories.belongings import OPERATIONS, code_of, make_one_of_each
from tests.factories.organizations import PASSWORD, make_workflow

FLOW = "/v1/sdk/verifications/{id}"
CLOSED = [o for o in OPERATIONS if o.route.permission is not None]
# A stream goes on, so its answer does not end.
STREAM = "/events"
EITHER_WAY = [o for o in OPERATIONS if may_be_known(o.route.endpoint)]
FLOWS = [o for o in OPERATIONS if o.path.startswith(FLOW)]
REST = [o for o in OPERATIONS if o not in CLOSED + EITHER_WAY + FLOWS]
# What a refusal of a caller looks like. A stranger's verification is 404.
SHUT = {401, 403}


@pytest.fixture
async def session(client, banco):
    opened = await client.post(
        "/v1/sdk/session",
        json={"clientId": banco.organization_id, "flowId": await make_workflow(banco)},
    )
    assert opened.status_code == 201, opened.text
    return opened.json()


@pytest.fixture
async def owners_token(client, banco, forge):
    """As after a second factor: without, it opens nothing once the owner has a passkey."""
    email = banco.registration["user"]["email"]
    answer = await client.post("/v1/auth/login", json={"email": email, "password": PASSWORD})
    return forge(answer.json()["access_token"], mfa=True)


@pytest.fixture
def forge(settings, banco):
    """Return a function that signs a token with our key and any claims."""
    secret = settings.secret_key.get_secret_value()
    kid = jwt.get_unverified_header(banco.token)["kid"]

    def make(original, **changes):
        claims = jwt.get_unverified_claims(original) | changes
        said = {name: value for name, value in claims.items() if value is not None}
        return jwt.encode(said, secret, algorithm="HS256", headers={"kid": kid})

    return make


@pytest.fixture
def impostors(services, banco, owners_token, session, forge):
    """What is signed by our secrets and is no token of the table."""
    owner_id = banco.registration["user"]["id"]
    now = services.clock.now()
    verification_id = session["verificationId"]
    link = urlparse(links.image_link(services, ids.parse(verification_id), now)).query
    media = urlparse(links.media_link(services, ids.parse(verification_id), now)).query
    address = urlparse(
        address_link(services, services.clock, ids.parse(owner_id), "ana@banco.example")
    ).query
    token, flow = banco.token, session["token"]
    audiences = {each: TOKEN_RULES[each].audience for each in TokenType}
    return {
        "a holder of a key's id": forge(token, typ="holder"),
        "a holder of a user's id": forge(owners_token, typ="holder"),
        "a holder of a verification": forge(flow, typ="holder"),
        "a holder by role": forge(flow, typ="holder", aud="acredita-api", role="OWNER"),
        "a key's prefix": forge(token, typ="prefix"),
        "no type": forge(token, typ=None),
        "an empty type": forge(token, typ=""),
        "a type in capitals": forge(token, typ="CLIENT"),
        "a list of types": forge(token, typ=["client"]),
        "a client's as a user's": forge(token, typ="user", ver=0),
        "a client's as a session's": forge(token, typ="sdk"),
        "a user's as a client's": forge(owners_token, typ="client"),
        "a user's as a session's": forge(owners_token, typ="sdk"),
        "a session's as a client's": forge(flow, typ="client"),
        "a session's as a user's": forge(flow, typ="user", ver=0),
        "a session's as a client's, audience too": forge(flow, typ="client", aud="acredita-api"),
        "a session's as a user's, audience too": forge(
            flow, typ="user", aud=audiences[TokenType.USER], ver=0
        ),
        "a client's for users": forge(token, aud=audiences[TokenType.USER]),
        "a client's for sessions": forge(token, aud=audiences[TokenType.SESSION]),
        "a user's for sessions": forge(owners_token, aud=audiences[TokenType.SESSION]),
        "a session's for users": forge(flow, aud=audiences[TokenType.USER]),
        "no audience": forge(token, aud=None),
        "two audiences": forge(token, aud=list(audiences.values())),
        "a session's without an audience": forge(flow, aud=None),
        "the key of a document's link": parse_qs(link)["key"][0],
        "the key of a picture's link": parse_qs(media)["key"][0],
        "the token of an address link": parse_qs(address)["token"][0],
        "the id of a verification": verification_id,
        "a raw API key": banco.api_key,
    }


def bearer(token):
    return {"Authorization": f"Bearer {token}"}


async def ask(client, operation, named, **options):
    """Ask as the route wants to be asked, but with a broken body where that would change things."""
    if operation in CLOSED + REST:
        call = {"content": b"{"}
    else:
        call = operation.request(named)
        del call["method"], call["path"]
    if "params" in options:
        options["params"] = call.pop("params", {}) | options["params"]
    return await client.request(operation.method, operation.address(named), **call, **options)


@pytest.mark.slow
@in_turns(9)
async def test_what_is_signed_but_of_no_type_opens_nothing_of_any_route(
    client, services, banco, session, impostors, share
):
    """Every route refuses several of them, and each of them is refused by every so many routes."""
    named = await make_one_of_each(services, banco)
    named["verifications"] = session["verificationId"]
    assert len(CLOSED) > 80
    assert len(EITHER_WAY) == 4
    assert len(FLOWS) >= 6
    assert len(impostors) > 3 * share
    for number, (name, token) in enumerate(impostors.items()):
        for operation in (*CLOSED[number % share :: share], *EITHER_WAY, *FLOWS):
            answer = await ask(client, operation, named, headers=bearer(token))
            assert answer.status_code == 401, (name, operation.method, operation.path, answer.text)
            assert code_of(answer) in {"UNAUTHORIZED", "invalid_token"}, (name, operation.path)


@pytest.mark.slow
@in_turns(2)
async def test_a_sessions_token_opens_the_flow_of_its_verification_and_nothing_else(
    client, services, banco, session, share
):
    named = await make_one_of_each(services, banco)
    own = named | {"verifications": session["verificationId"]}
    token = session["token"]
    for number, headers in enumerate((bearer(token), {"X-Api-Key": token})):
        for operation in (*CLOSED[number % share :: share], *EITHER_WAY):
            answer = await ask(client, operation, own, headers=headers)
            assert answer.status_code == 401, (operation.method, operation.path, answer.text)
    for operation in FLOWS:
        elsewhere = await ask(client, operation, named, headers=bearer(token))
        assert elsewhere.status_code == 401, (operation.method, operation.path)
        if not operation.path.endswith(STREAM):
            answer = await ask(client, operation, own, headers=bearer(token))
            assert answer.status_code not in SHUT, (operation.path, answer.text)


@pytest.mark.slow
@in_turns(2)
async def test_tokens_of_callers_open_routes_of_their_role_in_their_organization(
    client, services, banco, rival, owners_token, session, share
):
    named = await make_one_of_each(services, banco)
    foreign = await make_one_of_each(services, rival)
    callers = ((banco.token, Role.ADMIN), (owners_token, Role.OWNER))
    for number, (token, role) in enumerate(callers):
        for operation in CLOSED[number % share :: share]:
            if operation.path.endswith(STREAM) and role.covers(operation.route.permission.role):
                continue
            answer = await ask(client, operation, named, headers=bearer(token))
            is_shut = answer.status_code in SHUT
            assert is_shut != role.covers(operation.route.permission.role), operation.path
        for operation in EITHER_WAY:
            answer = await ask(client, operation, named, headers=bearer(token))
            assert answer.status_code not in SHUT, operation.path
        for operation in FLOWS:
            answer = await ask(client, operation, foreign, headers=bearer(token))
            assert answer.status_code in {401, 404}, operation.path


@in_turns(3)
async def test_a_token_in_the_wrong_place_opens_nothing(
    client, services, banco, session, owners_token, share
):
    """Bearers as `?key=` of pictures, as `?token=` of flows and pages, and as API keys."""
    named = await make_one_of_each(services, banco)
    own = named | {"verifications": session["verificationId"]}
    tokens = (banco.token, owners_token, session["token"])
    for number, token in enumerate(tokens):
        for operation in EITHER_WAY:
            answer = await ask(client, operation, named, params={"key": token})
            assert answer.status_code == 401, operation.path
        for operation in CLOSED[number % share :: share]:
            answer = await ask(client, operation, named, headers={"X-Api-Key": token})
            assert answer.status_code == 401, operation.path
        reset = {"token": token, "password": "another long password of mine"}
        assert (await client.post("/v1/auth/reset-password", json=reset)).status_code == 422
    for token in (banco.token, owners_token, banco.api_key):
        for operation in FLOWS:
            answer = await ask(client, operation, own, params={"token": token})
            assert answer.status_code == 401, operation.path


@in_turns(2)
async def test_a_link_opens_its_own_picture_alone(client, services, banco, share):
    named = await make_one_of_each(services, banco)
    now = services.clock.now()
    document = links.image_link(services, ids.parse(named["documents"]), now)
    media = links.media_link(services, ids.parse(named["media"]), now)
    opened = {
        parse_qs(urlparse(link).query)["key"][0]: paths
        for link, paths in (
            (document, {"/v1/documents/{id}/image", "/v1/metamap/file"}),
            (media, {"/v1/passport-image/{mediaId}", "/v1/training/media/{mediaId}"}),
        )
    }
    for number, (key, paths) in enumerate(opened.items()):
        own = [operation for operation in CLOSED if operation.path in paths]
        for operation in (*CLOSED[number % share :: share], *own, *EITHER_WAY):
            answer = await ask(client, operation, named, params={"key": key})
            opens = answer.status_code == 200
            assert opens == (operation.path in paths), (operation.path, answer.status_code)
            assert opens or answer.status_code == 401, (operation.path, answer.status_code)


async def test_a_public_route_answers_the_same_whatever_token_is_sent(client, impostors, banco):
    """Public routes look at no token, so that none can open more of them."""
    named = {"workflows": await make_workflow(banco)}
    for operation in REST:
        if "{" in operation.path.replace("workflows/{id}", "") or operation.path == "/metrics":
            continue
        plain = await ask(client, operation, named)
        for token in (banco.token, impostors["a holder of a key's id"]):
            answer = await ask(client, operation, named, headers=bearer(token))
            assert answer.status_code == plain.status_code, operation.path


def test_no_type_of_token_proves_a_holder():
    assert {rules.caller for rules in TOKEN_RULES.values()} == {
        CallerKind.CLIENT,
        CallerKind.USER,
        None,
    }
    audiences = [rules.audience for rules in TOKEN_RULES.values()]
    assert len(set(audiences)) == len(audiences) == len(TokenType)


async def test_a_token_of_before_the_audiences_goes_on_for_its_own_type(
    client, owners_token, session, forge
):
    former = forge(owners_token, aud="acredita-api")
    me = await client.get("/v1/organizations/me", headers=bearer(former))
    assert me.status_code == 200
    former = forge(session["token"], aud="acredita-api")
    mine = f"/v1/sdk/verifications/{session['verificationId']}"
    assert (await client.get(mine, headers=bearer(former))).status_code == 200
    assert (await client.get("/v1/workflows", headers=bearer(former))).status_code == 401
