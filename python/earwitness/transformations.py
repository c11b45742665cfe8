"""Ready compositions of transforms, under jiwer's names: as the calls take texts where nothing else is said (``…_default``), for references and
hypotheses that are cut differently (``…_contiguous``), and for English that is written differently (``wer_standardize…``)."""
from __future__ import annotations

from .transforms import (
    Compose,
    ExpandCommonEnglishContractions,
    ReduceToListOfListOfChars,
    ReduceToListOfListOfWords,
    ReduceToSingleSentence,
    RemoveKaldiNonWords,
    RemoveMultipleSpaces,
    RemoveWhiteSpace,
    Strip,
    ToLowerCase,
)

__all__ = ["cer_contiguous", "cer_default", "wer_contiguous", "wer_default", "wer_standardize", "wer_standardize_contiguous"]

_tidy = [RemoveMultipleSpaces(), Strip()]
_standard = [ToLowerCase(), ExpandCommonEnglishContractions(), RemoveKaldiNonWords(), RemoveWhiteSpace(replace_by_space=True), *_tidy]
_words = [ReduceToListOfListOfWords()]
_characters = [ReduceToListOfListOfChars()]
_one = [ReduceToSingleSentence()]

wer_default = Compose([*_tidy, *_words])
wer_contiguous = Compose([*_tidy, *_one, *_words])
wer_standardize = Compose([*_standard, *_words])
wer_standardize_contiguous = Compose([*_standard, *_one, *_words])
cer_default = Compose([Strip(), *_characters])
cer_contiguous = Compose([Strip(), *_one, *_characters])
