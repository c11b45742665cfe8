import ast
import doctest
import importlib
import inspect
import os
import unittest

import earwitness

HERE = os.path.dirname(os.path.abspath(__file__))


class Package(unittest.TestCase):
    def test_what_is_loaded_later_is_what_type_checkers_see(self):
        with open(os.path.join(HERE, "earwitness", "__init__.py")) as file:
            body = ast.parse(file.read()).body
        later = next(node for node in body if isinstance(node, ast.If)).body
        seen = {}
        for node in later:
            seen.setdefault(node.module or "", []).extend(alias.name for alias in node.names)
        modules = seen.pop("")
        self.assertEqual({name: sorted(names) for name, names in seen.items()}, {name: sorted(names) for name, names in earwitness._LATER.items()})
        self.assertLessEqual(set(modules), set(seen))
        for module, names in seen.items():
            for name in names:
                self.assertIs(getattr(earwitness, name), getattr(importlib.import_module("earwitness." + module), name))
                self.assertIn(name, dir(earwitness))
        with self.assertRaises(AttributeError):
            earwitness.absent

    def test_examples_of_the_documentation_give_what_they_say(self):
        tried = 0
        for name in ("transforms", "process", "measures", "metrics"):
            result = doctest.testmod(getattr(earwitness, name))
            self.assertEqual(result.failed, 0, name)
            tried += result.attempted
        self.assertGreater(tried, 15)

    def test_what_the_page_shows_comes_out(self):
        page = os.path.join(os.path.dirname(HERE), "docs", "python.md")
        if not os.path.isfile(page):
            self.skipTest("the documentation is not beside the package")
        with open(page, encoding="utf-8") as file:
            examples = doctest.DocTestParser().get_doctest(file.read(), {}, "python.md", page, 0)
        told = []
        result = doctest.DocTestRunner().run(examples, out=told.append)
        self.assertEqual(result.failed, 0, "".join(told))
        self.assertGreater(result.attempted, 10)

    def test_everything_public_says_what_it_is(self):
        for name in earwitness._MODULES:
            thing = getattr(earwitness, name)
            if inspect.isclass(thing) or inspect.isfunction(thing):
                self.assertTrue(thing.__doc__, name)


class Rates(unittest.TestCase):
    def test_rates_are_those_of_the_paper_that_names_them(self):
        # Morris, Maier and Green, "From WER and RIL to MER and WIL", 2004, table 1.
        for reference, hypothesis, wer, mer, wil in (
            ("X", "X", 0, 0, 0),
            ("X", "X X Y Y", 3, 3 / 4, 3 / 4),
            ("X Y X", "X Z", 2 / 3, 2 / 3, 5 / 6),
            ("X", "Y", 1, 1, 1),
            ("X", "Y Z", 2, 1, 1),
        ):
            out = earwitness.process_words(reference, hypothesis)
            self.assertEqual((out.wer, out.mer), (wer, mer))
            self.assertAlmostEqual(out.wil, wil)
            self.assertAlmostEqual(out.wip, 1 - wil)
            for name in ("wer", "mer", "wil", "wip"):
                self.assertEqual(getattr(earwitness, name)(reference, hypothesis), getattr(out, name))

    def test_of_no_reference_words_wer_counts_what_was_inserted(self):
        self.assertEqual(earwitness.wer("", "a b c"), 3)
        self.assertEqual([earwitness.wer("", ""), earwitness.mer("", ""), earwitness.wip("", "")], [0, 0, 1])
        self.assertEqual([earwitness.wer("a", ""), earwitness.wip("a", "")], [1, 0])

    def test_words_are_compared_as_they_stand(self):
        # Which Earwitness itself takes for "is" or "has": a jiwer user's words are his own.
        self.assertEqual(earwitness.wer("he ˀs here", "he is here"), 1 / 3)
        self.assertEqual(earwitness.wer("\ud800 __proto__ 🙂", "\ud800 __proto__ 🙂"), 0)
        self.assertEqual(earwitness.cer("🙂", "🙃"), 1)

    def test_long_texts_have_the_alignment_of_the_whole(self):
        words = ["w%d" % number for number in range(3000)]
        out = earwitness.process_words(" ".join(words), " ".join(words[:1000] + ["new"] + words[1001:2000] + words[2001:]))
        chunks = [(chunk.type, chunk.ref_start_idx, chunk.ref_end_idx, chunk.hyp_start_idx, chunk.hyp_end_idx) for chunk in out.alignments[0]]
        expected = [
            *(("equal", 0, 1000, 0, 1000), ("substitute", 1000, 1001, 1000, 1001)),
            *(("equal", 1001, 2000, 1001, 2000), ("delete", 2000, 2001, 2000, 2000), ("equal", 2001, 3000, 2000, 2999)),
        ]
        self.assertEqual(chunks, expected)

    def test_what_cannot_be_compared_is_a_value_error(self):
        for call in (
            lambda: earwitness.wer(["a", "b"], ["a"]),
            lambda: earwitness.wer(["a"], ["a"], reference_transform=earwitness.Strip()),
            lambda: earwitness.wer(("a",), ("a",)),
            lambda: earwitness.AlignmentChunk("other", 0, 1, 0, 1),
            lambda: earwitness.AlignmentChunk("equal", 1, 0, 0, 0),
        ):
            self.assertRaises(ValueError, call)


