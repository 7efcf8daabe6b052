"""A rubric with several fields: they are kept beside the one value that they come to."""

from __future__ import annotations

from eristic.debate import JudgementMade, Setting
from eristic.judging import Docket, Matter, Score, Target, combine_samples

TARGET = Target(episode="e", turn=0, digest="d", text="")


def scored(value: str | None, **fields: Setting) -> Score:
    return Score(status="unscored" if value is None else "scored", value=value, fields=fields)


def test_a_score_has_the_fields_of_its_event_with_or_without_a_value() -> None:
    for value, cause in (("clean", ""), (None, "unreadable")):
        docket = Docket()
        docket.take(
            JudgementMade(
                episode="e",
                turn=0,
                target="d",
                status="scored" if value else "unscored",
                value=value,
                cause=cause,
                fields={"refusal": 0, "labeled": 1},
            )
        )
        score = docket.score(Matter(TARGET))
        assert score is not None
        assert (score.value, score.fields) == (value, {"refusal": 0, "labeled": 1})


def test_fields_of_samples_follow_the_majority_of_those_that_have_them() -> None:
    found = combine_samples(
        [scored("a", x=1, y=0, z=1), scored("a", x=1, y=1, z=0), scored("b", x=0, y=1)]
    )
    assert (found.value, found.fields) == ("a", {"x": 1, "y": 1})
    none = combine_samples([scored(None, x=1), scored(None, x=1)])
    assert (none.value, none.fields) == (None, {"x": 1})
