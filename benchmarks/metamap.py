"""What the calls of the compatible API take, next to the calls of /v1 that they translate.

    python -m acredita.embedded run -- python -m benchmarks.metamap [--seconds 60]

One server takes the load of eight clients in turns, each call of /v1 and its translation one after
the other, many times over, so that whatever else the machine does falls on both alike. The measure
is the 95th percentile of a turn's latencies, and a ratio is the median over the turns; beside it
stands the CPU time of the server's process for each request. Exits with 1 when a ratio is above the
bar.
"""

import argparse
import asyncio
import sys
from base64 import b64encode
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from statistics import median, quantiles

import httpx
import orjson

from acredita.settings import FASTEST_RATE, Settings
from benchmarks.load import request
from benchmarks.seed import OTHERS, seed
from benchmarks.service import (
    CLIENTS,
    Server,
    Variant,
    measure,
    service_of_its_own,
)
from tests.factories.belongings import picture
from tests.factories.organizations import Member, make_verification, make_workflow, register

# How many times the 95th percentile of the call beneath a translated call may take.
BAR = 1.3
BASE = "/v1/metamap"
BOUNDARY = "a-boundary"
# A call: its name, whose it is, the request, the status of its answer.
Said = tuple[str, str, bytes, int]


@dataclass
class Call(Variant):
    # The 95th percentile of the latencies of each turn, in seconds.
    tails: list[float] = field(default_factory=list)

    def take_turn(self, generator: Executor, seconds: float) -> None:
        before = len(self.latencies)
        super().take_turn(generator, seconds)
        self.tails.append(quantiles(self.latencies[before:], n=20)[18])

    def forget(self) -> None:
        super().forget()
        self.tails = []


async def variants_of(service: Server, settings: Settings, others: int) -> list[Call]:
    """Every call of /v1 stands before its translation."""
    base_url = f"http://127.0.0.1:{service.port}"
    seeded = await seed(settings, base_url, others)
    async with httpx.AsyncClient(base_url=base_url, trust_env=False, timeout=30) as client:
        member = await register(client, "Caja Dos")
        workflow = await make_workflow(member, "DOCUMENT_OCR", "GOVERNMENT_VERIFY")
        ids = [await make_verification(member, workflow) for _ in range(4)]
    pairs = [
        *_token(member),
        *_start(member, workflow),
        *_inputs(member, *ids[:2]),
        *_status(member, *ids[2:]),
    ]
    result = {"authorization": f"Bearer {seeded.token}"}
    alias = _alias(seeded.verification_id)
    one = f"/v1/verifications/{seeded.verification_id}"
    pairs += [
        ("RESULT", "/v1", request("GET", one, result), 200),
        ("RESULT", "metamap", request("GET", f"{BASE}/v2/verifications/{alias}", result), 200),
    ]
    return [
        Call(name, Server(side, service.port, service.process), content, status)
        for name, side, content, status in pairs
    ]


def _token(member: Member) -> list[Said]:
    asked = {"grant_type": "client_credentials", "client_id": member.organization_id}
    ours = orjson.dumps({**asked, "client_secret": member.api_key})
    pair = f"{_alias(member.organization_id)}:{member.api_key}".encode()
    theirs = {
        "content-type": "application/x-www-form-urlencoded",
        "authorization": "Basic " + b64encode(pair).decode(),
    }
    return [
        ("TOKEN", "/v1", request("POST", "/v1/auth/token", _json({}), ours), 200),
        (
            "TOKEN",
            "metamap",
            request("POST", f"{BASE}/oauth", theirs, b"grant_type=client_credentials"),
            200,
        ),
    ]


def _start(member: Member, workflow: str) -> list[Said]:
    metadata = {"email": "john@gmail.com"}
    ours = orjson.dumps({"workflowId": workflow, "metadata": metadata})
    theirs = orjson.dumps({"flowId": _alias(workflow), "metadata": metadata})
    headers = _json(member.headers)
    path = f"{BASE}/v2/verifications"
    return [
        ("START", "/v1", request("POST", "/v1/verifications", headers, ours), 201),
        ("START", "metamap", request("POST", path, headers, theirs), 200),
    ]


