"""PaddleSpeech: DeepSpeech2, as CrossASR asked it. Untried. pip install paddlepaddle paddlespeech

arguments: [deepspeech2offline_librispeech, en]; packages: [paddlespeech, paddlepaddle]
"""
import os
import sys
import tempfile
import wave

import numpy
from paddlespeech.cli.asr.infer import ASRExecutor

import earwitness

name, spoken = sys.argv[1:3]
model = ASRExecutor()


def transcribe(audio, rate, language):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "clip.wav")
        with wave.open(path, "wb") as sound:
            sound.setnchannels(1)
            sound.setsampwidth(2)
            sound.setframerate(rate)
            sound.writeframes((numpy.clip(audio, -1, 1) * 32767).astype("<i2").tobytes())
        return model(model=name, lang=spoken, sample_rate=rate, audio_file=path, force_yes=True, device=earwitness.device("cpu"))


earwitness.serve(transcribe, name=name, languages=[spoken])
