"""A model that answers only garbage, refusals, nothing or errors: tables say so, and no more."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.cli._commands import Json, Shell

PROTOCOLS = {
    "logicom": ("-o", "options.round_limit=2"),
    "mirror": (),
    "deflectbench": (),
    "lofa": ("--condition", "*_*.plain"),
    "scr": ("--condition", "*"),
}
RATES = ("fraction", "difference", "relative", "points", "score", "rounds", "words")

pytestmark = pytest.mark.nats


def measures(report: Json) -> Iterator[tuple[str, Json]]:
    for section in report["sections"]:
        for row in section["rows"]:
            for measure in (row["main"], *row["beside"].values()):
                if measure is not None:
                    yield section["id"], measure


def is_undefined(value: object) -> bool:
    return isinstance(value, dict) and value["type"] == "undefined" and bool(value["reason"])


@pytest.mark.parametrize("script", ["garbage", "refusing", "empty", "failing"])
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_table_of_nothing_has_causes_and_no_number(
    shell: Shell, protocol: str, script: str
) -> None:
    words = (protocol, "--run", "none", "--limit", "2", "--repetitions", "1")
    done = shell.run(*words, *PROTOCOLS[protocol], "--role", f"all=script:{script}")
    assert done.code in (0, 8), done.err
    said = shell("report", "none", "--resamples", "50", "--json")
    assert said.code == 0, said.err
    found = list(measures(said.document))
    if script == "failing":
        assert any(is_undefined(measure["value"]) for _, measure in found)
    for section, measure in found:
        tally = measure["tally"]
        if tally is None or measure["unit"] not in RATES:
            continue
        place = (section, measure["metric"], measure["keys"])
        excluded = sum(one["count"] for one in tally["exclusions"])
        assert tally["planned"] == tally["used"] + excluded, place
        if not tally["used"]:
            assert is_undefined(measure["value"]), place
            assert tally["exclusions"] or not tally["planned"], place
    assert shell("report", "none").code == 0
    assert shell("verify", "none").code == 0
