"""OpenID Connect: what an identity provider says about a person who signs in.

The authorization code flow with PKCE (OpenID Connect Core 1.0, RFC 7636, RFC 9207). Only this
folder imports joserfc.
"""

from acredita.access.openid.errors import ProviderInvalid, ProviderUnreachable, SignInInvalid
from acredita.access.openid.provider import Client, Providers
from acredita.access.openid.request import Proofs, authorization_url
