"""Sign-in with an organization's identity provider: a real one, and what attackers make of it."""

import re
from datetime import timedelta
from urllib.parse import parse_qs, urlsplit
from uuid import UUID

import httpx
import pytest
from sqlalchemy import select, update

from acredita.access.openid import ProviderInvalid
from acredita.access.openid.provider import ENDPOINTS, _metadata
from acredita.models import AuditEntry, IdentityProvider, User
from tests.api.accounts.browsers import Tab
from tests.factories.openid_provider import (
    CLIENT_ID,
    CLIENT_SECRET,
    OpenIdProvider,
    new_key,
    openid_provider,
)
from tests.factories.organizations import PASSWORD

ME = "/v1/organizations/me"
PATH = f"{ME}/identity-provider"
FLOW_COOKIE = "__Host-acredita_provider_sign_in"
FAILED = "user.sign_in_failed"
REFUSAL = {"method": "PASSWORD", "reason": "PROVIDER_SIGN_IN_REQUIRED"}
ROLES = [{"group": "kyc", "role": "REVIEWER"}, {"group": "admins", "role": "ADMIN"}]


@pytest.fixture(autouse=True)
def checks_are_not_remembered(monkeypatch):
    monkeypatch.setattr("acredita.api.session_credentials.CACHE_SECONDS", 0)
    monkeypatch.setattr("acredita.api.credentials.CACHE_SECONDS", 0)


@pytest.fixture
async def provider():
    person = {"sub": "1", "email": "luz@banco.example", "email_verified": True}
    async with openid_provider(person=person, more={"groups": ["kyc"]}) as provider:
        yield provider


class Visitor(Tab):
    """A browser that follows the provider's redirects."""

    def __init__(self, client: httpx.AsyncClient, slug: str) -> None:
        super().__init__(client)
        self.slug, self.flow = slug, ""

    async def begin(self) -> str:
        body = {"organization": self.slug}
        answer = await self.request("POST", "/v1/auth/oidc/start", json=body)
        assert answer.status_code == 200, answer.text
        cookie = answer.headers["set-cookie"]
        assert re.search("HttpOnly.*Path=/; SameSite=lax; Secure", cookie)
        self.flow = re.search(f"{FLOW_COOKIE}=([^;]+)", cookie)[1]
        return answer.json()["authorizationUrl"]

    async def visit_provider(self, url: str) -> str:
        """Return the callback's address, as the provider sends the browser there."""
        async with httpx.AsyncClient() as browser:
            answer = await browser.get(url)
        assert answer.status_code == 302, answer.text
        return answer.headers["location"].removeprefix("http://test")

    async def come_back(self, address: str) -> str:
        """Return the failure's code; empty if a session is open."""
        answer = await self.request(
            "GET", address, headers={"Cookie": f"{FLOW_COOKIE}={self.flow}"}
        )
        assert answer.status_code == 303, answer.text
        assert answer.headers["referrer-policy"] == "no-referrer"
        target = urlsplit(answer.headers["location"])
        assert target.path == "/console/sign-in"
        return parse_qs(target.query).get("failure", [""])[0]

    async def enter(self) -> str:
        failure = await self.come_back(await self.visit_provider(await self.begin()))
        if not failure:
            self.session = (await self.request("GET", "/v1/auth/session")).json()
            self.csrf = self.session["csrfToken"]
        return failure


def configuration(provider: OpenIdProvider, **changes) -> dict:
    return {
        "issuer": provider.issuer,
        "clientId": CLIENT_ID,
        "clientSecret": CLIENT_SECRET,
        "allowedDomains": ["banco.example"],
        "roles": ROLES,
        **changes,
    }


@pytest.fixture
async def owner(client, ana) -> Tab:
    tab = Tab(client)
    assert (await tab.sign_in(ana.email)).status_code == 201
    return tab


@pytest.fixture
def put(owner, provider):
    async def configure(**changes) -> httpx.Response:
        return await owner.request("PUT", PATH, json=configuration(provider, **changes))

    return configure


@pytest.fixture
def visitor(client, banco):
    return Visitor(client, banco.registration["org"]["slug"])


