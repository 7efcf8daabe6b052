"""What a verification counted, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from eristic.replay import Verification
    from eristic.replay.shared import Shared

__all__ = ["counts_of"]


def counts_of(found: Verification) -> list[tuple[str, str]]:
    """Label and text of each line."""
    outcomes = ", ".join(f"{name} {count:,}" for name, count in found.outcomes.items())
    prompts = [f"{found.prompts_rebuilt:,} rebuilt and equal to what was sent"]
    if found.prompts_not_recorded:
        prompts.append(f"{found.prompts_not_recorded:,} not recorded, so not proven")
    if found.prompts_refuted:
        prompts.append(f"{found.prompts_refuted:,} refuted")
    counts = [
        ("events", f"{found.events:,} in {found.episodes:,} episodes, {found.turns:,} turns"),
        ("outcomes", outcomes or "none yet"),
        ("prompts", ", ".join(prompts)),
    ]
    if found.shared.branches:
        counts.append(("forks", _forks(found.shared)))
    if found.not_walked:
        counts.append(
            ("not walked", f"{found.not_walked:,} events behind a finding: chain checked, no more")
        )
    if found.unfinished:
        names = ", ".join(found.unfinished[:8])
        more = f" and {len(found.unfinished) - 8:,} more" if len(found.unfinished) > 8 else ""
        counts.append(("unfinished", names + more))
    return counts


def _forks(shared: Shared) -> str:
    text = f"{shared.branches:,} episodes, {shared.proven:,} begin as their lineage says"
    if shared.compared:
        text += f", {shared.compared:,} compared with their source"
    if shared.not_compared:
        text += f", {shared.not_compared:,} not compared: their source is out of reach"
    return text
