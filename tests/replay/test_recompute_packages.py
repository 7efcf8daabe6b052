"""A policy that another package brings, by its entry point alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.replay._rounds import CALM, SURE, again, ends, one

from eristic.debate.errors import SpecRefused
from eristic.protocols import recomputers

CODE = '''
from msgspec.structs import replace
from eristic.protocols.logicom.moderation import master
from eristic.protocols.logicom.policies import Policy

def _rule(rounds, rules, argument):
    """Nobody is ever convinced."""
    return replace(master(rounds, rules), convinced=False)

NEVER = Policy(name="never", does="nobody is convinced", rule=_rule)
NOT_A_POLICY = "never"
'''


@pytest.fixture
def _installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A package `stubborn` on the path, with its metadata."""
    (tmp_path / "stubborn.py").write_text(CODE)
    facts = tmp_path / "stubborn-1.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: stubborn\nVersion: 1\n")
    (facts / "entry_points.txt").write_text(
        "[eristic.policies]\nlogicom.never = stubborn:NEVER\n"
        "logicom.odd = stubborn:NOT_A_POLICY\nchess.mate = stubborn:NEVER\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    recomputers._entries.cache_clear()
    yield
    recomputers._entries.cache_clear()


@pytest.mark.usefixtures("_installed")
def test_a_policy_of_another_package_is_found_by_its_name() -> None:
    found = again(one(CALM, SURE), "never", "logicom-master")
    assert found.policies == ("never.v1", "logicom-master.v1")
    assert ends(found) == ["not_convinced, convinced @2", "convinced, convinced @2"]


@pytest.mark.usefixtures("_installed")
@pytest.mark.parametrize("policy", ["odd", "mate"])
def test_what_is_no_policy_of_this_protocol_is_refused(policy: str) -> None:
    with pytest.raises(SpecRefused, match="no policy"):
        again(one(CALM, SURE), policy)
