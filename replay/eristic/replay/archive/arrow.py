"""pyarrow, or a refusal that says how to get it: the other modules import it from here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eristic.debate.errors import ExtraMissing

__all__ = ["compute", "fs", "pa", "pc", "pq", "trim"]

try:
    import pyarrow as pa
    import pyarrow.parquet as pq
    from pyarrow import fs
except ImportError as error:
    raise ExtraMissing(needs="pyarrow", extra="tables") from error

if TYPE_CHECKING:
    import pyarrow.compute as pc


def __getattr__(name: str) -> object:
    # pyarrow.compute makes its functions when it is imported: a third of pyarrow's own time, and
    # reading a chain needs none of them.
    if name != "pc":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import pyarrow.compute

    return pyarrow.compute


def compute(function: str, *values: object, options: object = None) -> pa.Array:
    """A compute function by its name: pyarrow makes the ones with names of their own at run time,
    where no type checker sees them."""
    import pyarrow.compute as pc

    return pc.call_function(function, list(values), options)


def trim() -> None:
    """Give freed memory back to the system: Arrow and the C library keep several times what is in
    use. For who writes an archive for minutes; takes a millisecond."""
    for pool in (pa.default_memory_pool(), pa.system_memory_pool()):
        pool.release_unused()
