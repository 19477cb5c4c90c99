"""Access tokens: JSON web tokens, HS256. The one file that imports python-jose."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from uuid import UUID, uuid4

from jose import JWTError, jwt

from acredita.api.caller import CallerKind
from acredita.domain.roles import Role

ALGORITHM = "HS256"
ISSUER = "acredita"
AUDIENCE = "acredita-api"
LONGEST_TOKEN = 4096
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
        claims: dict[str, str | int | datetime] = {
            "iss": ISSUER,
            "aud": AUDIENCE,
            "sub": str(subject_id),
            "org": str(organization_id),
            "role": role.value,
            "typ": kind.value,
            "iat": now,
            "exp": now + timedelta(seconds=self.lifetime),
            "jti": uuid4().hex,
        }
        if kind is CallerKind.USER:
            claims["ver"] = version
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

    def _verify(self, token: str) -> AccessClaims:
        try:
            claims = jwt.decode(
                token,
                self._secrets[jwt.get_unverified_header(token)["kid"]],
                algorithms=[ALGORITHM],
                audience=AUDIENCE,
                issuer=ISSUER,
                options=OPTIONS,
            )
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


def _key_id(secret: str) -> str:
    return hashlib.sha256(b"kid:" + secret.encode()).hexdigest()[:12]
