"""The mutation check: change one rule line at a time; some test must notice.

Every function of `quiltwork.rules` is changed in all the small ways below, one change a run: comparisons,
arithmetic, `and`/`or`, constants, `min`/`max`, `not`, statements left out. Each mutant runs as plain Python
(NUMBA_DISABLE_JIT=1, the same lines) in a forked child under a quick selection of the tests. A mutant that
survives is a hole in the tests, unless `tools/equivalent_mutants.txt` says why it changes nothing.

    python tools/mutants.py [--list] [--only TEXT] [--jobs N]
"""

from __future__ import annotations

import argparse
import ast
import copy
import os
import resource
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RULES = ROOT / "src" / "quiltwork" / "rules"
MODULES = (
    "steps",
    "quilt",
    "moves",
    "legality",
    "tables",
    "start",
    "perft",
    "bits",
    "chance",
    "playout",
    "hashing",
)
EQUIVALENT = ROOT / "tools" / "equivalent_mutants.txt"
CPU_LIMIT_S = 90
"""The tests take a third of it; a mutant that takes more has noticeably changed the rules, most never end."""

# Most mutants are noticed by the first group; each runs as plain Python.
GROUPS = (
    (
        "tests/test_rule_traps.py",
        "tests/test_chance.py",
        "tests/test_codes.py",
        "tests/test_tables.py",
        "tests/test_bits.py",
        "tests/test_start.py",
    ),
    (
        "tests/test_exhaustive.py::test_every_reachable_position_is_equal[hole-dense-removable-1]",
        "tests/test_exhaustive.py::test_every_reachable_position_is_equal[odd-sparse-tile-reserve-2]",
        "tests/test_exhaustive.py::test_every_reachable_position_is_equal[plain-dense-tile-1]",
        "tests/test_perft.py::test_no_move_at_all_is_one_sequence",
        "tests/test_perft.py::test_the_perft_files_count_as_given[halloween-one-waits-2]",
        "tests/test_perft.py::test_the_perft_files_count_as_given[express-middle-1]",
        "tests/test_perft.py::test_the_perft_files_count_as_given[stack-and-stuff-end-3]",
        "tests/test_playthroughs.py",
        "tests/test_random_play.py",
        "tests/test_position_key.py",
        "tests/test_position.py",
    ),
    (
        "tests/test_lockstep.py::test_an_illegal_move_has_the_same_first_reason",
        "tests/test_lockstep.py::test_a_large_board_with_a_reserve",
        "tests/test_setups.py",
        "tests/test_lockstep.py::test_every_position_of_a_players_own_edition_is_equal",
    ),
)

COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
}
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mod,
    ast.Mod: ast.FloorDiv,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
NAMES = {"min": "max", "max": "min", "ONE": "ZERO", "ZERO": "ONE"}


@dataclass(frozen=True)
class Mutant:
    """One change of one module."""

    module: str
    line: int
    name: str
    """the function, its line and the change: the same as long as that line is the same"""
    source: str

    def __str__(self) -> str:
        return f"{self.module}.py:{self.line} {self.name}"


def mutants_of(module: str) -> Iterator[Mutant]:
    text = (RULES / f"{module}.py").read_text(encoding="utf-8")
    tree = ast.parse(text)
    seen: Counter[str] = Counter()
    for function in functions_of(tree):
        for holder, field, index, node in places(function):
            line = text.splitlines()[node.lineno - 1].strip()
            for changed in changes(module, node):
                put(holder, field, index, changed)
                source = ast.unparse(tree)
                put(holder, field, index, node)
                name = f"{module}.{function.name} `{line}` {shown(node)}  ->  {shown(changed)}"
                seen[name] += 1
                again = f" ({seen[name]})" if seen[name] > 1 else ""
                yield Mutant(module, node.lineno, name + again, source)


