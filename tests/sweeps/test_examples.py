"""What ships: the example experiments and the starter set."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

import pytest

from eristic.agents.prompts import load_prompts, load_starter_cases
from eristic.protocols import find_protocol, protocol_names
from eristic.protocols.casework import read_case_files
from eristic.protocols.plans import plan
from eristic.sweeps import CaseSet, merge, parse_experiment, parse_roles, read_cases, resolve

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*.toml"))
LOGICOM = files("eristic.protocols.logicom")


def motions() -> CaseSet:
    data = LOGICOM.joinpath("cases/motions.jsonl").read_bytes()
    return read_cases(data, origin="motions.jsonl", texts=("topic", "claim", "reason"))


def episodes(path: Path, **overrides: object) -> int:
    draft = parse_experiment(path.read_text(encoding="utf-8"), origin=path.name)
    experiment = resolve(merge(draft, overrides), protocol_names())
    machine = find_protocol(experiment.protocol)
    name, content = load_starter_cases(machine)
    cases = read_case_files(machine, {name: content}, origin=name)
    prompts = load_prompts(machine)
    return len(plan(experiment, cases, machine, prompts=prompts, software="eristic test"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_example_can_be_planned(path: Path) -> None:
    assert episodes(path) > 0
    assert episodes(path, roles=parse_roles(["all=script:steady"])) == episodes(path)


def test_every_file_in_the_reference_is_one_that_is_read() -> None:
    text = (ROOT / "docs/reference/experiment-file.md").read_text(encoding="utf-8")
    shown = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    assert shown
    for file in shown:
        assert parse_experiment(file, origin="shown.toml").roles


def test_the_examples_have_the_sizes_that_they_tell() -> None:
    sizes = {path.stem: episodes(path) for path in EXAMPLES}
    assert sizes == {
        "quick": 12,
        "scripted": 60,
        "logicom-paper": 540,
        "mirror": 24 * 50,
        "deflectbench": 24 * 15 * 5,
        "lofa": 8 * 10,
        "scr": 20,
    }


def test_the_starter_set_has_motions_with_two_opposing_claims_each() -> None:
    cases = motions()
    blocks = {case.block for case in cases.cases}
    assert len(blocks) >= 24
    assert len(cases.cases) == 2 * len(blocks)
    assert cases.remarks == ()
    for block in blocks:
        pro, con = (case for case in cases.cases if case.block == block)
        assert (pro.case_id, con.case_id) == (f"{block}-pro", f"{block}-con")
        assert pro.texts["topic"] == con.texts["topic"]


def test_no_text_of_the_starter_set_is_there_twice() -> None:
    for name in ("claim", "reason"):
        texts = [case.texts[name].casefold() for case in motions().cases]
        assert len(set(texts)) == len(texts)


def test_every_reason_is_one_or_two_plain_sentences() -> None:
    for case in motions().cases:
        claim, reason = case.texts["claim"], case.texts["reason"]
        assert claim.endswith(".") and reason.endswith(".")
        assert claim == claim.strip() and reason == reason.strip()
        assert reason.isascii() and reason.count(". ") <= 1
        assert 60 <= len(reason) <= 220
