"""Mozilla DeepSpeech, as CrossASR asked it. Untried: its package needs Python 3.9 or older. pip install deepspeech numpy

arguments: [deepspeech-0.9.3-models.pbmm, deepspeech-0.9.3-models.scorer], from the releases of mozilla/DeepSpeech; models: the same files
"""
import sys

import numpy
from deepspeech import Model

import earwitness

model = Model(sys.argv[1])
if len(sys.argv) > 2:
    model.enableExternalScorer(sys.argv[2])


def transcribe(audio, rate, language):
    return model.stt((numpy.clip(audio, -1, 1) * 32767).astype(numpy.int16))


earwitness.serve(transcribe, name="deepspeech", rate=model.sampleRate(), languages=["en"])