def _inputs(member: Member, ours: str, theirs: str) -> list[Said]:
    headers = member.headers | {"content-type": f"multipart/form-data; boundary={BOUNDARY}"}
    data = {"type": "national-id", "country": "MX", "page": "front", "filename": "front.png"}
    inputs = orjson.dumps([{"inputType": "document-photo", "group": 0, "data": data}])
    plain = _multipart(("front", "front.png", picture()))
    named = _multipart(("inputs", "", inputs), ("document", "front.png", picture()))
    path = f"{BASE}/v2/identities/{_alias(theirs)}/send-input"
    return [
        ("INPUTS", "/v1", request("POST", f"/v1/verifications/{ours}/inputs", headers, plain), 202),
        ("INPUTS", "metamap", request("POST", path, headers, named), 201),
    ]


def _status(member: Member, ours: str, theirs: str) -> list[Said]:
    headers = _json(member.headers)
    path = f"{BASE}/v2/verifications/{_alias(theirs)}/status"
    approved, verified = orjson.dumps({"status": "APPROVED"}), orjson.dumps({"status": "verified"})
    address = f"/v1/verifications/{ours}/status"
    return [
        ("STATUS", "/v1", request("PATCH", address, headers, approved), 200),
        ("STATUS", "metamap", request("PUT", path, headers, verified), 200),
    ]


def _alias(text: str) -> str:
    return text.replace("-", "")[:24]


def _json(headers: dict[str, str]) -> dict[str, str]:
    return headers | {"content-type": "application/json"}


def _multipart(*parts: tuple[str, str, bytes]) -> bytes:
    body = b""
    for name, filename, content in parts:
        named = f'; filename="{filename}"' if filename else ""
        head = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"{named}\r\n\r\n'
        body += head.encode() + content + b"\r\n"
    return body + f"--{BOUNDARY}--\r\n".encode()


def report(variants: list[Call]) -> bool:
    """Print the table; whether every ratio keeps the bar."""
    row = "{:<7} {:<8} {:>8} {:>8} {:>9} {:>15} {:>9}".format
    print(row("", "", "p50 ms", "p95 ms", "to /v1", "CPU us/request", "to /v1"))
    kept = True
    for beneath, above in zip(variants[::2], variants[1::2], strict=True):
        ratio = median(a / b for a, b in zip(above.tails, beneath.tails, strict=True))
        cost = median(a / b for a, b in zip(above.costs, beneath.costs, strict=True))
        for variant, times, spent in ((beneath, 1.0, 1.0), (above, ratio, cost)):
            print(
                row(
                    variant.method,
                    variant.server.name,
                    f"{median(variant.latencies) * 1000:.1f}",
                    f"{median(variant.tails) * 1000:.1f}",
                    f"{times:.2f}",
                    f"{median(variant.costs):.0f}",
                    f"{spent:.2f}",
                )
            )
        kept = kept and ratio <= BAR
    if not kept:
        print(f"the bar of {BAR} is missed")
    return kept


def main(given: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.metamap", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0, help="of load, all turns together")
    parser.add_argument("--others", type=int, default=OTHERS, help="verifications beside the one")
    arguments = parser.parse_args(given)
    rate = str(FASTEST_RATE)
    with service_of_its_own(ACREDITA_IP_RATE_LIMIT=rate, ACREDITA_IP_RATE_BURST=rate) as service:
        variants = asyncio.run(variants_of(service, Settings(), arguments.others))
        print(f"{CLIENTS} clients, {arguments.seconds:.0f} s of load")
        measure([*variants], arguments.seconds)
        return 0 if report(variants) else 1


if __name__ == "__main__":
    sys.exit(main())
