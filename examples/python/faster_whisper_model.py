"""faster-whisper (CTranslate2). Untried. pip install faster-whisper; arguments: [small, float16]; packages: [faster-whisper, ctranslate2]"""
import sys

from faster_whisper import WhisperModel

import earwitness

name, precision = (sys.argv[1:] + ["small", "default"][len(sys.argv) - 1 :])[:2]
kind, _, index = earwitness.device("cpu").partition(":")
model = WhisperModel(name, device=kind, device_index=int(index or 0), compute_type=precision)


def transcribe(audio, rate, language):
    segments, _ = model.transcribe(audio, language=language.split("-")[0], word_timestamps=True)
    words = [word for segment in segments for word in segment.words]
    return {
        "text": "".join(word.word for word in words).strip(),
        "words": [
            {"text": word.word.strip(), "start": word.start, "end": word.end, "confidence": word.probability} for word in words
        ],
    }


earwitness.serve(transcribe, name="faster-whisper %s" % name)
