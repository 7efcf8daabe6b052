"""The words of `scr` and `scr-build` that a log holds: never change one, add another."""

from __future__ import annotations

from typing import Final

SUGGESTER: Final = "suggester"
CRITIC: Final = "critic"
CRITIC_B: Final = "critic_b"
CRITIC_C: Final = "critic_c"
CRITICS: Final = (CRITIC, CRITIC_B, CRITIC_C)
"""In the order in which they are shown and decide; the last two are optional."""
PLACEBO: Final = "placebo"
"""Scripted speaker of the control critiques; no role."""
COMPARER: Final = "comparer"
"""Optional: compares in place of the suggester."""
ENHANCER: Final = "enhancer"

SCR: Final = "scr"
REPAIR: Final = "repair"
"""Begins as `scr`; a flagged suggestion is repaired on the fly."""
BUILD: Final = "build"

# Outcomes of an episode. None: missing, with one of the two reasons below.
UNETHICAL: Final = "unethical"
UNKNOWN: Final = "unknown"
REPAIRED: Final = "repaired"
STOPPED_DEGENERATE: Final = "stopped_degenerate"
BUDGET: Final = "budget"
CYCLE: Final = "cycle"
BUILT: Final = "built"

# Reasons. Of a repair the reason is the outcome.
ACCEPTED: Final = "accepted"
"""Of `unethical`; also a decision of a critique."""
REJECTED: Final = "rejected"
"""Of `unknown`; also a decision of a critique."""
NO_CRITIQUE: Final = "no_critique"
"""Of `unknown`; also a decision of a critique."""
OUTVOTED: Final = "outvoted"
"""Of `unknown`, several critics: one critique was accepted, none rejected, and the rule asks for
more."""
NO_SUGGESTION: Final = "no_suggestion"
NO_VERDICT: Final = "no_verdict"
"""Of outcome None; also a decision of a critique, a placebo or an iteration."""
NO_SITUATION: Final = "no_situation"
"""scr-build: nothing that ends in one question."""

CRITIQUE_POLICY: Final = "scr-critique.v1"
"""One ruling a critic and text: accepted, rejected, no_critique or no_verdict. reason: the critic's
role. `round` 0: on the
suggestion; n: on the candidate of iteration n. inputs: turns of the text, the critique and, where
there is one, the reflection."""
PLACEBO_POLICY: Final = "scr-placebo.v1"
"""One ruling a placebo critique: accepted, rejected or no_verdict. reason: its kind. inputs: turns
of the suggestion, the placebo and the reflection."""
REPAIR_POLICY: Final = "scr-repair.v1"
"""One ruling a candidate: repaired, kept, degenerate, cycle or no_verdict. reason: what came
of the comparison. `round`: its iteration, from 1. inputs: turns of the candidate and of its
comparisons."""

KEPT: Final = "kept"
"""Of a candidate: better than what it replaces, but still flagged."""
DEGENERATE: Final = "degenerate"

# Facts of `scr-critique.v1`.
FACT_CRITIC: Final = "critic"
"""Role of the critic."""
FACT_KIND: Final = "kind"
"""Of a critique: critique, mixed or none (absent when there is none); of a placebo: empty or
other."""
FACT_OVERLAP: Final = "overlap"
"""Share of words that the critique has in common with the text it is about (fraction)."""
FACT_FLAGS: Final = "flags"
"""Remarks, joined by commas (copy, rewrite, other_script); absent when there is none."""
FACT_CAUSE: Final = "cause"
"""Of no_verdict: unreadable, empty, refused, failed or context_overflow."""
FACT_PHASE: Final = "phase"
"""Of no_verdict: critique, reflect, refine or compare."""

KIND_CRITIQUE: Final = "critique"
KIND_MIXED: Final = "mixed"
KIND_NONE: Final = "none"
KIND_EMPTY: Final = "empty"
"""Placebo without content."""
KIND_OTHER: Final = "other"
"""Placebo about another case."""

# Facts of `scr-repair.v1`.
FACT_ITERATION: Final = "i"
"""From 1 (count)."""
FACT_TRY: Final = "try"
"""Candidate of this iteration, from 1 (count)."""
FACT_COMPARED: Final = "compared"
"""What came of the comparison: better, tied, worse or unreadable; equal: no call was needed."""
FACT_ORDER: Final = "order"
"""Where the comparer saw the candidate: second, or both (asked in either order); absent when
there was no call."""
FACT_AGAINST: Final = "against"
"""current or original."""
FACT_HINTS: Final = "degenerate_hint"
"""Remarks on the candidate, joined by commas (empty, shorter, apology, comments, off_topic,
refusal); absent when there is none. They decide nothing."""

ORDER_SECOND: Final = "second"
ORDER_BOTH: Final = "both"

COMPARED_BETTER: Final = "better"
COMPARED_TIED: Final = "tied"
COMPARED_WORSE: Final = "worse"
COMPARED_UNREADABLE: Final = "unreadable"
COMPARED_EQUAL: Final = "equal"

# Closing facts.
FACT_CRITICS: Final = "critics"
"""Critics that played (count)."""
FACT_CRITIQUES: Final = "critiques"
"""Critiques of the suggestion among theirs (count)."""
FACT_ACCEPTED: Final = "accepted"
"""Critiques of the suggestion that were accepted (count)."""
FACT_REFUSAL: Final = "refusal"
"""The suggestion is a refusal (true or false)."""
FACT_FLAGGED: Final = "flagged"
"""By the rule, the suggestion was flagged (true or false); only in `repair`, absent without a
verdict."""
FACT_ITERATIONS: Final = "iterations"
"""Iterations of repair that began (count). This and the next three: only of a repair."""
FACT_CHANGED: Final = "changed"
"""The text returned is not the original (true or false)."""
FACT_REPAIRED: Final = "repaired"
"""The suggester defends the text returned (true or false)."""
FACT_RESULT_TURN: Final = "result_turn"
"""Turn of the text returned; the suggestion's when nothing was kept."""
