"""A model behind `vllm serve`, asked by OpenAI's API from Python. Untried. arguments: [http://localhost:8000/v1, openai/whisper-large-v3]

Without Python in between: `type: openai-compatible, baseUrl: http://localhost:8000/v1`, which also retries and reads what the server asks for.
"""
import io
import json
import sys
import urllib.error
import urllib.request
import uuid
import wave

import numpy

import earwitness

server, model = sys.argv[1:3]


def transcribe(audio, rate, language):
    file = io.BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(rate)
        sound.writeframes((numpy.clip(audio, -1, 1) * 32767).astype("<i2").tobytes())
    border = uuid.uuid4().hex
    fields = {"model": model, "language": language.split("-")[0], "response_format": "json"}
    body = b"".join(
        b'--%s\r\nContent-Disposition: form-data; name="%s"\r\n\r\n%s\r\n' % (border.encode(), name.encode(), value.encode())
        for name, value in fields.items()
    )
    body += b'--%s\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\n\r\n' % border.encode()
    body += file.getvalue() + b"\r\n--%s--\r\n" % border.encode()
    request = urllib.request.Request(server + "/audio/transcriptions", body)
    request.add_header("Content-Type", "multipart/form-data; boundary=" + border)
    try:
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)["text"]
    except urllib.error.HTTPError as error:
        raise earwitness.Refused("the server answered %d" % error.code, "unavailable", error.code in (429, 503)) from error


earwitness.serve(transcribe, name=model)
