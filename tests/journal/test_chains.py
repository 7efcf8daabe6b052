from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eristic.debate import Case, EpisodeClosed, EpisodeOpened, Event, RunClosed, RunOpened
from eristic.debate import TurnSpoken as Spoken
from eristic.debate.errors import LogDamaged, LogTooNew
from eristic.debate.ids import RUN_CHAIN
from eristic.journal import Chain, audit, extend, read_chain

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
Records = list[tuple[str, bytes]]


def opened(number: int) -> EpisodeOpened:
    return EpisodeOpened(
        protocol="logicom",
        protocol_version=1,
        case=Case(case_id=f"case-{number}", block="b", texts={"claim": "Tea, not coffee"}),
        condition="no_helper",
        repetition=0,
        options={},
        cast={},
        prompts={},
        seed=7,
        software="eristic test",
    )


def whole_run(episodes: int = 3, turns: int = 4) -> Records:
    """A closed run, its chains interleaved as a director would write them."""
    chains = {name: Chain.empty(run="r", episode=name) for name in map(str, range(episodes))}
    run_chain = Chain.empty(run="r", episode=RUN_CHAIN)
    records: Records = []

    def put(chain: Chain, event: Event, seconds: int) -> Chain:
        stored, after = extend(chain, [event], time=NOON + timedelta(seconds=seconds))
        records.append((chain.episode, stored[0]))
        return after

    run_chain = put(
        run_chain,
        RunOpened(spec="{}", prompts={}, episodes=episodes, software="eristic test"),
        0,
    )
    for step in range(turns + 2):
        for number, (name, chain) in enumerate(list(chains.items())):
            event: Event
            if step == 0:
                event = opened(number)
            elif step <= turns:
                event = Spoken(turn=step, role="debater", text=f"text {number} {step} é")
            else:
                event = EpisodeClosed(outcome="not_convinced", reason="round_limit", rounds=2)
            chains[name] = put(chain, event, step)
    put(run_chain, RunClosed(heads={n: c.head for n, c in chains.items()}), 99)
    return records


WHOLE = whole_run()


def test_an_untouched_log_is_whole() -> None:
    report = audit("r", WHOLE)
    assert report.is_whole
    assert (report.events, report.episodes) == (len(WHOLE), 3)


def test_chains_read_back_what_was_written() -> None:
    stored = [line for episode, line in WHOLE if episode == "1"]
    envelopes, end = read_chain(stored, run="r", episode="1")
    assert [e.position for e in envelopes] == list(range(6))
    assert end.length == 6
    again, _ = extend(
        Chain.empty(run="r", episode="1"), [envelopes[0].body], time=envelopes[0].time
    )
    assert again[0] == stored[0]


places = st.integers(0, len(WHOLE) - 1)


@given(place=places, data=st.data())
@settings(max_examples=600, deadline=None)
def test_any_changed_byte_is_found(place: int, data: st.DataObject) -> None:
    episode, line = WHOLE[place]
    offset = data.draw(st.integers(0, len(line) - 1))
    other = data.draw(st.integers(0, 255).filter(lambda b: b != line[offset]))
    changed = line[:offset] + bytes([other]) + line[offset + 1 :]
    assert not audit("r", [*WHOLE[:place], (episode, changed), *WHOLE[place + 1 :]]).is_whole


def test_any_changed_byte_of_the_closing_event_is_found() -> None:
    episode, line = WHOLE[-1]
    for offset in range(len(line)):
        for flip in (1, 2, 3, 16, 32):
            changed = line[:offset] + bytes([line[offset] ^ flip]) + line[offset + 1 :]
            assert audit("r", [*WHOLE[:-1], (episode, changed)]).findings, (offset, flip)


@pytest.mark.parametrize("place", range(len(WHOLE)))
def test_any_removed_event_is_found(place: int) -> None:
    assert not audit("r", WHOLE[:place] + WHOLE[place + 1 :]).is_whole


@pytest.mark.parametrize("place", range(len(WHOLE)))
def test_any_duplicated_event_is_found(place: int) -> None:
    assert audit("r", [*WHOLE[: place + 1], *WHOLE[place:]]).findings
    assert audit("r", [*WHOLE, WHOLE[place]]).findings


@pytest.mark.parametrize("place", range(len(WHOLE)))
def test_any_truncated_event_is_found(place: int) -> None:
    episode, line = WHOLE[place]
    for keep in range(0, len(line), 7):
        cut = [*WHOLE[:place], (episode, line[:keep]), *WHOLE[place + 1 :]]
        assert audit("r", cut).findings


@given(left=places, right=places)
@settings(max_examples=300, deadline=None)
def test_any_two_swapped_events_of_a_chain_are_found(left: int, right: int) -> None:
    if left == right or WHOLE[left][0] != WHOLE[right][0]:
        return
    swapped = list(WHOLE)
    swapped[left], swapped[right] = swapped[right], swapped[left]
    assert audit("r", swapped).findings


@given(left=places, right=places)
@settings(max_examples=300, deadline=None)
def test_bytes_swapped_between_chains_are_found(left: int, right: int) -> None:
    if WHOLE[left][1] == WHOLE[right][1]:
        return
    swapped = list(WHOLE)
    swapped[left] = (WHOLE[left][0], WHOLE[right][1])
    swapped[right] = (WHOLE[right][0], WHOLE[left][1])
    assert audit("r", swapped).findings


@pytest.mark.parametrize("keep", range(len(WHOLE)))
def test_a_log_cut_off_at_its_end_is_not_whole(keep: int) -> None:
    assert not audit("r", WHOLE[:keep]).is_whole


def test_a_running_log_is_unfinished_but_undamaged() -> None:
    report = audit("r", WHOLE[:8])
    assert not report.findings
    assert report.unfinished


def test_an_event_of_a_newer_version_is_named_not_skipped() -> None:
    episode, line = WHOLE[5]
    newer = line.replace(b'"turn.spoken.v1"', b'"turn.sung.v1"')
    assert newer != line
    with pytest.raises(LogTooNew, match=r"turn\.sung\.v1.*newer Eristic"):
        read_chain([*[x for e, x in WHOLE[:5] if e == episode], newer], run="r", episode=episode)


def test_damage_names_its_place_and_the_next_step() -> None:
    stored = [line for episode, line in WHOLE if episode == "1"]
    with pytest.raises(LogDamaged, match=r"1@1: .*eristic verify r"):
        read_chain([stored[0], stored[2]], run="r", episode="1")
