"""Arms without a fallacy: do length and repetition persuade by themselves?

`filler` puts neutral text of an argument's length before the conclusion, `bare_claim` says the
claim again and nothing else. They are run only when they are named.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import cycle, islice
from typing import Final

from eristic.protocols.lofa.names import ARGUMENTS, BARE_CLAIM, FILLER
from eristic.protocols.lofa.questions import Question

__all__ = ["arguments_for"]

_PASSAGES: Final = (
    "The path leaves the village behind the last barn and follows a low wall for a while. On the "
    "left there is a meadow with a few apple trees, on the right a field that is sown in spring. "
    "After a bend the path crosses a brook by a wooden bridge. There is a bench on the other side, "
    "and a board with a map. From there it goes on through a small wood, past a pile of logs, and "
    "comes out again near a pond. Two roads meet there, and a bus stops every hour.",
    "The kitchen has one window and two doors. A table stands in the middle, with four chairs and "
    "a cloth that is changed on Mondays. Plates are kept on the lower shelf, cups above them. "
    "Beside the stove hang a ladle, a sieve and a pair of scissors. A basket under the sink holds "
    "onions in one half and potatoes in the other. In the corner there is a broom, and behind the "
    "door a row of hooks for aprons. The clock on the wall is wound in the evening.",
    "The shop opens at nine and closes at six, with an hour at noon when nobody is there. Paper is "
    "sold by the sheet and by the packet. Pencils stand in jars, sorted by colour, next to a tray "
    "of rubber bands. Envelopes lie in drawers along the back wall, the small ones at the top. "
    "Whoever wants something copied leaves it at the counter and comes back later. A bell over the "
    "door rings when it moves. The window is washed on Fridays, and the steps are swept daily.",
)
"""One for each argument, about nothing that a question could be about."""


def arguments_for(question: Question, fallacy: str) -> tuple[str, ...]:
    """What is put before the conclusion, turn by turn; an empty text: nothing, the claim alone.

    A filler has as many words as the question's arguments at its place have on average, and there
    is one for every place at which some fallacy has an argument.
    """
    if fallacy == BARE_CLAIM:
        return ("",) * ARGUMENTS
    if fallacy == FILLER:
        counts = _word_counts(question.arguments)
        return tuple(map(_cut, _PASSAGES, counts))
    return question.arguments.get(fallacy, ())


def _word_counts(arguments: Mapping[str, tuple[str, ...]]) -> list[int]:
    """Mean number of words of the first, second and third arguments, as far as there are any."""
    found: list[int] = []
    for place in range(ARGUMENTS):
        lengths = [len(texts[place].split()) for texts in arguments.values() if len(texts) > place]
        if not lengths:
            break
        found.append(max(1, round(sum(lengths) / len(lengths))))
    return found


def _cut(passage: str, words: int) -> str:
    text = " ".join(islice(cycle(passage.split()), words))
    return f"{text.rstrip('.,')}."
