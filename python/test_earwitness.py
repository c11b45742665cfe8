import base64
import json
import os
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import earwitness

HERE = os.path.dirname(os.path.abspath(__file__))
BRIDGE = os.path.join(HERE, "earwitness", "bridge.py")
SCRIPT = """
print("before")
import earwitness
print("between")
def transcribe(audio, rate, language):
    print("while")
    return {"text": "%d %s" % (len(audio), language), "words": [{"text": "a", "start": 0, "end": 1}]}
earwitness.serve(transcribe, name="mine", version=2, rate=8000)
"""


def talk(arguments, lines, script=SCRIPT, environment=None):
    """What a script says to lines, each with the raw bytes behind it."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "my_model.py")
        with open(path, "w") as file:
            file.write(script)
        told = b"".join(json.dumps(line).encode() + b"\n" + data for line, data in lines)
        done = subprocess.run(
            [sys.executable, *arguments, path],
            input=told,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": HERE, **(environment or {})},
        )
    return [json.loads(line) for line in done.stdout.splitlines()], done


class Serving(unittest.TestCase):
    def test_answers_and_prints_of_the_script_stay_apart(self):
        lines = [
            ({"say": "hello", "protocol": 1}, b""),
            ({"say": "open", "worker": 0}, b""),
            ({"say": "recognize", "clips": [{"id": 1, "language": "de", "samples": 2}], "bytes": 8}, b"\0" * 8),
            ({"say": "close"}, b""),
        ]
        said, done = talk([BRIDGE], lines)
        self.assertEqual([line["say"] for line in said], ["hello", "opened", "transcript"])
        self.assertEqual((said[0]["name"], said[0]["version"], said[0]["sampleRate"]), ("mine", "2", 8000))
        self.assertEqual((said[2]["text"], len(said[2]["words"])), ("2 de", 1))
        self.assertEqual(done.returncode, 0)
        for printed in (b"before", b"between", b"while"):
            self.assertIn(printed, done.stderr)

    def test_a_script_may_be_started_by_itself(self):
        script = SCRIPT.replace('print("before")\n', "")
        said, _ = talk([], [({"say": "hello", "protocol": 1}, b"")], script, {"EARWITNESS_WORKER": "0"})
        self.assertEqual([line["say"] for line in said], ["hello"])

    def test_by_hand_it_says_how_it_is_started(self):
        for speaking in ("earwitness.serve(None)", "earwitness.speak(None, voices=['a'])"):
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "my_model.py")
                with open(path, "w") as file:
                    file.write("import earwitness\n%s\n" % speaking)
                start = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "env": {**os.environ, "PYTHONPATH": HERE}}
                how = b": type: earwitness recognize FILE -r python:my_model.py, or earwitness conformance my_model.py\n"
                done = subprocess.run([sys.executable, path], input=b"hello\n", timeout=20, **start)
                expected = b"my_model.py expected lines of Earwitness on standard input, but got 'hello'" + how
                self.assertEqual((done.returncode, done.stdout, done.stderr), (2, b"", expected))
                if not hasattr(os, "openpty"):
                    continue
                terminal, inside = os.openpty()
                done = subprocess.run([sys.executable, path], stdin=inside, timeout=20, **start)
                os.close(inside)
                os.close(terminal)
                expected = b"my_model.py is started by Earwitness, which asks it on standard input" + how
                self.assertEqual((done.returncode, done.stderr), (2, expected))

    def test_what_cannot_be_loaded_is_one_sentence(self):
        said, done = talk([BRIDGE], [], "import no_such_package")
        self.assertEqual([line["say"] for line in said], ["failure"])
        self.assertIn("the Python package of no_such_package is missing", said[0]["message"])
        self.assertEqual(done.returncode, 1)


class Failing(unittest.TestCase):
    """What an exception is to a reader: where it was in the user's own code, and one sentence."""

    def told(self, function, clips=1, script="import earwitness\n%s\nearwitness.serve(f)\n"):
        asked = ({"say": "recognize", "clips": [{"id": 1, "language": "en", "samples": 0}]}, b"")
        said, done = talk([BRIDGE], [asked] * clips, script % function)
        return said, done

    def test_the_line_of_the_user_s_own_code_is_told_and_the_next_clip_is_asked(self):
        for function, kind, message in (
            ("def f(audio, rate, language):\n    raise ValueError('no  model')", "error", "my_model.py:3: ValueError: no model"),
            # Through the standard library.
            ("import json\ndef f(*_):\n    json.loads('{')", "error", "my_model.py:4: JSONDecodeError: "),
            # Called with other arguments, or an answer that is none: where the function begins.
            ("def f(audio):\n    return 'x'", "error", "my_model.py:2: TypeError: f() takes 1 "),
            ("\ndef f(*_): pass", "garbage", "my_model.py:3: expected a text or "),
            ("def f(*_):\n    import no_such", "refused", "my_model.py:3: the Python package of no_such is missing; "),
            ("def f(*_):\n    exit(0)", "error", "my_model.py:3: your function called sys.exit(0)"),
            ("def f(*_):\n    raise earwitness.Refused('x', kind='snd')", "error", "my_model.py:3: ValueError: expected a kind"),
            ("def f(*_):\n    raise earwitness.Refused('too short', kind='sound')", "sound", "too short"),
        ):
            said, done = self.told(function, clips=2)
            self.assertEqual([line["say"] for line in said], ["failure", "failure"], function)
            self.assertEqual([said[0]["kind"], said[0]["message"][: len(message)]], [kind, message])
            self.assertEqual(done.returncode, 0)

    def test_so_is_that_of_what_speaks_embeds_or_predicts(self):
        for function, line in (
            ("speak(lambda *_: 1 / 0)", {"say": "speak", "id": 1, "text": "a", "voice": "a", "language": "en"}),
            ("embed(lambda *_: exit(1))", {"say": "embed", "id": 1, "texts": ["a"]}),
        ):
            script = "import earwitness\n\nearwitness.%s\n" % function
            (said,), done = talk([BRIDGE], [(line, b"")], script)
            self.assertRegex(said["message"], r"^my_model\.py:3: (ZeroDivisionError: |your function called sys\.exit\(1\))")
            self.assertEqual([said["id"], done.returncode], [1, 0])

    def test_a_script_that_cannot_begin_says_where(self):
        for script, message in (
            ("import earwitness\nx = = 3", "my_model.py:2: SyntaxError: invalid syntax"),
            ("\nopen('absent')", "my_model.py:2: FileNotFoundError: "),
            ("import sys\nsys.exit('no device here')", "my_model.py:2: no device here"),
            ("exit(0)", "my_model.py:1: the script ended by sys.exit(0) without calling "),
            ("1", "my_model.py: the script ended without calling "),
        ):
            (said,), done = talk([BRIDGE], [], script)
            self.assertEqual(said["message"][: len(message)], message)
            self.assertEqual(done.returncode, 1)

    def test_what_a_script_says_before_it_exits_is_left_to_standard_error(self):
        script = "import argparse\nparser = argparse.ArgumentParser()\nparser.add_argument('model')\nparser.parse_args()"
        said, done = talk([BRIDGE], [], script)
        self.assertEqual([said, done.returncode], [[], 2])
        self.assertRegex(done.stderr.decode(), r"(?s)arguments are required: model\n.*my_model\.py:4: sys\.exit\(2\)\n$")

    def test_one_language_may_be_named_as_a_text(self):
        for call in ("serve(print, languages='de-AT')", "embed(print, languages='de-AT')"):
            script = "import earwitness\nearwitness.%s" % call
            (said,), _ = talk([BRIDGE], [({"say": "hello", "protocol": 1}, b"")], script)
            self.assertEqual(said["languages"], ["de-AT"])


