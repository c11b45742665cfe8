import array
import contextlib
import csv
import importlib
import io
import json
import math
import os
import pydoc
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import earwitness as ew
from earwitness.node import command

try:
    import numpy
except ImportError:
    numpy = None

RECORDED = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "examples", "recorded")


def rows_of(name):
    with open(os.path.join(RECORDED, name), encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t"))


UTTERANCES = rows_of("utterances.tsv")
REFERENCES = [row["reference"] for row in UTTERANCES]
SPEAKERS = [row["speaker"] for row in UTTERANCES]
ACCENTS = [row["accent"] for row in UTTERANCES]
OUTPUTS = {
    name: [next(one["text"] for one in rows_of(name + ".tsv") if one["utterance"] == row["id"] and one["condition"] == "clean") for row in UTTERANCES]
    for name in ("whisper-base", "pocketsphinx")
}


def by_command(*arguments, cwd=None):
    return subprocess.run(command(*arguments), cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)


def same(one, other):
    """Without what is of the files."""
    def plain(report):
        return {key: report[key] for key in ("findings", "tally", "failures")}

    return json.loads(json.dumps(plain(one))) == json.loads(json.dumps(plain(other)))


def _alone(script):
    here = os.path.dirname(os.path.abspath(__file__))
    return subprocess.run([sys.executable, "-c", script], cwd=here, stdout=subprocess.PIPE, check=True, timeout=60).stdout


def tone(seconds, hertz=440, rate=16_000):
    return array.array("f", [0.3 * math.sin(2 * math.pi * hertz * n / rate) for n in range(int(seconds * rate))])


class Comparing(unittest.TestCase):
    def test_numbers_and_verdicts_are_those_of_the_command_on_the_same_texts(self):
        for names in (["whisper-base", "pocketsphinx"], ["whisper-base", "pocketsphinx", "third one"]):
            given = dict(OUTPUTS)
            if len(names) == 3:
                given["third one"] = [text[:20] for text in OUTPUTS["whisper-base"]]
            result = ew.compare(given, REFERENCES, speakers=SPEAKERS, groups={"accent": ACCENTS}, ids=[row["id"] for row in UTTERANCES])
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "table.csv")
                with open(path, "w", encoding="utf-8", newline="") as file:
                    lines = csv.writer(file)
                    lines.writerow(["id", "speaker", "accent", "reference", *given])
                    lines.writerows(zip([row["id"] for row in UTTERANCES], SPEAKERS, ACCENTS, REFERENCES, *given.values()))
                done = by_command("compare", path, "--json")
            self.assertEqual(done.returncode, 0, done.stderr.decode())
            self.assertTrue(same(result, json.loads(done.stdout)))

    def test_the_table_has_the_numbers_of_the_report(self):
        result = ew.compare(OUTPUTS, REFERENCES, speakers=SPEAKERS, groups={"accent": ACCENTS})
        first, second = result.rows
        self.assertEqual([first["recognizer"], second["recognizer"]], ["whisper-base", "pocketsphinx"])
        table = [t for f in result["findings"] for s in f["sections"] for t in s.get("tables") or [] if t["id"] == "robustness-conditions"][0]
        for row in (first, second):
            own = next(one for one in table["rows"] if one["recognizer"] == row["recognizer"])["wordErrorRate"]
            self.assertEqual([row["clean"], row["low"], row["high"]], [own["value"], own["low"], own["high"]])
            self.assertEqual(result.intervals[row["recognizer"]], (own["low"], own["high"]))
        self.assertEqual([first["verdict"], second["verdict"]], [None, "worse"])
        self.assertAlmostEqual(second["above"], second["clean"] - first["clean"])
        self.assertEqual(result.verdicts[0].verdict, "worse")
        self.assertIn("whisper-base leads pocketsphinx by 42.5 points", result.verdicts[0].text)

    def test_frames_and_notebooks(self):
        result = ew.compare(OUTPUTS, REFERENCES, speakers=SPEAKERS, groups={"accent": ACCENTS})
        try:
            import pandas

            self.assertEqual(list(result.table["recognizer"]), ["whisper-base", "pocketsphinx"])
            self.assertIsInstance(result.groups, pandas.DataFrame)
            told = pandas.DataFrame({"said": ["x y"] * 4, "who": ["a", None, pandas.NA, float("nan")]})
            columns = ew.compare({"one": told["said"]}, told["said"], speakers=told["who"])
            # Who is not known counts as somebody, each.
            self.assertEqual(columns.rows[0]["speakers"], ew.compare({"one": ["x y"] * 4}, ["x y"] * 4, speakers=["a", None, None, None]).rows[0]["speakers"])
        except ImportError:
            self.assertIsInstance(result.table, list)
        try:
            import polars

            self.assertEqual(polars.from_dataframe(result)["recognizer"].to_list(), ["whisper-base", "pocketsphinx"])
        except ImportError:
            pass
        with mock.patch.dict(sys.modules, {"pandas": None, "polars": None}):
            self.assertEqual(result.table, result.rows)
        page = result._repr_html_()
        self.assertRegex(page, r"^<style>\.earwitness-result:not\(#_\)\{")
        self.assertIn("<table", page)
        self.assertNotIn("<script", page)
        self.assertIn("whisper-base leads pocketsphinx by 42.5 points", page)
        self.assertRegex(result._repr_markdown_(), r"\| whisper-base \| 35\\.3 % \\\* \|")

    def test_a_language_of_which_nothing_is_known_is_warned_of(self):
        told = ew.compare({"a": ["x"]}, ["x"], language="klingon")["warnings"]
        self.assertEqual(told, ["Nothing is known of how language tlh is written: its texts are compared by their letters alone."])

    def test_columns_of_pandas_are_of_one_index_and_frames_are_columns_by_name(self):
        try:
            import pandas
        except ImportError:
            self.skipTest("pandas is not installed")
        frame = pandas.DataFrame({"said": ["x", "y", "z"], "base": ["x", "y", "w"], "accent": ["b", "c", "a"]})
        other = frame.sort_values("accent")
        for outputs, more, sentence in (
            ({"base": other["base"]}, {}, "references and outputs of base"),
            ({"base": frame["base"]}, {"speakers": other["accent"]}, "references and speakers"),
            ({"base": frame["base"]}, {"groups": other[["accent"]]}, "references and group accent"),
        ):
            with self.assertRaisesRegex(ew.EarwitnessError, "^expected columns of one index, but %s have others; " % sentence):
                ew.compare(outputs, frame["said"], **more)
        expected = ew.compare({"base": ["x", "y", "w"]}, ["x", "y", "z"], groups={"accent": ["b", "c", "a"]})
        self.assertEqual(ew.compare({"base": other["base"]}, other["said"]).rows[0]["clean"], 1 / 3)
        self.assertEqual(ew.compare(frame[["base"]], frame["said"], groups=frame[["accent"]]), expected)
        # What has no index is taken by place.
        self.assertEqual(ew.compare({"base": other["base"].tolist()}, frame["said"]).rows[0]["clean"], 1)

    def test_a_frame_is_no_column(self):
        try:
            import pandas
        except ImportError:
            self.skipTest("pandas is not installed")
        sentence = r'^expected a list of texts as references, but got a DataFrame; name one of its columns, as df\["reference"\]$'
        with self.assertRaisesRegex(ew.EarwitnessError, sentence):
            ew.compare({"a": ["x"]}, pandas.DataFrame({"reference": ["x"]}))

    def test_print_markdown_and_html_say_what_the_first_screen_says(self):
        given = dict(OUTPUTS)
        small = ["f" if speaker in SPEAKERS[:2] else "m" for speaker in SPEAKERS]
        for name in (None, "third one"):
            if name:
                given[name] = [text[:20] for text in OUTPUTS["whisper-base"]]
            result = ew.compare(given, REFERENCES, groups={"sex": small}, resamples=500)
            shown = {"print": repr(result), "markdown": result._repr_markdown_().replace("\\", ""), "html": result._repr_html_()}
            for where, said in shown.items():
                line = " ".join(said.split())
                for sentence in ("normalizer plain-english", "speakers unknown", "warnings; the most important: ", "No comparison of groups: an interval needs 10 utterances"):
                    self.assertIn(sentence, line, where)
            self.assertTrue(any("pass speakers=" in one for one in result.warnings), result.warnings)
            self.assertFalse(any("--" in one for one in result.warnings), result.warnings)
            self.assertTrue(any(one == "Language en (guessed from the references; language= says another)." for one in result.warnings))
            self.assertTrue(set(one for finding in result["findings"] for one in finding["warnings"]) < set(result.warnings))
        told = ew.compare(OUTPUTS, REFERENCES, groups={"sex": [None] * len(REFERENCES)}, language="en", resamples=500)
        self.assertIn("No comparison of groups: no utterance has an attribute of its speaker; pass them as groups=", " ".join(repr(told).split()))
        self.assertFalse(any("guessed" in one for one in told.warnings))
        if hasattr(told.groups, "columns"):
            self.assertIn("verdict", list(told.groups.columns))

    def test_verdicts_name_who_is_meant(self):
        result = ew.compare(OUTPUTS, REFERENCES, speakers=SPEAKERS, resamples=500)
        first = result.verdicts[0]
        self.assertEqual((first.verdict, first.recognizer, first.than), ("worse", "pocketsphinx", "whisper-base"))
        turned = ew.compare(dict(reversed(list(OUTPUTS.items()))), REFERENCES, speakers=SPEAKERS, resamples=500).verdicts[0]
        self.assertEqual((turned.verdict, turned.recognizer, turned.than), ("better", "whisper-base", "pocketsphinx"))

    def test_hostile_names_are_text(self):
        name = '<img src=x onerror="1">'
        result = ew.compare({name: REFERENCES, "b": REFERENCES}, REFERENCES)
        self.assertNotIn("<img", result._repr_html_())
        self.assertNotIn("<img", result._repr_markdown_())

    def test_what_is_wrong_is_one_sentence(self):
        for outputs, references, sentence in (
            ({"a": ["x"]}, ["x", "y"], "^expected outputs of a for each of 2 references, but got 1$"),
            ({"a": "x"}, ["x"], "^expected a list of texts as outputs of a, but got one text$"),
            ({"a": [None]}, ["x"], r'^expected texts as outputs of a, but number 0 is missing \(None\); take it out, or say "" where nothing was heard$'),
            ({"a": ["x", float("nan")]}, ["x", "y"], r"number 1 is missing \(nan\)"),
            ({"a": [3]}, ["x"], "^expected texts as outputs of a, but number 0 is an int$"),
            ({"a": ["x"]}, 3, "^expected a list of texts as references, but got an int$"),
            ({"a": {"x"}}, ["x"], "^expected a list of texts as outputs of a, but got a set$"),
            ({"a": {"x": 1}.values()}, ["x"], "^expected a list of texts as outputs of a, but got a dict_values$"),
            ({"": ["x"]}, ["x"], "^expected a name for each recognizer in outputs, but one is empty$"),
            ({}, ["x"], "^expected the outputs of one recognizer at least"),
            (["x"], ["x"], r'^expected outputs as a dict of lists by recognizer, as {"base": \[…\]}, but got a list$'),
            ({1: ["x"]}, ["x"], "^expected a text as the name of each recognizer in outputs, but got 1$"),
        ):
            with self.assertRaisesRegex(ew.EarwitnessError, sentence) as caught:
                ew.compare(outputs, references)
            self.assertIn(caught.exception.code, ("bad-input", "bad-usage"))
        # As places are told in Python.
        self.assertIn("clean (S substituted, D deleted, I inserted), number 1:", repr(ew.compare({"a": ["x", "z"], "b": ["x", "y"]}, ["x", "y"])))
        for more, sentence in (
            ({"ids": ["u", "v", "u"]}, '^expected different ids, but "u" is that of number 0 and number 2; '),
            ({"ids": ["u", None, "v"]}, "^expected an id of each utterance, but number 1 is missing$"),
            ({"groups": ["x"]}, r'^expected groups as a dict of lists by attribute, as {"accent": \[…\]}, but got a list$'),
            ({"groups": {"accent": "xyz"}}, "^expected a list of names as group accent, but got one text$"),
            ({"speakers": 3}, "^expected a list of names as speakers, but got an int$"),
            ({"resamples": 0}, "^resamples: expected a number of at least 100, but got 0$"),
            ({"resamples": 100.5}, "^resamples: expected a whole number, but got 100.5$"),
            ({"margin": -1}, r"^expected a margin above 0 and below 1 \(0\.01 for one point\), but got -1; "),
            ({"margin": "a"}, '^margin: expected a number, but got "a"$'),
            ({"margin": float("inf")}, "^expected texts, finite numbers, lists and dicts alone"),
            ({"normalizer": {3}}, "there is a value of the type set$"),
            ({"language": "12"}, "^language: expected a language like en or en-GB"),
        ):
            with self.assertRaisesRegex(ew.EarwitnessError, sentence) as caught:
                ew.compare({"a": ["x", "y", "z"], "b": ["x", "y", "z"]}, ["x", "y", "z"], **more)
            self.assertIn(caught.exception.code, ("bad-input", "bad-usage"), more)
        with self.assertRaisesRegex(ew.EarwitnessError, "^expected two outputs with a margin, but got 1; name two$"):
            ew.compare({"a": ["x"]}, ["x"], margin=0.1)
        with self.assertRaisesRegex(ValueError, r"^expected a text or a list of texts, but got a tuple; pass list\(…\)$"):
            ew.wer(("x",), ["x"])
        for given in ({"x": 1}, {"x"}):
            with self.assertRaisesRegex(ValueError, "^expected a text or a list of texts, but got a (dict|set)$"):
                ew.wer(given, ["x"])
        wrong = by_command("score", "a", "a", "--normalizer", "englich")
        with self.assertRaises(ew.EarwitnessError) as caught:
            ew.compare({"a": ["x"], "b": ["x"]}, ["x"], normalizer="englich")
        self.assertEqual("earwitness: %s\n" % caught.exception, wrong.stderr.decode())


