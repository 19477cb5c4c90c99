"""`acredita training` and `acredita calibrate`: what is labelled, and what is learnt from it."""

import asyncio
from pathlib import Path
from typing import Annotated
from uuid import UUID

import typer

from acredita.cli.settings import load_settings_with_database

app = typer.Typer(help="Labelling: put batches of documents together.", no_args_is_help=True)


@app.command("batch")
def make_batch(
    organization: Annotated[str, typer.Argument(help="The organization's id or slug.")],
    name: Annotated[str, typer.Argument(help="What the batch is called.")],
    strategy: Annotated[
        str, typer.Option(help="uncertain, disagreement, random, oldest or newest first.")
    ] = "uncertain",
    doc_type: Annotated[str | None, typer.Option(help="Documents of one type alone.")] = None,
    metamap_status: Annotated[str | None, typer.Option(help="As the API has it.")] = None,
    hit_rate: Annotated[str | None, typer.Option(help="As the API has it.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=100_000, help="Documents at the most.")] = 200,
) -> None:
    """Put documents that wait for a label, and are in no batch yet, into a batch."""
    from acredita.api.errors import ValidationFailed
    from acredita.resources.training import commands
    from acredita.resources.training.choosing import Filters, Strategy

    try:
        filters = Filters.of(doc_type, metamap_status, None, hit_rate)
        order = Strategy(strategy)
    except ValidationFailed as fault:
        raise typer.BadParameter("; ".join(fault.details or [])) from None
    except ValueError:
        raise typer.BadParameter(f"strategies are {', '.join(Strategy)}") from None
    made = asyncio.run(
        commands.make_batch(
            load_settings_with_database(),
            organization,
            name,
            strategy=order,
            filters=filters,
            limit=limit,
        )
    )
    if made is None:
        raise typer.BadParameter("there is no organization of this id or slug")
    batch_id, count = made
    typer.echo(f"{batch_id}: {count} documents")


def calibrate(
    file: Annotated[Path, typer.Argument(help="Where to write the thresholds; a new file.")],
    target: Annotated[
        float,
        typer.Option(min=0.5, max=0.9999, help="How often what is accepted must be right."),
    ] = 0.99,
    days: Annotated[int, typer.Option(min=1, max=3650, help="Labels of so many days.")] = 90,
    organization: Annotated[
        UUID | None, typer.Option(help="Labels of one organization alone.")
    ] = None,
) -> None:
    """Fit fields' thresholds to what was labelled, and write them to a file; change nothing."""
    from acredita.resources.training import commands

    try:
        asyncio.run(
            commands.calibrate(
                load_settings_with_database(),
                file,
                organization_id=organization,
                days=days,
                target=target,
                say=typer.echo,
            )
        )
    except commands.NothingToFit as fault:
        typer.echo(f"acredita: too little was labelled: {fault}", err=True)
        raise typer.Exit(1) from None
    except FileExistsError:
        raise typer.BadParameter(f"{file} exists; a calibration is a new file") from None
