"""Writes docs/rules.md: every rule with its switches, code and tests. Run it with ``make rules``."""

from __future__ import annotations

import sys
from pathlib import Path

from scripts import rulebook

PAGE = rulebook.ROOT / "docs" / "rules.md"


def _value(value: object) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case None | ():
            return "none"
        case tuple():
            return ", ".join(map(str, value))
        case _:
            return str(value)


def _switch(name: str) -> str:
    """A switch with its value, or each value with the profiles that have it."""
    values = rulebook.values(name)
    told = "; ".join(f"{_value(value)}: {', '.join(profiles)}" for value, profiles in values.items())
    shown = f"`{name}` ({told})" if len(values) > 1 else f"`{name}` {_value(*values)}"
    return shown if name in rulebook.read() else f"{shown} *decides nothing yet*"


def _link(path: Path, shown: str) -> str:
    return f"[{shown}](../{path.relative_to(rulebook.ROOT).as_posix()})"


def _module(path: Path) -> str:
    return path.relative_to(rulebook.ROOT).as_posix().removeprefix("appliance/").removesuffix(".py")


def _tests(rule: str) -> str:
    paths = sorted({test.path for test in rulebook.tests_of(rule)})
    shown = {path: path.relative_to(rulebook.ROOT / "tests").as_posix().removesuffix(".py") for path in paths}
    return ", ".join(_link(path, shown[path]) for path in paths) or "none yet"


def _row(rule: rulebook.Rule) -> str:
    text = f"{rule.text} *Not yet: {rule.missing}*" if rule.missing else rule.text
    switches = "<br>".join(map(_switch, rulebook.switches().get(rule.id, ())))
    code = ", ".join(_link(path, _module(path)) for path in rulebook.code().get(rule.id, ()))
    return f"| {rule.id} | {text} | {switches} | {code} | {_tests(rule.id)} |"


def _table(*columns: str) -> tuple[str, str]:
    return f"| {' | '.join(columns)} |", f"| {' | '.join('---' for _ in columns)} |"


def page() -> str:
    """The whole page."""
    book = rulebook.book()
    lines = [
        "<!-- Written by `make rules` from docs/rules.toml, the code and the tests. -->",
        "",
        "# The rules the software keeps",
        "",
        book.intro,
    ]
    for section in book.sections:
        lines += ["", f"## {section.title}", "", *_table("id", "rule", "switches", "code", "tests")]
        lines += map(_row, section.rules)
    if book.later:
        lines += ["", "## Not in this version", "", *_table("id", "rule")]
    lines += [f"| {ids} | {text} |" for ids, text in book.later]
    return "\n".join(lines) + "\n"


def main() -> int:
    """Write the page; say which rules have no test yet."""
    PAGE.write_text(page(), "utf-8")
    for rule in rulebook.book().rules():
        for group in rulebook.untested(rule.id):
            print(f"{rule.id}: no test under {', '.join(group)}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
