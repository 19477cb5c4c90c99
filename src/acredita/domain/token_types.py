"""The types of signed tokens, and what each of them opens: the one table of it.

A token names its type (`typ`) and is made for that type's audience (`aud`). Only a pair that stands
here is believed, and only where tokens of that type are asked for. `docs/accounts.md` shows the
table to operators, together with the links and codes that are no signed tokens.
"""

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

from acredita.domain.caller import CallerKind


class TokenType(StrEnum):
    """The `typ` claim. No value stands for a holder: knowing an id is proved by no token."""

    CLIENT = "client"
    USER = "user"
    SESSION = "sdk"


@dataclass(frozen=True, slots=True)
class TokenRules:
    audience: str
    # Of whom or what `sub` is the id.
    subject: str
    opens: str
    # What a token of the type proves its bearer to be; None: nobody, it proves no role.
    caller: CallerKind | None = None
    # None: `Settings.access_token_lifetime`.
    lifetime: timedelta | None = None
    # Under which releases before this table signed the type; tokens in circulation go on.
    former_audience: str | None = None
    # Whether the token counts its subject's changes of password (`ver`) and ends with the next.
    is_versioned: bool = False

    @property
    def audiences(self) -> tuple[str, ...]:
        former = () if self.former_audience is None else (self.former_audience,)
        return self.audience, *former


TOKEN_RULES = {
    TokenType.CLIENT: TokenRules(
        audience="acredita-api",
        subject="an API key",
        opens="endpoints of the key's role, on things of its organization",
        caller=CallerKind.CLIENT,
    ),
    TokenType.USER: TokenRules(
        audience="acredita-user",
        subject="a user",
        opens="endpoints of the user's role, on things of the user's organization",
        caller=CallerKind.USER,
        former_audience="acredita-api",
        is_versioned=True,
    ),
    TokenType.SESSION: TokenRules(
        audience="acredita-session",
        subject="a verification",
        opens="the browser flow of that one verification",
        lifetime=timedelta(hours=2),
        former_audience="acredita-api",
    ),
}
