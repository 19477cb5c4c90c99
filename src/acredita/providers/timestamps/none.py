"""No timestamps: the operator turned e-signatures off."""

from acredita.providers.timestamps.protocol import Timestamp, TimestampRefused


class NoTimestamps:
    """A TimestampAuthority that refuses every digest."""

    is_sandbox = False

    async def stamp(self, *_: object, **__: object) -> Timestamp:
        raise TimestampRefused("not_configured")
