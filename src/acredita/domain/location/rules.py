"""Whether an address is allowed. A rule that cannot be judged does not let anybody through."""

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
    """Empty lists are no rules."""

    countries: tuple[str, ...] = ()
    cities: tuple[str, ...] = ()
    block_vpn: bool = False


def reasons_against(place: Place, rules: Rules) -> tuple[LocationReason, ...]:
    """Why the address is not allowed; none: it is."""
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
    """A city is known by its names in all languages: Mexico City, Ciudad de México."""
    names = {comparable(name) for name in place.city_names} - {""}
    if not names:
        return LocationReason.CITY_UNKNOWN
    is_allowed = not names.isdisjoint(comparable(name) for name in allowed)
    return None if is_allowed else LocationReason.CITY_NOT_ALLOWED


def _hidden(place: Place) -> list[LocationReason]:
    """A data centre alone is no VPN: companies' own exits stand there, too."""
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
