"""What docs/rules.md is made of: the rules of docs/rules.toml with their switches, code and tests.

Only the rules are written by hand. Switches are the fields of `RuleSet` whose comment names a rule, code the modules
whose docstrings name it, tests those whose names begin with it (``test_T_7_…``, ``test_S_1_S_9_…``).
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from appliance.game import ruleset
from appliance.game.ruleset import PROFILES

ROOT = Path(__file__).parents[1]
RULES = ROOT / "docs" / "rules.toml"

TOURNAMENTS = tuple(name for name, rules in PROFILES.items() if rules.tournament)
"""The profiles a round can be played under."""

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_REFERENCE = re.compile(r"\b(LG|T|S|CK|H|I|C)-(\d+)(?:\s+to\s+(?:\1-)?(\d+))?\b|(?<=[(, ])P(?=[),])")
_TEST_NAME = re.compile(r"test_((?:(?:(?:LG|T|S|CK|H|I|C)_\d+|P)_)+)")
_TEST_ID = re.compile(r"(LG|T|S|CK|H|I|C)_(\d+)|P")


class Rule(NamedTuple):
    """A rule in our words; ``missing``: what this version does not do of it yet."""

    id: str
    text: str
    missing: str


class Section(NamedTuple):
    """Rules of one subject, in the order of the page."""

    title: str
    rules: tuple[Rule, ...]


class Book(NamedTuple):
    """All of docs/rules.toml; ``later``: ids, and what they are, that are not in this version."""

    intro: str
    sections: tuple[Section, ...]
    later: tuple[tuple[str, str], ...]

    def rules(self) -> Iterator[Rule]:
        """Every rule, whatever its section."""
        for section in self.sections:
            yield from section.rules


def _flat(text: str) -> str:
    return " ".join(text.split())


@cache
def book() -> Book:
    """The rules as docs/rules.toml has them."""
    data = tomllib.loads(RULES.read_text("utf-8"))
    sections = tuple(
        Section(
            section["title"],
            tuple(Rule(rule["id"], _flat(rule["text"]), _flat(rule.get("missing", ""))) for rule in section["rule"]),
        )
        for section in data["section"]
    )
    later = tuple((entry["id"], _flat(entry["text"])) for entry in data.get("later", ()))
    return Book(data["intro"].strip(), sections, later)


def ids_in(text: str) -> set[str]:
    """The ids a docstring or comment names; "T-6 to T-8" are three."""
    found = set()
    for match in _REFERENCE.finditer(text):
        group, first, last = match.groups()
        if group is None:
            found.add("P")
        else:
            found.update(f"{group}-{n}" for n in range(int(first), int(last or first) + 1))
    return found


@cache
def switches() -> dict[str, tuple[str, ...]]:
    """The fields of `RuleSet` by the rule that the comment on their lines names; "" has those without one."""
    source = Path(ruleset.__file__).read_text("utf-8")
    comments = {
        token.start[0]: token.string
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type == tokenize.COMMENT
    }
    fields: dict[str, list[str]] = {}
    house = next(n for n in ast.parse(source).body if isinstance(n, ast.ClassDef) and n.name == "RuleSet")
    for node in house.body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            lines = range(node.lineno, (node.end_lineno or node.lineno) + 1)
            comment = " ".join(comments.get(line, "") for line in lines)
            for rule in sorted(ids_in(comment)) or (["cash"] if "cash" in comment else [""]):
                fields.setdefault(rule, []).append(node.target.id)
    return {rule: tuple(names) for rule, names in fields.items()}


@cache
def read() -> frozenset[str]:
    """The switches that some code asks a profile for: ``rules.<switch>``."""
    fields = {name for names in switches().values() for name in names}
    found = set()
    for path in _modules():
        for node in ast.walk(_tree(path)):
            if isinstance(node, ast.Attribute) and node.attr in fields:
                owner = node.value.attr if isinstance(node.value, ast.Attribute) else getattr(node.value, "id", "")
                if owner.endswith("rules"):
                    found.add(node.attr)
    return frozenset(found)


def values(switch: str) -> dict[object, list[str]]:
    """The tournament profiles by their value of a switch; of one that only cash tables know, the others."""
    is_cash = any(rule.startswith("C-") and switch in names for rule, names in switches().items())
    found: dict[object, list[str]] = {}
    for name in (name for name in PROFILES if (name in TOURNAMENTS) is not is_cash):
        found.setdefault(getattr(PROFILES[name], switch), []).append(name)
    return found


def houses(rule: str) -> list[list[str]]:
    """The tournament profiles, those together that play this rule by the same switches."""
    found: dict[tuple[object, ...], list[str]] = {}
    for name in TOURNAMENTS:
        key = tuple(getattr(PROFILES[name], switch) for switch in switches().get(rule, ()))
        found.setdefault(key, []).append(name)
    return list(found.values())


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def _modules() -> Iterator[Path]:
    for package in ("appliance", "league"):
        yield from (ROOT / package).rglob("*.py")


def _docstrings(path: Path) -> Iterator[str]:
    """Strings that stand alone: docstrings of modules, classes and functions, and those below a name."""
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.value.value


@cache
def code() -> dict[str, tuple[Path, ...]]:
    """The modules by the rules that their docstrings name; the rules of the round first."""
    found: dict[str, set[Path]] = {}
    for path in _modules():
        for text in _docstrings(path):
            for rule in ids_in(text):
                found.setdefault(rule, set()).add(path)
    game = ROOT / "appliance" / "game"
    return {rule: tuple(sorted(paths, key=lambda p: (p.parent != game, p))) for rule, paths in found.items()}


class Case(NamedTuple):
    """A test that carries rules in its name; ``profiles``: those it is known to run under."""

    path: Path
    name: str
    rules: tuple[str, ...]
    profiles: frozenset[str]


def rules_named(test: str) -> tuple[str, ...]:
    """The rules at the beginning of a test's name."""
    match = _TEST_NAME.match(test)
    ids = _TEST_ID.finditer(match[1]) if match else ()
    return tuple(f"{found[1]}-{found[2]}" if found[1] else "P" for found in ids)


