import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest

from eristic.bus import NatsCourier, ServerHandle, connect
from eristic.debate import Served, Spoke
from eristic.testing.transports import RUN, make_ask, reply_to

pytestmark = pytest.mark.nats

PROGRAM = Path(__file__).parents[2] / "examples" / "plain_role.py"


async def test_a_program_that_knows_nothing_of_eristic_can_be_a_role(
    server: ServerHandle,
) -> None:
    settings = server.settings("role")
    environment = {
        **os.environ,
        "NATS_URL": settings.url,
        "NATS_USER": settings.user,
        "NATS_PASSWORD": settings.password,
    }
    command = [sys.executable, str(PROGRAM), RUN, "debater"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE) as program:
        link = await connect(server.settings("director"))
        ask = make_ask(2, text="Why?", epoch=3)
        async with asyncio.timeout(20):
            answer = await NatsCourier(link).ask(ask)
        await link.close()
        program.terminate()
    said = Spoke(text="You say: Why? I beg to differ.", call=Served(model="plain"))
    assert answer == reply_to(ask, said)


def test_the_example_imports_nothing_of_eristic_and_is_short() -> None:
    lines = PROGRAM.read_text().split('"""', 2)[2].splitlines()
    assert not any("eristic" in line for line in lines)
    assert sum(bool(line.strip()) for line in lines) <= 30
