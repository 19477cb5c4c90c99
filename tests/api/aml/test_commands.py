"""`acredita aml`, as an operator types it."""

import asyncio
import io
import os
import re
import secrets
import shlex
import shutil
from datetime import date
from itertools import islice, pairwise

import pytest
from rich.console import Console
from typer.testing import CliRunner

from acredita.cli import app
from acredita.development import VARIABLES, write_variables
from acredita.kit.crypto import new_key
from acredita.providers.watchlists.protocol import ListFault
from acredita.resources.aml.lists import commands
from tests.api.aml.conftest import HEADER
from tests.conftest import test_data as data_file
from tests.factories.pages import block

NAME = "Evaristo Quimbaya Lunario"


@pytest.fixture
def console():
    return Console(file=io.StringIO(), width=200, highlight=False)


@pytest.fixture
def run(lists, console):
    """Import files; what was said."""

    async def run(*paths, list_id=None, format_name=None, name=None, force=False):
        await commands.import_files(
            lists.services.settings,
            console,
            paths,
            list_id=list_id,
            format_name=format_name,
            name=name,
            force=force,
        )
        await lists.services.screener.refresh()
        said = console.file.getvalue()
        console.file.seek(0)
        console.file.truncate()
        return said

    return run


def own(folder, *rows):
    path = folder / "ours.csv"
    path.write_text("\n".join([HEADER, *rows]))
    return path


async def test_files_of_several_lists_are_told_apart_and_served_at_once(banco, run):
    ofac = [
        data_file("watchlists", "ofac", f"cons_{part}.csv")
        for part in ("prim", "alt", "add", "comments")
    ]
    united_nations = data_file("watchlists", "un", "consolidated_2026-02-27.xml")
    said = await run(*ofac, united_nations)
    assert "ofac-cons version 1: 442 entries (442 added, 0 changed, 0 removed)" in said
    assert "un version 1: 1003 entries" in said
    assert "names of 1445 entries" in said
    answer = await banco.post("/v1/aml/screen", json={"fullName": "Eric Badege", "lists": ["un"]})
    assert answer.json()["matches"][0]["name"] == "ERIC BADEGE"
    again = await run(*ofac, united_nations)
    assert "ofac-cons version 1: 442 entries (0 added, 0 changed, 0 removed)" in again


async def test_a_list_of_ones_own_has_the_name_that_it_is_given(banco, run, lists):
    path = own(lists.folder, f"a,person,{NAME},,,MX,")
    with pytest.raises(ListFault, match="specify which list"):
        await run(path)
    assert "our-own version 1: 1 entries" in await run(path, list_id="our-own", name="Ours")
    (shown,) = (await banco.get("/v1/aml/lists")).json()["lists"]
    assert (shown["id"], shown["name"]) == ("our-own", "Ours")


def few(source, target, rows):
    """The first rows of a file of a list; of XML, the first people."""
    if source.suffix == ".xml":
        parts = source.read_bytes().split(b"<INDIVIDUAL>")[: rows + 1]
        end = b"</INDIVIDUALS></CONSOLIDATED_LIST>"
        target.write_bytes(b"<INDIVIDUAL>".join(parts) + end)
        return
    with source.open("rb") as lines:
        target.write_bytes(b"".join(islice(lines, rows)))


async def test_the_imports_of_the_page_load_every_list(run, lists):
    sources = {
        f"{source.stem.partition('_20')[0]}{source.suffix}": source
        for folder in ("ofac", "un", "sat69b")
        for source in sorted(data_file("watchlists", folder).iterdir())
    }
    for name, source in sources.items():
        few(source, lists.folder / name, 60)
    own(lists.folder, f"a,person,{NAME},,,MX,")
    shutil.copy(lists.folder / "ours.csv", lists.folder / "peps.csv")
    said = ""
    for line in block("docs/integrators/aml.md", "imports").splitlines():
        _, _, _, *words = shlex.split(line)
        options = dict(pairwise(words))
        files = [lists.folder / word for word in words if "." in word]
        named = {"list_id": options.get("--list"), "name": options.get("--name")}
        said += await run(*files, **named)
    register = lists.folder / "register.csv"
    register.write_text(block("docs/integrators/aml.md", "a register"))
    said += await run(register, list_id="pep-mx")
    assert set(re.findall(r"^(\S+) version 1: [1-9]", said, re.MULTILINE)) == {
        *("ofac-sdn", "ofac-cons", "un", "sat-69b"),
        *("pep", "our-own", "pep-mx"),
    }, said


