"""Which addresses are public, against the table of RELIABILITY finding 9 and more."""

import random
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acredita.kit.http.public_addresses import is_public

# First and last address of each block: a prefix written one bit off fails.
NOT_PUBLIC_BLOCKS = """
0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24
192.0.2.0/24 192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24
198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 168.63.129.16/32
::/128 ::1/128 ::/96 ::ffff:0:0/96 ::ffff:0:0:0/96 64:ff9b::/96 64:ff9b:1::/48 100::/64
100:0:0:1::/64 2001::/32 2001:2::/48 2001:10::/28 2001:20::/28 2001:db8::/32 2002::/16
3ffe::/16 3fff::/20 5f00::/16 fc00::/7 fd00::/8 fe80::/10 fec0::/10 ff00::/8 4000::/3 e000::/4
""".split()  # noqa: SIM905 (a table)
NOT_PUBLIC = """
10.254.0.0 192.168.10.65 172.16.10.65 0.1.2.3 0.0.0.0 127.0.0.1 169.254.45.1 255.255.255.255
192.0.2.255 198.51.100.65 203.0.113.6 100.100.0.0 192.0.0.0 192.0.0.255 250.10.20.30 198.18.0.0
198.19.255.255 169.254.169.254 169.254.170.2 100.100.100.200 192.0.0.192 168.63.129.16 224.0.0.1
239.255.255.255 192.88.99.1 ::ffff:127.0.0.1 ::ffff:169.254.169.254 ::ffff:8.8.8.8 ::127.0.0.1
64:ff9b::7f00:1 2002:7f00:1:: 2002:a9fe:a9fe:: 2001:0:7f00:1:: fd00:ec2::254 fec0::1 fe80::1
5f00::1 3fff::1 ff02::1 ::10.11.12.13
""".split()  # noqa: SIM905 (a table)
PUBLIC = """
1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0
168.63.129.15 168.63.129.17 169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 192.0.1.0
192.88.98.255 192.88.100.0 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 223.255.255.255
2001:4860:4860::8888 2606:4700:4700::1111 2a00:1450::1 2800:a0::1 3ffd:ffff::1
""".split()  # noqa: SIM905 (a table)


@pytest.mark.parametrize("block", NOT_PUBLIC_BLOCKS)
def test_no_address_of_a_special_block_is_public(block):
    network = IPv6Network(block) if ":" in block else IPv4Network(block)
    assert not is_public(network[0])
    assert not is_public(network[-1])
    for _ in range(20):
        assert not is_public(network[random.randrange(network.num_addresses)])


@pytest.mark.parametrize("address", NOT_PUBLIC)
def test_a_private_or_special_address_is_not_public(address):
    assert not is_public(ip_address(address))


@pytest.mark.parametrize("address", PUBLIC)
def test_the_neighbours_of_the_blocks_are_public(address):
    assert is_public(ip_address(address))


@given(st.ip_addresses(v=4).filter(lambda address: not address.is_global))
def test_whatever_python_calls_private_is_not_public(address: IPv4Address):
    assert not is_public(address)


@given(st.ip_addresses(v=4))
def test_no_way_of_carrying_an_ipv4_address_in_ipv6_is_public(address: IPv4Address):
    number = int(address)
    carried = [number, 0xFFFF << 32 | number, 0x64FF9B << 96 | number, 0x2002 << 112 | number << 80]
    for value in carried:
        assert not is_public(IPv6Address(value))