async def test_a_person_joins_by_the_provider_with_the_role_of_the_groups(
    client, owner, put, provider, visitor, services, banco
):
    unknown = await client.post("/v1/auth/oidc/start", json={"organization": visitor.slug})
    assert unknown.status_code == 404
    answer = await put()
    assert answer.status_code == 200, answer.text
    assert CLIENT_SECRET not in answer.text
    shown = (await owner.request("GET", PATH)).json()
    assert shown == answer.json()
    assert shown["redirectUri"] == "http://test/auth/oidc/callback"
    assert await visitor.enter() == ""
    assert visitor.session["state"] == "ACTIVE"
    assert visitor.session["user"]["role"] == "REVIEWER"
    assert (await visitor.request("GET", "/v1/reviews")).status_code == 200
    listed = (await owner.request("GET", f"{ME}/users")).json()["users"]
    assert {(one["email"], one["hasJoined"]) for one in listed} >= {("luz@banco.example", True)}
    # The same person later, whose address has changed and is not verified, with other groups.
    first = visitor.session["user"]["id"]
    former = visitor.cookie
    provider.person = {"sub": "1", "email": "luz@otro.example", "email_verified": False}
    provider.more = {"groups": ["admins", "kyc"]}
    assert await visitor.enter() == ""
    assert (visitor.session["user"]["id"], visitor.session["user"]["role"]) == (first, "ADMIN")
    # The session with the former role has ended.
    visitor.cookie, now = former, visitor.cookie
    assert (await visitor.request("GET", ME)).status_code == 401
    visitor.cookie = now
    # Metadata and keys are read once, not at each sign-in; the configuration read the metadata.
    assert provider.asked == ["discovery", "keys"]
    provider.more = {"groups": ["nobody"]}
    assert await visitor.enter() == "NOT_ALLOWED"
    async with services.database.reading() as connection:
        actions = list(await connection.scalars(select(AuditEntry.action)))
        (sealed,) = await connection.scalars(select(IdentityProvider.client_secret_sealed))
    assert CLIENT_SECRET.encode() not in sealed
    assert actions.count("user.joined") == 1
    assert {
        "organization.identity_provider_set",
        "organization.provider_sign_in_refused",
        "user.updated",
    } <= set(actions)
    removed = await owner.request("DELETE", PATH)
    assert removed.status_code == 204
    assert (await visitor.request("GET", ME)).status_code == 401
    assert (await owner.request("GET", PATH)).json()["identityProvider"] is None


async def test_only_verified_addresses_of_the_organization_enter(
    put, provider, visitor, banco, rosa, owner, services
):
    assert (await put(roles=[], defaultRole=None)).status_code == 200
    # Nobody gets a role by the domain alone, if there is no default.
    assert await visitor.enter() == "NOT_ALLOWED"
    # The address of an OWNER, which the provider has not verified, or names as text.
    ana = banco.registration["user"]["email"]
    for verified in ({"email_verified": False}, {}, {"email_verified": "false"}):
        provider.person = {"sub": "2", "email": ana, **verified}
        assert await visitor.enter() == "EMAIL_UNVERIFIED", verified
    # A user of another organization, although verified.
    provider.person = {"sub": "3", "email": rosa.email, "email_verified": True}
    assert await visitor.enter() == "NOT_ALLOWED"
    # The invited person, of a foreign domain: she keeps the role of the invitation.
    email = "luis@fuera.example"
    await owner.request("POST", f"{ME}/users", json={"email": email, "role": "REVIEWER"})
    provider.person = {"sub": "4", "email": email.upper(), "xms_edov": True}
    assert await visitor.enter() == ""
    assert visitor.session["user"] == {
        "id": visitor.session["user"]["id"],
        "email": email,
        "role": "REVIEWER",
    }
    # The userinfo endpoint verifies another address than the ID token names, and then this one.
    groups, other = {"groups": ["kyc"]}, {"email": "yo@banco.example", "email_verified": True}
    provider.person, provider.more = {"sub": "8", "email": ana}, groups | other
    assert await visitor.enter() == "EMAIL_UNVERIFIED"
    # The provider gives the address to another person.
    provider.person = {"sub": "5", "email": email, "email_verified": True}
    assert await visitor.enter() == "NOT_ALLOWED"
    # An OWNER stays one, whatever the groups say.
    assert (await put()).status_code == 200
    provider.person, provider.more = {"sub": "6", "email": ana, "email_verified": True}, {}
    assert await visitor.enter() == ""
    assert visitor.session["user"]["role"] == "OWNER"
    # Of a domain that only looks alike.
    provider.more = {"groups": ["kyc"]}
    provider.person = {"sub": "7", "email": "x@no.banco.example", "email_verified": True}
    assert await visitor.enter() == "NOT_ALLOWED"


