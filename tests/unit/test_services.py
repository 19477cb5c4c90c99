"""A function's signature says which services it may touch: no function takes all of them.

Endpoints and dependencies of FastAPI get all of them (`ServicesDep`), and so do job handlers, in
their context. They pass on what is needed: one service, or one of the ports in `acredita.ports`.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCES = Path(__file__).parents[2] / "src" / "acredita"
# What opens the services, and what hands them to endpoints and job handlers.
OPENING = {
    "api/dependencies.py",
    "jobs/context.py",
    "jobs/runner.py",
    "main.py",
    "services.py",
    "worker.py",
}


def _names(node: ast.AST | None) -> set[str]:
    """The names in an annotation, quoted ones too."""
    found = set()
    for each in ast.walk(node) if node is not None else ():
        if isinstance(each, ast.Name):
            found.add(each.id)
        elif isinstance(each, ast.Constant) and isinstance(each.value, str):
            found |= set(re.findall(r"\w+", each.value))
    return found


def _called_by_fastapi(tree: ast.Module) -> set[str]:
    """The names of the functions that are decorated, or that `Depends` names."""
    called = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.AsyncFunctionDef | ast.FunctionDef) and node.decorator_list:
            called.add(node.name)
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "Depends":
            called.add(ast.unparse(node.args[0]))
    return called


def _takers(source: str) -> Iterator[str]:
    """The functions, type aliases and fields that receive all services without need."""
    tree = ast.parse(source)
    called = _called_by_fastapi(tree)
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                names = set().union(*(_names(each.annotation) for each in _arguments(node.args)))
                if "Services" in names or ("ServicesDep" in names and node.name not in called):
                    yield f"{node.name}:{node.lineno}"
            case ast.AnnAssign() if "Services" in _names(node.annotation):
                yield f"{ast.unparse(node.target)}:{node.lineno}"
            case ast.Assign(value=ast.Subscript()) if "Services" in _names(node.value):
                yield f"{ast.unparse(node.targets[0])}:{node.lineno}"


def _arguments(arguments: ast.arguments) -> list[ast.arg]:
    rest = [each for each in (arguments.vararg, arguments.kwarg) if each is not None]
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *rest]


def test_no_function_takes_all_services() -> None:
    paths = {str(path.relative_to(SOURCES)): path for path in SOURCES.rglob("*.py")}
    assert paths.keys() >= OPENING
    found = {
        f"{name}:{taker}"
        for name, path in paths.items()
        if name not in OPENING and "Services" in (source := path.read_text())
        for taker in _takers(source)
    }
    assert found == set()


@pytest.mark.parametrize(
    ("source", "takers"),
    [
        ("def f(keys: KeyRing): ...", []),
        ("def f(services: Secrets): ...", []),
        ("def f(services: Services): ...", ["f:1"]),
        ("def f(*, services: 'Services | None' = None): ...", ["f:1"]),
        ("def f(services: ServicesDep): ...", ["f:1"]),
        ("@router.get('/')\ndef f(services: ServicesDep): ...", []),
        ("def f(services: ServicesDep): ...\nFound = Annotated[X, Depends(f)]", []),
        ("Repair = Callable[[Services, UUID], Awaitable[None]]", ["Repair:1"]),
        ("class A:\n services: Services", ["services:2"]),
    ],
)
def test_what_counts_as_taking_all_services(source: str, takers: list[str]) -> None:
    assert list(_takers(source)) == takers
