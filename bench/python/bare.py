"""The bare loop of bench/python.ts: Whisper in Python without Earwitness. Reads paths of WAV files, writes texts."""
import sys
import wave

import numpy
from whisper_onnx import Whisper

whisper = Whisper(sys.argv[1])
print("ready", flush=True)
for line in sys.stdin:
    with wave.open(line.strip()) as file:
        audio = numpy.frombuffer(file.readframes(file.getnframes()), "<i2").astype(numpy.float32) / 32768
    print(whisper.transcribe([audio], ["en"])[0], flush=True)