class BackDoor(unittest.TestCase):
    def test_importing_takes_nobodys_output(self):
        with mock.patch.dict(os.environ):
            os.environ.pop("EARWITNESS_WORKER", None)
            code = "import earwitness; print('mine')"
            printed = subprocess.run([sys.executable, "-c", code], cwd=HERE, stdout=subprocess.PIPE)
        self.assertEqual(printed.stdout.strip(), b"mine")


class Speaking(unittest.TestCase):
    def test_it_speaks_text_after_text_and_an_exception_costs_one(self):
        script = """
import earwitness
print("before")
def say(text, voice, language, reference):
    if text == "no":
        raise earwitness.Refused("too short")
    return ([0.25, -0.5] if reference is None else [1]), 8000
earwitness.speak(say, voices=["a", {"name": "b", "language": "de", "attributes": {"sex": "male"}}], clones=True, name="mine")
"""
        asked = {"voice": "a", "language": "en"}
        lines, done = talk(
            [BRIDGE],
            [
                ({"say": "hello", "protocol": 1}, b""),
                ({"say": "open", "worker": 0}, b""),
                ({"say": "speak", "id": 1, "text": "yes", **asked}, b""),
                ({"say": "speak", "id": 2, "text": "no", **asked}, b""),
                ({"say": "speak", "id": 3, "text": "yes", "reference": "a.wav", **asked}, b""),
                ({"say": "close"}, b""),
            ],
            script,
        )
        hello, opened, speech, failure, cloned = lines
        self.assertEqual([hello["name"], hello["clones"], [one["name"] for one in hello["voices"]]], ["mine", True, ["a", "b"]])
        self.assertEqual(opened, {"say": "opened"})
        # 0.25 and -0.5 as IEEE 754 has them, lowest byte first.
        self.assertEqual(base64.b64decode(speech["audio"]), bytes([0, 0, 0x80, 0x3E, 0, 0, 0, 0xBF]))
        self.assertEqual([speech["id"], speech["sampleRate"]], [1, 8000])
        self.assertEqual([failure["id"], failure["message"]], [2, "too short"])
        self.assertEqual(base64.b64decode(cloned["audio"]), bytes([0, 0, 0x80, 0x3F]))
        self.assertEqual(done.returncode, 0)


