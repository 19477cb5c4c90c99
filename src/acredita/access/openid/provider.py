"""Asks a provider: its metadata and keys, kept for a while, tokens, and claims."""

import base64
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import quote, urlencode

import orjson
from joserfc.jwk import KeySet

from acredita.access.openid import id_token
from acredita.access.openid.errors import ProviderInvalid, ProviderUnreachable, SignInInvalid
from acredita.kit.clock import Clock
from acredita.kit.http import HttpClient, HttpError

WELL_KNOWN = "/.well-known/openid-configuration"
KEPT = timedelta(hours=1)
# A token with an unknown key makes the keys be read again: at most this often, so that forged
# tokens cause no flood of requests.
KEYS_READ_EVERY = timedelta(seconds=30)
MOST_KEPT = 256
ENDPOINTS = ("authorization_endpoint", "token_endpoint", "jwks_uri")
FORM = "application/x-www-form-urlencoded"
OK = 200


@dataclass(frozen=True, slots=True)
class Metadata:
    """What the provider says of itself (OpenID Connect Discovery 1.0)."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    keys_url: str
    userinfo_endpoint: str | None
    takes_basic: bool
    # Whether each answer names the issuer (RFC 9207).
    names_issuer: bool


@dataclass(frozen=True, slots=True)
class Client:
    """This service, as a provider knows it."""

    id: str
    secret: str


@dataclass(slots=True)
class _Known:
    metadata: Metadata
    read_at: datetime
    keys: KeySet | None = None
    keys_read_at: datetime | None = None


class Providers:
    """The providers that this process knows. `http` refuses addresses that are not public."""

    def __init__(self, http: HttpClient, clock: Clock) -> None:
        self._http, self._clock = http, clock
        self._known: OrderedDict[str, _Known] = OrderedDict()

    async def discover(self, issuer: str, *, is_fresh: bool = False) -> Metadata:
        """Return the metadata, at most an hour old. Raise ProviderUnreachable.

        `is_fresh`: read it now.
        """
        return (await self._find(issuer, is_fresh=is_fresh)).metadata

    async def _find(self, issuer: str, *, is_fresh: bool = False) -> _Known:
        known = self._known.get(issuer)
        now = self._clock.now()
        if known is None or is_fresh or now - known.read_at > KEPT:
            url = issuer.rstrip("/") + WELL_KNOWN
            metadata = _metadata(await self._get(url), issuer)
            known = self._known[issuer] = _Known(metadata, now)
        self._known.move_to_end(issuer)
        if len(self._known) > MOST_KEPT:
            self._known.popitem(last=False)
        return known

    async def redeem(
        self, metadata: Metadata, client: Client, *, code: str, verifier: str, redirect_uri: str
    ) -> tuple[str, str | None]:
        """Exchange a code. Return the ID token and the access token.

        Raise ProviderUnreachable. Raise SignInInvalid if the provider refuses the code.
        """
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": redirect_uri,
            "code_verifier": verifier,
        }
        headers = {"Content-Type": FORM, "Accept": "application/json"}
        if metadata.takes_basic:
            headers["Authorization"] = _basic(client)
        else:
            form |= {"client_id": client.id, "client_secret": client.secret}
        status, found = await self._ask(
            "POST", metadata.token_endpoint, headers=headers, body=urlencode(form).encode()
        )
        if status in {400, 401, 403}:
            raise SignInInvalid
        id_token_text, access_token = found.get("id_token"), found.get("access_token")
        if status != OK or not isinstance(id_token_text, str):
            raise ProviderInvalid
        return id_token_text, access_token if isinstance(access_token, str) else None

    async def claims(
        self, metadata: Metadata, text: str, *, client_id: str, nonce: str
    ) -> dict[str, Any]:
        """Return the claims of an ID token. Raise SignInInvalid, ProviderUnreachable."""
        known = await self._find(metadata.issuer)
        keys = known.keys
        if keys is None or self._is_old(known, KEPT):
            keys = await self._read_keys(known)
        try:
            found = id_token.signed_claims(text, keys)
        except id_token.KeyUnknown:
            if not self._is_old(known, KEYS_READ_EVERY):
                raise SignInInvalid from None
            # The provider has new keys.
            try:
                found = id_token.signed_claims(text, await self._read_keys(known))
            except id_token.KeyUnknown:
                raise SignInInvalid from None
        id_token.check(
            found,
            issuer=metadata.issuer,
            client_id=client_id,
            nonce=nonce,
            now=self._clock.now(),
        )
        return found

    async def more_claims(
        self, metadata: Metadata, access_token: str, subject: str
    ) -> dict[str, Any]:
        """Return what the provider says of the person besides the ID token; it may be nothing.

        Raise SignInInvalid if it speaks of another person. Raise ProviderUnreachable.
        """
        if metadata.userinfo_endpoint is None:
            return {}
        headers = {"Authorization": f"Bearer {access_token}", "Accept": "application/json"}
        found = await self._get(metadata.userinfo_endpoint, headers)
        if found.get("sub") != subject:
            raise SignInInvalid
        return found

    def _is_old(self, known: _Known, age: timedelta) -> bool:
        return known.keys_read_at is None or self._clock.now() - known.keys_read_at > age

    async def _read_keys(self, known: _Known) -> KeySet:
        known.keys_read_at = self._clock.now()
        known.keys = id_token.usable_keys(await self._get(known.metadata.keys_url))
        return known.keys

    async def _get(self, url: str, headers: Mapping[str, str] | None = None) -> dict[str, Any]:
        status, found = await self._ask(
            "GET", url, headers=headers or {"Accept": "application/json"}
        )
        if status != OK:
            raise ProviderInvalid
        return found

    async def _ask(
        self, method: str, url: str, *, headers: Mapping[str, str], body: bytes | None = None
    ) -> tuple[int, dict[str, Any]]:
        try:
            answer = await self._http.request(method, url, headers=headers, body=body)
            found = orjson.loads(answer.body)
        except HttpError as fault:
            raise ProviderUnreachable(f"{fault}") from fault
        except orjson.JSONDecodeError:
            raise ProviderInvalid from None
        if not isinstance(found, dict):
            raise ProviderInvalid
        return answer.status, found


def _metadata(found: Mapping[str, Any], issuer: str) -> Metadata:
    # Discovery, section 4.3: otherwise one provider could speak for another.
    if found.get("issuer") != issuer:
        raise ProviderInvalid("names another issuer")
    endpoints = [found.get(name) for name in ENDPOINTS]
    userinfo = found.get("userinfo_endpoint")
    named = endpoints if userinfo is None else [*endpoints, userinfo]
    # An issuer on http passes the address check only where private addresses are allowed.
    allowed = ("https://", "http://") if issuer.startswith("http://") else "https://"
    if not all(isinstance(each, str) and each.startswith(allowed) for each in named):
        raise ProviderInvalid("names no endpoints on https")
    authorization, token, keys = map(str, endpoints)
    methods = found.get("token_endpoint_auth_methods_supported", ["client_secret_basic"])
    return Metadata(
        issuer=issuer,
        authorization_endpoint=authorization,
        token_endpoint=token,
        keys_url=keys,
        userinfo_endpoint=userinfo,
        takes_basic=isinstance(methods, list) and "client_secret_basic" in methods,
        names_issuer=found.get("authorization_response_iss_parameter_supported") is True,
    )


def _basic(client: Client) -> str:
    """RFC 6749, section 2.3.1: both parts are form-encoded first."""
    pair = f"{quote(client.id, safe='')}:{quote(client.secret, safe='')}"
    return f"Basic {base64.b64encode(pair.encode()).decode()}"
