"""`make dev`: runs the whole stack and prints the credentials of a demo organization."""

import asyncio
import json
import os
import shlex
import sys
from collections.abc import Mapping
from pathlib import Path

import asyncpg
import httpx
import typer

from acredita.embedded.processes import unwind_on_sigterm
from acredita.embedded.stack import running_stack
from acredita.kit.statement_pool import connect_arguments
from acredita.settings import Settings

CREDENTIALS = "demo-credentials.json"
VARIABLES = "development.env"


def run(settings: Settings) -> None:
    """Run until Ctrl-C. Raise EmbeddedError if a process does not start or ends by itself."""
    unwind_on_sigterm()
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    with running_stack(
        settings,
        settings.data_dir,
        host=settings.host,
        port=settings.port,
        durable=True,
        output=sys.stdout,
        extra=extra_settings(settings),
    ) as stack:
        kept, variables = settings.data_dir / CREDENTIALS, settings.data_dir / VARIABLES
        credentials = demo_organization(stack.base_url, kept)
        write_variables(variables, stack.environment)
        typer.echo(
            f"\nListening on {stack.base_url} (Ctrl-C stops everything)\n"
            f"  client_id      {credentials['client_id']}\n"
            f"  client_secret  {credentials['client_secret']}\n"
            f"{_login(stack.base_url, credentials)}"
            f"  all are kept in {kept}\n\n"
            "For other acredita commands beside this, type in another terminal:\n"
            f"  set -a; . {shlex.quote(str(variables))}; set +a\n"
        )
        stack.supervisor.wait()


def _login(base_url: str, credentials: Mapping[str, str]) -> str:
    """Return the lines about the console. Files of earlier releases have no login."""
    lines = f"  console        {base_url}/console/\n"
    if "email" in credentials:
        lines += f"  login          {credentials['email']}  {credentials['password']}\n"
    return lines


def extra_settings(settings: Settings) -> dict[str, str]:
    """What differs from the defaults here, unless the environment or `.env` sets it."""
    if "webhook_allow_private" in settings.model_fields_set:
        return {}
    return {"ACREDITA_WEBHOOK_ALLOW_PRIVATE": "true"}


def read_variables(file: Path) -> dict[str, str]:
    """What `write_variables` wrote; empty if there is no such file."""
    try:
        lines = file.read_text().splitlines()
    except OSError:
        return {}
    pairs = (line.partition("=") for line in lines if "=" in line)
    return {name: "".join(shlex.split(value)) for name, _, value in pairs}


def is_running(variables: Mapping[str, str]) -> bool:
    """Whether the PostgreSQL of a stack with these variables answers within two seconds."""

    async def connect() -> None:
        connection = await asyncpg.connect(
            **connect_arguments(variables["ACREDITA_DATABASE_URL"]), timeout=2.0
        )
        await connection.close()

    try:
        asyncio.run(connect())
    except (KeyError, OSError, TimeoutError, ValueError, asyncpg.PostgresError):
        return False
    return True


def write_variables(file: Path, environment: Mapping[str, str]) -> None:
    """Write the running stack's variables for a shell to read; they have its passwords."""
    file.touch(mode=0o600)
    file.write_text(
        "".join(f"{name}={shlex.quote(value)}\n" for name, value in sorted(environment.items()))
    )


def demo_organization(base_url: str, file: Path) -> dict[str, str]:
    """Return the credentials in `file` if they are valid, otherwise those of a new organization.

    Keys: client_id, client_secret, and email and password of the OWNER.
    """
    with httpx.Client(base_url=base_url, trust_env=False, timeout=30) as client:
        if file.exists():
            kept: dict[str, str] = json.loads(file.read_text())
            key = {name: kept[name] for name in ("client_id", "client_secret")}
            answer = client.post("/v1/auth/token", json={"grant_type": "client_credentials", **key})
            if answer.is_success:
                return kept
        return _register(client, file)


def _register(client: httpx.Client, file: Path) -> dict[str, str]:
    suffix = os.urandom(3).hex()
    login = {"email": f"owner@demo-{suffix}.example", "password": os.urandom(8).hex()}
    answer = client.post(
        "/v1/auth/register",
        json={"orgName": f"Demo {suffix}", **login},
    ).raise_for_status()
    registered = answer.json()
    credentials = {
        "client_id": registered["org"]["id"],
        "client_secret": registered["apiKey"]["key"],
        **login,
    }
    file.touch(mode=0o600)
    file.write_text(json.dumps(credentials))
    return credentials
