"""Sentence vectors by sentence-transformers. Tried with a small model made for it, untried with published ones. pip install sentence-transformers; packages: [sentence-transformers]

arguments: [multi-qa-MiniLM-L6-cos-v1, en]: the model's name or folder, and the languages it was made for. SR-MT compared texts by this one.
"""
import sys

from sentence_transformers import SentenceTransformer

import earwitness

name, *languages = sys.argv[1:] or ["multi-qa-MiniLM-L6-cos-v1"]
model = SentenceTransformer(name, device=earwitness.device("cpu"))


def vectors(sentences):
    lengths = [len(ids) for ids in model.tokenizer(sentences, verbose=False)["input_ids"]]
    found = model.encode(sentences, show_progress_bar=False)
    return [{"vector": vector, "tokens": length} for vector, length in zip(found, lengths)]


earwitness.embed(vectors, languages=languages or ["en"], max_tokens=model.max_seq_length, name=name.split("/")[-1])
