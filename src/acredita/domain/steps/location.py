"""LOCATION: the place of the person's IP address is checked against rules."""

from enum import StrEnum
from typing import Any, Final

from acredita.domain.location.rules import Rules
from acredita.domain.steps import options, table
from acredita.domain.steps.kind import Act, Config, StepKind, Words
from acredita.domain.verification import StepType

LOCATION: Final = StepType("LOCATION")
MOST_NAMES, LONGEST_CITY = 250, 100
# The key of the device's answer in the result.
DEVICE: Final = "device"


class DeviceAnswer(StrEnum):
    """What the person's device says when the page asks for its position."""

    GIVEN = "given"
    REFUSED = "refused"
    # The device cannot measure it, or has not measured it in time.
    UNAVAILABLE = "unavailable"


class Device(StrEnum):
    """Whether the page asks for the device's position."""

    OFF = "off"
    ASK = "ask"
    # Without a position, the step goes to review.
    REQUIRE = "require"


def device(config: Config) -> Device:
    return Device(config.get("device", Device.OFF))


def _act(config: Config) -> Act | None:
    return None if device(config) is Device.OFF else Act.LOCATION


def rules(config: Config) -> Rules:
    return Rules(
        countries=tuple(config.get("allowedCountries", ())),
        cities=tuple(config.get("allowedCities", ())),
        block_vpn=config.get("blockVpn") is True,
    )


def _are_texts(value: Any, least: int, most: int) -> bool:
    return (
        isinstance(value, list)
        and 0 < len(value) <= MOST_NAMES
        and all(isinstance(each, str) and least <= len(each) <= most for each in value)
    )


table.register(
    StepKind(
        type=LOCATION,
        name=Words("Desde dónde te conectas", "Where you connect from"),
        act=_act,
        options=(
            options.Option(
                "allowedCountries",
                "ISO 3166-1 alpha-2 codes",
                f"a list of 1 to {MOST_NAMES} country codes of two letters",
                lambda value: _are_texts(value, 2, 2),
                "the countries that the address may be in",
                "all of them",
            ),
            options.Option(
                "allowedCities",
                "names of cities",
                f"a list of 1 to {MOST_NAMES} names of cities",
                lambda value: _are_texts(value, 1, LONGEST_CITY),
                "the cities that the address may be in",
                "all of them",
            ),
            options.boolean("blockVpn", "whether a VPN, a proxy or Tor leads to review", "false"),
            options.one_of(
                "device",
                list(Device),
                "whether the page asks for the device's position; require: without one, the step"
                " goes to review",
                Device.OFF,
            ),
        ),
    )
)
