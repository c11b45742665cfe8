"""References set against hypotheses, with jiwer's calls, digits and errors; counted and aligned by Earwitness."""
from __future__ import annotations

import array
import itertools
from collections import defaultdict
from dataclasses import dataclass
from typing import Any, Callable, Dict, Iterator, List, Optional, Union, cast

from .channel import call
from .given import is_absent, kind
from .transformations import cer_default, wer_default

__all__ = ["AlignmentChunk", "CharacterOutput", "WordOutput", "process_characters", "process_words"]

Texts = Union[str, List[str]]
# A Compose, an AbstractTransform or any function that gives lists of words or characters.
Transform = Callable[[Any], Any]

# As the operations of an alignment are numbered (`operation` of earwitness/scoring).
_KINDS = ("equal", "substitute", "delete", "insert")


@dataclass
class AlignmentChunk:
    """A stretch of an alignment: ``equal``, ``substitute``, ``delete`` or ``insert``, from which word (or character) to before which."""

    type: str
    ref_start_idx: int
    ref_end_idx: int
    hyp_start_idx: int
    hyp_end_idx: int

    def __post_init__(self) -> None:
        if self.type == "replace":  # as rapidfuzz says it
            self.type = "substitute"
        if self.type not in _KINDS:
            raise ValueError("expected one of %s, but got %r" % (", ".join(_KINDS), self.type))
        for side, start, end in (("ref", self.ref_start_idx, self.ref_end_idx), ("hyp", self.hyp_start_idx, self.hyp_end_idx)):
            if start > end:
                raise ValueError("expected %s_start_idx up to %s_end_idx (%d), but got %d" % (side, side, end, start))


@dataclass
class WordOutput:
    """Words set against words: the texts as they were compared, their alignments, rates from 0 (``wer`` may be above 1), and counts of all
    together."""

    references: List[List[str]]
    hypotheses: List[List[str]]
    alignments: List[List[AlignmentChunk]]
    wer: float
    mer: float
    wil: float
    wip: float
    hits: int
    substitutions: int
    insertions: int
    deletions: int


@dataclass
class CharacterOutput:
    """Characters set against characters, as ``WordOutput``."""

    references: List[List[str]]
    hypotheses: List[List[str]]
    alignments: List[List[AlignmentChunk]]
    cer: float
    hits: int
    substitutions: int
    insertions: int
    deletions: int


def process_words(
    reference: Texts,
    hypothesis: Texts,
    reference_transform: Transform = wer_default,
    hypothesis_transform: Transform = wer_default,
) -> WordOutput:
    """Counts and aligns the words of references and hypotheses, of which there must be as many.

    >>> out = process_words("the cat sat", "the hat sat down")
    >>> out.wer, out.hits, [chunk.type for chunk in out.alignments[0]]
    (0.6666666666666666, 2, ['equal', 'substitute', 'equal', 'insert'])

    Raises ``ValueError`` where the transforms give other than lists of lists of strings, or not as many of both, and ``TypeError`` where a list holds
    what is no text.
    """
    return compared(reference, hypothesis, reference_transform, hypothesis_transform, alignments=True)


def process_characters(
    reference: Texts,
    hypothesis: Texts,
    reference_transform: Transform = cer_default,
    hypothesis_transform: Transform = cer_default,
) -> CharacterOutput:
    """As ``process_words``, of characters; a blank is one.

    >>> process_characters("cat", "cats").cer
    0.3333333333333333
    """
    out = process_words(reference, hypothesis, reference_transform, hypothesis_transform)
    counts = {name: getattr(out, name) for name in ("hits", "substitutions", "insertions", "deletions")}
    return CharacterOutput(out.references, out.hypotheses, out.alignments, cer=out.wer, **counts)


def compared(
    reference: Texts, hypothesis: Texts, reference_transform: Transform, hypothesis_transform: Transform, alignments: bool
) -> WordOutput:
    """``process_words``; without alignments where they are not asked for, which takes half the time."""
    references = _transformed(reference, reference_transform, "reference")
    hypotheses = _transformed(hypothesis, hypothesis_transform, "hypothesis")
    if len(references) != len(hypotheses):
        raise ValueError(
            "expected as many hypotheses as references after the transforms, but got %d references and %d hypotheses"
            % (len(references), len(hypotheses))
        )
    numbers: Dict[str, int] = defaultdict(itertools.count().__next__)
    sides = {
        "references": array.array("i", [numbers[word] for text in references for word in text]),
        "hypotheses": array.array("i", [numbers[word] for text in hypotheses for word in text]),
        "referenceLengths": array.array("i", map(len, references)),
        "hypothesisLengths": array.array("i", map(len, hypotheses)),
    }
    counts, path = call("align", {"limit": len(numbers), "alignments": alignments}, sides)
    hits, substitutions = counts["correct"], counts["substitutions"]
    deletions, insertions = counts["deletions"], counts["insertions"]
    errors = substitutions + deletions + insertions
    said, heard = len(sides["references"]), len(sides["hypotheses"])
    # Of no words at all jiwer gives whole numbers, and as wer the number of what was inserted.
    wer: float = errors / said if said else insertions
    mer: float = errors / (errors + hits) if said else int(heard > 0)
    wip: float = hits / said * (hits / heard) if said and heard else int(said == heard)
    return WordOutput(
        references=references,
        hypotheses=hypotheses,
        alignments=list(_chunks(**path)) if alignments else [],
        wer=wer,
        mer=mer,
        wil=1 - wip,
        wip=wip,
        hits=hits,
        substitutions=substitutions,
        insertions=insertions,
        deletions=deletions,
    )


def _transformed(texts: Texts, transform: Transform, side: str) -> List[List[str]]:
    try:
        given: Any = transform([texts] if isinstance(texts, str) else texts)
    except (AttributeError, TypeError) as error:
        if _no_text(texts, side) is None:
            raise
        raise TypeError(_no_text(texts, side)) from error
    if isinstance(given, list) and all(isinstance(one, list) for one in cast(List[Any], given)):
        if all(isinstance(word, str) for one in cast(List[List[Any]], given) for word in one):
            return cast(List[List[str]], given)
    raise ValueError(
        _no_text(texts, side)
        or "expected the transforms to make a list of strings (words or characters) of each %s, but they gave something else; "
        "let the last one be ReduceToListOfListOfWords or ReduceToListOfListOfChars" % side
    )


def _no_text(texts: Any, side: str) -> Optional[str]:
    """What a list holds beside texts, in a sentence; None where it holds texts alone."""
    for place, text in enumerate(cast(List[Any], texts) if isinstance(texts, list) else []):
        if not isinstance(text, str):
            told = "missing (%r)" % text if is_absent(text) else kind(text)
            return 'expected a text as each %s, but number %d is %s; take the pair out, or give "" where nothing was heard' % (side, place, told)
    return None


def _chunks(kinds: Any, runs: Any, runsOfPair: Any) -> Iterator[List[AlignmentChunk]]:
    steps = zip(kinds.tolist(), runs.tolist())
    for count in runsOfPair.tolist():
        row: List[AlignmentChunk] = []
        said = heard = 0
        for kind, run in itertools.islice(steps, count):
            ref_end = said + run if kind != 3 else said
            hyp_end = heard + run if kind != 2 else heard
            row.append(AlignmentChunk(_KINDS[kind], said, ref_end, heard, hyp_end))
            said, heard = ref_end, hyp_end
        yield row
