"""From an experiment to its episodes, with the real logicom machine."""

from __future__ import annotations

import msgspec
import pytest

from eristic.debate import Binding, Case
from eristic.debate.errors import CaseRefused, SpecRefused
from eristic.debate.ids import episode_id
from eristic.debate.prompting import template_digest
from eristic.protocols.logicom import LOGICOM
from eristic.protocols.plans import PlannedEpisode, plan, settle
from eristic.sweeps import CaseSource, Experiment, canonical_spec, case_set, difference

CASES = case_set(
    [
        Case(case_id=f"{b}-{s}", block=b, texts={"topic": b, "claim": s, "reason": "because"})
        for b in ("one", "two")
        for s in ("pro", "con")
    ]
)
PROMPTS = {name: f"text of {name}" for name in LOGICOM.templates}
ALL = {"all": Binding(model="script:steady")}


def experiment(**changes: object) -> Experiment:
    base = Experiment(run="pilot", protocol="logicom", seed=5, repetitions=2, roles=ALL)
    return msgspec.structs.replace(base, **changes)


def planned(**changes: object) -> tuple[PlannedEpisode, ...]:
    return plan(experiment(**changes), CASES, LOGICOM, prompts=PROMPTS, software="eristic 0")


def test_every_cell_is_planned_once() -> None:
    cells = planned()
    assert len({cell.episode for cell in cells}) == len(cells) == 4 * 3 * 2
    assert [
        (cell.opened.repetition, cell.opened.case.case_id, cell.opened.condition)
        for cell in cells[:4]
    ] == [
        (0, "one-pro", "no_helper"),
        (0, "one-pro", "fallacious_helper"),
        (0, "one-pro", "logical_helper"),
        (0, "one-con", "no_helper"),
    ]


def test_an_episode_holds_all_that_it_depends_on() -> None:
    cell = planned(conditions=("no_helper",), options={"round_limit": 2})[0]
    opened = cell.opened
    assert cell.episode == episode_id(case_id="one-pro", condition="no_helper", repetition=0)
    assert (opened.protocol, opened.protocol_version) == ("logicom", LOGICOM.version)
    assert opened.case == CASES.cases[0]
    assert opened.options == LOGICOM.resolve({"round_limit": 2})
    assert opened.prompts == {name: template_digest(text) for name, text in PROMPTS.items()}
    assert opened.software == "eristic 0"
    assert opened.cast == {name: ALL["all"] for name in LOGICOM.roles if name != "helper"}


def test_a_sweep_that_grows_keeps_its_ids_and_seeds() -> None:
    small, large = planned(conditions=("no_helper",), repetitions=1), planned(repetitions=4)
    seeds = {cell.episode: cell.opened.seed for cell in large}
    assert all(seeds[cell.episode] == cell.opened.seed for cell in small)
    assert len(set(seeds.values())) == len(seeds)


def test_another_seed_changes_every_episode_s_seed() -> None:
    for a, b in zip(planned(seed=5), planned(seed=6), strict=True):
        assert a.episode == b.episode
        assert a.opened.seed != b.opened.seed


def test_a_profile_is_one_of_the_options() -> None:
    assert planned(profile="code")[0].opened.options == LOGICOM.resolve({"profile": "code"})


def test_a_selection_of_the_cases_is_planned() -> None:
    cells = planned(cases=CaseSource(limit=1), conditions=("no_helper",), repetitions=1)
    assert [cell.opened.case.case_id for cell in cells] == ["one-pro", "one-con"]


def test_a_named_role_goes_before_all_and_all_before_a_like_one() -> None:
    own = Binding(model="own")
    assert settle(experiment(roles=ALL | {"persuader": own}), LOGICOM).roles == {
        name: own if name == "persuader" else ALL["all"] for name in LOGICOM.roles
    }
    assert settle(experiment(roles={"persuader": own}), LOGICOM).roles["topic"] == own


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"roles": {"debator": Binding(model="x")}}, "no role 'debator'. Did you mean 'debater'?"),
        ({"roles": {"debater": Binding(model="x")}}, "add --role persuader=MODEL"),
        ({"conditions": ("nohelper",)}, "Did you mean 'no_helper'?"),
        ({"options": {"round_limits": 4}}, "Did you mean 'round_limit'?"),
        ({"options": {"round_limit": "4"}}, "round_limit"),
        ({"profile": "papers"}, "Did you mean 'paper'?"),
        ({"protocol": "mirror"}, "not 'logicom'"),
    ],
)
def test_what_the_protocol_does_not_know_is_refused(changes: dict[str, object], told: str) -> None:
    with pytest.raises(SpecRefused) as caught:
        planned(**changes)
    assert told in str(caught.value)


def test_a_missing_prompt_and_a_missing_text_are_refused() -> None:
    with pytest.raises(SpecRefused, match="is not given"):
        plan(experiment(), CASES, LOGICOM, prompts={}, software="")
    lacking = case_set([Case(case_id="a", block="a", texts={"topic": "t", "claim": "c"})])
    with pytest.raises(CaseRefused, match="case 'a' has no reason"):
        plan(experiment(), lacking, LOGICOM, prompts=PROMPTS, software="")


def test_settling_twice_changes_nothing() -> None:
    once = settle(experiment(profile="code", options={"round_limit": 3, "hard_limit": 4}), LOGICOM)
    assert settle(once, LOGICOM) == once


def spec(**changes: object) -> str:
    return canonical_spec(settle(experiment(**changes), LOGICOM), "ab" * 32)


def test_the_same_experiment_written_otherwise_has_the_same_spec() -> None:
    named = LOGICOM.resolve({})
    roles = dict.fromkeys(LOGICOM.roles, Binding(model="script:steady", shards=4))
    conditions = LOGICOM.conditions[::-1]
    other = spec(options=named, roles=roles, conditions=conditions, profile="paper")
    assert other == spec()
    assert difference(spec(), other) == ()


def test_a_spec_holds_no_path() -> None:
    assert "secret-place" not in spec(cases=CaseSource(source="/secret-place/a.jsonl"))


def test_one_and_one_point_nought_are_one_temperature() -> None:
    def at(temperature: float) -> str:
        return spec(roles={"all": Binding(model="x", params={"temperature": temperature})})

    assert at(1) == at(1.0) != at(1.5)


def test_a_difference_names_what_changed() -> None:
    other = canonical_spec(
        settle(experiment(options={"round_limit": 5, "hard_limit": 6}), LOGICOM), "cd" * 32
    )
    assert difference(spec(), other) == (
        'cases.sha256: "abababababab... -> "cdcdcdcdcdcd...',
        "options.hard_limit: (not set) -> 6",
        "options.round_limit: 10 -> 5",
    )
