"""Reports of any protocol: how one is found, what its reference file must be, how it is shown."""

from __future__ import annotations

import io

import pytest

from eristic.cli.rendering import Screen
from eristic.cli.report_files import to_csv
from eristic.cli.report_tables import print_report
from eristic.debate.errors import SpecRefused
from eristic.protocols import find_protocol
from eristic.protocols.reports import (
    Audit,
    Collector,
    Judged,
    Measure,
    Published,
    Report,
    Row,
    Section,
    Settings,
    find_reporter,
    parse_reference,
)
from eristic.stats import Interval, Tally, Undefined

HEAD = 'schema = 1\nprotocol = "toy"\n[paper]\ntitle = "Toys"\n'
GRID = (
    '[[grid]]\nid = "g"\nwhere = "Table 1"\nmetric = "toy.rate"\nunit = "percent"\n'
    'origin = "text"\nrow_key = "model"\ncol_key = "kind"\nrows = ["a", "b"]\ncols = ["x", "y"]\n'
)


class Toy:
    """A protocol that brings a report along, as far as finding it goes."""

    reference = ""

    def reporter(self) -> Toy:
        return self

    def collect(self, judged: Judged) -> Collector:
        raise NotImplementedError


def toy_report() -> Report:
    published = Published(
        id="p", metric="toy.rate", where="Table 1", value=40, unit="percent", origin="text"
    )
    rate = Measure(
        metric="toy.rate",
        keys={"model": "a"},
        value=0.25,
        unit="fraction",
        tally=Tally.of(planned=5, used=4, excluded={"lost": 1}),
        interval=Interval(0.1, 0.4, 0.95),
        published=(published,),
    )
    none = Measure(metric="toy.p", keys={"model": "a"}, value=Undefined("no pair"), unit="p")
    audit = Audit(id="a", where="Table 1", finding="Forty is not four.", metrics=("toy.rate",))
    section = Section(
        id="X1",
        title="toys",
        about="toys that fell",
        rows=(Row(keys={"model": "a"}, main=rate, beside={"p": none}),),
        audits=(audit,),
    )
    return Report(
        protocol="toy",
        header=(("toys", "five"),),
        sections=(section,),
        settings=Settings(),
        source="Toys",
    )


def test_a_protocol_brings_its_report_along_on_its_machine() -> None:
    toy = Toy()
    assert find_reporter(toy, "toy") is toy
    assert find_reporter(find_protocol("logicom"), "logicom").reference == "reference.toml"


def test_a_protocol_without_a_report_is_refused_with_another_way() -> None:
    with pytest.raises(SpecRefused, match="'bare' has no report; `eristic show`"):
        find_reporter(object(), "bare")


def a_section(name: str, *keys: dict[str, str], minor: bool = False) -> Section:
    rows = tuple(
        Row(
            keys=x,
            main=Measure(metric="toy.n", keys=x, value=number, unit="count"),
            is_minor=minor,
        )
        for number, x in enumerate(keys, 7)
    )
    return Section(id=name, title=f"toys {name}", about=f"about {name}", rows=rows)


def printed(*sections: Section) -> str:
    out = io.StringIO()
    found = Report(protocol="toy", header=(), sections=sections, settings=Settings(), source="Toys")
    print_report(Screen(out, width=100), found, "r", room=120)
    return out.getvalue()


def test_a_key_that_never_differs_is_told_once_and_leaves_the_tables() -> None:
    one = a_section("X1", {"model": "m", "pair": "p", "kind": "a"}, {"model": "m", "pair": "p"})
    two = a_section("X2", {"model": "m"})
    told = printed(one, two)
    assert "all rows      model m\n" in told
    assert "about X1\nall rows: pair p\nkind  value\na         7\n-         8\n" in told
    assert "about X2\nvalue\n    7\n" in told
    differs = printed(one, two, a_section("X3", {"model": "other"}))
    assert "all rows      model" not in differs
    assert "model  value\nm          7" in differs
    beside_others = printed(one, two, a_section("X3", {"model": "m"}, {"kind": "a"}))
    assert "all rows      model" not in beside_others


def test_a_section_for_programs_alone_is_named_at_the_end() -> None:
    told = printed(a_section("X1", {"a": "b"}, minor=True), a_section("X2", {"c": "d"}))
    assert "about X1" not in told
    assert told.rstrip().endswith("more  rows with --json and --csv: X1 toys X1 (1)")


def test_a_report_of_any_protocol_is_printed_with_all_it_must_say() -> None:
    out = io.StringIO()
    print_report(Screen(out, width=100), toy_report(), "r", room=120)
    for fact in (
        "report of run r · protocol toy",
        "25.0 %  10.0 to 40.0  4      1       40",
        "undef.",
        "undefined: no pair",
        "excluded, a: 1 lost",
        "published: Table 1: percent (text)",
        "audit  Forty is not four. [Table 1]",
    ):
        assert fact in out.getvalue(), out.getvalue()


def test_a_table_of_any_protocol_has_percent_and_reasons() -> None:
    lines = to_csv(toy_report()).splitlines()
    assert lines[1:] == [
        "toy.rate,model=a,25,10,40,0.95,4,1,lost: 1,40,text,percent",
        "toy.p,model=a,,,,,,,undefined: no pair,,,p",
    ]


def test_a_grid_is_one_number_a_cell_found_by_its_keys() -> None:
    found = parse_reference(f"{HEAD}{GRID}values = [[1, 2], [3, 4]]\n", protocol="toy")
    assert [x.value for x in found.find("toy.rate", model="b")] == [3, 4]
    assert [x.value for x in found.find("toy.rate", kind="x")] == [1, 3]
    assert found.find("toy.rate", kind="z") == ()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (HEAD.replace("1", "2"), "schema 2"),
        (HEAD.replace("toy", "other"), "'other'"),
        (f"{HEAD}{GRID}values = [[1, 2]]\n", "do not fit"),
        (f"{HEAD}{GRID}values = [[1, 2], [3]]\n", "do not fit"),
        (f"{HEAD}[[value]]\nid = 3\n", "cannot be read"),
        ("schema = ", "cannot be read"),
    ],
)
def test_a_reference_file_that_cannot_be_used_is_refused(text: str, says: str) -> None:
    with pytest.raises(SpecRefused, match=says):
        parse_reference(text, protocol="toy")
