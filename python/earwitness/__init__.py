"""Earwitness from Python.

    import earwitness
    earwitness.wer("the cat sat", "the hat sat")       # jiwer's calls
    earwitness.run("earwitness.config.yaml")           # a run, as the command has it

The calls, each with its own ``help``:

    run, read_report, read_trials       runs a config; reads a report of before, and all its trials
    compare                             texts of several recognizers beside the references
    perturb                             a clip under noise, rooms, codecs
    wer, cer, mer, wil, wip             rates of texts; process_words and process_characters with the alignment
    load                                a metric as ``evaluate`` has it
    serve, speak, embed, predict        make a model of yours a recognizer, synthesizer, embedder, predictor

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
import os
import sys
from typing import TYPE_CHECKING, Any, List

# Said twice each, as type checkers want what is to be seen from outside.
from .errors import EarwitnessError as EarwitnessError

if TYPE_CHECKING:
    from . import (
        alignment as alignment,
        measures as measures,
        metrics as metrics,
        process as process,
        transformations as transformations,
        transforms as transforms,
    )
    from .alignment import (
        collect_error_counts as collect_error_counts,
        visualize_alignment as visualize_alignment,
        visualize_error_counts as visualize_error_counts,
    )
    from .measures import cer as cer, mer as mer, wer as wer, wil as wil, wip as wip
    from .metrics import Metric as Metric, load as load
    from .process import (
        AlignmentChunk as AlignmentChunk,
        CharacterOutput as CharacterOutput,
        WordOutput as WordOutput,
        process_characters as process_characters,
        process_words as process_words,
    )
    from .comparing import compare as compare
    from .perturbing import perturb as perturb
    from .result import Interval as Interval, Report as Report, Verdict as Verdict, read_report as read_report
    from .running import run as run
    from .serving import (
        Refused as Refused,
        device as device,
        embed as embed,
        predict as predict,
        serve as serve,
        speak as speak,
        worker as worker,
    )
    from .transformations import (
        cer_contiguous as cer_contiguous,
        cer_default as cer_default,
        wer_contiguous as wer_contiguous,
        wer_default as wer_default,
        wer_standardize as wer_standardize,
        wer_standardize_contiguous as wer_standardize_contiguous,
    )
    from .transforms import (
        AbstractTransform as AbstractTransform,
        Compose as Compose,
        ExpandCommonEnglishContractions as ExpandCommonEnglishContractions,
        ReduceToListOfListOfChars as ReduceToListOfListOfChars,
        ReduceToListOfListOfWords as ReduceToListOfListOfWords,
        ReduceToSingleSentence as ReduceToSingleSentence,
        RemoveEmptyStrings as RemoveEmptyStrings,
        RemoveKaldiNonWords as RemoveKaldiNonWords,
        RemoveMultipleSpaces as RemoveMultipleSpaces,
        RemovePunctuation as RemovePunctuation,
        RemoveSpecificWords as RemoveSpecificWords,
        RemoveWhiteSpace as RemoveWhiteSpace,
        Strip as Strip,
        SubstituteRegexes as SubstituteRegexes,
        SubstituteWords as SubstituteWords,
        ToLowerCase as ToLowerCase,
        ToUpperCase as ToUpperCase,
    )
    from .trials import read_trials as read_trials

__version__ = "0.1.0"

# Loaded when they are first used: the command starts with this, and a script that serves in whatever Python its model needs.
_LATER = {
    "alignment": ["collect_error_counts", "visualize_alignment", "visualize_error_counts"],
    "measures": ["cer", "mer", "wer", "wil", "wip"],
    "metrics": ["Metric", "load"],
    "process": ["AlignmentChunk", "CharacterOutput", "WordOutput", "process_characters", "process_words"],
    "comparing": ["compare"],
    "perturbing": ["perturb"],
    "result": ["Interval", "Report", "Verdict", "read_report"],
    "running": ["run"],
    "serving": ["Refused", "device", "embed", "predict", "serve", "speak", "worker"],
    "transformations": [
        *("cer_contiguous", "cer_default", "wer_contiguous", "wer_default", "wer_standardize", "wer_standardize_contiguous")
    ],
    "transforms": [
        *("AbstractTransform", "Compose", "ExpandCommonEnglishContractions", "ReduceToListOfListOfChars"),
        *("ReduceToListOfListOfWords", "ReduceToSingleSentence", "RemoveEmptyStrings", "RemoveKaldiNonWords"),
        *("RemoveMultipleSpaces", "RemovePunctuation", "RemoveSpecificWords", "RemoveWhiteSpace", "Strip"),
        *("SubstituteRegexes", "SubstituteWords", "ToLowerCase", "ToUpperCase"),
    ],
    "trials": ["read_trials"],
}
_MODULES = {name: module for module, names in _LATER.items() for name in names}


def __getattr__(name: str) -> Any:
    if sys.is_finalizing() and (name in _LATER or name in _MODULES):
        raise EarwitnessError("Python is ending, and nothing can be asked of earwitness any more; call earwitness.%s before" % name)
    # Not until it is asked for: ``help`` lists what is in it, and loads that.
    if name == "__all__":
        return sorted(["EarwitnessError", *_MODULES])
    if name in _LATER:
        return importlib.import_module("." + name, __name__)
    if name not in _MODULES:
        raise AttributeError("module %r has no attribute %r" % (__name__, name))
    return getattr(importlib.import_module("." + _MODULES[name], __name__), name)


def __dir__() -> List[str]:
    # Not what this file imports.
    return sorted(["EarwitnessError", *(name for name in globals() if name.startswith("__")), *_LATER, *_MODULES])


if "EARWITNESS_WORKER" in os.environ:
    # Started by Earwitness, which hears from here on nothing but the protocol.
    importlib.import_module(".serving", __name__)
