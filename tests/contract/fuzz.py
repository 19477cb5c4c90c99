"""Schemathesis against a running server, with two organizations that must not see each other.

`python -m tests.contract.fuzz MINUTES [OPTION…]` runs it for long, with further options of its own,
on a whole stack: PostgreSQL and Redis of the environment (`python -m acredita.embedded run`), API
and worker. When it fails, it ends with the last errors that the stack logged.
"""

import json
import os
import secrets
import subprocess
import sys
import tempfile
from pathlib import Path

import httpx

from acredita.embedded.ports import free_port
from acredita.embedded.stack import running_stack
from acredita.settings import Settings

PROJECT = Path(__file__).parents[2]
CONFIG = Path(__file__).with_name("schemathesis.toml")
# Other tests cover the rate limits; here they would hide the code behind them.
UNLIMITED = {
    "ACREDITA_ORG_RATE_LIMIT": "100000",
    "ACREDITA_ORG_RATE_BURST": "100000",
    "ACREDITA_IP_RATE_LIMIT": "100000",
    "ACREDITA_IP_RATE_BURST": "100000",
}


def run_schemathesis(
    base_url: str, folder: Path, *options: str, output: int | None = None
) -> subprocess.CompletedProcess[str]:
    """Exit code 0: no check failed on any operation. `output` as subprocess's stdout."""
    # The first description takes seconds, and schemathesis waits for ten at most.
    httpx.get(f"{base_url}/v1/openapi.json", trust_env=False, timeout=120).raise_for_status()
    credentials = folder / "credentials.json"
    credentials.write_text(json.dumps(_two_organizations(base_url)))
    command = [
        *(sys.executable, "-m", "schemathesis.cli", "--config-file", str(CONFIG), "run"),
        *(f"{base_url}/v1/openapi.json", "--no-color", "--continue-on-failure", *options),
    ]
    return subprocess.run(
        command,
        # It leaves a cache where it runs.
        cwd=folder,
        env=os.environ
        | {"ACREDITA_FUZZ_CREDENTIALS": str(credentials), "PYTHONPATH": str(PROJECT)},
        stdout=output,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )


def _two_organizations(base_url: str) -> dict[str, object]:
    with httpx.Client(base_url=base_url, trust_env=False, timeout=30) as client:
        return {"auth": [_credentials(client, name) for name in ("banco", "rival")]}


def _credentials(client: httpx.Client, name: str) -> dict[str, object]:
    suffix = secrets.token_hex(4)
    answer = client.post(
        "/v1/auth/register",
        json={
            "orgName": f"{name} {suffix}",
            "email": f"owner@{name}-{suffix}.example",
            "password": secrets.token_urlsafe(24),
        },
    )
    answer.raise_for_status()
    first_key = {"X-Api-Key": answer.json()["apiKey"]["key"]}
    without_limit = {"name": "Fuzz", "rateLimit": 0}
    answer = client.post(
        "/v1/organizations/me/api-keys", json=without_limit, headers=first_key
    ).raise_for_status()
    key = answer.json()["apiKey"]["key"]
    return {"name": name, "fixedHeaders": [{"name": "X-Api-Key", "value": key}]}


def main() -> int:
    minutes, options = float(sys.argv[1]), sys.argv[2:]
    with tempfile.TemporaryDirectory() as name:
        log = Path(name) / "log"
        with (
            log.open("w") as output,
            running_stack(
                Settings(),
                Path(name) / "data",
                port=free_port(),
                durable=False,
                output=output,
                extra=UNLIMITED
                | {"ACREDITA_ENV": "test", "ACREDITA_WEBHOOK_ALLOW_PRIVATE": "true"},
            ) as stack,
        ):
            options += ["--max-time", str(max(1, round(minutes * 60)))]
            done = run_schemathesis(stack.base_url, Path(name), *options)
        if done.returncode:
            errors = [line for line in log.open() if '"level":"error"' in line]
            sys.stdout.writelines(errors[-10:])
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
