"""`acredita training` and `acredita calibrate`: batches of documents to label, thresholds."""

import asyncio
from pathlib import Path
from typing import Annotated
from uuid import UUID

import typer

from acredita.cli.settings import load_settings_with_database

app = typer.Typer(help="Labelling: create batches of documents to label.", no_args_is_help=True)


@app.command("batch")
def make_batch(
    organization: Annotated[str, typer.Argument(help="The organization's id or slug.")],
    name: Annotated[str, typer.Argument(help="Name of the batch.")],
    strategy: Annotated[
        str, typer.Option(help="uncertain, disagreement, random, oldest or newest first.")
    ] = "uncertain",
    doc_type: Annotated[str | None, typer.Option(help="Only documents of this type.")] = None,
    metamap_status: Annotated[
        str | None, typer.Option(help="Only documents of this `metamapStatus`, as in the API.")
    ] = None,
    hit_rate: Annotated[
        str | None, typer.Option(help="Only documents of this `hitRate`, as in the API.")
    ] = None,
    limit: Annotated[
        int, typer.Option(min=1, max=100_000, help="Maximum number of documents.")
    ] = 200,
) -> None:
    """Create a batch of documents that have no label and are in no other batch."""
    from acredita.domain.errors import ValidationFailed
    from acredita.resources.training import commands
    from acredita.resources.training.queue_order import Filters, Strategy

    try:
        filters = Filters.parse(doc_type, metamap_status, None, hit_rate)
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
        raise typer.BadParameter("no organization has this id or slug")
    batch_id, count = made
    typer.echo(f"{batch_id}: {count} documents")


def calibrate(
    file: Annotated[Path, typer.Argument(help="Output file; it must not exist.")],
    target: Annotated[
        float,
        typer.Option(min=0.5, max=0.9999, help="Target precision of accepted values."),
    ] = 0.99,
    days: Annotated[
        int, typer.Option(min=1, max=3650, help="Use the labels of the last N days.")
    ] = 90,
    organization: Annotated[
        UUID | None, typer.Option(help="Use only the labels of this organization.")
    ] = None,
) -> None:
    """Fit confidence thresholds to the labels and write them to a file. Nothing else changes."""
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
    except FileExistsError:
        raise typer.BadParameter(f"{file} exists already; choose a new file") from None
