"""What would an experiment take? Calls, tokens and dollars before anything is spent.

  eristic plan logicom --role all=openai/gpt-4o
  eristic plan examples/quick.toml --text-tokens 400

Takes what `eristic run` takes, so a command can be planned by changing its verb. Every episode is
rehearsed twice, the shortest way and the longest, with made-up answers that can be used at once:
nobody is asked, no key is needed and nothing is started. Every prompt on the way is rendered and
counted with the tokenizer of its role's model, or the nearest one. A free text is taken to have
--text-tokens tokens, or max_tokens where that is less. Scripts are counted by their own rule, with
the words that they will say: what `script:steady` takes is the longest way to the last token.

Of each condition at most --rehearse episodes are rehearsed; they stand for all of it. Rules that
set no limit to an episode are refused: there is nothing to plan.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from eristic.cli import run
from eristic.cli.hosting import count

if TYPE_CHECKING:
    from eristic.debate import Cast
    from eristic.judging import Price

__all__ = ["add_arguments", "command"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Those of `run`, and how to count."""
    run.add_arguments(parser)
    parser.add_argument(
        "--text-tokens",
        type=count,
        default=200,
        metavar="N",
        help="tokens that a free text is taken to have (200)",
    )
    parser.add_argument(
        "--rehearse",
        type=count,
        default=50,
        metavar="N",
        help="episodes of each condition that are rehearsed at most (50)",
    )
    parser.add_argument(
        "--price",
        action="append",
        default=[],
        metavar="MODEL=IN,OUT",
        help="dollars for a million tokens, for a model that litellm has no price of",
    )


def command(args: argparse.Namespace) -> int:
    """Check everything as `run` does but for keys, rehearse, and tell."""
    from eristic.agents.role_sizes import RoleSizes
    from eristic.cli.plan_tables import Told, print_plan
    from eristic.cli.productions import produce
    from eristic.cli.rejections import say_rejected
    from eristic.debate.prompting import parse_template
    from eristic.protocols.forecasts import forecast

    production = produce(args)
    say_rejected(production)
    cast = production.experiment.roles
    prices = _prices(args, cast)
    sizes = {role: RoleSizes(bound, text_tokens=args.text_tokens) for role, bound in cast.items()}
    found = forecast(
        production.machine,
        production.episodes,
        {name: parse_template(text) for name, text in production.prompts.items()},
        sizes,
        at_most=args.rehearse,
    )
    told = Told(
        run=production.run,
        protocol=production.machine.name,
        cases=len(production.cases.cases),
        text_tokens=args.text_tokens,
        models={role: binding.model for role, binding in cast.items()},
        tokenizers={role: size.tokenizer for role, size in sizes.items()},
        prices=prices,
        found=found,
    )
    print_plan(told, as_json=args.json)
    return 0


def _prices(args: argparse.Namespace, cast: Cast) -> dict[str, Price | None]:
    """Model -> its price; None when nobody knows. Raises SpecRefused for a model nobody has."""
    from eristic.agents.models.prices import parse_price, price_of
    from eristic.debate.errors import SpecRefused, nearest

    given = dict(parse_price(text) for text in args.price)
    models = {binding.model for binding in cast.values()}
    for model in given:
        if model not in models:
            raise SpecRefused(f"--price {model}: no role has this model.{nearest(model, models)}")
    return {name: given.get(name) or price_of(name) for name in sorted(models)}
