"""Access tokens: JSON web tokens, HS256. The one file that imports python-jose."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any
from uuid import UUID, uuid4

from jose import JWTError, jwt

from acredita.api.caller import CallerKind
from acredita.domain.roles import Role

ALGORITHM = "HS256"
ISSUER = "acredita"
AUDIENCE = "acredita-api"
LONGEST_TOKEN = 4096
# The `typ` of a browser's session, which proves nobody's role; it is no CallerKind.
SESSION = "sdk"
SESSION_LIFETIME = timedelta(hours=2)
# python-jose accepts a token that lacks a claim unless told otherwise (measured on 3.5).
OPTIONS = {
    "leeway": 0,
    **{f"require_{claim}": True for claim in ("aud", "iat", "exp", "iss", "sub", "jti")},
}


@dataclass(frozen=True, slots=True)
class AccessClaims:
    kind: CallerKind
    subject_id: UUID
    organization_id: UUID
    role: Role
    # Of a user's password; 0 for others. A token of an older one is no longer believed.
    version: int
    expires_at: float


@dataclass(frozen=True, slots=True)
class SessionClaims:
    verification_id: UUID
    organization_id: UUID
    expires_at: float


class InvalidToken(Exception):
    pass


class TokenKeys:
    """Signs and reads access tokens.

    Of the secrets, newest first, the first one signs. A token names its secret (`kid`), and those
    of the others are believed, too: an old one is removed when its tokens have expired.
    """

    def __init__(self, secrets: Sequence[str], *, lifetime: int) -> None:
        self._secrets = {_key_id(secret): secret for secret in secrets}
        self._newest = _key_id(secrets[0])
        self.lifetime = lifetime
        # Checking a signature costs about 32 us; a server-to-server caller repeats one token.
        self._verified = lru_cache(maxsize=4096)(self._verify)
        self._verified_session = lru_cache(maxsize=4096)(self._verify_session)

    def issue(
        self,
        *,
        kind: CallerKind,
        subject_id: UUID,
        organization_id: UUID,
        role: Role,
        now: datetime,
        version: int = 0,
    ) -> str:
        claims: dict[str, str | int] = {"role": role.value}
        if kind is CallerKind.USER:
            claims["ver"] = version
        lifetime = timedelta(seconds=self.lifetime)
        return self._sign(kind.value, subject_id, organization_id, now, lifetime, claims)

    def issue_session(self, *, verification_id: UUID, organization_id: UUID, now: datetime) -> str:
        """A token of a browser's session: good for one verification, for SESSION_LIFETIME."""
        role: dict[str, str | int] = {"role": Role.MEMBER.value}
        return self._sign(SESSION, verification_id, organization_id, now, SESSION_LIFETIME, role)

    def _sign(
        self,
        kind: str,
        subject_id: UUID,
        organization_id: UUID,
        now: datetime,
        lifetime: timedelta,
        further: dict[str, str | int],
    ) -> str:
        claims: dict[str, str | int | datetime] = {
            "iss": ISSUER,
            "aud": AUDIENCE,
            "sub": str(subject_id),
            "org": str(organization_id),
            "typ": kind,
            "iat": now,
            "exp": now + lifetime,
            "jti": uuid4().hex,
            **further,
        }
        secret = self._secrets[self._newest]
        return str(jwt.encode(claims, secret, algorithm=ALGORITHM, headers={"kid": self._newest}))

    def read(self, token: str, *, now: datetime) -> AccessClaims:
        """Raise InvalidToken unless the token is ours, whole, unaltered and still valid."""
        if len(token) > LONGEST_TOKEN:
            raise InvalidToken
        claims = self._verified(token)
        if claims.expires_at <= now.timestamp():
            raise InvalidToken
        return claims

    def read_session(self, token: str, *, now: datetime) -> SessionClaims:
        """The same of a browser's session."""
        if len(token) > LONGEST_TOKEN:
            raise InvalidToken
        claims = self._verified_session(token)
        if claims.expires_at <= now.timestamp():
            raise InvalidToken
        return claims

    def _verify(self, token: str) -> AccessClaims:
        try:
            claims = self._decode(token)
            kind = CallerKind(claims["typ"])
            return AccessClaims(
                kind=kind,
                subject_id=UUID(claims["sub"]),
                organization_id=UUID(claims["org"]),
                role=Role(claims["role"]),
                version=int(claims["ver"]) if kind is CallerKind.USER else 0,
                expires_at=float(claims["exp"]),
            )
        # python-jose lets errors of its JSON and base64 decoding through on hostile headers.
        except (JWTError, KeyError, ValueError, TypeError, AttributeError) as fault:
            raise InvalidToken from fault

    def _verify_session(self, token: str) -> SessionClaims:
        try:
            claims = self._decode(token)
            if claims["typ"] != SESSION:
                raise InvalidToken
            return SessionClaims(
                verification_id=UUID(claims["sub"]),
                organization_id=UUID(claims["org"]),
                expires_at=float(claims["exp"]),
            )
        except (JWTError, KeyError, ValueError, TypeError, AttributeError) as fault:
            raise InvalidToken from fault

    def _decode(self, token: str) -> dict[str, Any]:
        claims: dict[str, Any] = jwt.decode(
            token,
            self._secrets[jwt.get_unverified_header(token)["kid"]],
            algorithms=[ALGORITHM],
            audience=AUDIENCE,
            issuer=ISSUER,
            options=OPTIONS,
        )
        return claims


def _key_id(secret: str) -> str:
    return hashlib.sha256(b"kid:" + secret.encode()).hexdigest()[:12]
