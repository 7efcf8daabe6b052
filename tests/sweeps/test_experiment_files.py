"""Experiment files: what is read, what is refused, and what a command line changes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eristic.debate import Binding
from eristic.debate.errors import SpecRefused
from eristic.sweeps import (
    CaseSource,
    Draft,
    Experiment,
    merge,
    parse_experiment,
    parse_override,
    parse_roles,
    resolve,
)

WHOLE = """
run = "pilot"
protocol = "logicom"
profile = "paper"
seed = 3
repetitions = 2
conditions = ["no_helper"]
durability = "fast"

[cases]
from = "mine.jsonl"
only = ["a", "b"]

[options]
round_limit = 5
moderator_sees_helper = true

[roles]
all = "local?max_tokens=90"

[roles.debater]
model = "openai/gpt-4.1"
params = { temperature = 1.0, "extra_body.top_k" = 4 }
fallback = ["openai/gpt-5-mini"]
"""


def read(text: str) -> Draft:
    return parse_experiment(text, origin="dir/quick.toml")


def experiment(text: str = WHOLE, **overrides: object) -> Experiment:
    return resolve(merge(read(text), overrides), ["logicom", "mirror"])


def refusal(text: str) -> str:
    with pytest.raises(SpecRefused) as caught:
        read(text)
    return str(caught.value)


def test_a_whole_file_becomes_an_experiment() -> None:
    assert experiment() == Experiment(
        run="pilot",
        protocol="logicom",
        profile="paper",
        seed=3,
        repetitions=2,
        conditions=("no_helper",),
        durability="fast",
        cases=CaseSource(source="mine.jsonl", only=("a", "b")),
        options={"round_limit": 5, "moderator_sees_helper": True},
        roles={
            "all": Binding(model="local", params={"max_tokens": 90}),
            "debater": Binding(
                model="openai/gpt-4.1",
                params={"temperature": 1.0, "extra_body.top_k": 4},
                fallback=("openai/gpt-5-mini",),
            ),
        },
    )


def test_a_file_needs_no_more_than_its_protocol() -> None:
    assert experiment('protocol = "logicom"') == Experiment(run="quick", protocol="logicom")


def test_the_cases_can_be_one_text() -> None:
    assert read('cases = "c.csv"').cases.source == "c.csv"


def test_a_missing_or_unknown_protocol_is_refused_with_the_known_ones() -> None:
    with pytest.raises(SpecRefused, match="Known: logicom, mirror"):
        experiment("seed = 1")
    with pytest.raises(SpecRefused, match="Did you mean 'logicom'"):
        experiment('protocol = "logicon"')


def test_a_file_whose_name_cannot_name_a_run_asks_for_a_name() -> None:
    draft = parse_experiment('protocol = "logicom"', origin="My Pilot.toml")
    with pytest.raises(SpecRefused, match='add run = "my-run"'):
        resolve(draft, ["logicom"])


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("seed = 1\nrun = = 2", "line 2"),
        ("seed = 1\nx = [1,\n", "line 2, the end of the file"),
        ("x = 1\nx = 2", "line 2"),
        ("x = " + "[" * 9999, "quick.toml"),
        ("x = " + "9" * 9999, "quick.toml"),
        ("a = 1\nprotocl = 'x'", "line 2: protocl: no such key. Did you mean 'protocol'?"),
        ("seed = -1", "line 1: seed: must be a whole number of at least 0"),
        ("seed = true", "seed: must be a whole number"),
        ("seed = 9223372036854775808", "seed: must be a whole number"),
        ("repetitions = 0", "at least 1"),
        ("run = 'No Name'", "run: run name 'No Name' is not allowed"),
        ("conditions = []", "list of texts"),
        ("conditions = ['a', 'a']", "'a' is there twice"),
        ("durability = 'maybe'", "'always'"),
        ("protocol = ' '", "must be a text that is not empty"),
        ("cases = 4", "[cases]"),
        ("[cases]\nfile = 'x'", "line 2: cases.file: no such key"),
        ("[cases]\nonly = ['a']\nlimit = 1", "line 3: cases.limit: only and limit exclude"),
        ("[options]\nx = [1]", "line 2: options.x: a setting is"),
        ("[options]\nx = inf", "finite"),
        ("[options]\nx = 2020-01-01", "options.x"),
        ("roles = 'x'", "must be a table: [roles]"),
        ("[roles]\nA = 'x'", "line 2: roles.A: 'A' is no name of a role"),
        ("[roles]\na = 3", "expected a model"),
        ("[roles.a]\nmodle = 'x'", "line 1: roles.a: a role has no 'modle'. Did you mean 'model'?"),
        ("[roles.a]\nmodel = 'x'\ntemperature = 1", "write params = { temperature = ... }"),
        ("[roles.a]\nmodel = 'x?y=1'", "write its parameters under params"),
        ("[roles.a]\nmodel = 'x'\nparams = {a = {b = 1}}", "write 'a.NAME' = value"),
        ("[roles.a]\nmodel = 'x'\nepoch = 1", "counts the swaps"),
    ],
)
def test_a_mistake_is_refused_with_its_place(text: str, told: str) -> None:
    assert told in refusal(text)


def test_all_mistakes_are_listed_at_once() -> None:
    message = refusal("sed = 1\nrepetitions = 0\n[roles]\na = 3")
    assert message.startswith("dir/quick.toml has 3 mistakes:")
    assert [word in message for word in ("sed", "repetitions", "roles.a")] == [True] * 3


@pytest.mark.parametrize(
    "text",
    [
        "[roles.a]\nmodel = 'x'\nparams = { api_key = 'abcdefghijklmnop1234' }",
        "[roles.a]\nmodel = 'x'\napi_base = 'https://u:abcdefghijklmnop1234@host'",
        "seed = 'sk-abcdefghijklmnop1234'",
        "[options]\nnote = 'Bearer abcdefghijklmnop1234'",
        "openai_key = 'abcdefghijklmnop1234'",
        "conditions = ['ok', 'hf_abcdefghijklmnop1234']",
    ],
)
def test_a_secret_is_refused_and_not_repeated(text: str) -> None:
    message = refusal(text)
    assert "abcdefghijklmnop1234" not in message
    assert "environment variable" in message


def test_yaml_is_sent_to_toml() -> None:
    with pytest.raises(SpecRefused, match="are TOML"):
        parse_experiment("run: x", origin="exp.yaml")


def test_the_command_line_goes_before_the_file_key_by_key() -> None:
    overrides = {"seed": 9, "options.round_limit": 2, "options": {"panel_rule": "majority"}}
    changed = experiment(WHOLE, **overrides)
    assert (changed.seed, changed.repetitions) == (9, 2)
    assert changed.options == {
        "round_limit": 2,
        "moderator_sees_helper": True,
        "panel_rule": "majority",
    }


def test_zero_from_the_command_line_is_said() -> None:
    assert experiment(WHOLE, seed=0).seed == 0


def test_a_role_of_the_command_line_replaces_the_file_s_whole() -> None:
    roles = experiment(WHOLE, roles=parse_roles(["debater=local"])).roles
    assert roles["debater"] == Binding(model="local")
    assert roles["all"] == Binding(model="local", params={"max_tokens": 90})


def test_all_on_the_command_line_means_all() -> None:
    roles = experiment(WHOLE, roles=parse_roles(["all=script:steady", "memory=local"])).roles
    assert roles == {"all": Binding(model="script:steady"), "memory": Binding(model="local")}


def test_another_case_file_drops_the_selection_and_is_seen_from_the_command() -> None:
    other = experiment(WHOLE, **{"cases.from": "other.csv"}).cases
    assert other == CaseSource(source="other.csv", written_in="command line")
    fewer = experiment(WHOLE, **{"cases.limit": 1}).cases
    assert fewer == CaseSource(source="mine.jsonl", limit=1)


def test_a_mistake_on_the_command_line_is_said_to_be_there() -> None:
    for overrides, told in (
        ({"sead": 1}, "the command line: sead: no such key. Did you mean 'seed'?"),
        ({"seed": 1, "seed.x": 2}, "lies inside a value"),
        ({"options.x": 1, "options": 2}, "set twice"),
        ({"options.note": "sk-abcdefghijklmnop"}, "environment variable"),
    ):
        with pytest.raises(SpecRefused) as caught:
            merge(read(WHOLE), overrides)
        assert told in str(caught.value)
        assert "abcdefghijklmnop" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("options.round_limit=5", "options.round_limit", 5),
        ("options.x=true", "options.x", True),
        ("options.rule=majority", "options.rule", "majority"),
        ('run="quoted"', "run", "quoted"),
        ("conditions=['a','b']", "conditions", ["a", "b"]),
        ("cases.from=a=b.csv", "cases.from", "a=b.csv"),
        ("run=a\nseed = 3", "run", "a\nseed = 3"),
    ],
)
def test_an_override_is_read_as_toml_or_else_as_text(text: str, key: str, value: object) -> None:
    override = parse_override(text)
    assert (override.key, override.value) == (key, value)


def test_an_override_without_a_value_is_refused() -> None:
    with pytest.raises(SpecRefused, match="key=value"):
        parse_override("seed")


@given(
    st.text()
    | st.lists(
        st.sampled_from(
            ["[roles]", "[cases]", "[roles.a]", "seed = 1", "only = ['a']", "model = 'x'", "a ="]
        )
        | st.text(max_size=6)
    ).map("\n".join)
)
def test_any_text_is_an_experiment_or_refused(text: str) -> None:
    try:
        parse_experiment(text, origin="x.toml")
    except SpecRefused:
        pass
