"""Sounds, changed as runs change them."""
from __future__ import annotations

import array as arrays
import os
from typing import Any, Mapping, Sequence, Tuple, Union

from .channel import call, floats
from .errors import EarwitnessError
from .given import kind as kind_of

__all__ = ["perturb"]


def perturb(
    array: Any,
    rate: int,
    scenario: Union[str, Sequence[Mapping[str, Any]]],
    *,
    seed: int = 1,
    draw: int = 0,
) -> Tuple[Any, int]:
    """Changes a sound by a scenario (``earwitness list scenarios``) or by steps (``[{"perturbation": "gain", "parameters": {"factor": 2}}]``).

    ``array`` has one channel: floats with full scale ±1, or 16-bit integers; of numpy, where that is not installed of ``array``. What comes at
    another ``rate`` than 16 kHz (in Hz) is resampled to 16 kHz before it is changed, and comes back so; ``clean`` alone keeps the rate. Gives 32-bit
    floats of the same kind and their rate: the samples that ``earwitness perturb`` writes with ``--float`` for a WAV file of these samples, whose
    content, ``seed`` and ``draw`` decide what is random.

    >>> noisy, rate = earwitness.perturb(array, 16_000, "srb/gnoise:2", seed=7)

    Raises ``EarwitnessError`` with the command's own sentences.
    """
    samples = _samples(array)
    if len(samples) == 0:
        raise EarwitnessError("expected samples, but the array is empty", "bad-input")
    value = {
        "rate": rate,
        "scenario": scenario,
        "seed": seed,
        "draw": draw,
        "baseFolder": os.getcwd(),
    }
    answer = call("perturb", value, {"samples": samples})
    return floats(answer.arrays["samples"]), answer.value["rate"]


def _samples(given: Any) -> Any:
    try:
        import numpy
    except ImportError:
        code = getattr(given, "typecode", None)
        if code not in ("f", "d", "h"):
            sentence = "expected an array.array of floats or 16-bit integers, as numpy is not installed, but got %s" % kind_of(given)
            raise EarwitnessError(sentence, "bad-input") from None
        return arrays.array("f", given) if code == "d" else given
    try:
        samples = numpy.asarray(given)
    except ValueError:
        raise EarwitnessError("expected samples of one channel, but got lists of several lengths", "bad-input") from None
    if samples.ndim == 0:
        way = "; read the file first, as with soundfile.read" if isinstance(given, (str, os.PathLike)) else ""
        raise EarwitnessError("expected an array of samples, but got %s%s" % (kind_of(given), way), "bad-input")
    if samples.ndim != 1:
        # There are fewer channels than samples.
        channels = 0 if samples.shape[0] <= samples.shape[-1] else samples.ndim - 1
        way = "; array.mean(axis=%d) mixes them" % channels if samples.ndim == 2 else ""
        raise EarwitnessError("expected samples of one channel, but the array has the shape %s%s" % (samples.shape, way), "bad-input")
    kind = numpy.int16 if samples.dtype == numpy.int16 else numpy.float32
    if kind is numpy.float32 and samples.dtype.kind != "f":
        raise EarwitnessError("expected floats or 16-bit integers as samples, but got %s" % samples.dtype, "bad-input")
    return numpy.ascontiguousarray(samples, dtype=kind)
