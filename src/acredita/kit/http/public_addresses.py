"""An explicit table of the addresses that are not public.

Python 3.11's `ipaddress.is_global` accepts multicast, 6to4, NAT64, IPv4-compatible, site-local,
SRv6 and new documentation addresses (measured). Some of them lead into a private network. An IPv4
address is public unless it is listed here. An IPv6 address is public if it is in 2000::/3, the only
global unicast block, and not listed here. Source: the IANA special-purpose registries, RFC 6890 and
its updates.
"""

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

Address = IPv4Address | IPv6Address

NOT_PUBLIC_V4 = tuple(
    map(
        IPv4Network,
        (
            "0.0.0.0/8",  # this network; Linux connects to loopback
            "10.0.0.0/8",
            "100.64.0.0/10",  # carrier-grade NAT; Alibaba Cloud's metadata at 100.100.100.200
            "127.0.0.0/8",
            "168.63.129.16/32",  # Azure's host agent: public, but reachable only inside Azure
            "169.254.0.0/16",  # link-local; the metadata services of most clouds
            "172.16.0.0/12",
            "192.0.0.0/24",  # protocol assignments; Oracle Cloud's metadata at 192.0.0.192
            "192.0.2.0/24",  # documentation
            "192.31.196.0/24",  # AS112
            "192.52.193.0/24",  # automatic multicast tunnelling
            "192.88.99.0/24",  # 6to4 relays
            "192.168.0.0/16",
            "192.175.48.0/24",  # AS112
            "198.18.0.0/15",  # benchmarks
            "198.51.100.0/24",  # documentation
            "203.0.113.0/24",  # documentation
            "224.0.0.0/4",  # multicast
            "240.0.0.0/4",  # reserved, broadcast
        ),
    )
)
GLOBAL_UNICAST_V6 = IPv6Network("2000::/3")
NOT_PUBLIC_V6 = tuple(
    map(
        IPv6Network,
        (
            "2001::/23",  # protocol assignments: Teredo, benchmarks, ORCHID
            "2001:db8::/32",  # documentation
            "2002::/16",  # 6to4 embeds an IPv4 address, possibly a private one
            "2620:4f:8000::/48",  # AS112
            "3ffe::/16",  # the former 6bone
            "3fff::/20",  # documentation
        ),
    )
)


def is_public(address: Address) -> bool:
    if isinstance(address, IPv4Address):
        return not any(address in network for network in NOT_PUBLIC_V4)
    return address in GLOBAL_UNICAST_V6 and not any(address in network for network in NOT_PUBLIC_V6)
