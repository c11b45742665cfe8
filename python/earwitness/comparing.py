"""Outputs of recognizers beside each other."""
from __future__ import annotations

import os
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence

from .channel import call
from .errors import EarwitnessError
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
    polars columns and columns of ``datasets`` are taken; None (and NaN) means not known, in speakers and groups. ``language``, ``normalizer``, ``margin`` and ``resamples`` are the options of
    ``earwitness compare``, whose numbers and verdicts these are.

    >>> earwitness.compare({"base": ["the hat sat"], "large": ["the cat sat"]}, ["the cat sat"]).table

    Raises ``EarwitnessError`` where lists are of other lengths, and with the command's own sentences.
    """
    said = _texts(references, "references")
    heard = {name: _texts(texts, "outputs of %s" % name) for name, texts in outputs.items()}
    if not heard:
        raise EarwitnessError("expected the outputs of one recognizer at least, but there is none", "bad-input")
    if not said:
        raise EarwitnessError("expected at least one utterance, but there is none", "bad-input")
    about = {name: _known(values) for name, values in (groups or {}).items()}
    of_speakers = None if speakers is None else _known(speakers)
    lists: Dict[str, Sequence[Any]] = {"outputs of %s" % name: texts for name, texts in heard.items()}
    lists.update(("group %s" % name, values) for name, values in about.items())
    if of_speakers is not None:
        lists["speakers"] = of_speakers
    named = None if ids is None else [str(one) for one in ids]
    if named is not None:
        lists["ids"] = named
    for what, values in lists.items():
        if len(values) != len(said):
            raise EarwitnessError("expected %s for each of %d references, but got %d" % (what, len(said), len(values)), "bad-input")
    value = {
        "names": list(heard),
        "references": said,
        "heard": list(heard.values()),
        "ids": named,
        "speakers": of_speakers,
        "groups": about,
        "language": language,
        "normalizer": normalizer,
        "margin": margin,
        "resamples": resamples,
        "baseFolder": os.getcwd(),
    }
    told = call("compare", value).value
    return Report(told["report"], told)


def _texts(values: Any, what: str) -> List[str]:
    if isinstance(values, str):
        raise EarwitnessError("expected a list of texts as %s, but got one text" % what, "bad-input")
    texts = list(values)
    for place, text in enumerate(texts):
        if not isinstance(text, str):
            raise EarwitnessError("expected texts as %s, but number %d is %s" % (what, place, type(text).__name__), "bad-input")
    return texts


def _known(values: Any) -> List[Optional[str]]:
    return [None if _is_absent(one) else str(one) for one in values]


def _is_absent(value: Any) -> bool:
    """Whether it is what a column has for nothing: None, NaN, which is unequal to itself, or NA of pandas, which is nothing at all to itself."""
    try:
        return value is None or bool(value != value)
    except (TypeError, ValueError):
        return True
