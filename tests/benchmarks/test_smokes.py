"""Every benchmark runs in seconds: what measures works. What it measures counts for nothing.

Each `main` gets a tiny size and the servers of the tests, and the API that it measures runs in this
process: starting one takes longer than the rest of a smoke. It may miss its bars (1); whatever it
prints as wrong ends it by SystemExit.
"""

import asyncio
import io
import json
import os
import subprocess
import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import replace
from functools import cache, partial
from importlib import import_module
from itertools import count, islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psutil
import pytest
import structlog
from sqlalchemy.engine import make_url

from acredita.domain.liveness.challenge import Move
from acredita.settings import Settings
from acredita_synthetic.capture import Difficulty
from acredita_synthetic.styles import Style
from benchmarks import (
    ageing,
    compatible_deliveries,
    deliveries,
    evidence,
    export,
    ledger,
    ledger_contenders,
    listing,
    listing_people,
    metamap,
    screening,
    screening_batch,
    screening_data,
    screening_import,
    screening_pairs,
    screening_scale,
    screening_scripts,
    screening_spellings,
    screening_weights,
    service,
    simulation,
    training,
)
from benchmarks.attack import __main__ as attack
from benchmarks.fleet import connections, layouts, tenants
from benchmarks.recognition import __main__ as recognition
from benchmarks.recognition import (
    conditions,
    copies,
    documents,
    face_groups,
    faces,
    liveness,
    report,
    specimens,
    zones,
)
from benchmarks.service import Server, serving
from tests.browser.browser_arguments import CHROMIUM, HEADLESS_SHELL
from tests.conftest import EMPTY_TABLES, PROJECT, on_server, plain_url
from tests.conftest import test_data as shared
from tests.factories.inner_stack import inner_stack, settings_from
from tests.loaded_processes import METHOD, LoadedProcess

SIZES = {
    service: ("--seconds=0.4", "--others=10"),
    metamap: ("--seconds=0.4", "--others=10"),
    listing: ("--verifications=120", "--requests=2"),
    training: ("--documents=100", "--requests=2"),
    export: ("--rows=50",),
    deliveries: ("--events=50", "--turns=1", "--workers=1"),
    compatible_deliveries: ("--deliveries=40", "--rate=100", "--cycles=0"),
    ageing: ("--verifications=5", "--rows=2000", "--jobs=2000"),
    simulation: ("--verifications=20",),
    evidence: ("--files=1",),
    screening_batch: ("--batches=1", "--sandbox"),
    connections: ("--apis=1", "--workers=1", "--clients=8", "--connections=12", "--seconds=0.4"),
    tenants: ("--queued=3", "--singles=1", "--uploads=2", "--turns=1"),
    layouts: ("--documents=2", "--turns=1", "--against=HEAD"),
}
# What each must have printed of itself.
ROWS = {
    service: ("GET   acredita", "LIST  acredita", "POST  acredita", "GET   bare"),
    metamap: ("TOKEN   metamap", "START   metamap", "INPUTS  metamap", "RESULT  metamap"),
    listing: ("first page", "search: CURP", "queue: a reason", "search in a status"),
    training: ("queue uncertain", "next a batch of one"),
    export: ("jsonl  50 lines", "csv    "),
    deliveries: ("bare ", "acredita ", "first arrival", "for the receiver"),
    compatible_deliveries: ("40 of 40 deliveries arrived, 0 twice", "0 errors"),
    ageing: ("HOT", "bars missed"),
    evidence: ("1 files of", "CPU of a file"),
    simulation: ("20 verifications, 50 rules", "a second on one core"),
    screening_batch: ("customers ", "listed ", "a name of a batch"),
    connections: ("GET ", "LIST ", "POST ", "KEYED ", " refusals in the logs"),
    tenants: ("bombs: an upload", "documents: a single one"),
    layouts: ("two processes of one thread: ", "one process of two threads at HEAD: "),
}
# Run by one of the others, or with packages of an environment of its own.
PARTS_OF_OTHERS = {
    "bare",
    "bare_posting",
    "ledger_contender",
    "screening_peer",
    "screening_public",
    "screening_scale",
    "screening_weights",
}
PARTS_OF_FLEET = {"connections", "tenants", "layouts"}
pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]


@pytest.fixture(autouse=True)
def environment() -> Iterator[None]:
    """What a benchmark sets is gone after it."""
    before, logging_before = dict(os.environ), structlog.get_config()
    yield
    structlog.configure(**logging_before)
    os.environ.clear()
    os.environ.update(before)


