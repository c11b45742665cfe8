"""What is done to texts before they are scored, step by step, under jiwer's names.

Each step is called with a text or a list of texts. The last one of a ``Compose`` makes lists of words (``ReduceToListOfListOfWords``) or of
characters (``ReduceToListOfListOfChars``). One of your own is a class with ``process_string``, and with ``process_list`` where a list is more
than its texts.
"""
from __future__ import annotations

import functools
import re
import string
import sys
import unicodedata
from typing import Any, Callable, Dict, Iterable, List, Mapping, Sequence, Union

from .given import has_no_places, kind

__all__ = [
    "AbstractTransform",
    "BaseRemoveTransform",
    "Compose",
    "ExpandCommonEnglishContractions",
    "ReduceToListOfListOfChars",
    "ReduceToListOfListOfWords",
    "ReduceToSingleSentence",
    "RemoveEmptyStrings",
    "RemoveKaldiNonWords",
    "RemoveMultipleSpaces",
    "RemovePunctuation",
    "RemoveSpecificWords",
    "RemoveWhiteSpace",
    "Strip",
    "SubstituteRegexes",
    "SubstituteWords",
    "ToLowerCase",
    "ToUpperCase",
]


class AbstractTransform:
    """A step. Subclasses say what becomes of one text."""

    def __call__(self, sentences: Union[str, List[str]]) -> Any:
        if isinstance(sentences, str):
            return self.process_string(sentences)
        # Not any sequence: jiwer refuses tuples and arrays too.
        if isinstance(sentences, list):  # pyright: ignore[reportUnnecessaryIsInstance]
            return self.process_list(sentences)
        way = "; pass list(…)" if hasattr(sentences, "__iter__") and not has_no_places(sentences) else ""
        raise ValueError("expected a text or a list of texts, but got %s%s" % (kind(sentences), way))

    def process_string(self, s: str) -> Any:
        raise NotImplementedError("%s does not say what becomes of a text; give it process_string" % type(self).__name__)

    def process_list(self, inp: List[str]) -> Any:
        return list(map(self.process_string, inp))


Step = Union[AbstractTransform, Callable[[Any], Any]]


class Compose:
    """Steps one after another.

    >>> Compose([ToLowerCase(), ReduceToListOfListOfWords()])(["One two", "THREE"])
    [['one', 'two'], ['three']]
    """

    def __init__(self, transforms: Sequence[Step]) -> None:
        self.transforms = transforms

    def __call__(self, text: Any) -> Any:
        return functools.reduce(lambda given, step: step(given), self.transforms, text)


class _ListOfLists(AbstractTransform):
    """Of each text a list; of no text one empty list."""

    def parts(self, s: str) -> List[str]:
        raise NotImplementedError

    def process_string(self, s: str) -> List[List[str]]:
        return [self.parts(s)]

    def process_list(self, inp: List[str]) -> List[List[str]]:
        return list(map(self.parts, inp)) or [[]]


class ReduceToListOfListOfWords(_ListOfLists):
    """Of each text the list of its words, which ``word_delimiter`` parts.

    >>> ReduceToListOfListOfWords()("two  words")
    [['two', 'words']]
    """

    def __init__(self, word_delimiter: str = " ") -> None:
        self.word_delimiter = word_delimiter

    def parts(self, s: str) -> List[str]:
        return [word for word in s.split(self.word_delimiter) if word]


class ReduceToListOfListOfChars(_ListOfLists):
    """Of each text the list of its characters.

    >>> ReduceToListOfListOfChars()("a b")
    [['a', ' ', 'b']]
    """

    def parts(self, s: str) -> List[str]:
        return list(s)


class ReduceToSingleSentence(AbstractTransform):
    """All texts as one, for references and hypotheses that are cut differently: a list with one text, none where nothing is said.

    >>> ReduceToSingleSentence()(["one", "", "two"])
    ['one two']
    """

    def __init__(self, word_delimiter: str = " ") -> None:
        self.word_delimiter = word_delimiter

    def process_string(self, s: str) -> str:
        return s

    def process_list(self, inp: List[str]) -> List[str]:
        said = [text for text in inp if text]
        return [self.word_delimiter.join(said)] if said else []


class BaseRemoveTransform(AbstractTransform):
    """Puts ``replace_token`` in the place of each of some tokens, one token after another."""

    def __init__(self, tokens_to_remove: Iterable[str], replace_token: str = "") -> None:
        self.tokens_to_remove = list(tokens_to_remove)
        self.replace_token = replace_token
        # Single characters go at once, as long as none is in what takes their place.
        single = all(len(token) == 1 and token not in replace_token for token in self.tokens_to_remove)
        self._table = str.maketrans(dict.fromkeys(self.tokens_to_remove, replace_token)) if single else None

    def process_string(self, s: str) -> str:
        if self._table is not None:
            return s.translate(self._table)
        for token in self.tokens_to_remove:
            s = s.replace(token, self.replace_token)
        return s


