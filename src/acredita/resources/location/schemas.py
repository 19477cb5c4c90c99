from enum import StrEnum
from typing import Annotated
from uuid import UUID

from pydantic import Field

from acredita.api.schemas import Body, Shape, Timestamp
from acredita.domain.location.addresses import AddressKind, Carrier
from acredita.domain.location.rules import LocationReason
from acredita.providers.geolocation import DatabaseRole

CountryCode = Annotated[str, Field(min_length=2, max_length=2)]
CityName = Annotated[str, Field(min_length=1, max_length=100)]


class Warned(StrEnum):
    ADDRESS_NOT_PUBLIC = "ADDRESS_NOT_PUBLIC"  # it is nowhere: a private network's, reserved ...
    NO_CITY_DATABASE = "NO_CITY_DATABASE"
    NO_ASN_DATABASE = "NO_ASN_DATABASE"
    NO_VPN_DATABASE = "NO_VPN_DATABASE"
    DATABASE_PROBLEM = "DATABASE_PROBLEM"  # told at the database


class LocationCheck(Body):
    ip_address: str = Field(
        min_length=2,
        max_length=45,
        description="IPv4 or IPv6, also IPv4 within IPv6; neither port nor network.",
        examples=["203.0.113.7"],
    )
    allowed_countries: list[CountryCode] | None = Field(
        None,
        max_length=250,
        description="By ISO 3166-1 alpha-2, in any case; empty: no rule.",
        examples=[["MX", "US"]],
    )
    allowed_cities: list[CityName] | None = Field(
        None,
        max_length=250,
        description="In any language, case and with or without accents; empty: no rule.",
        examples=[["Ciudad de México", "Guadalajara"]],
    )
    block_vpn: bool | None = Field(
        None,
        description="Whether VPNs, proxies and Tor are blocked. A data centre alone is not.",
        examples=[True],
    )


class RegionShape(Shape):
    code: str | None = Field(
        description="As the second part of ISO 3166-2, where known.", examples=["CMX"]
    )
    name: str | None = Field(examples=["Ciudad de México"])


class CoordinatesShape(Shape):
    latitude: float = Field(ge=-90, le=90, examples=[19.4326])
    longitude: float = Field(ge=-180, le=180, examples=[-99.1332])
    accuracy_radius_km: int | None = Field(
        description="The address is likely to be within it.", examples=[20]
    )


class AsnShape(Shape):
    number: int = Field(description="Of the autonomous system.", examples=[64496])
    organization: str | None = Field(examples=["Example Network"])


class DatabaseShape(Shape):
    role: DatabaseRole = Field(description="What it is asked for.")
    name: str = Field(examples=["GeoLite2-City"])
    built_at: Timestamp | None = Field(
        description="When it was made; of a list, when its file was written. Null: not in use."
    )
    problem: str | None = Field(
        description="Why it is not in use, or why an older one still is.", examples=[None]
    )


class LocationCheckShape(Shape):
    id: UUID = Field(description="Of the audit log's entry; nothing else is kept.")
    allowed: bool = Field(description="Whether nothing speaks against the address.")
    reasons: list[LocationReason] = Field(
        description="What does. Who cannot be judged by a rule (…UNKNOWN) is not let through.",
        examples=[[]],
    )
    ip_address: str = Field(
        description="The address that was judged: of IPv4 within IPv6, the IPv4 address.",
        examples=["203.0.113.7"],
    )
    address_kind: AddressKind = Field(examples=["PUBLIC"])
    carrier: Carrier | None = Field(
        description="The form of IPv6 in which an IPv4 address was given.", examples=[None]
    )
    country: str | None = Field(description="ISO 3166-1 alpha-2.", examples=["MX"])
    country_name: str | None = Field(examples=["México"])
    region: RegionShape | None
    city: str | None = Field(examples=["Ciudad de México"])
    coordinates: CoordinatesShape | None
    asn: AsnShape | None = Field(description="The network that announces the address.")
    vpn: bool | None = Field(description="Null: no database could tell.", examples=[False])
    proxy: bool | None = Field(description="Null: no database could tell.", examples=[False])
    tor: bool | None = Field(description="Null: no database could tell.", examples=[False])
    hosting: bool | None = Field(description="Whether it is a data centre's.", examples=[False])
    provider: str = Field(examples=["maxmind"])
    sandbox: bool = Field(
        description="Whether the answer is made up, by a sandbox.", examples=[False]
    )
    databases: list[DatabaseShape] = Field(
        description="What the answer rests on; empty: on nothing."
    )
    warnings: list[Warned] = Field(examples=[[]])
