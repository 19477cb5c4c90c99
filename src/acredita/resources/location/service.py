"""Locate an IP address and check it against rules.

Only an audit entry is stored. It has a keyed digest instead of the address.
"""

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.audit import Action
from acredita.domain.caller import Caller
from acredita.domain.errors import FeatureOff, ValidationFailed
from acredita.domain.location.ip_addresses import AddressKind, Read, kind_of, read
from acredita.domain.location.places import NOWHERE, Place
from acredita.domain.location.rules import LocationReason, Rules, reasons_against
from acredita.kit import ids
from acredita.kit.crypto import Signer
from acredita.kit.db import Database
from acredita.providers.geolocation import DatabaseRole, Geolocation, Source
from acredita.resources.audit import service as audit
from acredita.resources.location.schemas import (
    AsnShape,
    CoordinatesShape,
    DatabaseShape,
    LocationCheck,
    LocationCheckShape,
    RegionShape,
    Warned,
)

# Warning → database roles. The warning applies if no database of these roles is in use.
WARNING_ROLES = {
    Warned.NO_CITY_DATABASE: {DatabaseRole.CITY, DatabaseRole.SANDBOX},
    Warned.NO_ASN_DATABASE: {DatabaseRole.ASN, DatabaseRole.SANDBOX},
    Warned.NO_VPN_DATABASE: {DatabaseRole.VPN, DatabaseRole.ANONYMOUS_IP, DatabaseRole.SANDBOX},
}


async def check(
    database: Database,
    signer: Signer,
    geolocation: Geolocation | None,
    caller: Caller,
    data: LocationCheck,
) -> LocationCheckShape:
    """Raise ValidationFailed if the text is not an IP address, FeatureOff without a provider."""
    if geolocation is None:
        raise FeatureOff("Location checks are not set up on this installation.")
    given = read(data.ip_address)
    if given is None:
        raise ValidationFailed(details=["body.ipAddress: It is not an IP address."])
    kind, place, sources = await look_up(geolocation, given)
    warnings = _warnings(sources)
    if not geolocation.knows(kind):
        warnings.insert(0, Warned.ADDRESS_NOT_PUBLIC)
    rules = Rules(
        countries=tuple(data.allowed_countries or ()),
        cities=tuple(data.allowed_cities or ()),
        block_vpn=bool(data.block_vpn),
    )
    reasons = reasons_against(place, rules)
    shape = LocationCheckShape(
        id=ids.sortable(),
        allowed=not reasons,
        reasons=list(reasons),
        ip_address=str(given.address),
        address_kind=kind,
        carrier=given.carrier,
        **_place_fields(place),
        provider=geolocation.name,
        sandbox=geolocation.is_sandbox,
        databases=[
            DatabaseShape(
                role=each.role, name=each.name, built_at=each.built_at, problem=each.problem
            )
            for each in sources
        ],
        warnings=warnings,
    )
    async with database.transaction() as session:
        record(session, signer, caller, shape.id, given, reasons)
    return shape


async def look_up(
    geolocation: Geolocation, given: Read
) -> tuple[AddressKind, Place, Sequence[Source]]:
    """Return the kind of an address, its place, and the databases that say so."""
    kind = kind_of(given.address)
    if not geolocation.knows(kind):
        return kind, NOWHERE, await geolocation.sources()
    return kind, *await geolocation.look_up(given.address)


def _place_fields(place: Place) -> dict[str, object]:
    region, coordinates, network = place.region, place.coordinates, place.network
    return {
        "country": place.country,
        "country_name": place.country_name,
        "region": region and RegionShape(code=region.code, name=region.name),
        "city": place.city,
        "coordinates": coordinates
        and CoordinatesShape(
            latitude=coordinates.latitude,
            longitude=coordinates.longitude,
            accuracy_radius_km=coordinates.accuracy_radius,
        ),
        "asn": network and AsnShape(number=network.number, organization=network.organization),
        "vpn": place.hidden.vpn,
        "proxy": place.hidden.proxy,
        "tor": place.hidden.tor,
        "hosting": place.hidden.hosting,
    }


def _warnings(sources: Sequence[Source]) -> list[Warned]:
    in_use = {source.role for source in sources if source.built_at is not None}
    warnings = [warning for warning, roles in WARNING_ROLES.items() if in_use.isdisjoint(roles)]
    if any(source.problem for source in sources):
        warnings.append(Warned.DATABASE_PROBLEM)
    return warnings


def record(
    session: AsyncSession,
    signer: Signer,
    actor: Caller | audit.Actor,
    check_id: UUID,
    given: Read,
    reasons: Sequence[LocationReason],
) -> None:
    """Record a check in the audit log, with a keyed digest of the address."""
    audit.record(
        session,
        actor,
        Action.LOCATION_CHECKED,
        check_id,
        address=signer.digest("location-address", given.address.packed),
        allowed=not reasons,
        reasons=[reason.value for reason in reasons],
    )
