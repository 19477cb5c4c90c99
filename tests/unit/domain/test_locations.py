"""Addresses in all their forms, lists of networks, and rules about places."""

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acredita.domain.location.ip_addresses import AddressKind, Carrier, kind_of, read
from acredita.domain.location.network_lists import NotAList, Ranges, read_list
from acredita.domain.location.places import Coordinates, Hidden, Place, comparable
from acredita.domain.location.rules import LocationReason, Rules, reasons_against
from acredita.kit.http.public_addresses import is_public

V4 = st.ip_addresses(v=4)
V6 = st.ip_addresses(v=6)
# Reachable from everywhere and somebody's, but not to be dialled by a client that strangers steer.
SOMEWHERE_THOUGH_NOT_DIALLED = (
    IPv4Network("168.63.129.16/32"),
    IPv4Network("192.31.196.0/24"),
    IPv4Network("192.52.193.0/24"),
    IPv4Network("192.175.48.0/24"),
    IPv6Network("2620:4f:8000::/48"),
    IPv6Network("2002::/16"),
)


@given(st.one_of(V4, V6))
def test_every_address_is_read_back_or_as_the_one_that_it_carries(address):
    found = read(str(address))
    if isinstance(address, IPv4Address):
        assert found.address == address
    assert (found.carrier is None) is (found.address == address)
    assert (found.carrier is None) or isinstance(found.address, IPv4Address)


@given(V4)
def test_an_ipv4_address_is_found_in_every_form_that_carries_it(address):
    number = int(address)
    forms = {
        Carrier.MAPPED: IPv6Address(0xFFFF << 32 | number),
        Carrier.NAT64: IPv6Address((0x64FF9B << 96) | number),
        Carrier.SIX_TO_FOUR: IPv6Address(0x2002 << 112 | number << 80 | 1),
        Carrier.TEREDO: IPv6Address(0x20010000 << 96 | 0x0102_0304 << 64 | number ^ 0xFFFF_FFFF),
    }
    for carrier, form in forms.items():
        found = read(str(form))
        assert (found.address, found.carrier) == (address, carrier), form


@given(st.text(max_size=45))
def test_no_text_breaks_the_reading(text):
    found = read(text)
    assert found is None or kind_of(found.address) in AddressKind


@given(st.one_of(V4, V6))
def test_an_address_is_public_exactly_when_it_is_somewhere(address):
    """Two tables for two purposes, which may differ only where it is said why."""
    if not any(address in network for network in SOMEWHERE_THOUGH_NOT_DIALLED):
        assert (kind_of(address) is AddressKind.PUBLIC) is is_public(address)


@pytest.mark.parametrize("text", ["::8.8.8.8", "64:ff9b:1::808:808", "fec0::1", "4000::1", "::"])
def test_forms_that_are_nobodys_are_not_public(text):
    assert kind_of(read(text).address) is not AddressKind.PUBLIC


NETWORKS = st.one_of(
    st.builds(
        lambda a, p: IPv4Network((a, p), strict=False),
        st.integers(0, 2**32 - 1),
        st.integers(0, 32),
    ),
    st.builds(
        lambda a, p: IPv6Network((a, p), strict=False),
        st.integers(0, 2**128 - 1),
        st.integers(0, 128),
    ),
)


@given(st.lists(NETWORKS, min_size=1, max_size=20), st.lists(st.one_of(V4, V6), max_size=20))
def test_a_list_holds_what_its_networks_hold(networks, addresses):
    ranges = read_list("\n".join(map(str, networks)))
    edges = [network.network_address for network in networks]
    edges += [network.broadcast_address for network in networks]
    for address in edges + addresses:
        assert (address in ranges) is any(
            address.version == network.version and address in network for network in networks
        )


def test_lists_are_read_as_they_are_published():
    ranges = read_list(
        "\ufeff# exits\r\n; more\n// and more\n\n1.2.3.4\n10.0.0.0/8, a provider\n5.6.7.9/30;x\n"
        "2001:db8::/32 # documentation\n"
    )
    for text in ("1.2.3.4", "10.255.255.255", "5.6.7.8", "2001:db8::1"):
        assert ip_address(text) in ranges
    for text in ("1.2.3.5", "11.0.0.0", "5.6.7.12", "2001:db9::"):
        assert ip_address(text) not in ranges


def test_touching_and_overlapping_networks_become_one_range():
    assert len(read_list("10.0.0.0/9\n10.128.0.0/9\n10.1.0.0/16\n11.0.0.0/8\n")) == 1
    assert len(Ranges([])) == 0


@pytest.mark.parametrize(
    "text", ["", "# nothing\n", "<html>\n<body>\n", "1.2.3.4\nnot a network\n", "fe80::1%eth0\n"]
)
def test_what_is_no_list_is_refused(text):
    with pytest.raises(NotAList) as fault:
        read_list(text)
    assert "not a" not in str(fault.value).replace("are no", "")


def test_a_stray_line_among_many_is_passed_over():
    lines = [f"10.0.{number}.0/24" for number in range(250)]
    assert ip_address("10.0.7.1") in read_list("\n".join([*lines, "stray"]))


CITY_NAMES = st.text(st.characters(categories=["L", "Zs"]), min_size=1, max_size=20)


@given(CITY_NAMES)
def test_a_city_is_itself_in_any_case(name):
    place = Place(country="MX", city_names=frozenset((name,)))
    for spelling in (name, name.upper(), f"  {name}  "):
        against = reasons_against(place, Rules(cities=(spelling,)))
        assert against == (() if comparable(name) else (LocationReason.CITY_UNKNOWN,))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ciudad de México", "CIUDAD DE MEXICO"),
        ("Cancún", "cancun"),
        ("Peñón Blanco", "PENON BLANCO"),
        ("Tuxtla-Gutiérrez", "Tuxtla Gutierrez"),
        ("México, D.F.", "mexico d f"),
        ("Querétaro", "Querétaro"),
    ],
)
def test_accents_case_and_signs_make_no_difference(one, other):
    assert comparable(one) == comparable(other)


@given(
    country=st.one_of(st.none(), st.sampled_from(["MX", "US"])),
    flags=st.tuples(*[st.sampled_from([None, False, True])] * 4),
    rules=st.builds(
        Rules,
        st.lists(st.sampled_from(["MX", "us", "CA"]), max_size=2).map(tuple),
        st.lists(st.sampled_from(["Lima", "Quito"]), max_size=1).map(tuple),
        st.booleans(),
    ),
)
def test_what_is_not_known_never_lets_anybody_through(country, flags, rules):
    place = Place(country=country, hidden=Hidden(*flags))
    against = reasons_against(place, rules)
    if rules.countries and country is None:
        assert LocationReason.COUNTRY_UNKNOWN in against
    if rules.cities:
        assert LocationReason.CITY_UNKNOWN in against
    if rules.block_vpn and (any(flags[:3]) or flags[0] is None):
        assert against
    if rules == Rules():
        assert against == ()


@pytest.mark.parametrize(
    ("place", "kilometres"),
    [((19.4326, -99.1332), 0), ((20.6597, -103.3496), 461), ((-19.4326, 80.8668), 20015)],
    ids=["here", "guadalajara", "antipode"],
)
def test_a_distance_is_that_of_the_great_circle(place, kilometres):
    capital = Coordinates(19.4326, -99.1332)
    assert capital.distance_to(Coordinates(*place)) == pytest.approx(kilometres, abs=2)
