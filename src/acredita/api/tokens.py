"""Access tokens: JSON web tokens, HS256. The one file that imports python-jose."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any
from uuid import UUID, uuid4

from jose import JWTError, jwt

from acredita.domain.caller import CallerKind
from acredita.domain.roles import Role
from acredita.domain.token_types import TOKEN_RULES, TokenType

ALGORITHM = "HS256"
ISSUER = "acredita"
LONGEST_TOKEN = 4096
# python-jose accepts a token that lacks a claim unless told otherwise (measured on 3.5).
OPTIONS = {
    "leeway": 0,
    **{f"require_{claim}": True for claim in ("iat", "exp", "iss", "sub", "jti")},
    # Which audience is right depends on the type, which counts once the signature is proven.
    "verify_aud": False,
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
        token_type: TokenType,
        subject_id: UUID,
        organization_id: UUID,
        role: Role,
        now: datetime,
        version: int = 0,
    ) -> str:
        """A token of a type that proves a caller. Raise ValueError for another type."""
        if TOKEN_RULES[token_type].caller is None:
            raise ValueError(f"a token of the type {token_type} proves no role")
        return self._sign(token_type, subject_id, organization_id, role, now, version)

    def issue_session(
        self, *, verification_id: UUID, organization_id: UUID, now: datetime
    ) -> tuple[str, datetime]:
        """A token of a browser's session, good for one verification; and the moment it ends."""
        session = TokenType.SESSION
        token = self._sign(session, verification_id, organization_id, Role.MEMBER, now)
        return token, now + self._lifetime_of(session)

    def _lifetime_of(self, token_type: TokenType) -> timedelta:
        return TOKEN_RULES[token_type].lifetime or timedelta(seconds=self.lifetime)

    def _sign(
        self,
        token_type: TokenType,
        subject_id: UUID,
        organization_id: UUID,
        role: Role,
        now: datetime,
        version: int = 0,
    ) -> str:
        rules = TOKEN_RULES[token_type]
        claims: dict[str, str | int | datetime] = {
            "iss": ISSUER,
            "aud": rules.audience,
            "sub": str(subject_id),
            "org": str(organization_id),
            "role": role.value,
            "typ": token_type.value,
            "iat": now,
            "exp": now + self._lifetime_of(token_type),
            "jti": uuid4().hex,
        }
        if rules.is_versioned:
            claims["ver"] = version
        secret = self._secrets[self._newest]
        return str(jwt.encode(claims, secret, algorithm=ALGORITHM, headers={"kid": self._newest}))

    def read(self, token: str, *, now: datetime) -> AccessClaims:
        """Raise InvalidToken unless the token is ours, whole, unaltered, valid and a caller's."""
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
            token_type, claims = self._decode(token)
            rules = TOKEN_RULES[token_type]
            if rules.caller is None:
                raise InvalidToken
            return AccessClaims(
                kind=rules.caller,
                subject_id=UUID(claims["sub"]),
                organization_id=UUID(claims["org"]),
                role=Role(claims["role"]),
                version=int(claims["ver"]) if rules.is_versioned else 0,
                expires_at=float(claims["exp"]),
            )
        # python-jose lets errors of its JSON and base64 decoding through on hostile headers.
        except (JWTError, KeyError, ValueError, TypeError, AttributeError) as fault:
            raise InvalidToken from fault

    def _verify_session(self, token: str) -> SessionClaims:
        try:
            token_type, claims = self._decode(token)
            if token_type is not TokenType.SESSION:
                raise InvalidToken
            return SessionClaims(
                verification_id=UUID(claims["sub"]),
                organization_id=UUID(claims["org"]),
                expires_at=float(claims["exp"]),
            )
        except (JWTError, KeyError, ValueError, TypeError, AttributeError) as fault:
            raise InvalidToken from fault

    def _decode(self, token: str) -> tuple[TokenType, dict[str, Any]]:
        """What a token of ours says. Its audience must be the one of its type, and the only one."""
        claims: dict[str, Any] = jwt.decode(
            token,
            self._secrets[jwt.get_unverified_header(token)["kid"]],
            algorithms=[ALGORITHM],
            issuer=ISSUER,
            options=OPTIONS,
        )
        token_type = TokenType(claims["typ"])
        if claims["aud"] not in TOKEN_RULES[token_type].audiences:
            raise InvalidToken
        return token_type, claims


def _key_id(secret: str) -> str:
    return hashlib.sha256(b"kid:" + secret.encode()).hexdigest()[:12]
