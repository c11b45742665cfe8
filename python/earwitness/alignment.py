"""Alignments as text, and the errors in them counted, with jiwer's calls and layout."""
from __future__ import annotations

from collections import Counter
from typing import Dict, Iterator, List, Mapping, Optional, Tuple, Union

from .process import AlignmentChunk, CharacterOutput, WordOutput

__all__ = ["collect_error_counts", "visualize_alignment", "visualize_error_counts"]

Output = Union[WordOutput, CharacterOutput]
_Counts = Union[Mapping[Tuple[str, str], int], Mapping[str, int]]
# Letters under what is wrong.
_MARKS = {"equal": " ", "substitute": "S", "delete": "D", "insert": "I"}


def visualize_alignment(
    output: Output, show_measures: bool = True, skip_correct: bool = True, line_width: Optional[int] = None
) -> str:
    """References over hypotheses with letters under what is wrong: S substituted, D deleted, I inserted.

    ``skip_correct`` leaves out what was recognized without an error; a sentence wider than ``line_width`` goes on below.
    """
    gap = " " if isinstance(output, WordOutput) else ""
    parts: List[str] = []
    for number, (reference, hypothesis, chunks) in enumerate(zip(output.references, output.hypotheses, output.alignments), 1):
        if skip_correct and all(chunk.type == "equal" for chunk in chunks[:1]) and len(chunks) < 2:
            continue
        rows = _rows(list(_columns(reference, hypothesis, chunks)), gap, line_width)
        parts.append("=== SENTENCE %d ===\n\n%s\n" % (number, rows))
    if not show_measures:
        return "".join(parts)[:-1]
    return "".join(parts) + _summary(output)


def _columns(reference: List[str], hypothesis: List[str], chunks: List[AlignmentChunk]) -> Iterator[Tuple[str, str, str]]:
    """What stands over each other; a side that has nothing there has stars."""
    for chunk in chunks:
        said = reference[chunk.ref_start_idx : chunk.ref_end_idx]
        heard = hypothesis[chunk.hyp_start_idx : chunk.hyp_end_idx]
        for place in range(max(len(said), len(heard))):
            one = said[place] if chunk.type != "insert" else "*" * len(heard[place])
            other = heard[place] if chunk.type != "delete" else "*" * len(one)
            yield one, other, _MARKS[chunk.type]


def _rows(columns: List[Tuple[str, str, str]], gap: str, line_width: Optional[int]) -> str:
    lines: List[List[Tuple[str, str, str]]] = [[]]
    used = len("REF: ")
    for column in columns:
        width = max(map(len, column))
        if line_width is not None and used + width > line_width:
            lines.append([])
            used = len("REF: ")
        used += width + len(gap)
        lines[-1].append(tuple(cell.rjust(width) for cell in column))  # type: ignore[arg-type]
    blocks: List[str] = []
    for line in lines:
        texts = [gap.join(cells) for cells in zip(*line)] or ["", "", ""]
        starts = ("REF: ", "HYP: ", "     ")
        if not line:
            starts = tuple(start[:-1] for start in starts) if gap else starts  # type: ignore[assignment]
        blocks.append("".join("%s%s\n" % pair for pair in zip(starts, texts)))
    return "\n".join(blocks)


def _summary(output: Output) -> str:
    counts = "substitutions=%d deletions=%d insertions=%d hits=%d" % (
        *(output.substitutions, output.deletions),
        *(output.insertions, output.hits),
    )
    names = ("mer", "wil", "wip", "wer") if isinstance(output, WordOutput) else ("cer",)
    rates = "\n".join("%s=%.2f%%" % (name, getattr(output, name) * 100) for name in names)
    return "=== SUMMARY ===\nnumber of sentences: %d\n%s\n\n%s\n" % (len(output.alignments), counts, rates)


def collect_error_counts(output: Output) -> Tuple[Dict[Tuple[str, str], int], Dict[str, int], Dict[str, int]]:
    """How often what was substituted (for what), inserted and deleted: stretches of words or characters that stand together."""
    gap = " " if isinstance(output, WordOutput) else ""
    substitutions: "Counter[Tuple[str, str]]" = Counter()
    insertions: "Counter[str]" = Counter()
    deletions: "Counter[str]" = Counter()
    for reference, hypothesis, chunks in zip(output.references, output.hypotheses, output.alignments):
        for chunk in chunks:
            said = gap.join(reference[chunk.ref_start_idx : chunk.ref_end_idx])
            heard = gap.join(hypothesis[chunk.hyp_start_idx : chunk.hyp_end_idx])
            if chunk.type == "substitute":
                substitutions[said, heard] += 1
            elif chunk.type == "insert":
                insertions[heard] += 1
            elif chunk.type == "delete":
                deletions[said] += 1
    return substitutions, insertions, deletions


def visualize_error_counts(
    output: Output,
    show_substitutions: bool = True,
    show_insertions: bool = True,
    show_deletions: bool = True,
    top_k: Optional[int] = None,
) -> str:
    """The counts of ``collect_error_counts`` as a list, the most frequent first; ``top_k`` of each kind, all where it is None."""
    substitutions, insertions, deletions = collect_error_counts(output)
    shown = (
        ("SUBSTITUTIONS", substitutions, show_substitutions),
        ("INSERTIONS", insertions, show_insertions),
        ("DELETIONS", deletions, show_deletions),
    )
    lists = ["=== %s ===\n%s" % (title, _listed(counts, top_k)) for title, counts, wanted in shown if wanted]
    # jiwer has no empty line below "none".
    return "\n".join(lists)[: -1 if lists and lists[-1].endswith("\n") else None]


def _listed(counts: _Counts, top_k: Optional[int]) -> str:
    if not counts:
        return "none"
    rows = [(error if isinstance(error, tuple) else (error,), count) for error, count in counts.items()]
    often = sorted(rows, key=lambda row: -row[1])[:top_k]
    width = max((len(side) for sides, _ in often for side in sides), default=0)
    return "".join("%s = %dx\n" % (" --> ".join(side.ljust(width) for side in sides), count) for sides, count in often)
