from enum import StrEnum
from typing import Annotated
from uuid import UUID

from pydantic import Field

from acredita.api.schemas import Body, Shape, Timestamp
from acredita.domain.location.ip_addresses import AddressKind, Carrier
from acredita.domain.location.rules import LocationReason
from acredita.providers.geolocation import DatabaseRole

CountryCode = Annotated[str, Field(min_length=2, max_length=2)]
CityName = Annotated[str, Field(min_length=1, max_length=100)]


class Warned(StrEnum):
    ADDRESS_NOT_PUBLIC = "ADDRESS_NOT_PUBLIC"  # private, reserved ...: it has no location
    NO_CITY_DATABASE = "NO_CITY_DATABASE"
    NO_ASN_DATABASE = "NO_ASN_DATABASE"
    NO_VPN_DATABASE = "NO_VPN_DATABASE"
    DATABASE_PROBLEM = "DATABASE_PROBLEM"  # `databases` has the details


class LocationCheck(Body):
    ip_address: str = Field(
        min_length=2,
        max_length=45,
        description="IPv4 or IPv6, also IPv4 embedded in IPv6. No port, no prefix length.",
        examples=["203.0.113.7"],
    )
    allowed_countries: list[CountryCode] | None = Field(
        None,
        max_length=250,
        description="ISO 3166-1 alpha-2, case-insensitive. Empty: no rule.",
        examples=[["MX", "US"]],
    )
    allowed_cities: list[CityName] | None = Field(
        None,
        max_length=250,
        description="City names in any language. Case and accents are ignored. Empty: no rule.",
        examples=[["Ciudad de México", "Guadalajara"]],
    )
    block_vpn: bool | None = Field(
        None,
        description="Whether to reject VPNs, proxies and Tor. Data centres are not rejected.",
        examples=[True],
    )


class RegionShape(Shape):
    code: str | None = Field(
        description="Second part of the ISO 3166-2 code, if known.", examples=["CMX"]
    )
    name: str | None = Field(examples=["Ciudad de México"])


class CoordinatesShape(Shape):
    latitude: float = Field(ge=-90, le=90, examples=[19.4326])
    longitude: float = Field(ge=-180, le=180, examples=[-99.1332])
    accuracy_radius_km: int | None = Field(
        description="The address is probably within this radius.", examples=[20]
    )


class AsnShape(Shape):
    number: int = Field(description="Number of the autonomous system.", examples=[64496])
    organization: str | None = Field(examples=["Example Network"])


class DatabaseShape(Shape):
    role: DatabaseRole = Field(description="What the database is used for.")
    name: str = Field(examples=["GeoLite2-City"])
    built_at: Timestamp | None = Field(
        description=(
            "Build time of the database; for a list, modification time of its file. Null: not in "
            "use."
        )
    )
    problem: str | None = Field(
        description="Why it is not in use, or why an older version is in use.", examples=[None]
    )


class LocationCheckShape(Shape):
    id: UUID = Field(description="Id of the audit log entry. Nothing else is stored.")
    allowed: bool = Field(description="Whether the address meets all rules.")
    reasons: list[LocationReason] = Field(
        description=(
            "Why the address is not allowed. A reason that ends in UNKNOWN: a value for the rule "
            "is unknown."
        ),
        examples=[[]],
    )
    ip_address: str = Field(
        description="The checked address. For IPv4 embedded in IPv6: the IPv4 address.",
        examples=["203.0.113.7"],
    )
    address_kind: AddressKind = Field(examples=["PUBLIC"])
    carrier: Carrier | None = Field(
        description="The IPv6 form that embedded the IPv4 address.", examples=[None]
    )
    country: str | None = Field(description="ISO 3166-1 alpha-2.", examples=["MX"])
    country_name: str | None = Field(examples=["México"])
    region: RegionShape | None
    city: str | None = Field(examples=["Ciudad de México"])
    coordinates: CoordinatesShape | None
    asn: AsnShape | None = Field(description="The network that announces the address.")
    vpn: bool | None = Field(description="Null: unknown.", examples=[False])
    proxy: bool | None = Field(description="Null: unknown.", examples=[False])
    tor: bool | None = Field(description="Null: unknown.", examples=[False])
    hosting: bool | None = Field(
        description="Whether the address belongs to a data centre.", examples=[False]
    )
    provider: str = Field(examples=["maxmind"])
    sandbox: bool = Field(description="Whether a sandbox invented the answer.", examples=[False])
    databases: list[DatabaseShape] = Field(description="The databases that were used.")
    warnings: list[Warned] = Field(examples=[[]])
