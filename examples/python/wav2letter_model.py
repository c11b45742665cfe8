"""wav2letter++'s streaming example, as CrossASR asked it. Untried. No package: build wav2letter v0.2's inference (or run its Docker image)

arguments: [path of simple_streaming_asr_example, folder of the model]; models: [folder of the model]. The program is started for every clip.
"""
import io
import subprocess
import sys
import wave

import numpy

import earwitness

program, folder = sys.argv[1:3]


def transcribe(audio, rate, language):
    file = io.BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(rate)
        sound.writeframes((numpy.clip(audio, -1, 1) * 32767).astype("<i2").tobytes())
    command = [program, "--input_files_base_path", folder]
    done = subprocess.run(command, input=file.getvalue(), stdout=subprocess.PIPE, check=True)
    # What it has heard stands in lines of start, end, text.
    rows = (line.split(",", 2) for line in done.stdout.decode().splitlines())
    heard = [row[2].strip() for row in rows if len(row) == 3 and row[0].strip().isdigit() and row[1].strip().isdigit()]
    return " ".join(text for text in heard if text)


earwitness.serve(transcribe, name="wav2letter", languages=["en"])
