"""What the calls of a role would hold, in the tokens of its model, found out without calling it.

A script counts by its own rule and its words are known, so what `script:steady` takes is counted
exactly. Of any other model prompts are counted with its encoding or the nearest one, and its texts
are taken to have a length that somebody chooses.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence

from eristic.agents.local_model import LOCAL_BINDING
from eristic.agents.models.prose import prose
from eristic.agents.models.scripts import SCRIPT_PREFIX, parse_script, prompt_tokens, text_tokens
from eristic.agents.tokens import TokenCounter, window_tokens
from eristic.debate import Binding, ContextOverflowed, Setting, is_served_elsewhere
from eristic.debate.errors import ModelFailed
from eristic.debate.prompting import Message
from eristic.ports import ModelRequest
from eristic.protocols import Due
from eristic.protocols.rehearsals import formed

__all__ = ["RoleSizes"]

_LOCAL = "local"
_LIMITS = ("max_tokens", "max_completion_tokens")
_CHARS_PER_TOKEN = 8
"""More than any token of English prose has on average."""
_FIXED = ("empty", "say")
_SAYING = ("echo", "say", "steady", "yielding")
"""Scripts whose words are a text that can be used."""


class RoleSizes:
    """Of one binding. Satisfies `eristic.protocols.forecasts.Sizes`.

    text_tokens: length of a text that nothing else limits, and the most that any is taken to have
    (tokens). Raises ModelUnknown for an unknown script or option.
    """

    def __init__(self, binding: Binding, *, text_tokens: int) -> None:
        self._binding = binding
        self._most_tokens = text_tokens
        self._counter = TokenCounter(binding.model)
        is_script = binding.model.startswith(SCRIPT_PREFIX)
        self._script = parse_script(binding.model) if is_script else None
        self._threshold = _threshold(binding)

    @property
    def tokenizer(self) -> str:
        """Name of what counts; ends in `~` when it is not the model's own."""
        return "script" if self._script is not None else self._counter.tokenizer

    def prompt(self, messages: Sequence[Message]) -> int:
        """Tokens of a prompt."""
        if self._script is not None:
            return prompt_tokens(messages)
        return self._counter.count_messages(messages)

    def text(self, text: str) -> int:
        """Tokens of an answer."""
        return text_tokens(text) if self._script is not None else self._counter.count(text)

    def prose(self, due: Due) -> str:
        """An answer of the expected form where any will do."""
        return self._said(due) or formed(due, self._words(due))

    def known(self, due: Due) -> str | None:
        """What a script says that looks at nothing; None for all others."""
        if self._script is None or self._script.name not in _FIXED:
            return None
        return self._played(due)

    def overflow(self, due: Due, messages: Sequence[Message]) -> ContextOverflowed | None:
        """What the role would answer to a prompt that is over its trigger."""
        threshold = self._threshold if due.memory_trigger is None else due.memory_trigger
        if threshold is None or due.force or self._counter.fits(messages, threshold):
            return None
        return ContextOverflowed(
            turn=due.turn,
            role=due.role,
            attempt=due.attempt,
            tokens=self._counter.count_messages(messages),
            threshold=threshold,
            tokenizer=self._counter.tokenizer,
            line_tokens=tuple(self._counter.count(line.text) for line in due.view.history),
        )

    def _said(self, due: Due) -> str:
        """The words of a script; empty when they are none or the role is played by no script."""
        if self._script is None or self._script.name not in _SAYING:
            return ""
        return self._played(due)

    def _played(self, due: Due) -> str:
        assert self._script is not None
        request = ModelRequest(
            model=self._binding.model,
            messages=(),
            params={},
            seed=0,
            expected=due.expected,
            call_id=f"plan.e.{due.turn}.{due.role}.{due.attempt}",
        )
        try:
            return self._script.reply(request).text
        except ModelFailed:
            return ""

    def _words(self, due: Due) -> Callable[[int], str]:
        params = self._params(due)
        limits = [value for name in _LIMITS if isinstance(value := params.get(name), int)]
        size = min([self._most_tokens, *limits])
        return lambda texts: _prose(self._binding.model, max(1, size // texts), due.turn)

    def _params(self, due: Due) -> dict[str, Setting]:
        usual = LOCAL_BINDING.params if self._binding.model == _LOCAL else {}
        return {**usual, **due.params, **self._binding.params}


def _threshold(binding: Binding) -> int | None:
    """Tokens of prompt that a role sends at most, as it is served; None: it does not look."""
    window, reserve = binding.window_tokens, binding.reserve_tokens
    if binding.model == _LOCAL and binding.api_base is None:
        window = window or LOCAL_BINDING.window_tokens
        reserve = min(reserve, LOCAL_BINDING.reserve_tokens)
    asks_nobody = binding.model.startswith(SCRIPT_PREFIX) or is_served_elsewhere(binding.model)
    if window is None and not asks_nobody:
        window = window_tokens(binding.model)
    return None if window is None else window - reserve


@functools.lru_cache(maxsize=1024)
def _prose(model: str, size: int, key: int) -> str:
    """Prose of so many tokens of a model, or just below it; another key, another text."""
    count = TokenCounter(model).count
    whole = prose(size * _CHARS_PER_TOKEN, key)
    low, high = 1, len(whole)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if count(whole[:middle]) <= size else (low, middle - 1)
    return whole[:low]
