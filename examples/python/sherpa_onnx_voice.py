"""VITS (Piper's and others) and Kokoro as sherpa-onnx has them. Tried with a VITS made for it, untried with published ones. pip install sherpa-onnx

arguments: [folder of the model], with its .onnx file, tokens.txt, and what it has of lexicon.txt, espeak-ng-data and voices.bin (Kokoro);
models: [the same folder]; packages: [sherpa-onnx]. A voice is the number of a speaker: voices: [{ name: "0", language: en, attributes: … }]
"""
import sys
from pathlib import Path

import sherpa_onnx

import earwitness

folder = Path(sys.argv[1])
there = lambda name: str(folder / name) if (folder / name).exists() else ""  # noqa: E731
(graph,) = folder.glob("*.onnx")
files = {"model": str(graph), "tokens": there("tokens.txt"), "lexicon": there("lexicon.txt"), "data_dir": there("espeak-ng-data")}
if there("voices.bin"):
    kind = {"kokoro": sherpa_onnx.OfflineTtsKokoroModelConfig(**files, voices=there("voices.bin"))}
else:
    kind = {"vits": sherpa_onnx.OfflineTtsVitsModelConfig(**files)}
config = sherpa_onnx.OfflineTtsConfig(model=sherpa_onnx.OfflineTtsModelConfig(**kind, num_threads=1))
if not config.validate():
    raise earwitness.Refused("the files in %s are no model of VITS or Kokoro that sherpa-onnx can read" % folder)
model = sherpa_onnx.OfflineTts(config)


def say(text, voice, language):
    sound = model.generate(text, sid=int(voice))
    if len(sound.samples) == 0:
        raise earwitness.Refused("it says nothing of this text")
    return sound.samples, sound.sample_rate


earwitness.speak(say, rate=model.sample_rate, voices=[str(number) for number in range(max(1, model.num_speakers))], name="sherpa-onnx")