class Pictures(unittest.TestCase):
    def test_what_is_no_text_in_a_list_is_named(self):
        for call in (earwitness.wer, earwitness.cer, earwitness.process_words, earwitness.load("wer").compute):
            sides = ("references", "predictions") if hasattr(call, "__self__") else ("reference", "hypothesis")
            for one, told in ((None, r"missing \(None\)"), (float("nan"), r"missing \(nan\)"), (b"b", "a bytes"), (3, "an int")):
                for side, of in zip(sides, ("reference", "hypothesis")):
                    with self.assertRaisesRegex((TypeError, ValueError), "^expected a text as each %s, but number 1 is %s; " % (of, told)):
                        call(**{**dict.fromkeys(sides, ["a", "b"]), side: ["a", one]})

    def test_an_alignment_is_drawn(self):
        out = earwitness.process_words(["the cat sat", "same", "one two three"], ["the fat cat", "same", "one three four"])
        # By hand.
        self.assertEqual(
            earwitness.visualize_alignment(out, show_measures=False, line_width=16),
            "=== SENTENCE 1 ===\n\n"
            "REF: the *** cat\nHYP: the fat cat\n           I    \n\n"
            "REF: sat\nHYP: ***\n       D\n\n"
            "=== SENTENCE 3 ===\n\n"
            "REF: one   two\nHYP: one three\n             S\n\n"
            "REF: three\nHYP:  four\n         S\n",
        )

    def test_errors_are_counted_in_stretches(self):
        out = earwitness.process_words(["a b c d", "a b c d", "a d"], ["a x y d", "a x y d", "a z d"])
        substitutions, insertions, deletions = earwitness.collect_error_counts(out)
        self.assertEqual([dict(substitutions), dict(insertions), dict(deletions)], [{("b c", "x y"): 2}, {"z": 1}, {}])


class Evaluate(unittest.TestCase):
    def test_rates_are_those_that_its_documentation_shows(self):
        predictions = ["this is the prediction", "there is an other sample"]
        references = ["this is the reference", "there is another one"]
        rates = [earwitness.load(name).compute(predictions=predictions, references=references) for name in ("wer", "cer")]
        self.assertEqual(rates, [0.5, 0.34146341463414637])

    def test_pairs_that_were_added_count_once(self):
        metric = earwitness.load("wer")
        metric.add(prediction="a b", reference="a c")
        metric.add_batch(predictions=["x"], references=["x"])
        self.assertEqual([metric.compute(), metric.compute(predictions=["a"], references=["b"])], [1 / 3, 1])
        self.assertRaises(ZeroDivisionError, metric.compute, predictions=["a"], references=[""])
        self.assertEqual(metric.compute(predictions=["a"], references=[""], concatenate_texts=True), 1)
        self.assertRaises(ValueError, metric.compute, predictions=["a"], references=[])
        self.assertRaises(ValueError, earwitness.load, "bleu")


if __name__ == "__main__":
    unittest.main()
