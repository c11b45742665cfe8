"""Whisper as transformers.js has it (ONNX files), by onnxruntime. Tried with whisper-base, 8-bit integers.

pip install onnxruntime transformers numpy

recognizers:
  whisper:
    type: python
    script: whisper_onnx.py
    arguments: [models/whisper-base]
    python: .venv/bin/python
    packages: [onnxruntime, transformers, numpy]
    models: [models/whisper-base]
"""
import json
import sys
from pathlib import Path

import numpy
import onnxruntime
from transformers import WhisperFeatureExtractor, WhisperTokenizerFast

import earwitness

MAX_TOKENS = 448


class Whisper:
    def __init__(self, folder):
        folder = Path(folder)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1  # a run uses the other cores for other recognitions
        session = lambda name: onnxruntime.InferenceSession(str(folder / "onnx" / name), options)  # noqa: E731
        self.encoder = session("encoder_model_quantized.onnx")
        self.decoder = session("decoder_model_merged_quantized.onnx")
        self.features = WhisperFeatureExtractor.from_pretrained(folder)
        self.tokenizer = WhisperTokenizerFast.from_pretrained(folder)
        self.settings = json.loads((folder / "generation_config.json").read_text())
        self.pasts = [one for one in self.decoder.get_inputs() if one.name.startswith("past_key_values")]

    def transcribe(self, audios, languages):
        """A batch in one pass through the encoder, and one through the decoder for each token."""
        mel = self.features(audios, sampling_rate=16000, return_tensors="np").input_features.astype(numpy.float32)
        (heard,) = self.encoder.run(["last_hidden_state"], {"input_features": mel})
        ids = self.tokenizer.convert_tokens_to_ids
        start = [
            [ids("<|startoftranscript|>"), ids("<|%s|>" % language.split("-")[0]), ids("<|transcribe|>"), ids("<|notimestamps|>")]
            for language in languages
        ]
        tokens = [[] for _ in audios]
        over = numpy.zeros(len(audios), bool)
        end = ids("<|endoftext|>")
        names = [one.name for one in self.decoder.get_outputs()]
        past = {one.name: numpy.zeros((len(audios), one.shape[1], 0, one.shape[3]), numpy.float32) for one in self.pasts}
        given = numpy.array(start, numpy.int64)
        for step in range(MAX_TOKENS - len(start[0])):
            cached = numpy.array([step > 0])
            fed = {"input_ids": given, "encoder_hidden_states": heard, "use_cache_branch": cached, **past}
            outputs = dict(zip(names, self.decoder.run(names, fed)))
            logits = outputs["logits"][:, -1]
            logits[:, self.settings.get("suppress_tokens") or []] = -numpy.inf
            if step == 0:
                logits[:, self.settings.get("begin_suppress_tokens") or []] = -numpy.inf
            best = logits.argmax(-1)
            for place, token in enumerate(best):
                over[place] |= token == end
                if not over[place]:
                    tokens[place].append(int(token))
            if over.all():
                break
            for name in past:
                present = outputs[name.replace("past_key_values", "present")]
                # What the decoder keeps of the encoder is computed once.
                if step == 0 or ".encoder." not in name:
                    past[name] = present
            given = best[:, None].astype(numpy.int64)
        return [self.tokenizer.decode(ids_of, skip_special_tokens=True).strip() for ids_of in tokens]


if __name__ == "__main__":
    whisper = Whisper(sys.argv[1])
    earwitness.serve(
        lambda audios, rate, languages: whisper.transcribe(audios, languages), batch=8, name="whisper-onnx", version="1"
    )
