"""`eristic replay` of a protocol that is a story and brings nothing of its own for it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cli._commands import Shell
from tests.toys.juries import install_juries

from eristic.cli.replay_tables import print_recomputation
from eristic.protocols.recomputing import Decided
from eristic.replay import Recomputation, Reheard
from eristic.replay.recomputations import add_up

pytestmark = pytest.mark.usefixtures("_juries")


@pytest.fixture
def _juries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from install_juries(tmp_path / "site", monkeypatch)


@pytest.mark.nats
def test_a_stored_run_is_told_again_with_other_options(shell: Shell) -> None:
    juror = "juror=script:say?text=go%20on&then=please%20stop&turn=3"
    options = ("-o", "options.reading=loose", "--repetitions", "2")
    said = shell.run(
        "juries", "--run", "r", "--role", "all=script:steady", "--role", juror, *options
    )
    assert said.code == 0, said.err
    words = ("--policy", "own-rules", "--policy", "reading=strict", "--policy", "rounds=1")
    found = shell("replay", "r", *words, "--json").document
    assert found["policies"] == [
        "juries.v1:own-rules",
        "juries.v1:reading=strict",
        "juries.v1:rounds=1",
    ]
    own, strict, short = (x for x in found["effects"] if x["condition"] == "")
    assert (own["n"], own["same"], own["rate_before"], own["rate_low"]) == (4, 4, 1.0, 1.0)
    assert strict["censored"] == short["censored"] == {"goes_on": 4}
    assert (strict["rate_low"], strict["rate_high"]) == (0.0, 1.0)
    assert {x["subject"] for x in found["episodes"]} == {"script:steady"}


@pytest.mark.nats
def test_a_wrong_option_and_a_parser_are_refused_with_what_to_write(shell: Shell) -> None:
    roles = ("--role", "all=script:steady", "--limit", "1")
    assert shell.run("juries", "--run", "r", *roles).code == 0
    shell.refused("replay", "r", "--policy", "ronds=1", code=2, says=("Did you mean 'rounds'",))
    says = ("how answers are read is an option", "--policy OPTION=VALUE", "reading")
    shell.refused("replay", "r", "--parser", "juror=loose", code=2, says=says)


def reheard(number: int, before: str | None, after: str | None, censored: str = "") -> Reheard:
    reason = "" if censored else "by_policy"
    decided = Decided(outcome=after, reason=reason, round=1, censored=censored)
    return Reheard(
        episode=f"e{number}",
        case_id="c",
        condition="open",
        repetition=number,
        subject="",
        outcome=before,
        reason="as_recorded",
        round=1,
        state="closed" if before is not None else "failed",
        decided=(decided,),
    )


def summed(success: str = "") -> Recomputation:
    """Two that stay, one that loses its outcome, two that get one, one that has none, two open
    questions."""
    pairs = [("a", "a"), ("b", "b"), ("a", None), (None, "a"), (None, "b"), (None, None)]
    rows = [reheard(n, *pair) for n, pair in enumerate(pairs)]
    rows += [reheard(8, "a", None, "goes_on"), reheard(9, None, None, "goes_on")]
    return add_up(
        run="r", protocol="p", success=success, policies=("x",), parsers={}, episodes=rows
    )


def test_what_has_no_outcome_on_a_side_is_in_no_rate_of_that_side() -> None:
    effect = summed("a").effects[-1]
    assert (effect.before, effect.n) == ({"a": 3, "b": 1}, 4)
    assert (effect.after, effect.exact, effect.undecided, effect.n_after) == (
        {"a": 2, "b": 2},
        4,
        2,
        6,
    )
    assert (effect.rate_before, effect.rate_low, effect.rate_high) == (3 / 4, 2 / 6, 4 / 6)
    assert effect.failed == {"as_recorded": 4}
    assert effect.failed_after == {"by_policy": 2}
    assert effect.flipped == {"a -> no outcome": 1, "no outcome -> a": 1, "no outcome -> b": 1}
    assert (effect.same, effect.moved) == (0, 2)


def test_without_a_success_every_outcome_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    found = summed()
    assert found.effects[-1].rate_before is None
    print_recomputation(found, as_json=False, limit=10)
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert "condition n censored flipped moved failed failed after open" in lines
    assert "open 4 2 3 2 4 2 0" in lines
    assert "condition outcome before after, exact bounds after" in lines
    assert "open a 3 (75.0 %) 2 of 4 33.3 % to 66.7 %" in lines
    assert "open b 1 (25.0 %) 2 of 4 33.3 % to 66.7 %" in lines
    assert "e3 c open 3 no outcome, as_recorded @1 a, by_policy @1 -" in lines
