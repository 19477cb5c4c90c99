"""Rules for addresses. If the data for a rule are missing, the address is not allowed."""

from dataclasses import dataclass
from enum import StrEnum

from acredita.domain.location.places import Place, comparable


class LocationReason(StrEnum):
    COUNTRY_NOT_ALLOWED = "COUNTRY_NOT_ALLOWED"
    COUNTRY_UNKNOWN = "COUNTRY_UNKNOWN"
    CITY_NOT_ALLOWED = "CITY_NOT_ALLOWED"
    CITY_UNKNOWN = "CITY_UNKNOWN"
    VPN = "VPN"
    PROXY = "PROXY"
    TOR = "TOR"
    VPN_UNKNOWN = "VPN_UNKNOWN"


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of a request. An empty list is no rule."""

    countries: tuple[str, ...] = ()
    cities: tuple[str, ...] = ()
    block_vpn: bool = False


def reasons_against(place: Place, rules: Rules) -> tuple[LocationReason, ...]:
    """Return the reasons why the address is not allowed; empty if it is allowed."""
    reasons = []
    if rules.countries:
        reasons.append(_country(place, rules.countries))
    if rules.cities:
        reasons.append(_city(place, rules.cities))
    if rules.block_vpn:
        reasons += _hidden(place)
    return tuple(reason for reason in reasons if reason is not None)


def _country(place: Place, allowed: tuple[str, ...]) -> LocationReason | None:
    if place.country is None:
        return LocationReason.COUNTRY_UNKNOWN
    is_allowed = comparable(place.country) in {comparable(code) for code in allowed}
    return None if is_allowed else LocationReason.COUNTRY_NOT_ALLOWED


def _city(place: Place, allowed: tuple[str, ...]) -> LocationReason | None:
    """Compare with the city's names in all languages: Mexico City, Ciudad de México."""
    names = {comparable(name) for name in place.city_names} - {""}
    if not names:
        return LocationReason.CITY_UNKNOWN
    is_allowed = not names.isdisjoint(comparable(name) for name in allowed)
    return None if is_allowed else LocationReason.CITY_NOT_ALLOWED


def _hidden(place: Place) -> list[LocationReason]:
    """A data centre alone is not a VPN: companies also run their own exits there."""
    hidden = place.hidden
    found = [
        reason
        for reason, is_so in (
            (LocationReason.VPN, hidden.vpn),
            (LocationReason.PROXY, hidden.proxy),
            (LocationReason.TOR, hidden.tor),
        )
        if is_so
    ]
    if not found and hidden.vpn is None:
        return [LocationReason.VPN_UNKNOWN]
    return found
