"""Piper. Untried. pip install piper-tts; arguments: [en_US-lessac-medium.onnx], with its .json beside it; models: [the same file]; packages: [piper-tts]"""
import sys

import numpy
from piper import PiperVoice

import earwitness

voice = PiperVoice.load(sys.argv[1])


def say(text, name, language):
    parts = [chunk.audio_float_array for chunk in voice.synthesize(text)]
    return numpy.concatenate(parts)


earwitness.speak(say, rate=voice.config.sample_rate, voices=["piper"], name="piper")
