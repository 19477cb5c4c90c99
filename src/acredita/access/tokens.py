"""Access tokens: JSON Web Tokens, HS256. Only this file imports python-jose."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
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
# By default, python-jose accepts a token without these claims (measured on 3.5).
OPTIONS = {
    "leeway": 0,
    **{f"require_{claim}": True for claim in ("iat", "exp", "iss", "sub", "jti")},
    # The correct audience depends on the type, which is trusted only after the signature check.
    "verify_aud": False,
}


@dataclass(frozen=True, slots=True)
class AccessClaims:
    kind: CallerKind
    subject_id: UUID
    organization_id: UUID
    role: Role
    # Version of a user's password; 0 for others. A token with an older version is invalid.
    version: int
    # Whether the user also proved a second factor (`mfa`).
    has_second_factor: bool
    issued_at: datetime
    expires_at: float


@dataclass(frozen=True, slots=True)
class SessionClaims:
    verification_id: UUID
    organization_id: UUID
    expires_at: float
    # The link that opened the session; None for a session of `POST /v1/sdk/session`.
    link_id: UUID | None = None


class InvalidToken(Exception):
    pass


class TokenKeys:
    """Signs and reads access tokens.

    The first of the secrets, the newest, signs. A token names its secret (`kid`), and tokens of the
    other secrets stay valid. Remove an old secret when its tokens have expired.
    """

    def __init__(self, secrets: Sequence[str], *, lifetime: int) -> None:
        self._secrets = {_key_id(secret): secret for secret in secrets}
        self._newest = _key_id(secrets[0])
        self.lifetime = lifetime
        # Checking a signature costs about 32 us; a server-to-server caller repeats one token.
        self._verified = lru_cache(maxsize=4096)(self._verify)

    def issue(
        self,
        *,
        token_type: TokenType,
        subject_id: UUID,
        organization_id: UUID,
        role: Role,
        now: datetime,
        version: int = 0,
        has_second_factor: bool = False,
    ) -> str:
        """Return a token of a type that authenticates a caller. Raise ValueError for others."""
        if TOKEN_RULES[token_type].caller is None:
            raise ValueError(f"a token of the type {token_type} proves no role")
        return self._sign(
            token_type,
            subject_id,
            organization_id,
            role,
            now,
            version,
            has_second_factor=has_second_factor,
        )

    def issue_session(
        self,
        *,
        verification_id: UUID,
        organization_id: UUID,
        now: datetime,
        link_id: UUID | None = None,
    ) -> tuple[str, datetime]:
        """Return the token of a browser session for one verification, and its expiry. `link_id`:
        the link that opened it, which ends the session when it is revoked.
        """
        session = TokenType.SESSION
        token = self._sign(
            session, verification_id, organization_id, Role.MEMBER, now, link_id=link_id
        )
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
        *,
        link_id: UUID | None = None,
        has_second_factor: bool = False,
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
        if link_id is not None:
            claims["lnk"] = str(link_id)
        if has_second_factor:
            claims["mfa"] = True
        secret = self._secrets[self._newest]
        return str(jwt.encode(claims, secret, algorithm=ALGORITHM, headers={"kid": self._newest}))

    def read(self, token: str, *, now: datetime) -> AccessClaims:
        """Return the claims of a caller's token. Raise InvalidToken."""
        claims = self._valid(token, now)
        if not isinstance(claims, AccessClaims):
            raise InvalidToken
        return claims

    def read_session(self, token: str, *, now: datetime) -> SessionClaims:
        """Return the claims of a browser session's token. Raise InvalidToken."""
        claims = self._valid(token, now)
        if not isinstance(claims, SessionClaims):
            raise InvalidToken
        return claims

    def _valid(self, token: str, now: datetime) -> AccessClaims | SessionClaims:
        if len(token) > LONGEST_TOKEN:
            raise InvalidToken
        claims = self._verified(token)
        if claims.expires_at <= now.timestamp():
            raise InvalidToken
        return claims

    def _verify(self, token: str) -> AccessClaims | SessionClaims:
        try:
            token_type, claims = self._decode(token)
            rules = TOKEN_RULES[token_type]
            subject_id, organization_id = UUID(claims["sub"]), UUID(claims["org"])
            expires_at = float(claims["exp"])
            if token_type is TokenType.SESSION:
                link_id = UUID(claims["lnk"]) if "lnk" in claims else None
                return SessionClaims(subject_id, organization_id, expires_at, link_id)
            if rules.caller is None:
                raise InvalidToken
            return AccessClaims(
                kind=rules.caller,
                subject_id=subject_id,
                organization_id=organization_id,
                role=Role(claims["role"]),
                version=int(claims["ver"]) if rules.is_versioned else 0,
                has_second_factor=claims.get("mfa") is True,
                issued_at=datetime.fromtimestamp(float(claims["iat"]), UTC),
                expires_at=expires_at,
            )
        # On malformed headers, python-jose raises errors of JSON and base64 decoding.
        except (
            JWTError,
            KeyError,
            ValueError,
            TypeError,
            AttributeError,
            OverflowError,
            OSError,
        ) as fault:
            raise InvalidToken from fault

    def _decode(self, token: str) -> tuple[TokenType, dict[str, Any]]:
        """Return the type and the claims. The token must have exactly the audience of its type."""
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
