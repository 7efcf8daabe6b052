"""What the package offers, what it loads, and what it says when its extra is missing."""

from __future__ import annotations

import importlib.metadata
import re
import subprocess
import sys
from pathlib import Path

import pytest

import eristic.stats


def output_of(program: str) -> str:
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    return done.stdout.strip() or done.stderr


@pytest.mark.parametrize("missing", ["numpy", "scipy", "statsmodels"])
def test_without_the_extra_the_import_says_what_to_install(missing: str) -> None:
    program = (
        "import importlib.util\n"
        "real = importlib.util.find_spec\n"
        f"importlib.util.find_spec = lambda name: None if name == {missing!r} else real(name)\n"
        "from eristic.debate.errors import ExtraMissing\n"
        "try:\n    import eristic.stats\n"
        "except ExtraMissing as error:\n    print(error)\n"
    )
    said = "this needs numpy, scipy and statsmodels: pip install 'eristic[stats]'"
    assert output_of(program) == said


def test_importing_the_package_loads_neither_scipy_nor_statsmodels() -> None:
    slow = "{'scipy', 'statsmodels', 'pandas'}"
    program = f"import sys, eristic.stats; print({slow} & sys.modules.keys())"
    assert output_of(program) == "set()"


def test_every_public_name_is_there_and_in_the_readme() -> None:
    readme = (Path(eristic.stats.__file__).parent / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(\w+)", readme))
    assert set(eristic.stats.__all__) <= set(vars(eristic.stats))
    functions = {x for x in eristic.stats.__all__ if x.islower()}
    assert functions - named == set()


def test_no_copyleft_comes_with_the_extra() -> None:
    for name in ("numpy", "scipy", "statsmodels", "pandas", "patsy", "formulaic", "narwhals"):
        about = importlib.metadata.metadata(name)
        fields = ("License-Expression", "Classifier")
        said = " ".join(line for field in fields for line in about.get_all(field) or ())
        assert "BSD" in said or "MIT" in said, f"{name}: {said}"
        assert "GPL" not in said, f"{name}: {said}"
