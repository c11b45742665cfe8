"""Outputs of recognizers beside each other."""
from __future__ import annotations

import json
import os
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence

from .channel import call
from .errors import EarwitnessError
from .given import by_name, has_no_places, is_absent, kind
from .result import Report

__all__ = ["compare"]


def compare(
    outputs: Mapping[str, Iterable[str]],
    references: Any,
    speakers: Any = None,
    groups: Optional[Mapping[str, Any]] = None,
    *,
    ids: Any = None,
    language: Optional[str] = None,
    normalizer: Optional[str] = None,
    margin: Optional[float] = None,
    resamples: Optional[int] = None,
) -> Report:
    """Says which recognizer makes fewer errors, how sure that is, and for whom it is otherwise.

    ``outputs`` has a list of texts by each recognizer's name, ``references`` what was said, in the same order. ``speakers`` says who spoke:
    intervals are then over people. ``groups`` has a list by the name of each attribute (``{"accent": [...]}``). Lists, numpy arrays, pandas or
    polars columns and columns of ``datasets`` are taken; None (and NaN) means not known, in speakers and groups. ``ids`` names the utterances, each
    differently, where results show them. ``language``, ``normalizer``, ``margin`` and ``resamples`` are the options of ``earwitness compare``,
    whose numbers and verdicts these are.

    >>> earwitness.compare({"base": ["the hat sat"], "large": ["the cat sat"]}, ["the cat sat"]).table

    Raises ``EarwitnessError`` where lists are of other lengths, or columns of pandas have other indexes, and with the command's own sentences.
    """
    columns = {"references": references}
    columns.update(("outputs of %s" % name, texts) for name, texts in by_name(outputs, "recognizer", "outputs", "base").items())
    recognizers = [what[len("outputs of ") :] for what in columns if what != "references"]
    if not recognizers:
        raise EarwitnessError("expected the outputs of one recognizer at least, but there is none", "bad-input")
    attributes = {} if groups is None else by_name(groups, "attribute", "groups", "accent")
    about = {"group %s" % name: values for name, values in attributes.items()}
    about.update((what, values) for what, values in (("speakers", speakers), ("ids", ids)) if values is not None)
    _refuse_other_index({**columns, **about})
    texts = {what: _texts(values, what) for what, values in columns.items()}
    said = texts.pop("references")
    if not said:
        raise EarwitnessError("expected at least one utterance, but there is none", "bad-input")
    known = {what: _known(values, what) for what, values in about.items()}
    lists: Dict[str, Sequence[Any]] = {**texts, **known}
    for what, values in lists.items():
        if len(values) != len(said):
            raise EarwitnessError("expected %s for each of %d references, but got %d" % (what, len(said), len(values)), "bad-input")
    named = known.get("ids")
    if named is not None:
        _refuse_repeated(named)
    value = {
        "names": recognizers,
        "references": said,
        "heard": list(texts.values()),
        "ids": named,
        "speakers": known.get("speakers"),
        "groups": {name: known["group %s" % name] for name in attributes},
        "language": language,
        "normalizer": normalizer,
        "margin": margin,
        "resamples": resamples,
        "baseFolder": os.getcwd(),
    }
    told = call("compare", value).value
    return Report(told["report"], told)


def _refuse_other_index(columns: Mapping[str, Any]) -> None:
    """Columns of pandas are matched by their index, everything else by its place."""
    indexed = [(what, values.index) for what, values in columns.items() if hasattr(getattr(values, "index", None), "equals")]
    for what, index in indexed[1:]:
        if len(index) == len(indexed[0][1]) and not indexed[0][1].equals(index):
            raise EarwitnessError(
                "expected columns of one index, but %s and %s have others; sort them alike, or give lists (.tolist()), "
                "which are taken by place" % (indexed[0][0], what),
                "bad-input",
            )


def _refuse_repeated(ids: Sequence[Optional[str]]) -> None:
    places: Dict[str, int] = {}
    for place, one in enumerate(ids):
        if one is None:
            raise EarwitnessError("expected an id of each utterance, but number %d is missing" % place, "bad-input")
        if one in places:
            raise EarwitnessError(
                "expected different ids, but %s is that of number %d and number %d; leave ids out where the data have none"
                % (json.dumps(one[:100], ensure_ascii=False), places[one], place),
                "bad-input",
            )
        places[one] = place


def _list(values: Any, what: str, of: str = "texts") -> List[Any]:
    """Of anything that can be gone through by place."""
    if isinstance(values, str) or has_no_places(values) or not hasattr(values, "__iter__"):
        way = '; name one of its columns, as df["reference"]' if hasattr(values, "columns") else ""
        raise EarwitnessError("expected a list of %s as %s, but got %s%s" % (of, what, kind(values), way), "bad-input")
    return list(values)


def _texts(values: Any, what: str) -> List[str]:
    texts = _list(values, what)
    for place, text in enumerate(texts):
        if is_absent(text):
            raise EarwitnessError(
                'expected texts as %s, but number %d is missing (%r); take it out, or say "" where nothing was heard' % (what, place, text),
                "bad-input",
            )
        if not isinstance(text, str):
            raise EarwitnessError("expected texts as %s, but number %d is %s" % (what, place, kind(text)), "bad-input")
    return texts


def _known(values: Any, what: str) -> List[Optional[str]]:
    return [None if is_absent(one) else str(one) for one in _list(values, what, "names")]
