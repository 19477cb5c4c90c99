"""No e-mail: the operator turned it off."""

from acredita.providers.email.protocol import EmailRefused


class NoEmail:
    """An EmailProvider that refuses every message."""

    async def check(self) -> None:
        raise EmailRefused("e-mail is turned off")

    async def send(self, *_: object, **__: object) -> None:
        raise EmailRefused("e-mail is turned off")
