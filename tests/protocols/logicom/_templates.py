"""The protocol's prompt files, as the engine reads them."""

from __future__ import annotations

from importlib.resources import files

from eristic.debate.prompting import parse_template
from eristic.protocols.logicom import LOGICOM

FOLDER = files("eristic.protocols.logicom") / "prompts"
TEXTS = {name: (FOLDER / f"{name}.toml").read_text("utf-8") for name in LOGICOM.templates}
TEMPLATES = {name: parse_template(text) for name, text in TEXTS.items()}