@unittest.skipIf(numpy is None, "numpy is not installed")
class Perturbing(unittest.TestCase):
    def test_samples_are_those_of_the_command(self):
        for kind in ("<f4", "<i2"):
            samples = numpy.array(tone(0.5), dtype=numpy.float32)
            if kind == "<i2":
                samples = numpy.round(samples * 32767).astype(numpy.int16)
            with tempfile.TemporaryDirectory() as folder:
                # Written as the command writes it: floats by itself, integers by Python.
                path = os.path.join(folder, "sound.wav")
                if kind == "<i2":
                    import wave

                    with wave.open(path, "wb") as file:
                        file.setnchannels(1)
                        file.setsampwidth(2)
                        file.setframerate(16_000)
                        file.writeframes(samples.tobytes())
                else:
                    clean = ew.perturb(samples, 16_000, "clean")
                    self.assertEqual([clean[0].tolist(), clean[1]], [samples.tolist(), 16_000])
                    from earwitness.splits import _wav

                    with open(path, "wb") as file:
                        file.write(_wav(samples, 16_000))
                out = os.path.join(folder, "out.wav")
                done = by_command("perturb", path, "--scenario", "srb/gnoise:2", "-o", out, "--float", "--seed", "7")
                self.assertEqual(done.returncode, 0, done.stderr.decode())
                with open(out, "rb") as file:
                    data = file.read()
                made, rate = ew.perturb(samples, 16_000, "srb/gnoise:2", seed=7)
                if kind == "<i2":
                    self.assertEqual(data[data.index(b"data") + 8 :], made.tobytes())
                other, _ = ew.perturb(samples, 16_000, "srb/gnoise:2", seed=8)
                self.assertNotEqual(made.tobytes(), other.tobytes())
                self.assertEqual((made.dtype, rate), (numpy.float32, 16_000))

    def test_without_numpy_arrays_of_the_standard_library_do(self):
        whole = array.array("h", [int(8_000 * math.sin(place / 9)) for place in range(1_600)])
        parts = [array.array(kind, [one / 32768 for one in whole]) for kind in "fd"]
        by_numpy = [ew.perturb(numpy.array(one), 16_000, "srb/gnoise:2", seed=7)[0].tobytes() for one in (whole, *parts)]
        with mock.patch.dict(sys.modules, {"numpy": None}):
            made = [ew.perturb(one, 16_000, "srb/gnoise:2", seed=7)[0] for one in (whole, *parts)]
            with self.assertRaisesRegex(ew.EarwitnessError, "expected an array.array of floats or 16-bit integers.* but got a list"):
                ew.perturb([0.5], 16_000, "clean")
        self.assertEqual([one.tobytes() for one in made], by_numpy)
        self.assertIsInstance(made[0], array.array)

    def test_steps_and_refusals(self):
        samples = numpy.array(tone(0.1))
        louder, _ = ew.perturb(samples, 16_000, [{"perturbation": "gain", "parameters": {"factor": 2}}])
        numpy.testing.assert_allclose(louder, 2 * samples, rtol=1e-6)
        for scenario, sentence in (("srb/gnoise:9", "expected a rank from 1 to 4"), ("srb/gnoise", "stands for 4")):
            with self.assertRaisesRegex(ew.EarwitnessError, sentence):
                ew.perturb(samples, 16_000, scenario)
        for array in (numpy.zeros((2, 8), dtype=numpy.float32), [[1.0], [1.0, 2.0]]):
            with self.assertRaisesRegex(ew.EarwitnessError, "one channel"):
                ew.perturb(array, 16_000, "clean")
        for shape, axis in (((2, 8), 0), ((8, 2), 1)):
            with self.assertRaisesRegex(ew.EarwitnessError, r"; array\.mean\(axis=%d\) mixes them$" % axis):
                ew.perturb(numpy.zeros(shape, dtype=numpy.float32), 16_000, "clean")
        for given, sentence in (("a.wav", "one text; read the file first, as with soundfile.read"), (None, "None")):
            with self.assertRaisesRegex(ew.EarwitnessError, "^expected an array of samples, but got %s$" % sentence):
                ew.perturb(given, 16_000, "clean")

    def test_what_is_wrong_is_said_of_an_array_and_of_the_arguments(self):
        samples = numpy.array(tone(0.1), dtype=numpy.float32)
        for array, rate, scenario, more, sentence in (
            (samples[:0], 16_000, "clean", {}, "^expected samples, but the array is empty$"),
            (samples * numpy.nan, 16_000, "clean", {}, "^expected numbers as samples, but sample 0 of the clip, at 0.000 s, is NaN$"),
            (samples * 40_000, 16_000, "srb/gnoise:2", {}, "^expected floating-point samples from -1 to 1, but the largest is .* as if 16-bit integers had been saved as floats$"),
            (samples, 0, "clean", {}, "^rate: expected a number of at least 1, but got 0$"),
            (samples, 10**9, "clean", {}, "^rate: expected a number of at most 1536000, but got 1000000000$"),
            (samples, 16_000.5, "clean", {}, "^rate: expected a whole number, but got 16000.5$"),
            (samples, "16000", "clean", {}, '^rate: expected a number, but got "16000"$'),
            (samples, None, "clean", {}, "^rate: expected a number, but got null$"),
            (samples, 16_000, None, {}, "^scenario: expected text or a list, but got null$"),
            (samples, 16_000, [{"perturbation": "gai"}], {}, '^scenario: 0.perturbation: unknown perturbation "gai"; did you mean "gain"'),
            (samples, 16_000, "clean", {"seed": 1.5}, "^seed: expected a whole number, but got 1.5$"),
            (samples, 16_000, "clean", {"seed": 2**60}, "^seed: expected a number of at most "),
            (samples, 16_000, "clean", {"draw": -1}, "^draw: expected a number of at least 0, but got -1$"),
        ):
            with self.assertRaisesRegex(ew.EarwitnessError, sentence) as caught:
                ew.perturb(array, rate, scenario, **more)
            self.assertIn(caught.exception.code, ("bad-input", "bad-usage"))
        # Numbers of numpy are numbers.
        noisy, _ = ew.perturb(samples, numpy.int32(16_000), "srb/gnoise:2", seed=numpy.int64(7))
        self.assertEqual(noisy.tobytes(), ew.perturb(samples, 16_000, "srb/gnoise:2", seed=7)[0].tobytes())


