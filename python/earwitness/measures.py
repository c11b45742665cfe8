"""Error rates of references and hypotheses, with jiwer's calls, digits and errors: ``wer``, ``mer``, ``wil``, ``wip`` of words, ``cer`` of
characters. ``earwitness score`` has the same numbers with intervals, per group and beside other scorers'."""
from __future__ import annotations

from .process import Texts, Transform, compared
from .transformations import cer_default, wer_default

__all__ = ["cer", "mer", "wer", "wil", "wip"]


def wer(
    reference: Texts, hypothesis: Texts, reference_transform: Transform = wer_default, hypothesis_transform: Transform = wer_default
) -> float:
    """Word error rate: substitutions, deletions and insertions by words of the references.

    >>> wer(["the cat", "sat"], ["the hat", "sat"])
    0.3333333333333333
    """
    return compared(reference, hypothesis, reference_transform, hypothesis_transform, alignments=False).wer


def mer(
    reference: Texts, hypothesis: Texts, reference_transform: Transform = wer_default, hypothesis_transform: Transform = wer_default
) -> float:
    """Match error rate: errors by places of the alignment, 0 to 1."""
    return compared(reference, hypothesis, reference_transform, hypothesis_transform, alignments=False).mer


def wil(
    reference: Texts, hypothesis: Texts, reference_transform: Transform = wer_default, hypothesis_transform: Transform = wer_default
) -> float:
    """Word information lost: 1 less ``wip``."""
    return compared(reference, hypothesis, reference_transform, hypothesis_transform, alignments=False).wil


def wip(
    reference: Texts, hypothesis: Texts, reference_transform: Transform = wer_default, hypothesis_transform: Transform = wer_default
) -> float:
    """Word information preserved: the shares of correct words in the references and in the hypotheses, multiplied."""
    return compared(reference, hypothesis, reference_transform, hypothesis_transform, alignments=False).wip


def cer(
    reference: Texts, hypothesis: Texts, reference_transform: Transform = cer_default, hypothesis_transform: Transform = cer_default
) -> float:
    """Character error rate; a blank between words is a character.

    >>> cer("cat", "cats")
    0.3333333333333333
    """
    return compared(reference, hypothesis, reference_transform, hypothesis_transform, alignments=False).wer
