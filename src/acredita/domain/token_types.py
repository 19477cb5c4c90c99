"""The table of the types of signed tokens and of what each type opens.

A token has a type (`typ`) and that type's audience (`aud`). Only pairs in this table are valid, and
only where a token of that type is required. `docs/operators/accounts.md` shows the table to
operators, together with links and codes that are not signed tokens.
"""

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

from acredita.domain.caller import CallerKind


class TokenType(StrEnum):
    """The `typ` claim. A caller who only knows an id has no token, so there is no type for it."""

    CLIENT = "client"
    USER = "user"
    SESSION = "sdk"


@dataclass(frozen=True, slots=True)
class TokenRules:
    audience: str
    # What `sub` is the id of.
    subject: str
    opens: str
    # The kind of caller that the token authenticates. None: it proves no role.
    caller: CallerKind | None = None
    # None: `Settings.access_token_lifetime`.
    lifetime: timedelta | None = None
    # The audience of older releases, whose tokens stay valid.
    former_audience: str | None = None
    # Whether the token has a password version (`ver`): the next change of the password ends it.
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
