"""YourTTS or XTTS of Coqui, in the voice of a clip, as Speech Robust Bench had English spoken. Untried. pip install coqui-tts; packages: [coqui-tts]

arguments: [tts_models/multilingual/multi-dataset/your_tts]; each voice of the config has a `reference`. A text is said alike again only
because its random numbers begin with the text's own seed.
"""
import sys
import zlib

import torch
from TTS.api import TTS

import earwitness

name = (sys.argv[1:] + ["tts_models/multilingual/multi-dataset/your_tts"])[0]
model = TTS(name).to(earwitness.device("cpu"))


def say(text, voice, language, reference):
    if reference is None:
        raise earwitness.Refused("a voice needs a clip (reference) whose voice it is to be")
    torch.manual_seed(zlib.crc32((voice + text).encode()))
    return model.tts(text=text, speaker_wav=reference, language=language.split("-")[0])


earwitness.speak(say, rate=model.synthesizer.output_sample_rate, clones=True, name=name)
