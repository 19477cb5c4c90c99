"""The `acredita` command. Each file here holds one group of commands.

A command imports what it needs in its own body, so that `acredita --help` starts fast.
"""

from typing import Annotated

import typer

from acredita.cli import (
    aml,
    audit,
    backup,
    decision,
    develop,
    hold,
    keys,
    metamap,
    org,
    serve,
    settings_check,
    training,
    verification,
)
from acredita.cli.failures import Commands
from acredita.cli.settings import refuse_unknown_variables
from acredita.cli.version import print_version

app = typer.Typer(
    cls=Commands,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


@app.callback()
def begin(
    context: typer.Context,
    *,
    version: Annotated[  # noqa: ARG001 (its callback prints it)
        bool, typer.Option("--version", callback=print_version, is_eager=True, help="Show it.")
    ] = False,
) -> None:
    """Identity verification that anyone can run themselves."""
    # `check-config` reports them with all other faults; `verify-decision` reads no settings.
    if context.invoked_subcommand not in {"check-config", "verify-decision"}:
        refuse_unknown_variables()


for command in (
    serve.api,
    serve.worker,
    serve.migrate,
    serve.doctor,
    backup.backup,
    backup.restore,
    settings_check.init,
    settings_check.check_config,
    develop.demo,
    develop.dev,
    develop.synth,
    develop.openapi,
    training.calibrate,
    decision.verify_decision,
):
    app.command()(command)
for name, group in (
    ("audit", audit),
    ("keys", keys),
    ("hold", hold),
    ("org", org),
    ("aml", aml),
    ("metamap", metamap),
    ("training", training),
    ("verification", verification),
):
    app.add_typer(group.app, name=name)
