"""`eristic plan` tells beforehand what `eristic run` then takes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cli._commands import Json, Shell
from tests.cli._logs import records_of
from tests.toys.juries import install_juries

from eristic.debate import EpisodeOpened, TurnSpoken
from eristic.debate.envelopes import decode

STEADY = ("--role", "all=script:steady?chars=333")
YIELDING = ("--role", "all=script:yielding?turn=0&chars=333")


@pytest.fixture(autouse=True)
def _juries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from install_juries(tmp_path / "site", monkeypatch)


def planned(shell: Shell, *words: str) -> Json:
    said = shell("plan", *words, "--json")
    assert said.code == 0, said.err
    assert not shell.home.exists()
    return said.document


def told(part: Json, way: str) -> dict[str, tuple[int, int, int]]:
    """Role -> calls, prompt tokens, completion tokens of those that are called this way."""
    rows = {role: numbers[way] for role, numbers in part["roles"].items()}
    return {
        role: (row["calls"], row["tokens_in"], row["tokens_out"])
        for role, row in rows.items()
        if row["calls"]
    }


def used(shell: Shell, run: str) -> dict[str, dict[str, tuple[int, int, int]]]:
    """Condition -> role -> the same of what a run recorded."""
    conditions: dict[str, str] = {}
    sums: dict[str, dict[str, Counter[str]]] = {}
    for episode, stored in records_of(shell, run):
        event = decode(stored).body
        if isinstance(event, EpisodeOpened):
            conditions[episode] = event.condition
        elif isinstance(event, TurnSpoken) and event.call is not None:
            found = sums.setdefault(conditions[episode], {}).setdefault(event.role, Counter())
            call = event.call
            found.update(calls=1, tokens_in=call.tokens_in or 0, tokens_out=call.tokens_out or 0)
    return {
        condition: {x: (y["calls"], y["tokens_in"], y["tokens_out"]) for x, y in roles.items()}
        for condition, roles in sums.items()
    }


@pytest.mark.nats
@pytest.mark.parametrize(("way", "roles"), [("shortest", YIELDING), ("longest", STEADY)])
@pytest.mark.parametrize(
    "words",
    [
        ("logicom", "--limit", "1", "-o", "options.round_limit=3"),
        ("logicom", "--limit", "1", "-o", "options.round_limit=2", "--profile", "code"),
        ("juries", "--condition", "*", "--repetitions", "2"),
    ],
)
def test_of_scripts_a_plan_is_what_the_run_takes(
    shell: Shell, words: tuple[str, ...], way: str, roles: tuple[str, ...]
) -> None:
    plan = planned(shell, *words, *roles)
    assert shell.run(*words, *roles, "--run", "r").code == 0
    assert {x["condition"]: told(x, way) for x in plan["conditions"]} == used(shell, "r")


@pytest.mark.nats
def test_a_script_that_says_its_text_is_planned_with_it(shell: Shell) -> None:
    speaker = "speaker=script:say?text=Short%20first.&then=And%20longer%20after%20that.&turn=2"
    words = ("juries", *STEADY, "--role", speaker, "--limit", "1")
    plan = planned(shell, *words)
    assert shell.run(*words, "--run", "r").code == 0
    assert told(plan["all"], "longest") == used(shell, "r")["open"]


@pytest.mark.nats
def test_a_prompt_over_the_window_is_planned_as_it_is_played(shell: Shell) -> None:
    window = ("-o", "options.memory_trigger=400", "-o", "options.round_limit=4")
    words = ("logicom", "--limit", "1", "--condition", "no_helper", *STEADY, *window)
    plan = planned(shell, *words)
    assert plan["too_long"]
    assert shell.run(*words, "--run", "r").code == 0
    found = told(plan["all"], "longest")
    assert found == used(shell, "r")["no_helper"]
    assert found["memory"][0] > 0


def test_calls_are_told_of_an_episode_and_of_all_and_with_every_second_ask(shell: Shell) -> None:
    plan = planned(shell, "juries", *STEADY, "--repetitions", "3")
    juror = plan["all"]["roles"]["juror"]
    assert (plan["all"]["episodes"], plan["all"]["rehearsed"]) == (6, 6)
    assert [juror[way]["calls_per_episode"] for way in ("shortest", "longest")] == [1, 3]
    assert [juror[way]["calls"] for way in ("shortest", "longest")] == [6, 18]
    assert juror["calls_at_most"] == 36
    total = plan["all"]["total"]
    assert (total["shortest"]["calls"], total["longest"]["calls"]) == (12, 48)


def test_real_models_are_counted_with_their_tokenizer_and_priced(shell: Shell) -> None:
    roles = ("--role", "all=openai/gpt-4o", "--role", "juror=openai/gpt-4o-mini")
    plan = planned(shell, "juries", *roles, "--text-tokens", "50")
    assert set(plan["tokenizers"].values()) == {"o200k_base"}
    speaker, juror = (plan["all"]["roles"][role] for role in ("speaker", "juror"))
    assert 0.9 * 50 * 6 <= speaker["longest"]["tokens_out"] <= 50 * 6
    assert juror["longest"]["tokens_out"] <= 3 * 6
    for numbers in (speaker, juror):
        assert 0 < numbers["shortest"]["usd"] < numbers["longest"]["usd"]
    total = plan["all"]["total"]
    assert total["usd_is_whole"]
    parts = [plan["all"]["roles"][role]["longest"]["usd"] for role in plan["all"]["roles"]]
    assert total["longest"]["usd"] == pytest.approx(sum(parts))


def test_a_text_is_no_longer_than_max_tokens(shell: Shell) -> None:
    def tokens_out(*words: str) -> list[int]:
        plan = planned(shell, "juries", "--role", "all=openai/gpt-4o", *words)
        return [plan["all"]["roles"][x]["longest"]["tokens_out"] for x in ("speaker", "clerk")]

    # The protocol asks the speaker for 300 at most, the binding goes before it.
    speaker, clerk = tokens_out("--text-tokens", "1000")
    assert 270 * 6 <= speaker <= 300 * 6 and clerk > 900 * 4
    bound = ("--role", "speaker=openai/gpt-4o?max_tokens=20")
    speaker, _ = tokens_out("--text-tokens", "1000", *bound)
    assert 15 * 6 <= speaker <= 20 * 6


def test_a_price_can_be_told_and_an_unknown_one_is_named(shell: Shell) -> None:
    roles = ("juries", "--role", "all=hosted_vllm/ours", "--role", "clerk=script:steady")
    plan = planned(shell, *roles)
    assert plan["unpriced"] == ["hosted_vllm/ours"]
    assert plan["all"]["roles"]["speaker"]["longest"]["usd"] is None
    assert not plan["all"]["total"]["usd_is_whole"]
    out = shell("plan", *roles).out
    assert "no price is known of hosted_vllm/ours: --price 'hosted_vllm/ours=IN,OUT'" in out
    priced = planned(shell, *roles, "--price", "hosted_vllm/ours=1,2")
    speaker = priced["all"]["roles"]["speaker"]["longest"]
    expected = (speaker["tokens_in"] + 2 * speaker["tokens_out"]) / 1e6
    assert (priced["unpriced"], speaker["usd"]) == ([], pytest.approx(expected))
    wrong = ("plan", *roles, "--price", "hosted_vllm/our=1,2")
    shell.refused_at_the_door(*wrong, says=("no role has this model", "hosted_vllm/ours"))


def test_some_episodes_stand_for_all_of_a_large_sweep_and_the_plan_says_so(shell: Shell) -> None:
    words = ("juries", *STEADY, "--repetitions", "50", "--condition", "*")
    whole, some = planned(shell, *words), planned(shell, *words, "--rehearse", "10")
    assert (some["all"]["episodes"], some["all"]["rehearsed"]) == (200, 20)
    assert some["all"]["roles"] == whole["all"]["roles"]
    out = shell("plan", *words, "--rehearse", "10").out
    assert "20 of 200 episodes were rehearsed, evenly chosen in each condition" in " ".join(
        out.split()
    )


def test_the_table_shows_conditions_roles_and_all(shell: Shell) -> None:
    out = shell("plan", "juries", *STEADY, "--condition", "*").out
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert "nothing is asked" in lines[0] and "4 episodes of 2 cases" in lines[0]
    assert any(re.match(r"open \(2\) speaker 1 to 3 [\d,]+ to [\d,]+ 2 to 6 6 ", x) for x in lines)
    assert any(re.match(r"all \(4\) speaker 1 to 3 [\d,]+ to [\d,]+ 4 to 12 12 ", x) for x in lines)
    whole = planned(shell, "juries", *STEADY, "--condition", "*")["all"]["total"]
    each = [whole[way]["tokens_per_episode"] for way in ("shortest", "longest")]
    assert each == [
        (whole[way]["tokens_in"] + whole[way]["tokens_out"]) / 4 for way in ("shortest", "longest")
    ]
    assert any(f"in all 2 to 8 {each[0]:,.0f} to {each[1]:,.0f} " in line for line in lines)
    assert sum(line.startswith("in all 2 to 8 ") for line in lines) == 3
    assert not shell.home.exists()


def test_no_key_is_needed_and_a_wrong_word_is_refused_as_by_run(shell: Shell) -> None:
    assert planned(shell, "juries", "--role", "all=anthropic/claude-3-5-sonnet-20241022")
    shell.refused_at_the_door("plan", "jurys", says=("Did you mean 'juries'",))
    shell.refused_at_the_door("plan", "juries", says=("no model plays speaker",))
    wrong = ("plan", "juries", "--role", "all=script:stedy")
    shell.refused_at_the_door(*wrong, code=6, says=("Did you mean 'steady'",))


def test_rules_without_a_limit_are_refused_politely(shell: Shell) -> None:
    endless = ("options.moderator_panel=3", "options.panel_rule=majority")
    rules = [x for text in (*endless, "options.fallback_counter=fresh") for x in ("-o", text)]
    says = ("sets no limit to the calls of an episode", "set the option that limits its rounds")
    shell.refused_at_the_door("plan", "logicom", *STEADY, *rules, says=says)


def test_a_prompt_that_cannot_be_filled_is_found_before_it_costs(shell: Shell) -> None:
    words = ("juries", *STEADY, "-o", "options.manner=''")
    plan = planned(shell, *words)
    [(problem, times)] = plan["unfilled"].items()
    assert "template juries.speech: {manner} is empty" in problem and times == 4
    assert plan["all"]["total"]["longest"]["calls"] == 0
    assert "4 prompts cannot be filled" in shell("plan", *words).out
