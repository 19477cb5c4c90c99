"""A real OpenID provider on loopback: discovery, authorization, PKCE, tokens, keys, userinfo.

It signs everyone in as `person` without asking. A test can change what it says.
"""

import base64
import hashlib
import secrets
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlencode

from aiohttp import web
from joserfc import jwk, jwt

CLIENT_ID, CLIENT_SECRET = "acredita", "a secret: with/marks"
Claims = dict[str, Any]


def new_key(kid: str | None = None) -> jwk.ECKey:
    return jwk.ECKey.generate_key("P-256", {"kid": kid or secrets.token_hex(4), "use": "sig"})


@dataclass
class OpenIdProvider:
    person: Claims = field(default_factory=dict)
    # What only the userinfo endpoint says.
    more: Claims = field(default_factory=dict)
    key: jwk.ECKey = field(default_factory=new_key)
    # Signs in place of the published key.
    stolen: jwk.ECKey | None = None
    host: str = "localhost"
    port: int = 0
    declines: bool = False
    # Changes the claims of ID tokens, or the token itself.
    forge: Callable[[Claims], Claims] = lambda claims: claims
    forge_token: Callable[[str], str] = lambda token: token
    named_issuer: str = ""
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    @property
    def issuer(self) -> str:
        return f"http://{self.host}:{self.port}"

    async def discovery(self, _: web.Request) -> web.Response:
        self.asked.append("discovery")
        return web.json_response(
            {
                "issuer": self.named_issuer or self.issuer,
                "authorization_endpoint": f"{self.issuer}/authorize?tenant=banco",
                "token_endpoint": f"{self.issuer}/token",
                "jwks_uri": f"{self.issuer}/keys",
                "userinfo_endpoint": f"{self.issuer}/userinfo",
                "authorization_response_iss_parameter_supported": True,
            }
        )

    async def keys(self, _: web.Request) -> web.Response:
        self.asked.append("keys")
        # The other is of a type that this service does not know.
        keys = [{"kty": "AKP", "kid": "new"}, self.key.as_dict(private=False)]
        return web.json_response({"keys": keys})

    async def authorize(self, request: web.Request) -> web.Response:
        query = dict(request.query)
        assert query["response_type"] == "code"
        assert (query["client_id"], query["tenant"]) == (CLIENT_ID, "banco")
        assert query["code_challenge_method"] == "S256"
        answer = {"state": query["state"], "iss": self.issuer, "session_state": "x"}
        if self.declines:
            answer["error"] = "access_denied"
        else:
            answer["code"] = secrets.token_urlsafe(16)
            self.codes[answer["code"]] = query
        raise web.HTTPFound(f"{query['redirect_uri']}?{urlencode(answer)}")

    async def token(self, request: web.Request) -> web.Response:
        form = dict(parse_qsl(await request.text()))
        begun = self.codes.pop(form.get("code", ""), None)
        pair = base64.b64encode(f"{CLIENT_ID}:{CLIENT_SECRET}".encode()).decode()
        challenge = base64.urlsafe_b64encode(
            hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        ).rstrip(b"=")
        is_right = (
            begun is not None
            and form["redirect_uri"] == begun["redirect_uri"]
            and challenge.decode() == begun["code_challenge"]
            and _decoded(request.headers.get("Authorization", "")) == base64.b64decode(pair)
        )
        if begun is None or not is_right:
            return web.json_response({"error": "invalid_grant"}, status=400)
        now = int(time.time())
        claims = {
            "iss": self.issuer,
            "aud": CLIENT_ID,
            "iat": now,
            "exp": now + 300,
            "nonce": begun["nonce"],
            **self.person,
        }
        header = {"alg": "ES256", "kid": self.key.kid}
        signed = jwt.encode(header, self.forge(claims), self.stolen or self.key)
        return web.json_response(
            {"id_token": self.forge_token(signed), "access_token": "access", "token_type": "Bearer"}
        )

    async def userinfo(self, request: web.Request) -> web.Response:
        assert request.headers["Authorization"] == "Bearer access"
        return web.json_response({"sub": self.person["sub"], **self.more})


def _decoded(authorization: str) -> bytes:
    """The pair of a Basic header, whose parts are form-encoded (RFC 6749, section 2.3.1)."""
    pair = base64.b64decode(authorization.removeprefix("Basic ")).decode()
    user, _, password = pair.partition(":")
    return ":".join(dict(parse_qsl(f"x={part}"))["x"] for part in (user, password)).encode()


@asynccontextmanager
async def openid_provider(**options: Any) -> AsyncIterator[OpenIdProvider]:
    provider = OpenIdProvider(**options)
    app = web.Application()
    app.router.add_get("/.well-known/openid-configuration", provider.discovery)
    app.router.add_get("/authorize", provider.authorize)
    app.router.add_post("/token", provider.token)
    app.router.add_get("/keys", provider.keys)
    app.router.add_get("/userinfo", provider.userinfo)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.2)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    provider.port = runner.addresses[0][1]
    try:
        yield provider
    finally:
        await runner.cleanup()