def functions_of(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    for statement in tree.body:
        # An `if` at the top asks whether this is plain Python; its other branch cannot run here.
        for function in statement.body if isinstance(statement, ast.If) else [statement]:
            if isinstance(function, ast.FunctionDef):
                yield function


Place = tuple[ast.AST, str, int | None, ast.stmt | ast.expr]


def places(function: ast.FunctionDef) -> Iterator[Place]:
    """Every statement and expression of a function's body, with where it hangs."""
    todo: list[ast.AST] = [*function.body[::-1]]
    yield from ((function, "body", i, node) for i, node in enumerate(function.body))
    while todo:
        parent = todo.pop()
        for field, value in ast.iter_fields(parent):
            if field in ("annotation", "returns", "ctx"):
                continue
            children = value if isinstance(value, list) else [value]
            for i, child in enumerate(children):
                if isinstance(child, ast.stmt | ast.expr):
                    yield parent, field, i if isinstance(value, list) else None, child
                    todo.append(child)


def put(holder: ast.AST, field: str, index: int | None, node: ast.AST) -> None:
    if index is None:
        setattr(holder, field, node)
    else:
        getattr(holder, field)[index] = node


def changes(module: str, node: ast.stmt | ast.expr) -> Iterator[ast.stmt | ast.expr]:
    """Every small change of one node itself."""
    match node:
        case ast.Compare(ops=[operator]):
            for other in COMPARISONS.get(type(operator), ()):
                yield replaced(node, ops=[other()])
        case ast.BinOp(op=operator) | ast.AugAssign(op=operator) if type(operator) in OPERATORS:
            yield replaced(node, op=OPERATORS[type(operator)]())
            if isinstance(node, ast.AugAssign):
                yield ast.copy_location(ast.Pass(), node)
        case ast.BoolOp(op=ast.And()):
            yield replaced(node, op=ast.Or())
        case ast.BoolOp(op=ast.Or()):
            yield replaced(node, op=ast.And())
        case ast.UnaryOp(op=ast.Not() | ast.USub() | ast.Invert()):
            yield node.operand
        case ast.Constant(value=bool(truth)):
            yield replaced(node, value=not truth)
        # The numbers in a key only have to differ.
        case ast.Constant(value=int(number)) if module != "hashing":
            yield replaced(node, value=number + 1)
            if number > 0:
                yield replaced(node, value=number - 1)
        case ast.Name(id=name, ctx=ast.Load()) if name in NAMES:
            yield replaced(node, id=NAMES[name])
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]) | ast.Continue() | ast.Break():
            yield ast.copy_location(ast.Pass(), node)
        case ast.Expr(value=ast.Call()):
            yield ast.copy_location(ast.Pass(), node)
        case ast.If(test=ast.Call() | ast.Name() as test):
            yield replaced(node, test=ast.copy_location(ast.Constant(False), test))
            yield replaced(node, test=ast.copy_location(ast.Constant(True), test))


def replaced(node: ast.stmt | ast.expr, **fields: object) -> ast.stmt | ast.expr:
    changed = copy.copy(node)
    for field, value in fields.items():
        setattr(changed, field, value)
    return changed


def shown(node: ast.AST) -> str:
    """A node in one line; of an `if` or a loop only its head."""
    return ast.unparse(node).splitlines()[0]


def notices(mutant: Mutant | None) -> str | None:
    """Runs the tests in this (forked) process and returns the first that fails, or None."""
    import pytest

    class First:
        failed: str | None = None

        def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
            if report.failed and self.failed is None:
                self.failed = report.nodeid

    if mutant is not None:
        use(mutant)
    first = First()
    options = ["-x", "-q", "-p", "no:cacheprovider", "-o", "addopts=", "--tb=no", "--no-header"]
    for tests in GROUPS:
        code = pytest.main([*options, *tests], plugins=[first])
        if code:
            return first.failed or f"exit code {code}"
    return None


def use(mutant: Mutant) -> None:
    """Lets `import` find the mutated source in place of the file."""
    from importlib.machinery import PathFinder, SourceFileLoader
    from importlib.util import spec_from_loader

    name = f"quiltwork.rules.{mutant.module}"

    class Loader(SourceFileLoader):
        def get_data(self, path: str) -> bytes:
            return mutant.source.encode() if path.endswith(".py") else super().get_data(path)

        def path_stats(self, path: str) -> dict[str, float]:
            raise OSError("the compiled file in the cache is of the source as it is")

    class Finder(PathFinder):
        @classmethod
        def find_spec(cls, fullname: str, path: object = None, target: object = None) -> object:  # type: ignore[override]
            if fullname != name:
                return None
            return spec_from_loader(name, Loader(name, str(RULES / f"{mutant.module}.py")))

    sys.meta_path.insert(0, Finder)  # type: ignore[arg-type]


