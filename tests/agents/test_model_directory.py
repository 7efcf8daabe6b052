"""Which provider serves a model id."""

from __future__ import annotations

import subprocess
import sys

import pytest
from tests.agents._calls import request
from tests.agents._servers import Loopback, good

from eristic.agents.models import ModelDirectory, ScriptedModel
from eristic.debate import Binding
from eristic.debate.errors import ModelUnknown, NameRefused
from eristic.ports import ModelRequest


def _parrot() -> ScriptedModel:
    def say(asked: ModelRequest) -> str:
        return f"parrot of {asked.model}"

    return ScriptedModel(replies=say)


async def test_a_script_goes_to_the_script_and_an_address_to_its_server(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    directory = ModelDirectory()
    with Loopback(good) as server:
        scripted = await directory.complete(request(model="script:echo"))
        served = await directory.complete(request(server.url))
        await directory.aclose()
    assert scripted.text == "persuader, turn 3, attempt 0"
    assert served.model == "served-2026"


@pytest.mark.parametrize("model", ["parrot", "parrot:grey", "parrot/grey"])
async def test_a_registered_provider_serves_its_prefix(model: str) -> None:
    directory = ModelDirectory()
    directory.register("parrot", _parrot)
    assert (await directory.complete(request(model=model))).text == f"parrot of {model}"
    await directory.check(model, Binding(model=model))


@pytest.mark.parametrize("prefix", ["script", "local", "external", ""])
def test_a_taken_prefix_is_refused(prefix: str) -> None:
    with pytest.raises(NameRefused):
        ModelDirectory().register(prefix, _parrot)


async def test_an_external_role_passes_the_check_and_is_never_called_for() -> None:
    directory = ModelDirectory()
    await directory.check("external", Binding(model="external"))
    with pytest.raises(ModelUnknown, match="program of its own"):
        await directory.complete(request(model="external"))


async def test_local_is_one_model_and_no_family() -> None:
    with pytest.raises(ModelUnknown, match="id is 'local'"):
        await ModelDirectory().check("local/other", Binding(model="local/other"))


def test_importing_and_scripting_loads_no_heavy_library() -> None:
    program = (
        "import asyncio, sys\n"
        "from eristic.agents.models import ModelDirectory\n"
        "from eristic.agents import tokens, local_model\n"
        "from eristic.debate import Binding\n"
        "asyncio.run(ModelDirectory().check('script:steady', Binding(model='script:steady')))\n"
        "print(*{'litellm', 'ray', 'tiktoken', 'openai', 'aiohttp', 'xllamacpp'} "
        "& set(sys.modules))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.stdout.strip(), done.stderr) == ("", "")
