"""The Node client: its own tests, of which some need the running service."""

import asyncio
import json
import os
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from fastapi import FastAPI

from tests.api.documents.live import served
from tests.factories.javascript import node_command
from tests.factories.organizations import Member
from tests.factories.receiver import Authority

CLIENT = Path(__file__).parents[2] / "clients" / "node"


async def run_tests(*files: str, **environment: str) -> None:
    """Node's test runner passes all tests of these files and skips none."""
    process = await asyncio.create_subprocess_exec(
        node_command(),
        "--test",
        "--test-isolation=none",
        "--test-reporter=tap",
        *(f"test/{name}.test.ts" for name in files),
        cwd=CLIENT,
        env=os.environ | environment,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    output, _ = await process.communicate()
    report = output.decode()
    assert process.returncode == 0, report
    assert "\n# skipped 0\n" in report, report
    assert "\n# pass 0\n" not in report, report


async def test_the_node_client_renews_tokens_repeats_requests_and_reports_errors():
    await run_tests("transport")


@pytest.mark.usefixtures("worker")
async def test_the_node_client_carries_out_verifications_and_verifies_their_webhooks(
    app: FastAPI, banco: Member, rival: Member, authority: Authority, tmp_path: Path
):
    picture = tmp_path / "front.jpg"
    cv2.imwrite(str(picture), np.full((400, 640, 3), 200, np.uint8))
    async with authority.receiver() as receiver, served(app) as port:
        body: dict[str, Any] = {"url": receiver.url(), "events": ["verification.approved"]}
        endpoint = (await banco.post("/v1/webhooks", json=body)).json()["webhook"]
        await run_tests(
            "service",
            ACREDITA_BASE=f"http://127.0.0.1:{port}",
            ACREDITA_MEMBER=f"{banco.organization_id} {banco.api_key}",
            ACREDITA_RIVAL=f"{rival.organization_id} {rival.api_key}",
            ACREDITA_PICTURE=str(picture),
        )
        [received, *_] = await receiver.wait_for(1)
    delivery = {
        "body": received.body.decode(),
        "headers": received.headers,
        "secret": endpoint["secret"],
    }
    await run_tests("webhooks", ACREDITA_DELIVERY=json.dumps(delivery))
