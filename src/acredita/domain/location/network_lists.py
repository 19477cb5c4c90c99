"""Lists of networks of VPNs, proxies and Tor exits, as published: one network per line."""

from bisect import bisect_right
from collections.abc import Iterable
from ipaddress import IPv4Address

from acredita.domain.location.ip_addresses import Address, read_network

# A list with a larger share of unreadable lines is refused: it is another kind of file.
MOST_FAULTY = 0.01
COMMENTS = ("#", ";", "//")


class NotAList(Exception):
    """The file is not a list of networks. The message does not quote the line."""


class Ranges:
    """Networks as sorted ranges that neither touch nor overlap. A look-up takes two bisections."""

    def __init__(self, networks: Iterable[tuple[int, int, int]]) -> None:
        """`ranges`: (IP version, first address, last address) as integers."""
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
    """Parse a list. Ignore comments, blank lines and text after the network in a line.

    Raise NotAList if no line, or too few lines, have a network: an HTML page that was downloaded
    by mistake must not empty the list.
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
