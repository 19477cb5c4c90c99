"""`acredita org`: organizations."""

import asyncio
from typing import Annotated

import typer

from acredita.cli.settings import load_settings_with_database

app = typer.Typer(help="Organizations: create one, set its rate limit.", no_args_is_help=True)


@app.command("create")
def create_organization(
    name: Annotated[str, typer.Argument(help="The organization's name.")],
    email: Annotated[str, typer.Argument(help="The owner's e-mail address.")],
    language: Annotated[
        str, typer.Option(help="Language of the mail to the owner: es or en.")
    ] = "es",
) -> None:
    """Create an organization, print its credentials, mail its owner a link to set a password."""
    from pydantic import ValidationError

    from acredita.domain.languages import Language
    from acredita.resources.auth.commands import create
    from acredita.resources.auth.schemas import NewOrganization

    if language not in set(Language):
        raise typer.BadParameter("languages are es and en")
    try:
        data = NewOrganization.model_validate({"orgName": name, "email": email})
    except ValidationError as fault:
        faults = "; ".join(f"{error['loc'][0]}: {error['msg']}" for error in fault.errors())
        raise typer.BadParameter(faults) from None
    asyncio.run(create(load_settings_with_database(), data, Language(language), typer.echo))


@app.command("set-rate")
def set_organization_rate(
    organization: Annotated[str, typer.Argument(help="The organization's id or slug.")],
    rate: Annotated[int, typer.Argument(min=1, help="Requests per second.")],
    burst: Annotated[
        int | None,
        typer.Option(min=1, help="Burst size; default: twice the rate."),
    ] = None,
) -> None:
    """Set the rate limit of an organization. It takes effect within a second."""
    from acredita.domain.errors import NotFound
    from acredita.resources.organizations.commands import set_rate
    from acredita.settings import FASTEST_RATE

    if max(rate, burst or 0) > FASTEST_RATE:
        raise typer.BadParameter(f"at most {FASTEST_RATE:,} requests per second are possible")
    burst = burst or min(2 * rate, FASTEST_RATE)
    try:
        changed = asyncio.run(set_rate(load_settings_with_database(), organization, rate, burst))
    except NotFound:
        raise typer.BadParameter("no organization has this id or slug") from None
    typer.echo(f"{changed}: {rate} requests per second, burst {burst}")