def run_forked(mutant: Mutant | None) -> tuple[int, int]:
    """Starts a child that writes the name of the test that noticed; returns its process id and a pipe."""
    reader, writer = os.pipe()
    child = os.fork()
    if child:
        os.close(writer)
        return child, reader
    os.close(reader)
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_LIMIT_S, CPU_LIMIT_S))
    sink = os.open(os.devnull, os.O_WRONLY)
    os.dup2(sink, 1)
    os.dup2(sink, 2)
    try:
        os.write(writer, (notices(mutant) or "").encode())
    except BaseException as error:
        # Whatever breaks on a mutant has noticed it.
        os.write(writer, f"{type(error).__name__}".encode())
    finally:
        os._exit(0)


def results(mutants: list[Mutant], jobs: int) -> Iterator[tuple[Mutant, str]]:
    """Each mutant with the test that noticed it ("" if none did), as they finish."""
    waiting = mutants[::-1]
    running: dict[int, tuple[Mutant, int]] = {}
    while waiting or running:
        while waiting and len(running) < jobs:
            mutant = waiting.pop()
            child, reader = run_forked(mutant)
            running[child] = (mutant, reader)
        child, status = os.wait()
        mutant, reader = running.pop(child)
        with os.fdopen(reader) as pipe:
            noticed = pipe.read()
        yield mutant, "no end" if os.WIFSIGNALED(status) else noticed


def equivalents() -> dict[str, str]:
    """The mutants that change nothing, and why: a reason in a line with `#`, then the mutants it holds for."""
    reasons: dict[str, str] = {}
    reason = ""
    for line in EQUIVALENT.read_text(encoding="utf-8").splitlines() if EQUIVALENT.exists() else []:
        if line.startswith("#"):
            reason = line.removeprefix("#").strip()
        elif line.strip():
            reasons[line.strip()] = reason
    return reasons


def prepare() -> None:
    """Imports what is slow and does not depend on the rules, so that every child has it already."""
    os.environ["NUMBA_DISABLE_JIT"] = "1"
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    sys.dont_write_bytecode = True
    os.chdir(ROOT)
    sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]
    import hypothesis
    import numba
    import numba.extending
    import numpy
    import pytest

    import oracle

    del hypothesis, numba, numpy, oracle, pytest


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--list", action="store_true", help="print the mutants and run none")
    parser.add_argument("--only", default="", metavar="TEXT", help="only mutants whose description contains TEXT")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    known = equivalents()
    everything = [mutant for module in MODULES for mutant in mutants_of(module)]
    chosen = [mutant for mutant in everything if options.only in str(mutant)]
    mutants = [mutant for mutant in chosen if mutant.name not in known]
    if options.list:
        print("\n".join(str(mutant) for mutant in mutants))
        return 0
    stale = known.keys() - {mutant.name for mutant in everything}
    for name in sorted(stale):
        print(f"tools/equivalent_mutants.txt names a mutant that is no more: {name}")
    prepare()
    child, reader = run_forked(None)
    os.waitpid(child, 0)
    with os.fdopen(reader) as pipe:
        failed = pipe.read()
    if failed:
        print(f"the tests fail without any mutant: {failed}")
        return 1
    survivors = []
    for number, (mutant, noticed) in enumerate(results(mutants, options.jobs), 1):
        print(f"{number}/{len(mutants)} {mutant}  [{noticed or 'SURVIVES'}]", file=sys.stderr, flush=True)
        if not noticed:
            survivors.append(mutant)
    print(f"{len(mutants)} mutants, {len(survivors)} survive; {len(chosen) - len(mutants)} more change nothing")
    for mutant in survivors:
        print(f"  {mutant}")
    return 1 if survivors or stale else 0


if __name__ == "__main__":
    sys.exit(main())