class Installed(unittest.TestCase):
    def test_help_lists_the_calls(self):
        told = pydoc.render_doc(ew, renderer=pydoc.plaintext)
        for name in ("compare", "perturb", "read_report", "read_trials", "run", "serve", "wer"):
            self.assertRegex(told, r"(?m)^    %s\(" % name)

    def test_the_description_of_the_package_is_printed_and_leads_nowhere_that_is_not_there(self):
        with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "README.md"), encoding="utf-8") as file:
            described = file.read()
        self.assertNotRegex(described, r"\]\((?!https:)")
        # importlib.metadata makes it a header, in which no line may look like one. Newer versions of Python print no header of several lines.
        self.assertNotRegex(described, r"(?m)^[^\s:]+:")


class Running(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        before = os.getcwd()
        self.addCleanup(os.chdir, before)
        os.chdir(folder.name)
        from earwitness.splits import _wav

        with open("list.jsonl", "w") as file:
            for number in (1, 2, 3):
                with open("%d.wav" % number, "wb") as sound:
                    sound.write(_wav(tone(number * 0.5), 16_000))
                file.write(json.dumps({"audio": "%d.wav" % number, "text": "one two", "speaker": "s%d" % number}) + "\n")
        self.config = {
            "corpus": {"type": "manifest", "file": "list.jsonl", "language": "en"},
            "recognizers": {"told": {"type": "scripted", "default": "one two"}},
            "studies": [{"type": "robustness", "conditions": ["srb/gnoise:4"], "resamples": 100}],
        }

    def test_functions_and_pipelines_are_asked_and_an_exception_costs_one_clip(self):
        asked = []

        def mine(audio, rate, language):
            asked.append((len(audio), rate, language))
            if len(audio) == 8_000:
                raise KeyError("short")
            return {"text": "one"}

        class Pipeline:
            task = "automatic-speech-recognition"

            def __call__(self, given):
                assert given["sampling_rate"] == 16_000 and len(given["raw"]) > 0
                return {"text": " one two "}

        self.config["failures"] = {"maxShare": 0.5}
        shown = io.StringIO()
        with contextlib.redirect_stderr(shown):
            report = ew.run(self.config, {"mine": mine, "pipe": Pipeline()}, progress=True)
        self.assertEqual(sorted(set(asked)), [(8_000, 16_000, "en"), (16_000, 16_000, "en"), (24_000, 16_000, "en")])
        self.assertEqual({row["recognizer"]: row["clean"] for row in report.rows}, {"told": 0, "pipe": 0, "mine": 0.5})
        (failed,) = report["failures"]
        self.assertEqual([failed["recognizer"], failed["failed"], failed["reasons"][0]["message"]], ["mine", 2, "KeyError: 'short'"])
        for said in (repr(report), report._repr_markdown_().replace("\\", ""), report._repr_html_(), repr(ew.read_report(os.path.dirname(report.page)))):
            self.assertIn("mine: 2 of 6 trials failed", said)
        self.assertRegex(shown.getvalue(), r"█.* of \d+")
        # Those that failed are answered too, and count once.
        self.assertTrue(all(int(done) <= int(size) for done, size in re.findall(r"(\d+) of (\d+)", shown.getvalue())), shown.getvalue())
        self.assertTrue(os.path.isfile(report.page))
        again = ew.read_report("earwitness-report")
        self.assertEqual(again.rows, report.rows)
        self.assertEqual(again, report)
        self.assertEqual(again._repr_markdown_(), report._repr_markdown_())
        with open("other.json", "w") as file:
            json.dump({"findings": []}, file)
        with self.assertRaisesRegex(ew.EarwitnessError, "^expected a report.json as this version of Earwitness writes it"):
            ew.read_report("other.json")
        try:
            import pandas  # noqa: F401

            self.assertEqual(len(report.trials()), 18)
        except ImportError:
            pass

    def test_a_config_in_a_file_and_the_sentence_of_the_command(self):
        with open("earwitness.config.json", "w") as file:
            json.dump(self.config, file)
        report = ew.run("earwitness.config.json", progress=False)
        shutil.rmtree(".earwitness")
        done = by_command("run", "--json", "-c", "earwitness.config.json")
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        self.assertTrue(same(report, json.loads(done.stdout)))
        self.config["corpus"]["file"] = "absent.jsonl"
        with open("wrong.json", "w") as file:
            json.dump(self.config, file)
        with self.assertRaises(ew.EarwitnessError) as caught:
            ew.run("wrong.json", progress=False)
        told = by_command("run", "-c", "wrong.json").stderr.decode()
        self.assertTrue(told.endswith("earwitness: %s\n" % caught.exception), told)

    def test_ctrl_c_ends_a_run_and_the_next_is_answered(self):
        def stops(audio, rate, language):
            raise KeyboardInterrupt

        with self.assertRaises(KeyboardInterrupt):
            ew.run(self.config, {"mine": stops}, progress=False)
        self.assertEqual(ew.wer("a b", "a c"), 0.5)

    def test_after_ctrl_c_the_same_call_goes_on_in_the_same_process(self):
        asked = []

        def mine(audio, rate, language):
            asked.append(len(audio))
            if len(asked) == 4:
                raise KeyboardInterrupt
            return "one"

        with self.assertRaises(KeyboardInterrupt):
            ew.run(self.config, {"mine": mine}, progress=False)
        # All six, and the one once more in which it was stopped.
        ew.run(self.config, {"mine": mine}, progress=False)
        self.assertEqual(len(asked), 7)

    def test_a_function_that_was_changed_is_asked_anew_and_what_goes_on_says_so(self):
        asked = []

        def made(text, at=4):
            source = "def mine(audio, rate, language):\n    asked.append(1)\n    if len(asked) == %d: raise KeyboardInterrupt\n    return helper()\n" % at
            shared = {"asked": asked, "text": text}
            exec(source + "def helper(): return text\n", shared)
            return shared["mine"]

        def told(function, **more):
            shown = io.StringIO()
            with contextlib.redirect_stderr(shown):
                report = ew.run(self.config, {"mine": function}, progress=False, **more)
            return report, shown.getvalue()

        with self.assertRaises(KeyboardInterrupt):
            ew.run(self.config, {"mine": made("one")}, progress=False)
        asked[:] = [0] * 10
        report, shown = told(made("one two"))
        # All six are those of the new one: none is wrong.
        self.assertEqual([len(asked) - 10, report.rows[-1]["clean"], shown], [6, 0, ""])
        del asked[:]
        with self.assertRaises(KeyboardInterrupt):
            ew.run(self.config, {"mine": made("one")}, progress=False, new=True)
        _, shown = told(made("one"))
        self.assertEqual(len(asked), 7)
        self.assertRegex(shown, r"^continuing the interrupted run: \d of 12 answers are kept; new=True asks anew\n$")
        # Of one version that is said, whatever its code.
        del asked[:]
        with self.assertRaises(KeyboardInterrupt):
            ew.run(self.config, {"mine": made("one")}, progress=False, revision="1")
        told(made("one two"), revision="1")
        self.assertEqual(len(asked), 7)

    def test_what_a_function_is_made_of_is_seen_and_a_counter_is_not(self):
        from earwitness.running import _fingerprint

        def of(source, **around):
            exec(source, around)
            return _fingerprint(around["f"])

        f = "def f(audio, rate, language): return g(audio)\n"
        g = "def g(audio, beam=%d): return {'b', 'a', str(beam)} and (lambda: %d)() + N\n"
        alike = of(f + g % (1, 2), N=3)
        self.assertEqual(alike, of("\n\n" + f + g % (1, 2), N=3))
        for other in (of(f + g % (2, 2), N=3), of(f + g % (1, 3), N=3), of(f + g % (1, 2), N=4)):
            self.assertNotEqual(alike, other)
        counting = "def f(*_):\n    global n\n    n += 1\n    return str(n)\n"
        self.assertEqual(of(counting, n=1), of(counting, n=2))
        inner = "def outer(t):\n    def f(*_): return t\n    return f\nf = outer(T)\n"
        self.assertEqual([of(inner, T="a") == of(inner, T=t) for t in ("a", "b")], [True, False])
        bound = "import functools\nclass C:\n    def __call__(self, a, b): return %r\nf = functools.partial(C(), %d)\n"
        self.assertEqual([of(bound % ("x", 1)) == of(bound % one) for one in (("x", 1), ("y", 1), ("x", 2))], [True, False, False])
        again = [_alone("import sys; from earwitness.running import _fingerprint\ndef f(a): return a in {'x', 'y', 'z'}\nprint(_fingerprint(f))") for _ in range(3)]
        self.assertEqual(len(set(again)), 1)

    def test_sys_exit_in_a_function_is_the_failure_of_its_clip(self):
        def ends(audio, rate, language):
            if len(audio) == 8_000:
                sys.exit(3)
            return "one two"

        report = ew.run({**self.config, "failures": {"maxShare": 0.5}}, {"mine": ends}, progress=False)
        (failed,) = report["failures"]
        self.assertEqual([failed["failed"], failed["reasons"][0]["message"]], [2, "mine called sys.exit(3)"])

    def test_what_failed_too_often_is_told_in_words_of_python_and_the_report_is_named(self):
        def ends(audio, rate, language):
            if len(audio) == 8_000:
                raise KeyError("short")
            return "one two"

        with self.assertRaises(ew.EarwitnessError) as caught:
            ew.run(self.config, {"mine": ends}, progress=False)
        told = str(caught.exception)
        self.assertRegex(told, r"^mine failed in 2 of 6 trials, 33\.3 % .* or allow more with `failures: {maxShare: …}` in the config\. The report is written: earwitness\.read_report\(\"")
        self.assertNotIn("--", told)
        self.assertEqual(ew.read_report(told[told.index('("') + 2 : -2])["failures"][0]["failed"], 2)
        with self.assertRaisesRegex(ew.EarwitnessError, r"or continue all the same with `failures: {maxShare: 1}` in the config$"):
            ew.run(self.config, {"mine": lambda *_: None}, progress=False)

    def test_a_function_that_is_asked_again_has_a_revision_and_no_entry(self):
        told = io.StringIO()
        with contextlib.redirect_stderr(told):
            for _ in range(2):
                ew.run(self.config, {"mine": lambda *_: "x"}, progress=True)
        self.assertRegex(told.getvalue(), 'mine recognizes everything again, .* Say of what version it is with revision="…", and its answers are kept')
        self.assertNotIn("epoch", told.getvalue())

    def test_a_language_that_nobody_says_is_guessed_and_told(self):
        with open("list.jsonl", "w") as file:
            for number in (1, 2, 3):
                file.write(json.dumps({"audio": "%d.wav" % number, "text": "The cat sat on the mat, and it was there.", "speaker": "s%d" % number}) + "\n")
        del self.config["corpus"]["language"]
        heard = []

        def mine(audio, rate, language):
            heard.append(language)
            return "the cat sat on the mat and it was there"

        report = ew.run(self.config, {"mine": mine}, progress=False)
        self.assertEqual(set(heard), {"en"})
        self.assertEqual({row["recognizer"]: row["clean"] for row in report.rows}["mine"], 0)
        note = "Language en (guessed from the references; `language` of the corpus says another)."
        self.assertIn(note, report.warnings)
        self.assertEqual(ew.read_report("earwitness-report").warnings, report.warnings)
        self.config["corpus"]["language"] = "de"
        self.assertNotIn("guessed", str(ew.run(self.config, {"mine": mine}, progress=False).warnings))
        self.assertEqual(set(heard), {"en", "de"})

    def test_what_is_no_recognizer_or_no_config_is_one_sentence(self):
        with self.assertRaisesRegex(ew.EarwitnessError, '^expected recognizers as a dict of functions by name, as {"mine": function}, but got a function$'):
            ew.run(self.config, lambda *_: "x")
        with self.assertRaisesRegex(ew.EarwitnessError, "^expected a file or a dict as the config, but got None$"):
            ew.run(None)
        with self.assertRaisesRegex(ew.EarwitnessError, "^limit: expected a whole number, but got 1.5$"):
            ew.run(self.config, limit=1.5)
        for name in ("limit", "workers"):
            for number in (0, -1):
                with self.assertRaisesRegex(ew.EarwitnessError, "^%s: expected a number of at least 1, but got %d$" % (name, number)):
                    ew.run(self.config, **{name: number})
        with open("own.json", "w") as file:
            json.dump(self.config, file)
        for config in (self.config, "own.json"):
            with self.assertRaisesRegex(ew.EarwitnessError, "^expected different names, but told is a recognizer of the config and one of yours; rename one$"):
                ew.run(config, {"told": lambda *_: "x"})
        os.mkdir("earwitness-report")
        with self.assertRaisesRegex(ew.EarwitnessError, "^.: expected a folder with a report.json of Earwitness, but there is none; did you mean ./earwitness-report$"):
            ew.read_report(".")
        open("trials.parquet", "wb").close()
        with mock.patch.dict(sys.modules, {"pandas": None, "polars": None}):
            with self.assertRaisesRegex(ew.EarwitnessError, "^expected the Python package pandas, .*; type: pip install pandas$"):
                ew.read_trials(".")

    def test_trials_have_texts_as_they_were_said_and_numbers_as_numbers(self):
        from earwitness.splits import _wav

        # What was said of each, and what is heard; each speaker, and an attribute.
        said = [("007", "01", "-5 degrees", "-5"), ("8", "2", "null", ""), ("1e5", "'=a", "123", "'=x"), ("+1", "1.0", "one\r\ntwo", "'tis '=x"), ("s", "=a", "null", None), ("-", "-", "two", "NA")]
        with open("odd.jsonl", "w") as file:
            for number, (speaker, level, reference, _) in enumerate(said):
                with open("odd%d.wav" % number, "wb") as sound:
                    sound.write(_wav(tone(0.5 + number / 10), 16_000))
                file.write(json.dumps({"id": "0%d" % number, "audio": "odd%d.wav" % number, "text": reference, "speaker": speaker, "level": level}) + "\n")
        heard = {int((0.5 + number / 10) * 16_000): text for number, (_, _, _, text) in enumerate(said)}

        def mine(audio, rate, language):
            if heard[len(audio)] is None:
                raise KeyError("x")
            return heard[len(audio)]

        self.config.update(corpus={"type": "manifest", "file": "odd.jsonl", "language": "en"}, recognizers={}, failures={"maxShare": 0.5})
        self.config["report"] = {"trials": ["csv", "parquet"]}
        report = ew.run(self.config, {"mine": mine}, progress=False)
        folder = os.path.dirname(report.page)
        table, other = (os.path.join(folder, "trials." + ending) for ending in ("csv", "parquet"))

        def told(frame):
            rows = frame if isinstance(frame, list) else frame.to_dict("records") if hasattr(frame, "iloc") else frame.to_dicts()
            clean = [row for row in rows if row["condition"] == "clean"]
            return sorted([{key: None if one != one else one for key, one in row.items()} for row in clean], key=lambda row: row["utterance"])

        # What is first imported under a patch is imported again after it, which these do not bear.
        for library in ("pandas", "polars"):
            with contextlib.suppress(ImportError):
                importlib.import_module(library)
        with mock.patch.dict(sys.modules, {"pandas": None, "polars": None}):
            plain = told(ew.read_trials(table))
        self.assertEqual([row["utterance"] for row in plain], ["00", "01", "02", "03", "04", "05"])
        self.assertEqual([(row["speaker"], row["level"], row["reference"], row["transcript"]) for row in plain], said)
        self.assertEqual([row["words"] for row in plain], [len(row["reference_words"].split()) for row in plain])
        self.assertEqual([row["substitutions"] is None for row in plain], [text is None for *_, text in said])
        self.assertEqual([type(row["seconds"]) for row in plain], [float] * 6)
        for library in ("pandas", "polars"):
            with contextlib.nullcontext() if library == "pandas" else mock.patch.dict(sys.modules, {"pandas": None}):
                for path in (table, other):
                    try:
                        importlib.import_module(library)
                        importlib.import_module("pyarrow" if library == "pandas" and path == other else library)
                    except ImportError:
                        continue
                    self.assertEqual(told(ew.read_trials(path)), plain, (library, path))

    def test_trials_in_several_parquet_files_are_read_as_one(self):
        try:
            import pandas
            import pyarrow  # noqa: F401
        except ImportError:
            self.skipTest("pandas and pyarrow are not installed")
        with tempfile.TemporaryDirectory() as folder:
            for part in range(2):
                rows = pandas.DataFrame({"utterance": ["u%d" % (2 * part + row) for row in range(2)]})
                rows.to_parquet(os.path.join(folder, "trials-0000%d-of-00002.parquet" % part))
            self.assertEqual(list(ew.read_trials(folder).utterance), ["u0", "u1", "u2", "u3"])

    def test_a_split_of_datasets_is_a_corpus(self):
        try:
            from datasets import Audio, Dataset
        except ImportError:
            self.skipTest("datasets is not installed")
        files = ["%d.wav" % number for number in (1, 2, 3)]
        split = Dataset.from_dict({"audio": files, "sentence": ["one two"] * 3, "speaker_id": [1, 2, 3]})
        split = split.cast_column("audio", Audio(sampling_rate=16_000))
        report = ew.run({**self.config, "corpus": split}, progress=False)
        self.assertEqual(report.rows[0]["clean"], 0)
        self.assertEqual(report.rows[0]["speakers"], 3)


if __name__ == "__main__":
    unittest.main()
