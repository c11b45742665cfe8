"""deepspeech.pytorch, as Speech Robust Bench asked it. Untried. pip install git+https://github.com/SeanNaren/deepspeech.pytorch

arguments: [librispeech_pretrained_v3.ckpt], from the releases of SeanNaren/deepspeech.pytorch; models: the same file
"""
import sys

import torch
from deepspeech_pytorch.decoder import GreedyDecoder
from deepspeech_pytorch.loader.data_loader import ChunkSpectrogramParser
from deepspeech_pytorch.model import DeepSpeech

import earwitness

model = DeepSpeech.load_from_checkpoint(sys.argv[1]).to(earwitness.device("cpu")).eval()
features = ChunkSpectrogramParser(audio_conf=model.spect_cfg)
decoder = GreedyDecoder(model.labels)


def transcribe(audio, rate, language):
    (spectrogram,) = features.parse_audio(audio)
    shown = torch.as_tensor(spectrogram)[None, None].to(model.device)
    with torch.inference_mode():
        scores, lengths, *_ = model(shown, torch.tensor([shown.shape[-1]]))
    return decoder.decode(scores, lengths)[0][0][0].lower()


earwitness.serve(transcribe, name="deepspeech.pytorch", languages=["en"])
