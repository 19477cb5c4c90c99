"""The `acredita` command. Each file here holds one group of commands.

A command imports what it needs in its own body, so that `acredita --help` starts fast.
"""

import typer

from acredita.cli import aml, audit, develop, hold, keys, metamap, org, serve, training

app = typer.Typer(
    help="Identity verification that anyone can run themselves.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
for command in (
    serve.api,
    serve.worker,
    serve.migrate,
    serve.doctor,
    develop.demo,
    develop.dev,
    develop.synth,
    develop.openapi,
    training.calibrate,
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
):
    app.add_typer(group.app, name=name)
