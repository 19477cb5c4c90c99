"""Many processes and organizations on one PostgreSQL: each part in turn, and all bars at last.

    python -m acredita.embedded run -- python -m benchmarks.fleet

Exits with 1 when a bar is missed. `--only` names parts. Each part is also a command of its own,
with sizes as options.
"""

import argparse
import os
import sys
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from benchmarks import ageing, deliveries, ledger, service
from benchmarks.bars import Bar, report
from benchmarks.fleet import connections, layouts, tenants

# What runs a part with its options.
PARTS: Mapping[str, Callable[[Sequence[str]], list[Bar]]] = {
    "connections": connections.bars,
    "service": service.bars,
    "ageing": ageing.bars,
    "ledger": ledger.bars,
    "tenants": tenants.bars,
    "layouts": layouts.bars,
    "deliveries": deliveries.bars,
}


def bars_of(name: str, options: Sequence[str]) -> list[Bar]:
    """The bars of a part. A part that ends early misses its bar, and the others go on."""
    try:
        return PARTS[name](options)
    except (Exception, SystemExit) as fault:
        traceback.print_exc()
        return [Bar(name, f"ended early: {fault!r}", is_kept=False)]


def main(given: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fleet", description=__doc__)
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--peers", type=Path, help="folder of the environment of other job queues")
    parser.add_argument("--against", help="commit of the former layout of engines")
    arguments = parser.parse_args(given)
    options = {"deliveries": ["--turns=2", "--events=5000"]}
    if arguments.peers is not None:
        options["ledger"] = ["--peers", str(arguments.peers)]
    if arguments.against is not None:
        options["layouts"] = ["--against", arguments.against]
    found: list[Bar] = []
    before = dict(os.environ)
    for name in arguments.only:
        print(f"== {name}", flush=True)
        began = time.monotonic()
        found += bars_of(name, options.get(name, []))
        # A part sets what its processes need.
        os.environ.clear()
        os.environ.update(before)
        print(f"== {name}: {time.monotonic() - began:.0f} s", flush=True)
    return report(found)


if __name__ == "__main__":
    sys.exit(main())