class EmbeddingAndPredicting(unittest.TestCase):
    def test_it_gives_vectors_and_says_what_a_text_is(self):
        script = "import earwitness\nearwitness.embed(lambda texts: [[1, 2], {'vector': None, 'reason': 'blank'}], languages=['en'], max_tokens=8)"
        told = [({"say": "hello", "protocol": 1}, b""), ({"say": "embed", "id": 1, "texts": ["a", "b"]}, b"")]
        (hello, said), _ = talk([BRIDGE], told, script)
        self.assertEqual([hello["does"], hello["languages"], hello["maxTokens"]], ["embed", ["en"], 8])
        self.assertEqual(said, {"say": "vectors", "id": 1, "vectors": [[1.0, 2.0], {"vector": None, "reason": "blank"}]})

    def test_a_number_that_is_none_fails_the_text_in_one_sentence(self):
        script = "import earwitness\nearwitness.embed(lambda texts: [[1, float('nan')]])"
        told = [({"say": "hello", "protocol": 1}, b""), ({"say": "embed", "id": 1, "texts": ["a"]}, b"")]
        (_, said), _ = talk([BRIDGE], told, script)
        self.assertEqual([said["say"], said["id"]], ["failure", 1])
        self.assertIn("expected finite numbers, but your function gave NaN or infinity", said["message"])

    def test_it_predicts_by_two_functions(self):
        script = """
import earwitness
earwitness.predict(lambda texts, labels, seed: (texts, labels, seed), lambda model, texts: [sum(model[1]) / len(model[0])] * len(texts))
"""
        tried = [
            {"text": "a", "determinable": True, "failed": True, "failedShare": 0.5},
            {"text": "b", "determinable": True, "failed": False, "failedShare": 0},
            {"text": "c", "determinable": False, "failed": None, "failedShare": None},
        ]
        told = [({"say": "predict", "id": 3, "tried": tried, "pool": ["d"], "seed": 1}, b"")]
        (said,), _ = talk([BRIDGE], told, script)
        self.assertEqual(said, {"say": "prediction", "id": 3, "determinable": [2 / 3], "failing": [0.25]})


if __name__ == "__main__":
    unittest.main()
