"""Every trial of a report."""
from __future__ import annotations

import glob
import os
from typing import Any, Callable, cast

from .errors import EarwitnessError

__all__ = ["read_trials"]


def read_trials(path: "str | os.PathLike[str]") -> Any:
    """The trials of a report, one row each, as a pandas DataFrame: of its folder, or of the newest run's in the folder of all reports.

    A report has them as CSV; as Parquet with ``report: { trials: [parquet] }`` in the config, or after ``earwitness report --out FOLDER --trials
    parquet``, which is read where it is there.
    """
    try:
        import pandas  # pyright: ignore[reportMissingTypeStubs]
    except ImportError:
        raise EarwitnessError("expected the Python package pandas, which trials are read into; type: pip install pandas", "missing-program") from None
    frames = cast(Any, pandas)
    named = os.fspath(path)
    # More than a million trials are a set of files, of which the first is looked for.
    for name, read in (("trials.parquet", frames.read_parquet), ("trials-00000-of-*.parquet", _read_set(frames)), ("trials.csv", frames.read_csv)):
        inside, below = (sorted(glob.glob(os.path.join(glob.escape(named), *place, name))) for place in ([], ["*"]))
        for file in [*inside, *reversed(below)]:
            if os.path.isfile(file):
                return read(file)
    if os.path.isfile(named):
        return frames.read_csv(named) if named.endswith(".csv") else frames.read_parquet(named)
    raise EarwitnessError("%s: expected a report with trials.csv or trials.parquet, but there is none" % named, "bad-input")


def _read_set(frames: Any) -> Callable[[str], Any]:
    def read(first: str) -> Any:
        folder, name = os.path.split(first)
        parts = glob.glob(os.path.join(glob.escape(folder), name.replace("-00000-of-", "-*-of-")))
        return frames.concat([frames.read_parquet(part) for part in sorted(parts)], ignore_index=True)

    return read
