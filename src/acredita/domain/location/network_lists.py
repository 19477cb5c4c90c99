"""Plain lists of networks: one a line, as those who publish VPNs, proxies and Tor's exits write."""

from bisect import bisect_right
from collections.abc import Iterable
from ipaddress import IPv4Address

from acredita.domain.location.ip_addresses import Address, read_network

# A list is refused when more of it than this cannot be read: it is something else.
MOST_FAULTY = 0.01
COMMENTS = ("#", ";", "//")


class NotAList(Exception):
    """The message says what is wrong, without the line."""


class Ranges:
    """Networks as ranges that neither touch nor overlap, in order: a look-up is two bisections."""

    def __init__(self, networks: Iterable[tuple[int, int, int]]) -> None:
        """From (IP version, first address, last address), as numbers."""
        self._starts: dict[int, list[int]] = {4: [], 6: []}
        self._ends: dict[int, list[int]] = {4: [], 6: []}
        for version, first, last in sorted(networks):
            starts, ends = self._starts[version], self._ends[version]
            if ends and first <= ends[-1] + 1:
                ends[-1] = max(ends[-1], last)
            else:
                starts.append(first)
                ends.append(last)

    def __len__(self) -> int:
        return len(self._starts[4]) + len(self._starts[6])

    def __contains__(self, address: Address) -> bool:
        version = 4 if isinstance(address, IPv4Address) else 6
        place = bisect_right(self._starts[version], int(address)) - 1
        return place >= 0 and int(address) <= self._ends[version][place]


def read_list(text: str) -> Ranges:
    """A list with comments and blank lines; what follows the network in a line is passed over.

    Raise NotAList for a list without networks, and for one with many lines that are none: a page
    of HTML that a download brought instead must not empty the list.
    """
    networks: list[tuple[int, int, int]] = []
    faulty = 0
    for line in text.splitlines():
        entry = line.strip().lstrip("\ufeff")
        if not entry or entry.startswith(COMMENTS):
            continue
        network = read_network(entry.replace(",", " ").replace(";", " ").split()[0])
        if network is None:
            faulty += 1
            continue
        first, last = int(network.network_address), int(network.broadcast_address)
        networks.append((network.version, first, last))
    if not networks:
        raise NotAList("no networks")
    if faulty > MOST_FAULTY * (faulty + len(networks)):
        raise NotAList(f"{faulty} lines are no networks")
    return Ranges(networks)
