"""docs/operators/operations.md names what there is to see, and nothing else."""

import re
from pathlib import Path

from prometheus_client import REGISTRY

from acredita.resources.invariants.checks import AUDIT_CHAIN, INVARIANTS
from tests.observability.conftest import numbers_of

PAGE = (Path(__file__).parents[2] / "docs" / "operators" / "operations.md").read_text()


async def test_every_metric_is_described_and_every_described_one_is_there(services, banco):
    shown = {
        sample.name.removesuffix("_bucket").removesuffix("_count").removesuffix("_sum")
        for sample in (await numbers_of(services)).samples
    }
    counted = {
        f"{family.name}_total" if family.type == "counter" else family.name
        for family in REGISTRY.collect()
    }
    there = {name for name in shown | counted if name.startswith("acredita_")}
    # These have samples only while there are jobs.
    there |= {"acredita_queue_jobs", "acredita_queue_oldest_due_seconds"}
    described = set(re.findall(r"^\|[^|]*`(acredita_\w+)`", PAGE, re.MULTILINE))
    described |= set(re.findall(r"^\| `acredita_\w+`, `(acredita_\w+)`", PAGE, re.MULTILINE))
    described |= set(re.findall(r"^\| `(acredita_\w+)`", PAGE, re.MULTILINE))
    assert described == there


def test_every_invariant_is_described():
    section = PAGE.partition("## What must always hold")[2]
    names = set(re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE))
    assert names == {*(invariant.name for invariant in INVARIANTS), AUDIT_CHAIN}
