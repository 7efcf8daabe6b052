"""A role without Eristic: any program that answers these messages is one.

    python examples/plain_role.py RUN ROLE            # NATS_URL, NATS_USER, NATS_PASSWORD

Needs only nats-py. All processes that serve a role share its asks; end this one with Ctrl-C.
"""

import asyncio
import json
import os
import sys

import nats
from nats.aio.msg import Msg


async def main(run: str, role: str) -> None:
    connection = await nats.connect(
        os.environ.get("NATS_URL", "nats://127.0.0.1:4222"),
        user=os.environ.get("NATS_USER"),
        password=os.environ.get("NATS_PASSWORD"),
    )

    async def answer(message: Msg) -> None:
        ask = json.loads(message.data)
        history = ask["view"].get("history", [])
        heard = history[-1][1] if history else "nothing"
        same = ("episode", "turn", "role", "attempt", "epoch", "rank")
        reply = {key: ask[key] for key in same if key in ask}
        text = f"You say: {heard} I beg to differ."
        reply["outcome"] = {"type": "spoke", "text": text, "call": {"model": "plain"}}
        await message.respond(json.dumps(reply).encode())

    await connection.subscribe(f"er.v1.{run}.ask.{role}", queue=role, cb=answer)
    await connection.flush()
    print(f"serving {role} of {run}", flush=True)
    await asyncio.Event().wait()


asyncio.run(main(sys.argv[1], sys.argv[2]))
