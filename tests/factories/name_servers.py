"""A name server on the loopback interface, and the resolver that asks it."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

import dns.asyncresolver
import dns.message
import dns.rcode
import dns.rdatatype
import dns.rrset

Zone = Mapping[str, Mapping[str, str]]
"""The records of each name, by type. An unknown name does not exist."""
# A name that gets no answer, and one of which the server knows nothing but that it should.
SILENT, BROKEN = "silent.example.", "broken.example."


class NameServer(asyncio.DatagramProtocol):
    def __init__(self, zone: Zone) -> None:
        self.zone = zone

    def connection_made(self, transport: asyncio.DatagramTransport) -> None:  # type: ignore[override]
        self.transport = transport

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        asked = dns.message.from_wire(data)
        (question,) = asked.question
        name, kind = question.name.to_text(), dns.rdatatype.to_text(question.rdtype)
        if name == SILENT:
            return
        answer = dns.message.make_response(asked)
        records = self.zone.get(name.removesuffix("."))
        if name == BROKEN:
            answer.set_rcode(dns.rcode.SERVFAIL)
        elif records is None:
            answer.set_rcode(dns.rcode.NXDOMAIN)
        elif kind in records:
            answer.answer.append(dns.rrset.from_text(name, 60, "IN", kind, records[kind]))
        self.transport.sendto(answer.to_wire(), addr)


@asynccontextmanager
async def serving(zone: Zone) -> AsyncIterator[dns.asyncresolver.Resolver]:
    loop = asyncio.get_running_loop()
    transport, _ = await loop.create_datagram_endpoint(
        lambda: NameServer(zone), local_addr=("127.0.0.1", 0)
    )
    resolver = dns.asyncresolver.Resolver(configure=False)
    resolver.nameservers = ["127.0.0.1"]
    resolver.lifetime = resolver.timeout = 60
    resolver.port = transport.get_extra_info("sockname")[1]
    try:
        yield resolver
    finally:
        transport.close()
