"""What every `EpisodeLog` must do, whatever keeps it.

class TestMyLog(EpisodeLogContract):
    @pytest.fixture
    async def log(self): ...
"""

from __future__ import annotations

import asyncio

import pytest

from eristic.debate.errors import StalePosition
from eristic.ports import EpisodeLog

__all__ = ["EpisodeLogContract"]


async def _records(log: EpisodeLog) -> list[tuple[str, bytes]]:
    return [record async for record in log.records()]


class EpisodeLogContract:
    """Subclasses give a fixture `log`: an empty log."""

    async def test_an_episode_that_never_began_reads_as_empty(self, log: EpisodeLog) -> None:
        assert await log.read("e1") == []

    async def test_an_empty_log_has_no_records(self, log: EpisodeLog) -> None:
        assert await _records(log) == []

    async def test_events_come_back_byte_for_byte_in_order(self, log: EpisodeLog) -> None:
        first = [b'{"text":"caf\xc3\xa9\\r\\n"}', b"\x00\r\n\xff", b""]
        await log.append("e1", first, expected=0)
        await log.append("e1", [b"four"], expected=3)
        assert await log.read("e1") == [*first, b"four"]

    async def test_chains_do_not_mix(self, log: EpisodeLog) -> None:
        await log.append("e1", [b"a"], expected=0)
        await log.append("e11", [b"b"], expected=0)
        await log.append("e1", [b"c"], expected=1)
        assert await log.read("e1") == [b"a", b"c"]
        assert await log.read("e11") == [b"b"]

    async def test_records_are_in_the_order_of_appending(self, log: EpisodeLog) -> None:
        await log.append("e1", [b"a", b"b"], expected=0)
        await log.append("e2", [b"c"], expected=0)
        await log.append("e1", [b"d"], expected=2)
        expected = [("e1", b"a"), ("e1", b"b"), ("e2", b"c"), ("e1", b"d")]
        assert await _records(log) == expected

    async def test_appending_nothing_changes_nothing(self, log: EpisodeLog) -> None:
        await log.append("e1", [], expected=0)
        assert await log.read("e1") == []

    async def test_a_position_that_is_taken_is_refused(self, log: EpisodeLog) -> None:
        await log.append("e1", [b"a", b"b"], expected=0)
        with pytest.raises(StalePosition) as caught:
            await log.append("e1", [b"c", b"d"], expected=1)
        assert (caught.value.episode, caught.value.expected) == ("e1", 1)
        assert await log.read("e1") == [b"a", b"b"]

    async def test_a_position_beyond_the_end_is_refused(self, log: EpisodeLog) -> None:
        await log.append("e1", [b"a"], expected=0)
        with pytest.raises(StalePosition):
            await log.append("e1", [b"c"], expected=2)
        with pytest.raises(StalePosition):
            await log.append("e2", [b"c"], expected=1)
        assert await _records(log) == [("e1", b"a")]

    async def test_the_same_bytes_twice_are_a_conflict_too(self, log: EpisodeLog) -> None:
        await log.append("e1", [b"a"], expected=0)
        with pytest.raises(StalePosition):
            await log.append("e1", [b"a"], expected=0)
        assert await log.read("e1") == [b"a"]

    async def test_after_a_refusal_the_chain_goes_on_where_it_ends(self, log: EpisodeLog) -> None:
        await log.append("e1", [b"a"], expected=0)
        with pytest.raises(StalePosition):
            await log.append("e1", [b"x"], expected=0)
        assert len(await log.read("e1")) == 1
        await log.append("e1", [b"b"], expected=1)
        assert await log.read("e1") == [b"a", b"b"]

    async def test_of_writers_at_one_position_exactly_one_wins(self, log: EpisodeLog) -> None:
        results = await asyncio.gather(
            *(log.append("e1", [b"%d" % n, b"+"], expected=0) for n in range(8)),
            return_exceptions=True,
        )
        assert [result for result in results if result is None] == [None]
        assert sum(isinstance(result, StalePosition) for result in results) == 7
        assert len(await log.read("e1")) == 2

    async def test_many_chains_grow_side_by_side_without_loss(self, log: EpisodeLog) -> None:
        async def grow(episode: str) -> None:
            for position in range(0, 12, 2):
                events = [b"%s %d" % (episode.encode(), position + n) for n in (0, 1)]
                await log.append(episode, events, expected=position)

        episodes = [f"e{number}" for number in range(60)]
        async with asyncio.TaskGroup() as group:
            for episode in episodes:
                group.create_task(grow(episode))
        for episode in episodes:
            wanted = [b"%s %d" % (episode.encode(), n) for n in range(12)]
            assert await log.read(episode) == wanted
        assert len(await _records(log)) == 60 * 12

    async def test_one_append_may_hold_many_events(self, log: EpisodeLog) -> None:
        events = [b"%d" % number for number in range(900)]
        await log.append("e1", events, expected=0)
        assert await log.read("e1") == events

    async def test_an_event_may_be_large(self, log: EpisodeLog) -> None:
        large = b"x" * 3_000_000
        await log.append("e1", [large, b"small"], expected=0)
        assert await log.read("e1") == [large, b"small"]
