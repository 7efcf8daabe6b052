"""Finding judges by name, and a judge in its seat: with its model, its prompt and its own chain."""

from __future__ import annotations

import hashlib
import re
import sys
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from importlib.resources import files

import msgspec

from eristic.debate import Binding, JudgingOpened, Setting
from eristic.debate.errors import NameRefused, SpecRefused, nearest
from eristic.debate.prompting import Template, parse_template, template_digest
from eristic.judging import (
    JUDGE_GROUP,
    STANCE_VERDICTS,
    STANCES,
    ModelJudge,
    RuleJudge,
    is_model_judge,
    is_rule_judge,
)

__all__ = ["HUMAN", "Seat", "find_judge", "judge_names", "load_prompt", "seat", "seat_human"]

HUMAN = "human-stance.v1"
"""Id of the judge whose answers are stances that people saw."""
HUMAN_LABEL = "human-label.v1"
"""The same of labels on another scale."""

_TOKEN_CHARS = 64
_HEX = 12
_encoder = msgspec.json.Encoder(order="deterministic")


class Seat(msgspec.Struct, frozen=True, kw_only=True):
    """One judge of this run. The same judge, model and prompt have the same chain for ever."""

    name: str
    """For readers: what was written after `--judge`."""
    chain: str
    """Id of its chain, safe in a subject."""
    judge: RuleJudge | ModelJudge | None
    """None for people: their answers come in files."""
    opened: JudgingOpened
    verdicts: dict[str, str]
    """Value -> verdict on the recorded scale; empty when they cannot be compared."""
    template: Template | None = None

    @property
    def asks(self) -> ModelJudge | None:
        """The judge when it needs a model."""
        return self.judge if self.judge is not None and is_model_judge(self.judge) else None

    @property
    def rules(self) -> RuleJudge | None:
        """The judge when it decides by itself."""
        return self.judge if self.judge is not None and is_rule_judge(self.judge) else None

    @property
    def sides(self) -> int:
        """Turns that one judgement looks at."""
        return self.asks.sides if self.asks is not None else 1


@cache
def _entries() -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group=JUDGE_GROUP)}


def judge_names() -> tuple[str, ...]:
    """Names of all installed judges, sorted."""
    return tuple(sorted(_entries()))


def find_judge(name: str) -> RuleJudge | ModelJudge:
    """The judge of that name. Raises NameRefused with the nearest name when there is none."""
    entry = _entries().get(name)
    if entry is None:
        raise NameRefused(
            f"no judge {name!r} is installed; a package offers one through the entry point group "
            f"{JUDGE_GROUP}.{nearest(name, judge_names())}"
        )
    judge: RuleJudge | ModelJudge = entry.load()
    return judge


def load_prompt(judge: ModelJudge) -> str:
    """Text of the judge's prompt file, which stands in `prompts` beside its module.

    Raises SpecRefused for a file that is missing, unreadable, or carries another id.
    """
    module = sys.modules[type(judge).__module__]
    package = module.__name__ if hasattr(module, "__path__") else module.__package__
    path = files(package or module.__name__) / "prompts" / f"{judge.template}.toml"
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise SpecRefused(f"prompt file {path} cannot be read: {error.strerror}") from error
    found = parse_template(text).id
    if found != judge.template:
        raise SpecRefused(f"prompt file {path} has id {found!r}, expected {judge.template!r}")
    return text


def seat(
    judge: RuleJudge | ModelJudge, *, software: str, name: str = "", binding: Binding | None = None
) -> Seat:
    """A judge with all that its answers depend on. binding: its model; needed by model judges."""
    prompts: dict[str, str] = {}
    template = None
    if is_model_judge(judge):
        if binding is None:
            write = f"--judge {name or judge.id}=MODEL"
            raise SpecRefused(f"judge {judge.id} needs a model; write {write}")
        binding = _steady(binding)
        prompts = {judge.template: load_prompt(judge)}
        template = parse_template(prompts[judge.template])
    elif binding is not None:
        raise SpecRefused(f"judge {judge.id} decides by itself and takes no model; leave it out")
    opened = JudgingOpened(
        judge=judge.id,
        question=judge.question,
        values=judge.values,
        software=software,
        binding=binding,
        prompts=prompts,
    )
    return Seat(
        name=name or judge.id,
        chain=_chain(opened),
        judge=judge,
        opened=opened,
        verdicts=dict(judge.verdicts),
        template=template,
    )


def seat_human(annotator: str, *, software: str, values: tuple[str, ...] = STANCES) -> Seat:
    """A person whose labels are imported. values: those that a label may have."""
    options: dict[str, Setting] = {"annotator": annotator}
    is_stance = set(values) <= {*STANCE_VERDICTS, *STANCE_VERDICTS.values()}
    asked = "Does the author of this message, at its end, hold the claim to be correct?"
    opened = JudgingOpened(
        judge=HUMAN if is_stance else HUMAN_LABEL,
        question=asked if is_stance else f"Which one is it: {', '.join(values)}?",
        values=values,
        software=software,
        options=options,
    )
    scale = {**STANCE_VERDICTS, **{name: name for name in STANCE_VERDICTS.values()}}
    is_known = all(value in scale for value in values)
    return Seat(
        name=f"human:{annotator}",
        chain=_chain(opened),
        judge=None,
        opened=opened,
        verdicts={value: scale[value] for value in values} if is_known else {},
    )


def _steady(binding: Binding) -> Binding:
    """A judge is asked at temperature 0 unless its model is bound with another."""
    if "temperature" in binding.params:
        return binding
    return msgspec.structs.replace(binding, params={**binding.params, "temperature": 0.0})


def _chain(opened: JudgingOpened) -> str:
    """`llm-stance_v1-openai_gpt-4o-` and a digest of all that the answers depend on."""
    rubric = {name: template_digest(text) for name, text in opened.prompts.items()}
    parts = (opened.judge, opened.question, opened.values, opened.binding, rubric, opened.options)
    mark = hashlib.sha256(_encoder.encode(parts)).hexdigest()[:_HEX]
    who = opened.binding.model if opened.binding else str(opened.options.get("annotator", ""))
    words = "-".join(filter(None, (_safe(opened.judge), _safe(who))))
    return f"{words[: _TOKEN_CHARS - _HEX - 1]}-{mark}"


def _safe(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9-]+", "_", text).strip("_-")
