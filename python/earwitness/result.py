"""What was found: the report, its result table, its verdicts."""
from __future__ import annotations

import json
import os
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, cast

from .channel import call
from .errors import EarwitnessError
from .trials import read_trials

__all__ = ["Interval", "Report", "Verdict", "frame", "read_report"]

Row = Dict[str, Any]

_GAP = ["recognizer", "by", "group", "beside", "difference", "low", "high", "p_value", "verdict"]


class Interval(NamedTuple):
    """From ``low`` to ``high``; None where it could not be told."""

    low: Optional[float]
    high: Optional[float]


class Verdict(NamedTuple):
    """A sentence that was found, and what was decided: ``better``, ``worse``, ``same`` or ``cannot tell``, None where nothing was compared. It is
    decided of ``recognizer`` against ``than``; where they are None, of the second of two that were compared against the first."""

    text: str
    verdict: Optional[str]
    recognizer: Optional[str]
    than: Optional[str]


class Report(Dict[str, Any]):
    """A report as ``report.json`` has it (a dict), with what its first table shows.

    >>> result = earwitness.compare({"base": base, "large": large}, references)
    >>> result.table                    # who makes how many errors, lowest first
    >>> result.verdicts[0].text
    >>> result.intervals["large"].low

    In a notebook it shows itself as the result table. ``page`` is the HTML report, where one was written.
    """

    def __init__(self, report: Mapping[str, Any], told: Mapping[str, Any], page: Optional[str] = None) -> None:
        super().__init__(report)
        self.page = page
        self._told = told

    @property
    def rows(self) -> List[Row]:
        """The result table as dicts, lowest first: the recognizer, its rate in every condition, the interval (``low``, ``high``) of the one that
        ranks, how far it is above the lowest (``above``, ``above_low``, ``above_high``, ``p_value``) and the ``verdict`` of that."""
        return [row for table in self._told["tables"] for row in _rows(table)]

    @property
    def table(self) -> Any:
        """``rows`` as a pandas DataFrame, else as one of polars; where neither is installed, as they are."""
        return frame(self.rows)

    @property
    def groups(self) -> Any:
        """Gaps between groups of speakers, as ``table``: ``difference`` is ``higher`` less ``lower``, as the report has them."""
        rows: List[Row] = []
        for table in self._told["tables"]:
            for gap in table["gaps"]:
                first, second = gap["groups"]
                row = {table["of"]: gap["name"], "by": gap["attribute"], "group": first, "beside": second}
                row.update(difference=gap["value"], low=gap["low"], high=gap["high"], p_value=gap["pValue"], verdict=gap["verdict"])
                rows.append(row)
        return frame(rows, _GAP)

    @property
    def intervals(self) -> Dict[str, Interval]:
        """The 95 % interval of each recognizer's rate, in the condition that ranks."""
        return {row["name"]: Interval(row["low"], row["high"]) for table in self._told["tables"] for row in table["rows"]}

    @property
    def warnings(self) -> List[str]:
        """What to know before believing it, of the run and of every study, the most important first."""
        return list(self._told["warnings"])

    @property
    def verdicts(self) -> List[Verdict]:
        """What the report says first of each study."""
        said: List[Verdict] = []
        for finding in self["findings"]:
            for one in finding["answer"]:
                about = _dict(one.get("about"))
                verdict = one.get("verdict") or _dict(one.get("comparison")).get("verdict") or _in_cell(finding, one.get("cell"))
                said.append(Verdict(one["text"], verdict, about.get("recognizer"), _dict(about.get("than")).get("recognizer")))
        return said

    def trials(self) -> Any:
        """Every trial of the run, a row each, as ``table``."""
        if self.page is None:
            raise EarwitnessError("expected a report with trials, but none was written: compare takes texts, and run writes them")
        return read_trials(os.path.dirname(self.page))

    # What takes data frames of others (polars.from_dataframe, pyarrow.table) asks by one of these two protocols.
    def __dataframe__(self, nan_as_null: bool = False, allow_copy: bool = True) -> Any:
        return self.table.__dataframe__(nan_as_null=nan_as_null, allow_copy=allow_copy)

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        try:
            import polars
        except ImportError:
            return self.table.__arrow_c_stream__(requested_schema)
        return polars.DataFrame(self.rows).__arrow_c_stream__(requested_schema)

    def __repr__(self) -> str:
        return str(self._told["text"]).rstrip()

    def _repr_html_(self) -> str:
        return "<style>%s</style>%s" % (self._told["style"], self._told["html"])

    def _repr_markdown_(self) -> str:
        return str(self._told["markdown"])