def test_an_issuer_on_https_names_no_endpoint_without_it():
    issuer = "https://login.banco.example"
    named = {name: f"{issuer}/{name}" for name in (*ENDPOINTS, "userinfo_endpoint")}
    assert _metadata(named | {"issuer": issuer}, issuer).userinfo_endpoint is not None
    for name in named:
        plain = named | {"issuer": issuer, name: f"http://login.banco.example/{name}"}
        with pytest.raises(ProviderInvalid):
            _metadata(plain, issuer)


async def test_a_forged_or_repeated_answer_opens_nothing(client, put, provider, visitor, banco):
    assert (await put()).status_code == 200

    def changed(**claims):
        return lambda given: given | claims

    def unsigned(token: str) -> str:
        return f"eyJhbGciOiJub25lIn0.{token.split('.')[1]}."

    forgeries = {
        "issuer": {"forge": changed(iss="https://evil.example")},
        "audience": {"forge": changed(aud="another")},
        "several audiences": {"forge": changed(aud=["another", CLIENT_ID])},
        "party": {"forge": changed(azp="another")},
        "expiry": {"forge": changed(exp=1_700_000_000)},
        "age": {"forge": changed(iat=1_700_000_000)},
        "nonce": {"forge": changed(nonce="of another sign-in")},
        "subject": {"forge": changed(sub="")},
        "no signature": {"forge_token": unsigned},
        "no token": {"forge_token": lambda token: "x"},
    }
    for name, forgery in forgeries.items():
        for part, value in forgery.items():
            setattr(provider, part, value)
        assert await visitor.enter() == "INVALID", name
        provider.forge, provider.forge_token = (lambda given: given), (lambda token: token)
    # Login CSRF: the answer of a sign-in that another browser began.
    begun = await visitor.begin()
    address = await visitor.visit_provider(begun)
    victim = Visitor(client, visitor.slug)
    await victim.begin()
    assert await victim.come_back(address) == "EXPIRED"
    victim.flow = ""
    assert await victim.come_back(address) == "EXPIRED"
    # Mix-up: another provider's answer; and the sign-in is used up by it.
    assert await visitor.come_back(address.replace("localhost", "evil")) == "INVALID"
    assert await visitor.come_back(address) == "EXPIRED"
    # A code that was used, or that another sign-in was given (PKCE).
    first = await visitor.visit_provider(await visitor.begin())
    second = await visitor.visit_provider(await visitor.begin())
    code = parse_qs(urlsplit(first).query)["code"][0]
    swapped = re.sub("code=[^&]+", f"code={code}", second)
    assert await visitor.come_back(swapped) == "INVALID"
    provider.declines = True
    assert await visitor.enter() == "DENIED"
    provider.declines = False
    assert await visitor.enter() == ""
    # There were more: anyone can cause them, so the audit log takes ten in a quarter of an hour.
    refused = "/v1/audit-logs?action=organization.provider_sign_in_refused"
    assert (await banco.get(refused)).json()["pagination"]["total"] == 10


async def test_the_browsers_former_session_ends_once_the_provider_has_signed_in(
    put, provider, visitor, ana
):
    assert (await put()).status_code == 200
    assert (await visitor.sign_in(ana.email)).status_code == 201
    former = visitor.cookie
    provider.declines = True
    assert await visitor.enter() == "DENIED"
    assert (await visitor.request("GET", ME)).status_code == 200
    provider.declines = False
    assert await visitor.enter() == ""
    assert visitor.session["user"]["email"] == "luz@banco.example"
    visitor.cookie, now = former, visitor.cookie
    assert (await visitor.request("GET", ME)).status_code == 401
    # A secret that names another session has no sign-in.
    visitor.cookie = now
    address = await visitor.visit_provider(await visitor.begin())
    visitor.flow = visitor.flow[:43] + "A" * 43
    assert await visitor.come_back(address) == "EXPIRED"


