"""Earwitness from Python.

    import earwitness
    earwitness.wer("the cat sat", "the hat sat")       # jiwer's calls
    earwitness.run("earwitness.config.yaml")           # a run, as the command has it

and the other way round, a speech recognizer of yours in five lines:

    model = load()
    earwitness.serve(lambda audio, rate, language: model.transcribe(audio))

with ``recognizers: { mine: { type: python, script: my_model.py } }`` in the config. A model that speaks is a synthesizer:
``earwitness.speak(lambda text, voice, language: model.say(text), rate=22050)``. One that turns sentences into vectors is an embedder:
``earwitness.embed(lambda sentences: model.encode(sentences), languages=["en"])``. One that learns which texts fail is a predictor:
``earwitness.predict(fit, score)``. What serves needs the standard library alone, and no Node.
"""
from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, List

from .errors import EarwitnessError
from .serving import Refused, device, embed, predict, serve, speak, worker

if TYPE_CHECKING:
    from . import alignment, measures, process, transformations, transforms
    from .alignment import collect_error_counts, visualize_alignment, visualize_error_counts
    from .measures import cer, mer, wer, wil, wip
    from .process import AlignmentChunk, CharacterOutput, WordOutput, process_characters, process_words
    from .comparing import compare
    from .perturbing import perturb
    from .report import read_trials, run
    from .result import Interval, Report, Verdict, read_report
    from .transformations import (
        cer_contiguous,
        cer_default,
        wer_contiguous,
        wer_default,
        wer_standardize,
        wer_standardize_contiguous,
    )
    from .transforms import (
        AbstractTransform,
        Compose,
        ExpandCommonEnglishContractions,
        ReduceToListOfListOfChars,
        ReduceToListOfListOfWords,
        ReduceToSingleSentence,
        RemoveEmptyStrings,
        RemoveKaldiNonWords,
        RemoveMultipleSpaces,
        RemovePunctuation,
        RemoveSpecificWords,
        RemoveWhiteSpace,
        Strip,
        SubstituteRegexes,
        SubstituteWords,
        ToLowerCase,
        ToUpperCase,
    )

__version__ = "0.1.0"

# Loaded when they are first used: a script that serves is started for every run, in whatever Python its model needs.
_LATER = {
    "alignment": ["collect_error_counts", "visualize_alignment", "visualize_error_counts"],
    "measures": ["cer", "mer", "wer", "wil", "wip"],
    "process": ["AlignmentChunk", "CharacterOutput", "WordOutput", "process_characters", "process_words"],
    "comparing": ["compare"],
    "perturbing": ["perturb"],
    "report": ["read_trials", "run"],
    "result": ["Interval", "Report", "Verdict", "read_report"],
    "transformations": [
        *("cer_contiguous", "cer_default", "wer_contiguous", "wer_default", "wer_standardize", "wer_standardize_contiguous")
    ],
    "transforms": [
        *("AbstractTransform", "Compose", "ExpandCommonEnglishContractions", "ReduceToListOfListOfChars"),
        *("ReduceToListOfListOfWords", "ReduceToSingleSentence", "RemoveEmptyStrings", "RemoveKaldiNonWords"),
        *("RemoveMultipleSpaces", "RemovePunctuation", "RemoveSpecificWords", "RemoveWhiteSpace", "Strip"),
        *("SubstituteRegexes", "SubstituteWords", "ToLowerCase", "ToUpperCase"),
    ],
}
_MODULES = {name: module for module, names in _LATER.items() for name in names}


def __getattr__(name: str) -> Any:
    if name in _LATER:
        return importlib.import_module("." + name, __name__)
    if name not in _MODULES:
        raise AttributeError("module %r has no attribute %r" % (__name__, name))
    return getattr(importlib.import_module("." + _MODULES[name], __name__), name)


def __dir__() -> List[str]:
    return sorted([*globals(), *_LATER, *_MODULES])