async def test_files_that_are_not_that_list_are_refused(run, lists):
    path = own(lists.folder, f"a,person,{NAME},,,MX,")
    with pytest.raises(
        ListFault, match=r"ours.csv: has format csv, which ofac-sdn is not published in"
    ):
        await run(path, list_id="ofac-sdn")


async def test_a_list_that_shrank_is_taken_by_force_alone(run, lists):
    rows = [f"{number},person,Persona Inventada {number},,,," for number in range(10)]
    await run(own(lists.folder, *rows), list_id="ours")
    shrunk = own(lists.folder, *rows[:2])
    with pytest.raises(ListFault, match="2 entries instead of 10"):
        await run(shrunk, list_id="ours")
    assert "(0 added, 0 changed, 8 removed)" in await run(shrunk, list_id="ours", force=True)


async def test_a_command_shows_every_list_and_what_is_wrong_with_it(lists, run, console, authority):
    settings = lists.services.settings
    await run(own(lists.folder, f"a,person,{NAME},,,MX,"), list_id="ours")
    async with authority.receiver(host="localhost") as receiver:
        address = receiver.url("/un.xml", "localhost")
        away = settings.model_copy(update={"aml_refresh": (f"un={address}",)})
        assert not await commands.refresh(away, console, [], force=False)
        assert "un: un.xml: is empty: the former version stays" in console.file.getvalue()
    await commands.show(settings, console)
    said = console.file.getvalue()
    assert "ours  1 entries, version 1" in said
    assert "stale: un.xml: is empty" in said
    assert "2 lists; index " in said


async def test_nothing_is_fetched_that_the_settings_do_not_name(lists, console):
    assert not await commands.refresh(lists.services.settings, console, [], force=False)
    assert "ACREDITA_AML_REFRESH names no list" in console.file.getvalue()
    assert not await commands.refresh(lists.services.settings, console, ["nowhere"], force=False)
    assert "has no address for this list" in console.file.getvalue()


@pytest.fixture
def acredita(monkeypatch, settings):
    """Run `acredita aml …` in an environment that names this test's database."""
    for name in ("database_url", "redis_url", "data_dir"):
        monkeypatch.setenv(f"ACREDITA_{name.upper()}", str(getattr(settings, name)))

    async def run(*arguments):
        return await asyncio.to_thread(CliRunner().invoke, app, ["aml", *map(str, arguments)])

    return run


async def test_a_damaged_file_ends_the_command_with_what_is_wrong(acredita, lists):
    path = own(lists.folder, f"a,person,{NAME},,,Narnia,")
    ended = await acredita("import", path, "--list", "ours")
    assert ended.exit_code == 1
    assert "ours.csv, line 2: has an unknown country" in ended.stderr
    assert "The list is unchanged." in ended.stderr
    assert "Traceback" not in ended.output
    shown = await acredita("lists")
    assert (shown.exit_code, shown.stdout) == (0, "0 lists; index not built yet\n")


@pytest.mark.parametrize(
    "arguments",
    [
        ("import", "/nowhere/sdn.csv"),
        ("import", __file__, "--format", "odt"),
        ("import", __file__, "--list", "Not An Id"),
        ("import",),
    ],
)
async def test_arguments_that_make_no_sense_are_refused(acredita, arguments):
    assert (await acredita(*arguments)).exit_code == 2


async def test_a_command_finds_the_running_development_stack(
    lists, console, run, tmp_path, monkeypatch
):
    await run(own(lists.folder, f"a,person,{NAME},,,MX,"), list_id="our-own")
    settings = lists.services.settings
    variables = {
        "ACREDITA_DATABASE_URL": settings.database_url,
        "ACREDITA_REDIS_URL": settings.redis_url,
        "ACREDITA_SECRET_KEY": secrets.token_hex(32),
        "ACREDITA_ENCRYPTION_KEYS": new_key(date(2026, 1, 31)),
    }
    write_variables(tmp_path / VARIABLES, variables)
    for name in [name for name in os.environ if name.startswith("ACREDITA_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("ACREDITA_ENV", "development")
    monkeypatch.setenv("ACREDITA_DATA_DIR", str(tmp_path))
    for name in variables:
        # Registered, so that it is undone: the command sets it.
        monkeypatch.setenv(name, "x")
        monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    shown = await asyncio.to_thread(CliRunner().invoke, app, ["aml", "lists"])
    assert shown.exit_code == 0, shown.output
    assert "using the development stack of" in shown.output
    assert "our-own" in shown.output
