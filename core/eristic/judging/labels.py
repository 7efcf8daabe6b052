from __future__ import annotations

__all__ = ["names_its_label", "normalise_label"]


def normalise_label(label: str) -> str:
    raise NotImplementedError


def names_its_label(text: str, label: str) -> bool:
    raise NotImplementedError