async def test_new_keys_of_the_provider_count_and_foreign_ones_do_not(
    put, provider, visitor, clock, app
):
    app.state.providers._clock = clock
    assert (await put()).status_code == 200
    assert await visitor.enter() == ""
    provider.key = new_key()
    # So soon, the keys are not read again: forged tokens cause no flood.
    assert await visitor.enter() == "INVALID"
    clock.ahead += timedelta(seconds=31)
    assert await visitor.enter() == ""
    assert provider.asked == ["discovery", "keys", "keys"]
    # A key that only bears the name of the published one.
    provider.stolen = new_key(provider.key.kid)
    clock.ahead += timedelta(seconds=31)
    assert await visitor.enter() == "INVALID"


async def test_only_turns_passwords_off_for_all_but_owners(
    put, visitor, owner, client, ana, services
):
    assert (await put()).status_code == 200
    assert await visitor.enter() == ""
    email, user_id = visitor.session["user"]["email"], visitor.session["user"]["id"]
    async with services.database.transaction() as session:
        hashed = await services.passwords.hash(PASSWORD)
        await session.execute(
            update(User).where(User.id == UUID(user_id)).values(password_hash=hashed)
        )
    person = Tab(client)
    assert (await person.sign_in(email)).status_code == 201
    assert (await put(only=True)).status_code == 200
    for tab in (person, visitor):
        assert (await tab.request("GET", ME)).status_code == 401
    for path in ("/v1/auth/session", "/v1/auth/login"):
        refused = await client.post(path, json={"email": email, "password": PASSWORD})
        assert refused.status_code == 403, refused.text
        assert refused.json()["error"]["code"] == "PROVIDER_SIGN_IN_REQUIRED"
        wrong = await client.post(path, json={"email": email, "password": "another one"})
        assert wrong.status_code == 401
    # The audit log has each refusal, up to ten of them.
    for entries in (2, 10, 10):
        shown = (await owner.request("GET", f"/v1/audit-logs?action={FAILED}")).json()
        refusals = [entry for entry in shown["auditLogs"] if entry["details"] == REFUSAL]
        assert len(refusals) == entries
        assert {entry["resourceId"] for entry in refusals} == {user_id}
        for _ in range(11 - entries):
            assert (await person.sign_in(email)).status_code == 403
    assert await visitor.enter() == ""
    # The OWNER enters when the provider fails.
    assert (await Tab(client).sign_in(ana.email)).status_code == 201
    # The provider's second factor counts if the organization says so.
    assert (await put(only=True, secondFactor=True)).status_code == 200
    await owner.request("PATCH", ME, json={"secondFactorRequired": True})
    assert await visitor.enter() == ""
    assert visitor.session["state"] == "ACTIVE"
    async with services.database.transaction() as session:
        await session.execute(update(IdentityProvider).values(is_second_factor=False))
    assert await visitor.enter() == ""
    assert visitor.session["state"] == "SECOND_FACTOR_SETUP"


async def test_a_provider_that_does_not_work_or_is_forbidden_is_refused(
    put, provider, owner, visitor, banco
):
    faults = {
        "issuer": {"issuer": "http://localhost:1"},
        "other issuer": {"issuer": f"{provider.issuer}/"},
        "scopes": {"scopes": ["email"]},
        "role": {"roles": [{"group": "g", "role": "OWNER"}]},
        "group twice": {"roles": [ROLES[0], ROLES[0]]},
        "domain": {"allowedDomains": ["*.banco.example"]},
    }
    for name, changes in faults.items():
        answer = await put(**changes)
        assert answer.status_code == 422, (name, answer.text)
    no_secret = {**configuration(provider)}
    del no_secret["clientSecret"]
    assert (await owner.request("PUT", PATH, json=no_secret)).status_code == 422
    assert (await put()).status_code == 200
    # The stored secret stays.
    assert (await owner.request("PUT", PATH, json=no_secret)).status_code == 200
    assert await visitor.enter() == ""
    # An administrator must not become another user by a provider of their own.
    assert (await banco.request("PUT", PATH, json=no_secret)).status_code == 403


class TestSafely:
    @pytest.fixture
    def settings(self, settings):
        return settings.model_copy(update={"webhook_allow_private": False})

    async def test_addresses_that_are_not_public_are_not_asked(self, put, provider):
        for issuer in (provider.issuer, f"https://127.0.0.1:{provider.port}", "https://10.0.0.1"):
            assert (await put(issuer=issuer)).status_code == 422
        assert provider.asked == []