def test_functions(path: Path) -> Iterator[tuple[str, _Function]]:
    """The tests of a file by name."""
    for node in ast.walk(_tree(path)):
        if isinstance(node, _Function) and node.name.startswith("test_"):
            yield node.name, node


@cache
def tests() -> tuple[Case, ...]:
    """Every test that carries a rule, by file and line."""
    return tuple(
        Case(path, name, rules, frozenset(profiles_of(path, node)))
        for path in sorted((ROOT / "tests").rglob("test_*.py"))
        for name, node in test_functions(path)
        if (rules := rules_named(name))
    )


def tests_of(rule: str) -> list[Case]:
    """The tests that carry this rule."""
    return [test for test in tests() if rule in test.rules]


def untested(rule: str) -> list[list[str]]:
    """Groups of profiles that play the rule alike and have no test of it; where all do, one test is enough."""
    found = tests_of(rule)
    groups = houses(rule)
    if len(groups) == 1:
        return [] if found else groups
    return [group for group in groups if not any(test.profiles.intersection(group) for test in found)]


# Which profiles a test runs under, as far as its text tells: those it names, itself or through what it uses of its
# module and of tests.*; `PROFILES` as a whole is all. One that names none has those of its fixtures.


@cache
def _names(path: Path) -> dict[str, ast.AST]:
    """What a module defines at its top, by name."""
    found: dict[str, ast.AST] = {}
    for node in _tree(path).body:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                found[name] = node
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                found[name] = node
            case _:
                pass
    return found


@cache
def _imported(path: Path) -> dict[str, tuple[Path, str]]:
    """Names that a module has from other modules of the tests: where each is defined."""
    found = {}
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("tests."):
            source = ROOT.joinpath(*node.module.split(".")).with_suffix(".py")
            if source.is_file():  # a module that is taken whole from its folder defines nothing here
                found.update({alias.asname or alias.name: (source, alias.name) for alias in node.names})
    return found


def _named(path: Path, node: ast.AST, seen: set[tuple[Path, str]]) -> set[str]:
    found: set[str] = set()
    parts = {id(n.value) for n in ast.walk(node) if isinstance(n, ast.Subscript)}  # PROFILES["cpl"] is one of them
    for part in ast.walk(node):
        if isinstance(part, ast.Constant) and part.value in TOURNAMENTS:
            found.add(str(part.value))
        elif isinstance(part, ast.Name):
            if part.id == "PROFILES" and id(part) not in parts:
                found.update(TOURNAMENTS)
            where, name = _imported(path).get(part.id, (path, part.id))
            definition = _names(where).get(name)
            if definition is not None and (where, name) not in seen:
                seen.add((where, name))
                found |= _named(where, definition, seen)
    return found


def _fixture(path: Path, name: str) -> tuple[Path, ast.AST] | None:
    """A fixture of the module, or of the nearest conftest above it."""
    nearest = [path, *(folder / "conftest.py" for folder in path.parents if folder.is_relative_to(ROOT / "tests"))]
    for source in nearest:
        if source.exists() and (node := _names(source).get(name)) is not None:
            return source, node
    return None


def profiles_of(path: Path, test: _Function) -> set[str]:
    """The tournament profiles that a test of this file runs under."""
    if found := _named(path, test, set()):
        return found
    fixtures = [_fixture(path, argument.arg) for argument in test.args.args]
    return set().union(*(_named(*fixture, set()) for fixture in fixtures if fixture is not None))
