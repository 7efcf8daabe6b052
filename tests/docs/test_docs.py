"""That the pages are true: generated parts, links, commands, files in them."""

from __future__ import annotations

import ast
import json
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from urllib.parse import unquote

import pytest
from tests.docs._pages import ROOT, blocks, page_names, prose, read

from eristic.cli.entry import build_parser
from eristic.cli.words import parse

PAGES = page_names()
DOCS = [page for page in PAGES if page.startswith("docs/") or page.endswith("README.md")]
RUN_ELSEWHERE = {"export_log.py", "verify_log.py"}
"""Python blocks that `test_log_snippets.py` runs."""

_LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#+ +(.*?)\s*$", re.MULTILINE)
_SPAN = re.compile(r"`([^`\n]+)`")


def test_generated_parts_are_what_the_code_says() -> None:
    done = subprocess.run(
        [sys.executable, "docs/_generate.py", "--check"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, f"run `make docs`\n{done.stdout}\n{done.stderr}"


# -- links


def links(page: str) -> list[str]:
    found = _LINK.findall(re.sub(r"`[^`\n]*`", "", prose(page)))
    return [link for link in found if not re.match(r"[a-z]+:", link)]


def anchors(page: str) -> set[str]:
    """Names of a page's headings, as the usual sites make them."""
    found = set()
    for heading in _HEADING.findall(prose(page)):
        plain = re.sub(r"[`*]|\[|\]\([^)]*\)", "", heading).lower()
        found.add(re.sub(r"[^\w\- ]", "", plain).replace(" ", "-"))
    return found


@pytest.mark.parametrize("page", PAGES)
def test_every_relative_link_leads_somewhere(page: str) -> None:
    folder = (ROOT / page).parent
    for link in links(page):
        path, _, anchor = unquote(link).partition("#")
        target = (folder / path).resolve() if path else ROOT / page
        assert target.exists(), f"{page}: {link} leads nowhere"
        assert target.is_relative_to(ROOT), f"{page}: {link} leaves the repository"
        if anchor:
            name = str(target.relative_to(ROOT))
            assert anchor in anchors(name), f"{page}: {name} has no heading {anchor!r}"


# -- commands


def commands(page: str) -> Iterator[str]:
    """Every `eristic ...` that a page tells its reader to type."""
    for language in ("console", "sh", "bash", "text", ""):
        for block in blocks(page, language):
            for line in block.text.splitlines():
                typed = re.match(r"\s*\$ (?:[A-Z_]+=\S+ )*(eristic\b.*)", line)
                if typed:
                    yield typed[1]
    for span in _SPAN.findall(prose(page)):
        if re.match(r"eristic [a-z-]+( |$)", span):
            yield span


def words(command: str) -> list[str]:
    """The words behind `eristic`, without comments, pipes and a closing `...`."""
    found = shlex.split(command.partition(" | ")[0], comments=True)[1:]
    return found[:-1] if found[-1:] == ["..."] else found


COMMANDS = [(page, command) for page in DOCS for command in commands(page)]
NAMES = re.compile(r"eristic( [a-z-]+)+")
"""A verb by its name alone, in running text."""


@pytest.mark.parametrize(("page", "command"), COMMANDS)
def test_every_command_on_a_page_is_understood(page: str, command: str) -> None:
    given = words(command)
    if NAMES.fullmatch(command) and given[-1] in ("plan", "run", "show", "verify"):
        given.append("--help")  # it names the verb and asks nobody to type it like this
    with suppress(SystemExit):  # --help and --version
        parse(build_parser(), given)


def test_the_pages_do_have_commands_and_links() -> None:
    assert len(COMMANDS) > 20
    assert sum(len(links(page)) for page in PAGES) > 40


# -- blocks

TOML = [(page, block.text) for page in DOCS for block in blocks(page, "toml")]
JSON = [(page, block.text) for page in DOCS for block in blocks(page, "json")]
PYTHON = [
    (block.page, block.title, block.text) for page in DOCS for block in blocks(page, "python")
]


@pytest.mark.parametrize(("page", "text"), TOML)
def test_every_toml_block_can_be_read(page: str, text: str) -> None:
    assert tomllib.loads(text), page


@pytest.mark.parametrize(("page", "text"), JSON)
def test_every_json_block_can_be_read(page: str, text: str) -> None:
    assert json.loads(text), page


@pytest.mark.parametrize(("page", "title", "text"), PYTHON)
def test_every_python_block_is_run_or_marked_as_a_fragment(
    page: str, title: str, text: str
) -> None:
    ast.parse(text)
    if title not in RUN_ELSEWHERE and title != "fragment":
        exec(compile(text, f"{page}: {title}", "exec"), {"__name__": "__main__"})  # noqa: S102


def test_the_blocks_that_another_test_runs_are_on_the_page() -> None:
    assert RUN_ELSEWHERE <= {title for _, title, _ in PYTHON}


# -- rooms

ROOMS = ("core", "agents", "bus", "replay", "deploy", "cli", "tests", "bench")


@pytest.mark.parametrize("room", ROOMS)
def test_files_that_a_room_names_are_there(room: str) -> None:
    page = f"{room}/README.md"
    for line in read(page).splitlines():
        first = line.split("|")[1] if line.startswith("| `") else ""
        for name in re.findall(r"`([\w*/-]+\.(?:py|lock))`", first):
            assert list((ROOT / room).rglob(name)), f"{page}: there is no {name}"