@pytest.fixture(scope="module")
def migrated() -> Iterator[str]:
    """The URL of a migrated database. Nobody is connected to it, so that it can be copied."""
    with service.own_database(os.environ["ACREDITA_DATABASE_URL"]) as url:
        yield url


@pytest.fixture
def shared_servers(migrated: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A benchmark's database is a copy of the migrated one, and its API runs in this process."""
    number = count()

    @contextmanager
    def copied_database(server_url: str) -> Iterator[str]:
        pattern = make_url(migrated)
        copy = pattern.set(database=f"{pattern.database}_{next(number)}")
        server = plain_url(server_url)
        create = f'CREATE DATABASE "{copy.database}" TEMPLATE "{pattern.database}"'
        asyncio.run(on_server(server, create))
        try:
            yield copy.render_as_string(hide_password=False)
        finally:
            asyncio.run(on_server(server, f'DROP DATABASE "{copy.database}" WITH (FORCE)'))

    @contextmanager
    def serving_here(name: str, module: str, *arguments: str, **options: Any) -> Iterator[Server]:
        if module != "acredita.cli":
            with serving(name, module, *arguments, **options) as server:
                yield server
            return
        settings, port = settings_from(options["environment"]), options["port"]
        with inner_stack(settings, port=port, has_worker=False):
            yield Server(name, port, psutil.Process())

    for module in (service, ageing, deliveries, evidence, ledger, screening_import, simulation):
        monkeypatch.setattr(module, "own_database", copied_database)
    loaded = SimpleNamespace(**vars(subprocess) | {"Popen": _loaded})
    for module in (service, deliveries, connections):
        monkeypatch.setattr(module, "subprocess", loaded)
    monkeypatch.setattr(listing_people, "INVENTED", 200)
    monkeypatch.setattr(ageing, "WARM_UP", 3)
    monkeypatch.setattr(ageing, "CHAINED", 500)
    # Their generators of load are forked as well.
    forking = SimpleNamespace(get_context=lambda _: METHOD)
    for module in (service, connections):
        monkeypatch.setattr(module, "multiprocessing", forking)
    monkeypatch.setattr(service, "serving", serving_here)


def _loaded(
    argv: Sequence[str], *, env: dict[str, str] | None = None, **output: Any
) -> LoadedProcess:
    return LoadedProcess(argv, env=dict(os.environ) if env is None else env, **output)


async def _listening(*argv: str, stdout: int) -> SimpleNamespace:
    """In the place of `asyncio.create_subprocess_exec`."""
    assert stdout == asyncio.subprocess.PIPE
    reading, writing = os.pipe()
    process, output = _loaded(argv, stdout=writing), os.fdopen(reading, "rb")
    os.close(writing)

    async def ended() -> None:
        await asyncio.to_thread(process.wait, 60)
        output.close()

    lines = SimpleNamespace(readline=partial(asyncio.to_thread, output.readline))
    return SimpleNamespace(stdout=lines, terminate=process.terminate, wait=ended)


def _run_module(
    output: Path, module: str, argv: Sequence[str | Path], *, env: dict[str, str], **_: Any
) -> SimpleNamespace:
    """In the place of `subprocess.run` with the path of a module, whose output is asked for."""
    assert Path(argv[1]).stem == module.rpartition(".")[2]
    with output.open("wb") as file:
        process = _loaded([sys.executable, "-m", module, *argv[2:]], env=env, stdout=file)
    assert process.wait(60) == 0
    return SimpleNamespace(stdout=output.read_bytes())


@pytest.fixture
def stack_here(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A benchmark's whole stack runs in this process."""
    asyncio.run(on_server(plain_url(database_url), EMPTY_TABLES))

    @contextmanager
    def running_here(
        _settings: Settings, folder: Path, *, port: int, extra: dict[str, str], **_: Any
    ) -> Iterator[SimpleNamespace]:
        environment = extra | {
            "ACREDITA_DATABASE_URL": database_url,
            "ACREDITA_DATA_DIR": str(folder),
            "ACREDITA_PORT": str(port),
            "ACREDITA_ENGINE_PROCESSES": "1",
        }
        with inner_stack(settings_from(environment), port=port) as base_url:
            yield SimpleNamespace(base_url=base_url)

    monkeypatch.setattr(attack, "running_stack", running_here)
    monkeypatch.setattr("benchmarks.pages.running_stack", running_here)


@pytest.fixture
def engine_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """The browser without its own windows, for half the processor time."""
    monkeypatch.setattr("benchmarks.pages.CHROMIUM", HEADLESS_SHELL)


# They read documents, which takes a quarter of a minute of the processor.
LONG = {tenants, layouts}


@pytest.mark.parametrize(
    "bench",
    [
        pytest.param(bench, marks=pytest.mark.thorough) if bench in LONG else bench
        for bench in SIZES
    ],
    ids=lambda bench: bench.__name__.rpartition(".")[2],
)
def test_a_benchmark_of_the_service_runs(bench, capsys, shared_servers):
    assert bench.main(SIZES[bench]) in (0, 1)
    printed = capsys.readouterr().out
    for row in ROWS[bench]:
        assert row in printed


def test_the_benchmark_of_names_runs(capsys, tmp_path, monkeypatch):
    shared("watchlists")
    queries = screening.labelled(screening.data_folder())
    some = queries[:: len(queries) // 20]
    families = {item.category: item for item in queries}
    asked = [*some, *families.values()]
    monkeypatch.setattr(screening, "labelled", lambda _: asked)
    monkeypatch.setattr(screening, "sat_persons", lambda _: ["ANA CRUZ RUIZ"])
    about = {item.entry for item in asked}
    few = [
        entry
        for place, entry in enumerate(screening_data.ofac(screening.data_folder()))
        if place % 50 == 0 or entry.id in about
    ]
    monkeypatch.setattr(screening, "ofac", lambda _: few)
    monkeypatch.setattr(screening_weights, "ofac", lambda _: few)
    monkeypatch.setattr(screening_scale, "ofac", lambda _: few)
    monkeypatch.setattr(screening_scale, "QUERIES", 30)
    listed = list(islice(screening_spellings.un_entries(screening.data_folder()), 60))
    monkeypatch.setattr(screening_spellings, "un_entries", lambda _: listed[:10])
    monkeypatch.setattr(screening_pairs, "un_entries", lambda _: listed)
    rows = screening_scripts._rows
    monkeypatch.setattr(screening_scripts, "_rows", lambda path: _shortened(rows(path)))
    persons = list(islice(screening_pairs._sat_persons(screening.data_folder()), 30))
    monkeypatch.setattr(screening_pairs, "_sat_persons", lambda _: persons)
    monkeypatch.setattr(screening_weights, "MOST", 20)

    def child_here(*arguments: str) -> dict[str, Any]:
        with redirect_stdout(io.StringIO()) as written:
            screening_scale.main(arguments)
        return json.loads(written.getvalue())

    monkeypatch.setattr(screening, "child", child_here)
    absent = tmp_path / "python"
    given = ["--sizes", "500", "--peer-sample", "1", "--peer-python", str(absent)]
    assert screening.main(given) in (0, 1)
    printed = capsys.readouterr().out
    for row in (
        "recall lat",
        "persons of SAT 69-B",
        "cold: p50",
        "500 names (ofac)",
        "500 names (mexicans)",
        "SKIPPED: no public name pairs",
        "ordinary names in kana",
        "evidence: ",
        "SKIPPED: nomen",
    ):
        assert row in printed


def test_the_benchmark_of_imports_runs(capsys, monkeypatch, shared_servers):
    @contextmanager
    def working_here(
        number: int, environment: dict[str, str], folder: Path
    ) -> Iterator[psutil.Process]:
        (folder / f"worker-{number}.log").touch()
        with inner_stack(settings_from(environment), port=service.free_ports(1)[0]):
            yield psutil.Process()

    monkeypatch.setattr(screening_import, "working", working_here)
    monkeypatch.setattr(screening_import, "SETTLING_SECONDS", 0.5)
    monkeypatch.setattr(screening_import, "IDLE_JOBS", 2)
    assert screening_import.main(["--rows=200"]) in (0, 1)
    printed = capsys.readouterr().out
    for row in (
        "200 new rows: ",
        "one row in 100 changed: ",
        "80 entries are linked",
        "leases lost",
    ):
        assert row in printed


def test_the_benchmark_of_the_capture_page_runs(capsys, stack_here, engine_alone):
    if CHROMIUM is None:
        pytest.skip("chromium is not installed")
    from benchmarks import browser

    assert browser.main(["--paints=1", "--cameras=0", "--flows=0"]) in (0, 1)
    assert "first paint" in capsys.readouterr().out


def test_the_benchmark_of_the_console_runs(capsys, monkeypatch, stack_here, engine_alone):
    if CHROMIUM is None:
        pytest.skip("chromium is not installed")
    from benchmarks import console

    monkeypatch.setattr(console, "WAITING", 5)
    assert console.main(["--loads=1", "--rounds=1"]) in (0, 1)
    printed = capsys.readouterr().out
    assert "first screen" in printed
    assert "interaction" in printed


def test_the_benchmark_of_the_ledger_runs(capsys, monkeypatch, tmp_path, shared_servers):
    few = {"LISTENERS": 2, "ROUNDS": 1, "SECONDS": 0.2, "STARTS": 2, "RESTING": 50}
    for name, value in few.items():
        monkeypatch.setattr(ledger, name, value)
    monkeypatch.setattr(ledger, "BACKLOGS", (100, 1_000))
    monkeypatch.setattr(ledger_contenders, "ROUNDS", 1)
    monkeypatch.setattr(ledger_contenders, "BEFORE", "no-such-commit")
    # Migrated: the contender's own migration has nothing to do.
    monkeypatch.setattr(ledger_contenders, "empty_database", ledger.own_database)
    # Their processes are forked: to import the service and to migrate takes all of the time.
    listening = {"create_subprocess_exec": _listening}
    monkeypatch.setattr(ledger, "asyncio", SimpleNamespace(**vars(asyncio) | listening))
    contending = partial(_run_module, tmp_path / "output", "benchmarks.ledger_contender")
    forking = SimpleNamespace(**vars(subprocess) | {"run": contending})
    monkeypatch.setattr(ledger_contenders, "subprocess", forking)
    assert ledger.main(["--jobs=50"]) in (0, 1)
    printed = capsys.readouterr().out
    for row in (
        "creates, announced",
        "1,000 waiting: claim",
        "50 receivers rest: new work",
        "a job that does nothing, acredita",
        "SKIPPED: the former ledger",
        "SKIPPED: procrastinate and pgqueuer",
    ):
        assert row in printed


def test_the_course_of_attacks_runs(capsys, stack_here):
    """An honest person, and a browser that asks about somebody else."""
    few = ["--seed=1", "--only=GOV: V's CURP alone", "--only=CURP certificate alone: 50"]
    assert attack.main(few) in (0, 1)
    printed = capsys.readouterr().out
    assert "APCER" in printed
    assert "BPCER" in printed


class TestRecognition:
    """Each part in this process, on the first of its pictures."""

    @pytest.fixture
    def scale(self, monkeypatch) -> report.Scale:
        few = {
            conditions: {
                "CONDITIONS": {"expired": conditions.CONDITIONS["expired"]},
                "Difficulty": [Difficulty.CLEAN],
            },
            # Pictures that tests of the engines read as well: tests/kept_networks.py.
            zones: {"specimens": lambda made=zones.specimens: _of_file(made(), "25_pass-uto.jpg")},
            specimens: {"specimens": lambda made=specimens.specimens: _of_mexico(made())},
            documents: {"orders": partial(documents.orders, difficulties=[Difficulty.PHOTO])},
            faces: {
                "labelled_faces": lambda made=faces.labelled_faces: _two_of_each(made()),
                "_labelled_pairs": lambda: None,
                "read_collection": lambda path: _small(face_groups.read_collection(path)),
                "_TIMED_PAIRS": 1,
            },
            copies: {
                "people": lambda made=copies.people: made()[:1],
                "_pairs": lambda scale, found=copies._pairs: found(scale)[:1],
                "_KINDS": copies._KINDS[:1],
                "_SHARES": copies._SHARES[1:2],
                "_DIFFICULTIES": copies._DIFFICULTIES[:1],
                "ALTERATIONS": dict(islice(copies.ALTERATIONS.items(), 1)),
                "ESCAPES": dict(islice(copies.ESCAPES.items(), 1)),
                "_scenes": lambda scale, made=copies._scenes: islice(made(scale), 2),
            },
            # Each pose takes a second to draw, each frame a tenth to measure.
            liveness: {
                "draw_frames": _one_pose_for_all(liveness.draw_frames),
                "measure_frame": cache(liveness.measure_frame),
                "held_before_a_camera": _once(liveness.held_before_a_camera),
            },
        }
        for module, changes in few.items():
            for name, value in changes.items():
                monkeypatch.setattr(module, name, value)
        options = {"seed": 4711, "full": False, "documents": 1, "quiet": False}
        usual = recognition.scale_of(Namespace(style=Style.CLASSIC, **options))
        return replace(usual, trials=1, people=1, photographs=1)

    def test_a_style_is_refused_for_parts_that_do_not_draw_it(self, capsys):
        with pytest.raises(SystemExit, match="2"):
            recognition.main(["--style=ornate", "--only", "licences", "faces"])
        assert "the style ornate does not draw faces" in capsys.readouterr().err

    # Films are drawn frame by frame, for minutes: tests/pipeline/test_liveness.py has their rules.
    @pytest.mark.parametrize("name", [part for part in recognition.PARTS if part != "films"])
    def test_a_part_runs(self, name, scale, monkeypatch):
        part_of = import_module(f"benchmarks.recognition.{name}")
        if name == "documents":
            scale = replace(scale, seed=910_003)
        # `licences` draws its one picture as all do, in other processes; here the rest does not.
        if hasattr(part_of, "drawn") and name != "licences":
            # A person's documents are judged together.
            most = 3 if name == "documents" else 1
            monkeypatch.setattr(part_of, "drawn", lambda orders: (o() for o in orders[:most]))
        part = report.run(name, scale)
        assert part.lines
        assert all(map(str, part.bars))


def test_the_benchmarks_load_the_jobs_of_all_steps_by_themselves():
    """In this process, other tests have loaded them already."""
    code = (
        "import benchmarks.seed; from acredita.domain.steps import types;"
        " from acredita.resources.verifications.step_table import entry_of;"
        " [entry_of(each) for each in types()]"
    )
    subprocess.run([sys.executable, "-c", code], cwd=PROJECT, check=True)


def test_no_benchmark_is_without_a_smoke():
    folder = PROJECT / "benchmarks"
    commands = {
        path.parent.name if path.stem == "__main__" else path.stem
        for path in (*folder.glob("*.py"), *folder.glob("*/__main__.py"))
        if '__name__ == "__main__"' in path.read_text()
    }
    smoked = {bench.__name__.rpartition(".")[2] for bench in SIZES}
    smoked |= {
        "screening",
        "screening_import",
        "browser",
        "console",
        "recognition",
        "attack",
        "fleet",
        "ledger",
    }
    assert commands == (smoked - PARTS_OF_FLEET) | PARTS_OF_OTHERS, "add a new one to this file"


def _of_file(printed: list[zones.Printed], file: str) -> list[zones.Printed]:
    return [each for each in printed if each.file == file]


def _of_mexico(printed: list[specimens.Printed]) -> list[specimens.Printed]:
    return [next(each for each in printed if each.of_mexico)]


def _two_of_each(people: dict[Path, str]) -> dict[Path, str]:
    """Two photographs of each of two people."""
    by_name: dict[str, list[Path]] = {}
    for path, name in people.items():
        by_name.setdefault(name, []).append(path)
    pairs = [(name, paths[:2]) for name, paths in by_name.items() if len(paths) > 1][:2]
    return {path: name for name, paths in pairs for path in paths}


def _shortened(rows: list[dict[str, str]]) -> list[dict[str, str]]:
    """One in ten rows and the last of each script, with two words of each kind of name."""
    some = rows[::10] + list({row["script"]: row for row in rows}.values())
    return [
        row | {kind: " ".join(row[kind].split()[:2]) for kind in ("given", "family") if kind in row}
        for row in some
    ]


def _small(collection):
    """Two people of each group, with two photographs of the first and one of the others, and two
    official pairs: of one person and of two."""
    if collection is None:
        return None
    by_person: dict[str, list[Path]] = {}
    for path in collection.paths:
        by_person.setdefault(face_groups._person(path.name), []).append(path)
    pairs = [next(pair for pair in collection.pairs if pair[2] is same) for same in (True, False)]
    people: dict[str, None] = {}
    groups = {}
    for group in (*face_groups._BY_ORIGIN, *face_groups._BY_SEX):
        # Who is of an origin stands for a sex as well.
        names = collection.groups[group] & by_person.keys()
        order = sorted(names, key=lambda name: (name not in people, name))
        groups[group] = set(order[:2])
        people.update(dict.fromkeys(order[:2]))
    first, *others = sorted(people, key=lambda name: -len(by_person[name]))
    kept = {*by_person[first][:2], *(by_person[name][0] for name in others)}
    wanted = {name for one, other, _ in pairs for name in (one, other)}
    paths = [path for path in collection.paths if path in kept or path.name in wanted]
    return replace(collection, paths=paths, pairs=pairs, groups=groups)


def _one_pose_for_all(draw):
    def drawn(face, moves, each=1):
        (frames,) = draw(face, [Move.LOOK_STRAIGHT], each=each)
        return [frames] * len(moves)

    return drawn


def _once(make):
    """What it makes first, each time."""
    made = []

    def same(*given):
        made[:] = made or [make(*given)]
        return made[0]

    return same
