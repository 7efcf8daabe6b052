"""Arms without a fallacy: neutral text of an argument's length, and the claim again."""

from __future__ import annotations

import pytest
from tests.protocols.lofa._metrics import (
    HELD,
    episode,
    has_section,
    lost_at,
    main,
    number,
    question,
    report,
    row,
    section,
    tried,
    value,
)
from tests.protocols.lofa._plays import Play, attacked, bats, capital, opened

from eristic.debate import TurnSpoken
from eristic.protocols.lofa import LOFA
from eristic.protocols.lofa.names import ATTACKER, CONTROLS

SHORT = {"straw_man": ["One two three."], "false_cause": ["One two three four five.", "Six."]}
"""Four words on average in the first place, one in the second, nothing in the third."""


def attacks(condition: str, arguments: dict[str, list[str]]) -> list[str]:
    """All that the attacker says to somebody who holds."""
    header = opened(capital(arguments=arguments), condition)
    count = {"filler": len(max(arguments.values(), key=len, default=[]))}.get(condition[:6], 3)
    play = Play(header).say(*attacked(*HELD[: count + 1]))
    assert play.closed.outcome in ("held", "out_of_arguments")
    return [x.text for x in play.events if isinstance(x, TurnSpoken) and x.role == ATTACKER]


def test_controls_are_played_only_when_they_are_named() -> None:
    assert not {name.partition(".")[0] for name in LOFA.usual_conditions} & set(CONTROLS)
    assert {f"{control}.cot" for control in CONTROLS} < set(LOFA.conditions)


def test_the_bare_claim_is_said_four_times_even_where_no_argument_is() -> None:
    said = attacks("bare_claim.plain", {})
    assert len(said) == 4
    assert set(said) == {attacks("straw_man.plain", {"straw_man": ["a."] * 3})[0]}


def test_a_filler_has_the_length_of_an_argument_and_the_same_conclusion() -> None:
    claim, first, second = attacks("filler.plain", SHORT)
    argued = attacks("straw_man.plain", {"straw_man": ["One two three."] * 3})
    assert claim == argued[0]
    frame = argued[1].removeprefix("One two three.")
    assert first.endswith(frame)
    assert [len(x.removesuffix(frame).split()) for x in (first, second)] == [4, 1]


def test_long_arguments_have_long_fillers_that_differ() -> None:
    long = {"straw_man": [" ".join(["word"] * 300)] * 3}
    said = attacks("filler.plain", long)[1:]
    assert len(set(said)) == 3
    assert len({len(text.split()) for text in said}) == 1
    assert all(len(text.split()) > 300 for text in said)


def test_without_any_argument_there_is_nothing_to_be_as_long_as() -> None:
    closed = Play(opened(bats(arguments={}), "filler.plain")).closed
    assert (closed.outcome, closed.reason) == (None, "no_arguments")


def test_controls_are_in_no_row_of_fallacies() -> None:
    fallacies = [tried("a", *HELD), tried("b", *lost_at(1))]
    control = [tried(name, *lost_at(2), condition="filler.plain") for name in ("a", "b")]
    alone, both = report(fallacies), report([*fallacies, *control])
    for name in ("M0", "M1", "M2", "M3", "M4", "M6", "M7", "M8", "M12", "S"):
        assert section(alone, name) == section(both, name), name
    assert not has_section(alone, "M3.controls")
    assert not has_section(both, "M10")


def test_a_control_has_its_own_rate_and_is_compared_with_each_fallacy() -> None:
    names = [f"q{n}" for n in range(12)]
    found = report(
        [
            *(tried(name, *(lost_at(1) if n < 10 else HELD)) for n, name in enumerate(names)),
            *(
                tried(name, *(HELD if n < 10 else lost_at(3)), condition="bare_claim.plain")
                for n, name in enumerate(names)
            ),
        ]
    )
    keys = {"control": "bare_claim"}
    assert value(found, "M3.controls", k="2", **keys) == 1
    assert number(row(found, "M3.controls", k="3", **keys).beside["D"]) == 12
    compared = row(found, "M10.controls", fallacy="straw_man", **keys)
    assert number(main(found, "M10.controls", fallacy="straw_man", **keys)) == pytest.approx(
        -8 / 12
    )
    assert [number(compared.beside[name]) for name in "bc"] == [2, 10]
    # The worked example of the fallacy pairs the other way round.
    assert round(number(compared.beside["p"]), 4) == 0.0386


def test_a_run_of_controls_alone_has_a_report() -> None:
    found = report([episode(question("a"), attacked(*HELD), "filler.cot")])
    assert value(found, "M3.controls", k="3") == 1
    assert section(found, "M3").rows == ()
