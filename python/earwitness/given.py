"""What a call was given, and the sentence where it is something else."""
from __future__ import annotations

from collections.abc import MappingView, Set as AnySet
from typing import Any, Dict, Mapping, cast

from .errors import EarwitnessError

__all__ = ["by_name", "has_no_places", "is_absent", "kind"]


def by_name(given: Any, of: str, what: str, example: str, each: str = "lists", one: str = "[…]") -> Dict[str, Any]:
    """What ``of`` (``recognizer``) stands for by name: of a dict, or the columns of a data frame."""
    names: Any = cast(Any, given) if isinstance(given, Mapping) else getattr(given, "columns", None)
    if names is None:
        raise EarwitnessError(
            'expected %s as a dict of %s by %s, as {"%s": %s}, but got %s' % (what, each, of, example, one, kind(given)), "bad-usage"
        )
    for name in names:
        if not isinstance(name, str):
            raise EarwitnessError("expected a text as the name of each %s in %s, but got %r" % (of, what, name), "bad-usage")
        if not name.strip():
            raise EarwitnessError("expected a name for each %s in %s, but one is empty" % (of, what), "bad-usage")
    return {name: given[name] for name in names}


def kind(value: Any) -> str:
    """What a value is, in a sentence."""
    if value is None or isinstance(value, str):
        return "None" if value is None else "one text"
    name = type(value).__name__
    return "%s %s" % ("an" if name[0] in "aeiouAEIOU" else "a", name)


def has_no_places(value: Any) -> bool:
    """Whether it can be gone through, but not by place: what is in it says nothing about which text stands beside which."""
    return isinstance(value, (Mapping, AnySet, MappingView)) or hasattr(value, "columns")


def is_absent(value: Any) -> bool:
    """Whether it is what a column has for nothing: None, NaN, which is unequal to itself, or NA of pandas, which is nothing at all to itself."""
    try:
        return value is None or bool(value != value)
    except (TypeError, ValueError):
        return True
