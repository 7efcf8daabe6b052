"""pyarrow, or a refusal that says how to get it: the other modules import it from here."""

from __future__ import annotations

from eristic.debate.errors import ExtraMissing

__all__ = ["compute", "fs", "pa", "pc", "pq"]

try:
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq
    from pyarrow import fs
except ImportError as error:
    raise ExtraMissing(needs="pyarrow", extra="tables") from error


def compute(function: str, *values: object, options: object = None) -> pa.Array:
    """A compute function by its name: pyarrow makes the ones with names of their own at run time,
    where no type checker sees them."""
    return pc.call_function(function, list(values), options)