def read_report(path: "str | os.PathLike[str]") -> Report:
    """A report that was written before: ``report.json``, its folder, or the newest in the folder of all reports.

    Raises ``EarwitnessError`` where there is none, or another file.
    """
    named = os.fspath(path)
    file = named
    if os.path.isdir(named):
        inside = [os.path.join(named, "report.json")]
        inside += [os.path.join(named, one, "report.json") for one in sorted(os.listdir(named), reverse=True)]
        file = next((one for one in inside if os.path.isfile(one)), inside[0])
        if not os.path.isfile(file):
            usual = os.path.join(named, "earwitness-report")
            way = "; did you mean %s" % usual if os.path.isdir(usual) else ""
            raise EarwitnessError("%s: expected a folder with a report.json of Earwitness, but there is none%s" % (named, way), "bad-input")
    try:
        with open(file, encoding="utf-8") as stream:
            report: Any = json.load(stream)
    except (OSError, ValueError) as error:
        raise EarwitnessError("%s: expected a report.json of Earwitness, but it cannot be read (%s)" % (file, error), "bad-input") from error
    if not isinstance(report, dict) or "findings" not in report:
        raise EarwitnessError("%s: expected a report.json of Earwitness, but it has no findings" % file, "bad-input")
    page = os.path.join(os.path.dirname(os.path.abspath(file)), "report.html")
    return Report(_dict(cast(Any, report)), call("report", {"report": report}).value, page if os.path.isfile(page) else None)


def frame(rows: Sequence[Row], columns: Optional[List[str]] = None) -> Any:
    """Rows as a pandas DataFrame, else as one of polars; where neither is installed, as they are. ``columns`` are those of no rows."""
    names: Any = None if rows else columns
    try:
        import pandas  # pyright: ignore[reportMissingTypeStubs]

        return pandas.DataFrame(list(rows), columns=names)
    except ImportError:
        pass
    try:
        import polars

        return polars.DataFrame(list(rows), schema=names)
    except ImportError:
        return list(rows)


def _rows(table: Mapping[str, Any]) -> List[Row]:
    rows: List[Row] = []
    for one in table["rows"]:
        row: Row = {table["of"]: one["name"]}
        row.update(zip(table["columns"], one["values"]))
        row.update(low=one["low"], high=one["high"])
        above = _dict(one["above"])
        row.update(above=above.get("value"), above_low=above.get("low"), above_high=above.get("high"))
        row.update(p_value=above.get("pValue"), verdict=above.get("verdict"))
        row.update(utterances=one["utterances"], speakers=one["speakers"])
        rows.append(row)
    return rows


def _dict(value: Any) -> Dict[str, Any]:
    return value or {}


def _in_cell(finding: Mapping[str, Any], place: Optional[Mapping[str, Any]]) -> Optional[str]:
    """The verdict of the cell in which a sentence has its number."""
    if place is None:
        return None
    for section in finding["sections"]:
        tables: List[Dict[str, Any]] = section.get("tables") or []
        for table in tables:
            if table["id"] == place["table"]:
                cell: Any = table["rows"][place["row"]][place["column"]]
                return cast(Dict[str, Any], cell).get("verdict") if isinstance(cell, dict) else None
    return None
