"""Checks ID tokens (OpenID Connect Core 1.0, section 3.1.3.7)."""

import hmac
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from joserfc import jwk, jwt
from joserfc.errors import BadSignatureError, InvalidKeyIdError, JoseError

from acredita.access.openid.errors import ProviderInvalid, SignInInvalid

# Signatures of asymmetric keys alone: with HS256, the client's secret could sign, and `none` signs
# nothing.
ALGORITHMS = [
    "RS256",
    "RS384",
    "RS512",
    "PS256",
    "PS384",
    "PS512",
    "ES256",
    "ES384",
    "ES512",
    "EdDSA",
]
KEY_TYPES = {"RSA", "EC", "OKP"}
# Seconds that the clocks may differ.
LEEWAY = 60
LONGEST_SUBJECT = 255
# Seconds. The nonce ties a token to a sign-in of the last minutes.
OLDEST = 3600


class KeyUnknown(Exception):
    """No known key has signed the token."""


def usable_keys(found: Mapping[str, Any]) -> jwk.KeySet:
    """Return a provider's keys for signatures. Raise ProviderInvalid."""
    listed = found.get("keys")
    if not isinstance(listed, list):
        raise ProviderInvalid("names no keys")
    keys = [
        each
        for each in listed
        if isinstance(each, dict) and each.get("kty") in KEY_TYPES and each.get("use") != "enc"
    ]
    try:
        return jwk.KeySet.import_key_set({"keys": keys})
    except (JoseError, ValueError, KeyError, TypeError):
        raise ProviderInvalid("has malformed keys") from None


def signed_claims(text: str, keys: jwk.KeySet) -> dict[str, Any]:
    """Return the claims that a key of the provider has signed. Raise KeyUnknown, SignInInvalid."""
    try:
        return dict(jwt.decode(text, keys, algorithms=ALGORITHMS).claims)
    except (InvalidKeyIdError, BadSignatureError):
        raise KeyUnknown from None
    except (JoseError, ValueError, TypeError, KeyError):
        raise SignInInvalid from None


def check(
    claims: Mapping[str, Any], *, issuer: str, client_id: str, nonce: str, now: datetime
) -> None:
    """Raise SignInInvalid unless the token is for this client, this sign-in and this moment."""
    seconds = int(now.timestamp())
    registry = jwt.JWTClaimsRegistry(
        now=seconds,
        leeway=LEEWAY,
        iss={"essential": True, "value": issuer},
        aud={"essential": True, "value": client_id},
        exp={"essential": True},
        iat={"essential": True},
        sub={"essential": True},
    )
    try:
        registry.validate(dict(claims))
    except (JoseError, ValueError, TypeError):
        raise SignInInvalid from None
    given, subject = claims.get("nonce"), claims["sub"]
    if not isinstance(given, str) or not hmac.compare_digest(given.encode(), nonce.encode()):
        raise SignInInvalid
    if not isinstance(subject, str) or not 0 < len(subject) <= LONGEST_SUBJECT:
        raise SignInInvalid
    if claims["iat"] < seconds - OLDEST:
        raise SignInInvalid
    # A token for several clients must be issued to this one.
    audience, party = claims["aud"], claims.get("azp")
    if party != client_id and (
        party is not None or (isinstance(audience, list) and len(audience) > 1)
    ):
        raise SignInInvalid
