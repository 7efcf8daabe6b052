"""An episode on the screen: who speaks is told by label and by colour.

In an imported debate a helper's turn is the persuader's utterance, so it is shown as that: the
text that was sent, and in brackets what the helper wrote beside it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from eristic.cli.rendering import Screen, Span

if TYPE_CHECKING:
    from eristic.replay import Entry, Header, Transcript

__all__ = ["print_transcript"]

_COLOURS = ("cyan", "yellow", "magenta", "green", "blue", "bright_cyan", "bright_magenta", "red")
"""As many as a protocol has roles, so that each has its own."""
_VERDICT_CHARS = 40
_INDENT = 6


def print_transcript(screen: Screen, found: Transcript, *, left_out: int) -> None:
    """A transcript with its header. left_out: entries that a limit kept away (count)."""
    screen.line(Span(f"run {found.run} · episode {found.episode}", "bold"))
    if found.header is not None:
        _print_header(screen, found.header)
    colours = _colours(found)
    for entry in found.entries:
        _print_entry(screen, entry, colours)
    if left_out:
        screen.line(Span(f"... {left_out:,} more; raise --limit to see them", "dim"))
    elif found.is_cut:
        screen.line(Span(f"--- cut at turn {found.at}; what came later is not shown ---", "dim"))
    elif found.state == "open":
        screen.line(Span("--- open: this is all so far ---", "dim"))


def _print_header(screen: Screen, header: Header) -> None:
    case = header.case
    screen.line(
        f"{header.protocol} {header.protocol_version} · {header.condition} · "
        f"repetition {header.repetition} · {_origin(header)} {header.software}"
    )
    if header.parent:
        screen.line(f"branched from {header.parent}")
    texts = {"case": f"{case.case_id} (block {case.block})", **_import(header), **case.texts}
    indent = min(16, 2 + max(len(name) for name in texts))
    for name, text in texts.items():
        screen.block(text, indent=indent, label=name[: indent - 1])
    screen.line()


def _origin(header: Header) -> str:
    if header.imported is not None:
        return "imported by"
    return f"{'no seed' if header.seed is None else f'seed {header.seed}'} · written by"


def _import(header: Header) -> dict[str, str]:
    """Where an imported episode comes from; nothing for one of our own."""
    origin = header.imported
    if origin is None:
        return {}
    begun = origin.facts.get("created")
    return {
        "source": f"{origin.path} ({origin.layout})",
        "begun": "not recorded" if begun is None else str(begun),
        "cast": ", ".join(f"{role} {binding.model}" for role, binding in header.cast.items()),
        "not recorded": ", ".join(name.replace("_", " ") for name in origin.absent),
    }


def _colours(found: Transcript) -> dict[str, str]:
    roles = dict.fromkeys(found.header.cast) if found.header else {}
    roles |= dict.fromkeys(entry.role for entry in found.entries if entry.turn is not None)
    return {role: _COLOURS[place % len(_COLOURS)] for place, role in enumerate(roles)}


def _print_entry(screen: Screen, entry: Entry, colours: dict[str, str]) -> None:
    match entry.kind:
        case "ruling":
            where = f"round {entry.round}: " if entry.round is not None else ""
            reason = f" ({entry.text})" if entry.text else ""
            ruling = f"=== {where}{entry.reading}{reason} === "
            screen.line(Span(ruling, "bold"), Span(entry.role, "dim"))
            screen.line()
        case "close":
            result = "failed, no outcome" if entry.reading is None else entry.reading
            style = "bold red" if entry.reading is None else "bold green"
            screen.line(
                Span(f"closed: {result}", style), f" ({entry.text}) after {entry.round} rounds"
            )
            facts = [
                f"{name} {value}"
                for name, value in entry.parts.items()
                if value not in ("", "0", "False")
            ]
            if facts:
                screen.block(", ".join(facts), indent=_INDENT, style="dim")
        case "swap" | "fold" | "overflow" | "refused" | "failure":
            _print_remark(screen, entry, colours)
        case _:
            _print_turn(screen, entry, colours)


def _print_remark(screen: Screen, entry: Entry, colours: dict[str, str]) -> None:
    cause = f" ({entry.status})" if entry.kind == "swap" and entry.status else ""
    style = "red" if entry.kind == "failure" else "dim"
    screen.line(
        Span(_number(entry), "dim"),
        Span(entry.role, colours.get(entry.role, "")),
        Span(f"  [{entry.kind}{cause}{_attempt(entry)}]", style),
    )
    screen.block(entry.text, indent=_INDENT, style=style)
    screen.line()


def _print_turn(screen: Screen, entry: Entry, colours: dict[str, str]) -> None:
    if entry.source == "imported":
        _print_told(screen, entry, colours)
        return
    colour = colours.get(entry.role, "")
    value = entry.reading if entry.reading is not None else entry.status
    # A reading that is a text of its own is no verdict beside a name.
    is_check = entry.kind == "check" and len(value) <= _VERDICT_CHARS
    screen.line(
        Span(_number(entry), "dim"),
        Span(entry.role, f"bold {colour}".strip()),
        Span(f"  {value}" if is_check else "", "bold"),
        Span(_remarks(entry), "dim"),
    )
    if is_check:
        # What was read off a text says it all when the text says no more.
        if entry.text.strip().casefold() != value.casefold():
            screen.block(entry.text, indent=_INDENT, style="dim")
        return
    for name, text in entry.parts.items():
        screen.block(f"{name}: {text}", indent=_INDENT, style="dim")
    is_read = entry.kind == "helper" and entry.reading is not None
    screen.block((entry.reading or "") if is_read else entry.text, indent=_INDENT)
    screen.line()


def _print_told(screen: Screen, entry: Entry, colours: dict[str, str]) -> None:
    """A recorded turn. What a helper wrote around the persuader's utterance stands aside."""
    is_helper, is_unsent = entry.kind == "helper", "unsent" in entry.flags
    role = "persuader" if is_helper else entry.role
    remarks = [flag.replace("_", " ") for flag in entry.flags if flag != "unsent"]
    if is_helper:
        remarks.insert(0, "with the helper")
    if entry.repetitions > 1:
        remarks.append(f"logged {entry.repetitions} times")
    if entry.status not in ("", "read"):
        remarks.append(entry.status)
    screen.line(
        Span(_number(entry), "dim"),
        Span(role, f"bold {colours.get(role, '')}".strip()),
        Span("  [never sent]" if is_unsent else "", "bold yellow"),
        Span(f"  {' · '.join(remarks)}" if remarks else "", "dim"),
    )
    text = entry.text if entry.reading is None else entry.reading
    screen.block(text, indent=_INDENT, style="dim" if is_unsent else "")
    for name in sorted(entry.parts, key=lambda name: (name == "passage", name)):
        label = "response, not sent" if name == "response" else name
        screen.block(f"({label}: {entry.parts[name]})", indent=_INDENT, style="dim")
    screen.line()


def _number(entry: Entry) -> str:
    return ("" if entry.turn is None else str(entry.turn)).rjust(_INDENT - 2) + "  "


def _attempt(entry: Entry) -> str:
    return f", attempt {entry.attempt + 1}" if entry.attempt else ""


def _remarks(entry: Entry) -> str:
    parts = []
    if entry.attempt:
        parts.append(f"attempt {entry.attempt + 1}")
    if entry.source not in ("", "model"):
        parts.append(entry.source)
    if entry.status not in ("", "read") and entry.kind != "check":
        parts.append(entry.status)
    parts += entry.flags
    if entry.model:
        parts.append(entry.model)
    if entry.tokens_in is not None or entry.tokens_out is not None:
        parts.append(f"{_known(entry.tokens_in)} in, {_known(entry.tokens_out)} out")
    if entry.latency_s is not None:
        parts.append(f"{entry.latency_s:.2f} s")
    if entry.retries:
        parts.append(f"{entry.retries} failed tries before")
    return f"  {' · '.join(parts)}" if parts else ""


def _known(tokens: int | None) -> str:
    return "?" if tokens is None else f"{tokens:,}"
