"""No registries: the operator turned them off. Steps that need one end in review."""

from typing import NoReturn

from acredita.domain.government.responses import CurpAnswer, IneAnswer, RfcAnswer
from acredita.providers.government.protocol import RegistryRefused


class NoRegistries:
    """A GovernmentRegistries that refuses every query."""

    name = "none"

    async def lookup_curp(self, *_: object, **__: object) -> CurpAnswer:
        _refuse()

    async def check_ine(self, *_: object, **__: object) -> IneAnswer:
        _refuse()

    async def check_rfc(self, *_: object, **__: object) -> RfcAnswer:
        _refuse()

    async def probe(self) -> None:
        _refuse()


def _refuse() -> NoReturn:
    raise RegistryRefused("not_configured")
