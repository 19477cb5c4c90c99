"""Passkeys: an authenticator of the test's own answers as browsers do (WebAuthn level 2)."""

import base64
import hashlib
import json
import os

import cbor2
import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

from tests.api.accounts.browsers import Tab

ME = "/v1/organizations/me"
PASSKEYS = "/v1/auth/passkeys"
SIGN_IN = "/v1/auth/session/passkey"
PRESENT, VERIFIED, ATTESTED = 1, 4, 64


@pytest.fixture(autouse=True)
def checks_are_not_remembered(monkeypatch):
    monkeypatch.setattr("acredita.api.session_credentials.CACHE_SECONDS", 0)


def encoded(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


class Authenticator:
    """A passkey with an ES256 key."""

    def __init__(self, rp_id: str = "test", origin: str = "http://test") -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.id, self.rp_id, self.origin, self.count = os.urandom(16), rp_id, origin, 0
        self.flags = PRESENT | VERIFIED

    def _client(self, kind: str, options: dict) -> bytes:
        said = {"type": kind, "challenge": options["challenge"], "origin": self.origin}
        return json.dumps(said).encode()

    def _data(self, flags: int, tail: bytes = b"") -> bytes:
        self.count += 1
        head = hashlib.sha256(self.rp_id.encode()).digest()
        return head + bytes([flags]) + self.count.to_bytes(4, "big") + tail

    def create(self, options: dict) -> dict:
        point = self.key.public_key().public_numbers()
        cose = {
            1: 2,
            3: -7,
            -1: 1,
            -2: point.x.to_bytes(32, "big"),
            -3: point.y.to_bytes(32, "big"),
        }
        tail = bytes(16) + len(self.id).to_bytes(2, "big") + self.id + cbor2.dumps(cose)
        made = {"fmt": "none", "attStmt": {}, "authData": self._data(self.flags | ATTESTED, tail)}
        return self._credential(
            clientDataJSON=self._client("webauthn.create", options),
            attestationObject=cbor2.dumps(made),
        )

    def get(self, options: dict) -> dict:
        client, data = self._client("webauthn.get", options), self._data(self.flags)
        signed = data + hashlib.sha256(client).digest()
        return self._credential(
            clientDataJSON=client,
            authenticatorData=data,
            signature=self.key.sign(signed, ec.ECDSA(hashes.SHA256())),
        )

    def _credential(self, **response: bytes) -> dict:
        return {
            "id": encoded(self.id),
            "rawId": encoded(self.id),
            "type": "public-key",
            "response": {name: encoded(value) for name, value in response.items()},
        }


async def add(tab: Tab, key: Authenticator):
    options = await tab.request("POST", f"{PASSKEYS}/options")
    assert options.status_code == 200, options.text
    body = {"name": "Laptop", "credential": key.create(options.json()["publicKey"])}
    return await tab.request("POST", PASSKEYS, json=body)


async def asked(tab: Tab) -> dict:
    return (await tab.request("POST", f"{SIGN_IN}-options")).json()["publicKey"]


async def enter(tab: Tab, credential: dict):
    return await tab.request("POST", SIGN_IN, json={"credential": credential})


def refusal(answer):
    return answer.status_code, answer.json()["error"]["code"]


@pytest.fixture
async def tab(client, ana) -> Tab:
    tab = Tab(client)
    assert (await tab.sign_in(ana.email)).status_code == 201
    return tab


async def test_a_user_signs_in_with_a_passkey_alone_and_the_password_is_not_enough(
    client, ana, tab, banco
):
    key = Authenticator()
    added = await add(tab, key)
    assert added.status_code == 201, added.text
    assert len(added.json()["recoveryCodes"]) == 10
    passkey = added.json()["passkey"]
    other = Tab(client)
    options = await asked(other)
    assert not options.get("allowCredentials")
    assert options["userVerification"] == "required"
    answer = key.get(options)
    entered = await enter(other, answer)
    assert entered.status_code == 201, entered.text
    assert (entered.json()["state"], entered.json()["user"]["email"]) == ("ACTIVE", ana.email)
    assert (await other.request("GET", ME)).status_code == 200
    # The answer counts once, although five minutes are not over.
    assert refusal(await enter(Tab(client), answer)) == (401, "SECOND_FACTOR_WRONG")
    by_password = Tab(client)
    body = (await by_password.sign_in(ana.email)).json()
    assert (body["state"], body["factors"]) == ("SECOND_FACTOR", ["PASSKEY", "RECOVERY_CODE"])
    assert (await enter(by_password, key.get(await asked(by_password)))).status_code == 201
    listed = (await other.request("GET", PASSKEYS)).json()["passkeys"]
    assert [(one["id"], one["name"]) for one in listed] == [(passkey["id"], "Laptop")]
    await banco.patch(ME, json={"secondFactorRequired": True})
    last = await other.request("DELETE", f"{PASSKEYS}/{passkey['id']}")
    assert refusal(last) == (409, "LAST_SECOND_FACTOR")
    second = await add(other, Authenticator())
    assert second.json()["recoveryCodes"] is None
    removed = await other.request("DELETE", f"{PASSKEYS}/{passkey['id']}")
    assert removed.status_code == 204
    gone = await enter(Tab(client), key.get(await asked(Tab(client))))
    assert refusal(gone) == (401, "SECOND_FACTOR_WRONG")


async def test_answers_of_another_site_without_the_person_or_of_a_copied_key_are_refused(
    client, ana, tab, rosa
):
    key = Authenticator()
    assert (await add(tab, key)).status_code == 201
    stranger = Tab(client)

    async def changed(**attributes):
        before = {name: getattr(key, name) for name in attributes}
        vars(key).update(attributes)
        answer = key.get(await asked(stranger))
        vars(key).update({name: value for name, value in before.items() if name != "count"})
        return refusal(await enter(stranger, answer))

    refused = (401, "SECOND_FACTOR_WRONG")
    assert await changed(origin="https://evil.example") == refused
    assert await changed(rp_id="evil.example") == refused
    assert await changed(flags=PRESENT) == refused
    assert await changed(key=ec.generate_private_key(ec.SECP256R1())) == refused
    assert await changed(id=os.urandom(16)) == refused
    used = key.get(await asked(stranger))
    assert (await enter(Tab(client), used)).status_code == 201
    assert await changed(count=0) == refused
    # A challenge of our own choice, one of a registration, and nonsense.
    own = {"challenge": encoded(os.urandom(32))}
    registration = (await tab.request("POST", f"{PASSKEYS}/options")).json()["publicKey"]
    for answer in (key.get(own), key.get(registration), {}, {"response": 1, "rawId": []}):
        assert refusal(await enter(stranger, answer)) == refused
    # A user's registration is answered by that user alone.
    other = Tab(client)
    await other.sign_in(rosa.email)
    body = {"name": "x", "credential": Authenticator().create(registration)}
    assert refusal(await other.request("POST", PASSKEYS, json=body)) == refused
    evil = await other.request(
        "POST", SIGN_IN, json={"credential": used}, headers={"Origin": "https://evil.example"}
    )
    assert refusal(evil) == (403, "ORIGIN_NOT_ALLOWED")


async def test_one_passkey_belongs_to_one_user(client, ana, tab, rosa):
    key = Authenticator()
    assert (await add(tab, key)).status_code == 201
    other = Tab(client)
    await other.sign_in(rosa.email)
    assert refusal(await add(other, key)) == (409, "CONFLICT")