class RemoveWhiteSpace(BaseRemoveTransform):
    """Without the white space of ASCII, the blank too; or with a blank for each.

    >>> RemoveWhiteSpace(replace_by_space=True)("one\\ttwo")
    'one two'
    """

    def __init__(self, replace_by_space: bool = False) -> None:
        # A blank that becomes a blank changes nothing.
        others = string.whitespace.replace(" ", "") if replace_by_space else string.whitespace
        super().__init__(others, " " if replace_by_space else "")


@functools.lru_cache(maxsize=None)
def _punctuation() -> str:
    return "".join(sign for sign in map(chr, range(sys.maxunicode + 1)) if unicodedata.category(sign)[0] == "P")


class RemovePunctuation(BaseRemoveTransform):
    """Without punctuation: all characters of the categories that Unicode calls P….

    >>> RemovePunctuation()("«one», two!")
    'one two'
    """

    def __init__(self) -> None:
        super().__init__(_punctuation())


class SubstituteRegexes(AbstractTransform):
    """With what regular expressions find replaced, one expression after another.

    >>> SubstituteRegexes({r"(\\w+)ing\\b": r"\\1"})("walking on")
    'walk on'
    """

    def __init__(self, substitutions: Mapping[str, str]) -> None:
        self.substitutions = substitutions

    def process_string(self, s: str) -> str:
        for pattern, replacement in self.substitutions.items():
            s = re.sub(pattern, replacement, s)
        return s


class SubstituteWords(AbstractTransform):
    """With whole words replaced, one after another; what is only part of a word stays.

    >>> SubstituteWords({"one": "1"})("one someone")
    '1 someone'
    """

    def __init__(self, substitutions: Mapping[str, str]) -> None:
        self.substitutions = substitutions

    def process_string(self, s: str) -> str:
        for word, replacement in self.substitutions.items():
            s = re.sub(r"\b%s\b" % re.escape(word), replacement, s)
        return s


class RemoveSpecificWords(SubstituteWords):
    """With a blank for each of some words.

    >>> RemoveSpecificWords(["um"])("um yes")
    '  yes'
    """

    def __init__(self, words_to_remove: Iterable[str]) -> None:
        super().__init__(dict.fromkeys(words_to_remove, " "))


class RemoveMultipleSpaces(AbstractTransform):
    """With one blank for white space of two characters and more.

    >>> RemoveMultipleSpaces()("one   two")
    'one two'
    """

    _several = re.compile(r"\s{2,}")

    def process_string(self, s: str) -> str:
        return self._several.sub(" ", s)


class Strip(AbstractTransform):
    """Without white space at both ends."""

    def process_string(self, s: str) -> str:
        return s.strip()


class RemoveEmptyStrings(AbstractTransform):
    """Of a list, the texts that are more than white space; of one text, the text without white space at its ends."""

    def process_string(self, s: str) -> str:
        return s.strip()

    def process_list(self, inp: List[str]) -> List[str]:
        return [text for text in inp if self.process_string(text) != ""]


# In this order: whole words first, since the endings are in them.
_CONTRACTIONS: Dict[str, str] = {
    **{"won't": "will not", "can't": "can not", "let's": "let us"},
    **{"n't": " not", "'re": " are", "'s": " is", "'d": " would", "'ll": " will", "'t": " not", "'ve": " have", "'m": " am"},
}


class ExpandCommonEnglishContractions(AbstractTransform):
    """With English contractions as the words that they stand for, whatever ``'s`` stands for.

    >>> ExpandCommonEnglishContractions()("she'll go, won't she?")
    'she will go, will not she?'
    """

    def process_string(self, s: str) -> str:
        for contraction, words in _CONTRACTIONS.items():
            s = s.replace(contraction, words)
        return s


class RemoveKaldiNonWords(AbstractTransform):
    """Without what stands in ``[]`` and ``<>``, as Kaldi writes what is no word.

    >>> RemoveKaldiNonWords()("yes <unk>[laugh]")
    'yes '
    """

    _marked = re.compile(r"[\[<][^\]>]*[\]>]")

    def process_string(self, s: str) -> str:
        return self._marked.sub("", s)


class ToLowerCase(AbstractTransform):
    """In small letters."""

    def process_string(self, s: str) -> str:
        return s.lower()


class ToUpperCase(AbstractTransform):
    """In capital letters."""

    def process_string(self, s: str) -> str:
        return s.upper()
