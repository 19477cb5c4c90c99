"""No function has more paths than a reader can hold in mind.

Ruff's C901 counts neither the operators `and` and `or` nor comprehensions, so it lets through what
this test finds. The count follows the rules of radon.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MOST = 15
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
# Each path through a function has one of these words. To count them takes a tenth of parsing.
_PATHS = re.compile(r"\b(?:if|elif|else|for|while|except|case|and|or|lambda|assert)\b")
_STARTS = re.compile(r"^(?: {4})?(?:async )?def ", re.MULTILINE)


def _branches(node: ast.AST) -> int:
    match node:
        case ast.BoolOp():
            count = len(node.values) - 1
        case ast.comprehension():
            count = 1 + len(node.ifs)
        case ast.For() | ast.AsyncFor() | ast.While():
            count = 1 + bool(node.orelse)
        case ast.Try():
            count = len(node.handlers) + bool(node.orelse)
        case ast.Match():
            count = len(node.cases) - any(_is_wildcard(case) for case in node.cases)
        case _:
            count = isinstance(node, ast.If | ast.IfExp | ast.Lambda | ast.Assert)
    return count


def _is_wildcard(case: ast.match_case) -> bool:
    return isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None


def _nodes(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[ast.AST]:
    """The nodes of a function's body. Functions defined in it count for themselves."""
    pending: list[ast.AST] = [*function.body]
    while pending:
        node = pending.pop()
        if not isinstance(node, _FUNCTIONS):
            yield node
            pending += ast.iter_child_nodes(node)


def _complexities(source: str) -> dict[str, int]:
    """By the name and line of each function: the number of independent paths through it."""
    functions = [node for node in ast.walk(ast.parse(source)) if isinstance(node, _FUNCTIONS)]
    return {
        f"{each.name}:{each.lineno}": 1 + sum(map(_branches, _nodes(each))) for each in functions
    }


def _may_exceed(source: str) -> bool:
    """Whether some function or method, with all that is defined in it, has so many such words."""
    return any(len(_PATHS.findall(each)) >= MOST for each in _STARTS.split(source))


def test_no_function_has_a_cyclomatic_complexity_above_15() -> None:
    sources = {
        path.relative_to(ROOT): path.read_text()
        for folder in ("src", "synthetic/src")
        for path in (ROOT / folder).rglob("*.py")
    }
    assert len(sources) > 500
    found = {
        f"{path}:{name}": complexity
        for path, source in sources.items()
        if _may_exceed(source)
        for name, complexity in _complexities(source).items()
    }
    assert found
    assert {name: count for name, count in found.items() if count > MOST} == {}


@pytest.mark.parametrize(
    ("body", "complexity"),
    [
        ("return 1", 1),
        ("return a and b or c", 3),
        ("return [x for x in y if x if a]", 4),
        ("if a:\n  pass\n elif b:\n  pass\n else:\n  pass", 3),
        ("match a:\n  case 1:\n   pass\n  case _:\n   pass", 2),
        ("for x in y:\n  pass\n else:\n  assert a", 4),
        ("while a:\n  b = lambda: c", 3),
        ("try:\n  pass\n except A:\n  pass\n except B:\n  pass", 3),
        ("def g():\n  return a if b else c\n return g", 2),
    ],
)
def test_a_branch_an_operator_and_a_comprehension_each_add_a_path(
    body: str, complexity: int
) -> None:
    assert max(_complexities(f"def f():\n {body}\n").values()) == complexity
    assert 1 + len(_PATHS.findall(body)) >= complexity


@pytest.mark.parametrize("definition", ["def f():", "class C:\n    async def f(self):"])
def test_a_function_of_too_many_paths_is_looked_at(definition: str) -> None:
    above, within = (f"{definition}\n {'a and ' * count}b\n" for count in (MOST, MOST - 1))
    assert (_may_exceed(above), _may_exceed(within)) == (True, False)
