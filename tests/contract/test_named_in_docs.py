"""What the pages name exists: commands with options, make targets, settings, paths of the API."""

import json
import re

import typer

from acredita.cli import app
from acredita.settings import Settings
from tests.factories.pages import FENCED, PAGES, PROJECT

# Of docker-compose.yml and of the tests; the last is a mistake that a message shows.
NO_SETTINGS = {
    "ACREDITA_IMAGE",
    "ACREDITA_PUBLISHED_PORT",
    "ACREDITA_NAME_PAIRS",
    "ACREDITA_TEST_DATA",
    "ACREDITA_STORAGE_URI",
}
METHODS = "GET|POST|PUT|PATCH|DELETE"


def code_of(page):
    """The page's blocks of code and its code in running text."""
    text = page.read_text()
    blocks = [block for _, _, block in FENCED.findall(text)]
    spans = re.findall(r"`([^`]+)`", FENCED.sub("", text))
    return [re.sub(r"\\\n\s*", " ", code) for code in (*blocks, *spans)]


def fault_of_command(words):
    """What is wrong with the words after `acredita`, or None."""
    command = typer.main.get_command(app)
    for word in words:
        if word.startswith("-"):
            known = {option for parameter in command.params for option in parameter.opts}
            known |= {o for p in command.params for o in p.secondary_opts} | {"--help"}
            if word.partition("=")[0] not in known:
                return f"no option {word}"
        elif hasattr(command, "commands"):
            if word not in command.commands:
                return f"no command {word}"
            command = command.commands[word]
    return None


def test_every_command_on_the_pages_exists_with_its_options():
    faults = []
    for page in PAGES:
        for code in code_of(page):
            for line in re.findall(
                r"(?:^|[\s/;(])(?<!install )(?<!kubectl )(?<!su )acredita ([a-z-][^\n`|;&>#]*)",
                code,
            ):
                words = [word for word in line.split() if re.fullmatch(r"-?-?[a-z][\w=-]*", word)]
                if words and (fault := fault_of_command(words)):
                    faults.append(f"{page.relative_to(PROJECT)}: acredita {line}: {fault}")
    assert faults == []


def test_every_make_target_on_the_pages_exists():
    known = set(re.findall(r"^([a-z-]+):", (PROJECT / "Makefile").read_text(), re.MULTILINE))
    named = {
        (page.relative_to(PROJECT).as_posix(), target)
        for page in PAGES
        for code in code_of(page)
        for targets in re.findall(r"^make ((?:[a-z][a-z-]+ ?)+)", code, re.MULTILINE)
        for target in targets.split()
    }
    assert len(named) > 20
    assert [one for one in sorted(named) if one[1] not in known] == []


def test_every_setting_on_the_pages_exists():
    known = {f"ACREDITA_{field.upper()}" for field in Settings.model_fields} | NO_SETTINGS
    unknown = {
        (page.relative_to(PROJECT).as_posix(), name)
        for page in PAGES
        for name in re.findall(r"\bACREDITA_[A-Z0-9_]*[A-Z0-9]\b(?![_…*])", page.read_text())
        if name not in known
    }
    assert unknown == set()


def test_every_path_of_the_api_on_the_pages_exists():
    described = json.loads((PROJECT / "openapi.json").read_text())["paths"]
    known = {
        (method.upper(), re.sub(r"\{\w+\}", "{}", path))
        for path, operations in described.items()
        for method in operations
    }
    named = [
        (page.relative_to(PROJECT).as_posix(), method, path)
        for page in PAGES
        for method, path in re.findall(
            rf"\b({METHODS}) +(/v1/[\w/{{}}-]*[\w}}])(?![\w/{{}},-])", page.read_text()
        )
    ]
    assert len(named) > 50
    # In a diagram, an id has no braces.
    unknown = [
        one for one in named if (one[1], re.sub(r"\{\w+\}|\bid\b", "{}", one[2])) not in known
    ]
    assert unknown == []
