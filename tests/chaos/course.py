"""The course of a run: customers and faults together, then quiet, then what is found."""

import asyncio

from tests.chaos.customers import Customers
from tests.chaos.faults import Faults
from tests.chaos.findings import Findings
from tests.chaos.installation import Installation
from tests.chaos.report import Report

# The last customers come before the last faults.
COMING = 0.9
SERVED_WITHIN = 60.0


async def run(
    installation: Installation, customers: Customers, faults: Faults, *, count: int
) -> Report:
    """Let `count` customers come while the faults strike."""
    supervising = asyncio.create_task(installation.keep_up())
    try:
        await customers.settle_in()
        striking = asyncio.create_task(faults.strike())
        try:
            async with asyncio.timeout(faults.seconds + SERVED_WITHIN):
                await customers.come(count, seconds=faults.seconds * COMING)
        except TimeoutError:
            pass  # those who were not served are counted
        await striking
        findings = Findings(installation, customers.account)
        await findings.wait_until_quiet()
        # The processes are kept up meanwhile: findings ask the API as well.
        found = await findings.all(asked=count)
    finally:
        supervising.cancel()
        await customers.close()
    return Report(found, dict(faults.count), findings.figures, customers.account)
