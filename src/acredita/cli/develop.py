"""`acredita demo`, `dev`, `synth` and `openapi`: commands for development."""

import asyncio
import importlib.util
import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from acredita.cli.settings import load_settings

OPENAPI_FILE = Path("openapi.json")


def _require_synthetic(command: str) -> None:
    """Exit with status 1 if acredita-synthetic, which makes specimens and faces, is missing."""
    if importlib.util.find_spec("acredita_synthetic") is None:
        typer.echo(
            f"acredita {command}: the package acredita-synthetic is not installed."
            " In a checkout of the repository: pip install ./synthetic",
            err=True,
        )
        raise typer.Exit(1)


def demo(
    seed: Annotated[int, typer.Option(help="Seed of the synthetic person.")] = 20,
    *,
    verbose: Annotated[bool, typer.Option(help="Also print the logs of the processes.")] = False,
) -> None:
    """Verify one synthetic person end to end on a temporary stack, then stop the stack."""
    _require_synthetic("demo")
    import shutil
    import time

    from rich.console import Console

    from acredita import demo as demonstration
    from acredita.embedded import EmbeddedError
    from acredita.embedded.ports import free_port
    from acredita.embedded.processes import unwind_on_sigterm
    from acredita.embedded.stack import running_stack

    console = Console(highlight=False)
    unwind_on_sigterm()
    began = time.monotonic()
    settings = load_settings()
    folder = settings.data_dir / "demo"
    folder.mkdir(parents=True, exist_ok=True)
    log_path = folder / "processes.log"
    data = folder / "data"
    try:
        with (
            log_path.open("w") as log,
            running_stack(
                settings,
                data,
                port=free_port(),
                durable=False,
                output=sys.stdout if verbose else log,
                extra={"ACREDITA_ENV": "development", "ACREDITA_WEBHOOK_ALLOW_PRIVATE": "true"},
            ) as stack,
        ):
            console.print(f"[bold]0[/]  Stack up after {time.monotonic() - began:.1f} s")
            asyncio.run(demonstration.run(stack.base_url, seed=seed, console=console))
    except (EmbeddedError, demonstration.DemoFailed) as fault:
        typer.echo(f"acredita demo: {fault}\nLogs of the processes: {log_path}", err=True)
        raise typer.Exit(1) from None
    except KeyboardInterrupt:
        raise typer.Exit(130) from None
    finally:
        # Each demonstration starts from an empty folder.
        shutil.rmtree(data, ignore_errors=True)
    console.print(f"[bold]9[/]  Everything stopped after {time.monotonic() - began:.1f} s")


def dev() -> None:
    """Run API and worker on embedded servers and print a demo organization's credentials."""
    from acredita.development import run
    from acredita.embedded import EmbeddedError

    try:
        run(load_settings())
    except EmbeddedError as fault:
        typer.echo(f"acredita dev: {fault}", err=True)
        raise typer.Exit(1) from None
    except KeyboardInterrupt:
        raise typer.Exit(130) from None


def synth(
    folder: Annotated[Path, typer.Argument(help="Output folder for images and ground truth.")],
    count: Annotated[int, typer.Option(min=1, help="Number of people.")] = 10,
    seed: Annotated[int, typer.Option(help="Seed of the first person.")] = 1,
    kinds: Annotated[
        str,
        typer.Option(
            help="Comma-separated: ine_front, ine_back, passport, driver_licence, "
            "curp_certificate, rfc_certificate, rfc_certificate_company, electricity_bill, "
            "telephone_bill, water_bill, bank_statement (these seven also as PDF), selfie."
        ),
    ] = "ine_front,ine_back,passport",
    who: Annotated[
        str,
        typer.Option(
            help="adult; child: ten years old, only passports; listed: a name on the sandbox "
            "watchlist. The last two only of ine_front, ine_back, passport and driver_licence."
        ),
    ] = "adult",
    difficulties: Annotated[
        str, typer.Option(help="Comma-separated: clean, mild, lowres, photo, hard.")
    ] = "clean",
) -> None:
    """Write specimen documents of synthetic people, with a ground-truth JSON file per image.

    Bills are dated relative to today, because older ones are refused; all else depends on the seed.
    """
    _require_synthetic("synth")
    from acredita.domain.time_zone import mexican_date
    from acredita.kit.clock import SystemClock
    from acredita_synthetic.bills import BillKind, write_bills
    from acredita_synthetic.capture import Difficulty
    from acredita_synthetic.cases import Case
    from acredita_synthetic.certificates import CertificateKind, write_certificates
    from acredita_synthetic.faces.samples import SELFIE, write_selfies
    from acredita_synthetic.ground_truth import SpecimenKind
    from acredita_synthetic.specimens import write_specimens

    try:
        names = [name.strip() for name in kinds.split(",")]
        papers = [CertificateKind(name) for name in names if name in tuple(CertificateKind)]
        bills = [BillKind(name) for name in names if name in tuple(BillKind)]
        others = (*papers, *bills, SELFIE)
        chosen = [SpecimenKind(name) for name in names if name not in others]
        levels = [Difficulty(name.strip()) for name in difficulties.split(",")]
        case = Case(who)
        if case is not Case.ADULT and (papers or bills):
            raise ValueError(f"no {(*papers, *bills)[0]} is drawn of the case {case}")
        written = write_specimens(folder, count, seed, chosen, levels, case)
    except ValueError as fault:
        raise typer.BadParameter(str(fault)) from None
    written += write_certificates(folder, count, seed, papers, levels)
    today = mexican_date(SystemClock().now())
    written += write_bills(folder, count, seed, bills, levels, on=today)
    written += write_selfies(folder, count if SELFIE in names else 0, seed)
    typer.echo(f"{len(written)} specimens in {folder}")


def openapi(
    *, check: Annotated[bool, typer.Option(help="Fail if openapi.json is out of date.")] = False
) -> None:
    """Write the OpenAPI document of the API to openapi.json."""
    from acredita.main import create_app
    from acredita.settings import Settings

    document = json.dumps(
        create_app(Settings(_env_file=None)).openapi(), indent=2, ensure_ascii=False, sort_keys=True
    )
    if not check:
        OPENAPI_FILE.write_text(document + "\n")
        return
    if not OPENAPI_FILE.exists() or OPENAPI_FILE.read_text() != document + "\n":
        typer.echo("openapi.json is out of date: run `make openapi` and commit it.", err=True)
        sys.exit(1)
