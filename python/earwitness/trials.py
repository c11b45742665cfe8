"""Every trial of a report."""
from __future__ import annotations

import csv
import glob
import importlib
import os
import re
from typing import Any, Dict, List

from .errors import EarwitnessError

__all__ = ["read_trials"]

# Where there are several normalizers, each has columns of its own, that end with its name.
_WHOLE = re.compile("(draw|repeat|calls|words|substitutions|deletions|insertions|characters|character_errors)(_|$)")
_FRACTION = re.compile("(sound_seconds|seconds|processor_seconds)$")
_GUARDED = re.compile("(failure_message|reference|transcript|reference_words|transcript_words)(_|$)")
# Spreadsheets would run what follows the apostrophe.
_GUARD = re.compile("'(?='*(?:[\t-\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]*[=+\\-@＝＋－＠]|[\t\r\n]))")


def read_trials(path: "str | os.PathLike[str]") -> Any:
    """The trials of a report, one row each, as a pandas DataFrame, else as one of polars; where neither is installed, as dicts: of its folder, or
    of the newest run's in the folder of all reports.

    Texts, ids and attributes are texts as they were said, whatever they look like, and numbers are numbers; what is missing is None or NaN.

    A report has them as CSV; as Parquet with ``report: { trials: [parquet] }`` in the config, or after ``earwitness report --out FOLDER --trials
    parquet``, which is read where it is there.
    """
    named = os.fspath(path)
    # More than a million trials are a set of files, of which the first is looked for.
    for name in ("trials.parquet", "trials-00000-of-*.parquet", "trials.csv"):
        inside, below = (sorted(glob.glob(os.path.join(glob.escape(named), *place, name))) for place in ([], ["*"]))
        for file in [*inside, *reversed(below)]:
            if os.path.isfile(file):
                return _read(file)
    if os.path.isfile(named):
        return _read(named)
    raise EarwitnessError("%s: expected a report with trials.csv or trials.parquet, but there is none" % named, "bad-input")


def _read(file: str) -> Any:
    frames = _frames()
    if file.endswith(".csv"):
        return _read_csv(file, frames)
    if frames is None:
        raise EarwitnessError("expected the Python package pandas, which trials are read into; type: pip install pandas", "missing-program")
    folder, name = os.path.split(file)
    parts = sorted(glob.glob(os.path.join(glob.escape(folder), glob.escape(name).replace("-00000-of-", "-*-of-"))))
    read = [frames.read_parquet(part) for part in parts]
    return frames.concat(read, **({"ignore_index": True} if frames.__name__ == "pandas" else {}))


def _frames() -> Any:
    for name in ("pandas", "polars"):
        try:
            return importlib.import_module(name)
        except ImportError:
            pass
    return None


def _read_csv(file: str, frames: Any) -> Any:
    # A transcript of hours is longer than a field may be.
    before = csv.field_size_limit(2**31 - 1)
    try:
        with open(file, encoding="utf-8", newline="") as stream:
            lines = csv.reader(stream)
            names: List[str] = next(iter(lines), list(""))
            columns = dict(zip(names, ([*column] for column in zip(*lines)))) or {name: list("") for name in names}
    finally:
        csv.field_size_limit(before)
    first, last = (names.index(one) if one in names else 0 for one in ("repeat", "failure"))
    attributes = names[first + 1 : last]
    words = next((name for name in names[last:] if re.match("words(_|$)", name)), "")
    read: Dict[str, List[Any]] = {}
    kinds: Dict[str, Any] = {}
    for name, column in columns.items():
        kind = None if name in attributes else int if _WHOLE.match(name) else float if _FRACTION.match(name) else None
        kinds[name] = kind
        if kind is not None:
            read[name] = [kind(one) if one else None for one in column]
            continue
        read[name] = [one or None for one in column]
        if name not in attributes and _GUARDED.match(name):
            # CSV has one sign for what is empty and for what is missing: what did not fail has a transcript, and what has words a reference.
            empty = "failure" if name.startswith("transcript") else words if name.startswith("reference") else ""
            there = [(one == "") == (empty == "failure") for one in columns.get(empty, [])] or [False] * len(column)
            read[name] = [one[1:] if _GUARD.match(one) else one or ("" if is_there else None) for one, is_there in zip(column, there)]
    if frames is None:
        return [dict(zip(read, row)) for row in zip(*read.values())]
    if frames.__name__ == "polars":
        return frames.DataFrame(read, schema={name: {int: frames.Int64, float: frames.Float64}.get(kind, frames.String) for name, kind in kinds.items()})
    types = {name: kind and ("float64" if kind is float or None in read[name] else "int64") for name, kind in kinds.items()}
    return frames.DataFrame({name: frames.Series(column, dtype=types[name]) for name, column in read.items()})
