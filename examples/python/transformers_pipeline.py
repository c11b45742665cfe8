"""Any speech model of the hub by transformers' pipeline. Untried. pip install transformers torch; arguments: [openai/whisper-small]

A second argument is the code of MMS' adapter: arguments: [facebook/mms-1b-fl102, eng]. Multilingual Whispers are told each clip's language.
"""
import sys

from transformers import pipeline

import earwitness

name, adapter = (*sys.argv[1:], "")[:2]
more = {"model_kwargs": {"target_lang": adapter, "ignore_mismatched_sizes": True}} if adapter else {}
recognizer = pipeline("automatic-speech-recognition", model=name, device=earwitness.device("cpu"), **more)
if adapter:
    recognizer.tokenizer.set_target_lang(adapter)
    recognizer.model.load_adapter(adapter)
told = recognizer.model.config.model_type == "whisper" and getattr(recognizer.model.generation_config, "is_multilingual", False)


def transcribe(audios, rate, languages):
    # One pass for each language: a batch is told one alone.
    texts = {}
    for language in set(languages):
        places = [place for place, one in enumerate(languages) if one == language]
        more = {"generate_kwargs": {"language": language.split("-")[0]}} if told else {}
        clips = [{"raw": audios[place], "sampling_rate": rate} for place in places]
        answers = recognizer(clips, batch_size=len(clips), **more)
        texts.update(zip(places, (answer["text"].strip() for answer in answers)))
    return [texts[place] for place in range(len(audios))]


earwitness.serve(transcribe, name=name, batch=8)
