"""Metrics as the package evaluate has them: ``load("wer").compute(predictions=…, references=…)``."""
from __future__ import annotations

from typing import Iterable, List, Optional, Sequence

from .process import Transform, compared
from .transformations import cer_default, wer_default

__all__ = ["Metric", "load"]

_TRANSFORMS = {"wer": wer_default, "cer": cer_default}


class Metric:
    """``wer`` or ``cer`` of predictions and references that are given at once, or added one by one and in batches."""

    def __init__(self, name: str, transform: Transform) -> None:
        self.name = name
        self._transform = transform
        self._predictions: List[str] = []
        self._references: List[str] = []

    def add(self, *, prediction: str, reference: str) -> None:
        """Keeps a pair for ``compute``."""
        self.add_batch(predictions=[prediction], references=[reference])

    def add_batch(self, *, predictions: Iterable[str], references: Iterable[str]) -> None:
        """Keeps pairs for ``compute``."""
        heard, said = list(predictions), list(references)
        if len(heard) != len(said):
            raise ValueError("expected as many predictions as references, but got %d and %d" % (len(heard), len(said)))
        self._predictions += heard
        self._references += said

    def compute(
        self,
        *,
        predictions: Optional[Sequence[str]] = None,
        references: Optional[Sequence[str]] = None,
        concatenate_texts: bool = False,
    ) -> float:
        """The rate of all pairs together, those too that were added before; with them it begins anew.

        ``concatenate_texts`` is taken for calls' sake: errors are summed before they are divided in both ways.

        >>> load("wer").compute(predictions=["the hat"], references=["the cat"])
        0.5

        Raises ``ZeroDivisionError``, as evaluate, where the references have no words and ``concatenate_texts`` is not asked for.
        """
        if predictions is not None or references is not None:
            self.add_batch(predictions=predictions or [], references=references or [])
        heard, said = self._predictions, self._references
        self._predictions, self._references = [], []
        found = compared(said, heard, self._transform, self._transform, alignments=False)
        if found.hits + found.substitutions + found.deletions == 0 and not concatenate_texts:
            raise ZeroDivisionError("expected references that have words, but they have none")
        return found.wer


def load(name: str) -> Metric:
    """The metric ``wer`` or ``cer``, in the place of ``evaluate.load``.

    Raises ``ValueError`` for others.
    """
    if name not in _TRANSFORMS:
        raise ValueError("expected wer or cer, but got %r; evaluate has others" % name)
    return Metric(name, _TRANSFORMS[name])
