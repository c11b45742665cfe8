"""Suno's Bark by transformers, as Speech Robust Bench had Spanish spoken. Untried. pip install transformers torch; packages: [transformers, torch]

It draws at random: a text is said alike again only because its random numbers begin with the text's own seed.
"""
import sys
import zlib

import torch
from transformers import AutoProcessor, BarkModel

import earwitness

name = (sys.argv[1:] + ["suno/bark"])[0]
processor = AutoProcessor.from_pretrained(name)
model = BarkModel.from_pretrained(name).to(earwitness.device("cpu"))
LANGUAGES = {"en": "en", "es": "es", "de": "de", "fr": "fr"}


def say(text, voice, language):
    torch.manual_seed(zlib.crc32((voice + text).encode()))
    given = processor(text, voice_preset=voice).to(model.device)
    with torch.inference_mode():
        return model.generate(**given)[0]


earwitness.speak(
    say,
    rate=model.generation_config.sample_rate,
    voices=[
        {"name": "v2/%s_speaker_%d" % (code, number), "language": language}
        for language, code in LANGUAGES.items()
        for number in range(10)
    ],
    name="bark",
)
