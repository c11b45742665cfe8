"""Kokoro. Untried. pip install kokoro; packages: [kokoro]. What its voices are called says their accent and sex: a or b, f or m."""
import numpy
from kokoro import KPipeline

import earwitness

NAMES = ["af_heart", "af_bella", "af_nicole", "am_fenrir", "am_michael", "am_puck", "bf_emma", "bf_isabella", "bm_george", "bm_fable"]
pipelines = {code: KPipeline(lang_code=code) for code in "ab"}


def about(name):
    accent, sex = name[0], name[1]
    return {
        "name": name,
        "language": {"a": "en-US", "b": "en-GB"}[accent],
        "attributes": {"sex": {"f": "female", "m": "male"}[sex], "accent": {"a": "American", "b": "British"}[accent]},
    }


def say(text, name, language):
    return numpy.concatenate([numpy.asarray(audio) for _, _, audio in pipelines[name[0]](text, voice=name)])


earwitness.speak(say, rate=24000, voices=[about(name) for name in NAMES], name="kokoro")
