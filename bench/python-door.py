"""jiwer beside Earwitness's own calls of the same names, in one process: whether digits, alignments, errors and pictures are the same for
random texts, what 100,000 pairs cost beside rapidfuzz, whether `compute` is evaluate's, and how many of jiwer's own tests pass with `earwitness` in
its place.

    python3 -m venv VENV && VENV/bin/pip install jiwer rapidfuzz evaluate pytest pytest-benchmark
    PYTHONPATH=python VENV/bin/python bench/python-door.py [--pairs 100000] [--random 20000] [--suite tests/ of github.com/jitsi/jiwer]
        [--metrics metrics/ of github.com/huggingface/evaluate]

Times are processor seconds of this process and of its children together, and seconds of the clock; each the least of three runs, in turn.
rapidfuzz alone is one distance of two lists of words or of two texts, summed: no transforms, no kinds of errors, no alignment.
"""
import argparse
import importlib.metadata
import os
import random
import subprocess
import sys
import tempfile
import time

import jiwer
from rapidfuzz.distance import Levenshtein

import earwitness

parser = argparse.ArgumentParser()
parser.add_argument("--pairs", type=int, default=100_000)
parser.add_argument("--random", type=int, default=20_000)
parser.add_argument("--suite")
parser.add_argument("--metrics")
given = parser.parse_args()
chance = random.Random(1)

COMMON = "the of and a to in is you that it he was for on are as with his they I at be this have from or one had by word".split()
RARE = ["word%d" % number for number in range(5000)]
ODD = ["ˀs", "ˀ", "__proto__", "É", "E\u0301", "don't", "won't", "🙂", "\ud800", "\u200b", "a\tb", "«x»", "<unk>", "[laugh]", "东京", "x-y", "."]
GAPS = [" "] * 8 + ["  ", "\t", "\n ", "\u00a0", "\u2003 ", "\x1c", "\x85"]


def text(length, words):
    return "".join(chance.choice(words) + chance.choice(GAPS) for _ in range(length))


def misheard(said, share, words):
    heard = []
    for word in said.split(" "):
        what = chance.random() / share
        heard += [word] if what >= 1 else [[], [chance.choice(words)], [word, chance.choice(words)]][int(3 * what)]
    return " ".join(heard)


def plain(output):
    """All that an output holds, with the types of its numbers."""
    rows = [[(c.type, c.ref_start_idx, c.ref_end_idx, c.hyp_start_idx, c.hyp_end_idx) for c in row] for row in output.alignments]
    return {**vars(output), "alignments": rows, "numbers": [repr(one) for one in vars(output).values() if isinstance(one, (int, float))]}


def told(function, *arguments, **named):
    """What a function gives, or the kind of error that it raises."""
    try:
        return plain(function(*arguments, **named))
    except (AttributeError, TypeError):
        return "a step for texts was given lists"
    except Exception as error:
        return type(error).__name__


def same():
    words = [*COMMON, *ODD]
    steps = [name for name in dir(jiwer) if isinstance(getattr(jiwer, name), type) and issubclass(getattr(jiwer, name), jiwer.AbstractTransform)]
    arguments = {"SubstituteRegexes": [{r"\bth": "d", "a(.)": r"\1"}], "SubstituteWords": [{"the": "a", "é": "x"}], "RemoveSpecificWords": [["the", "of"]]}
    different = []
    for number in range(given.random):
        count = chance.choice([1, 1, 1, 2, 5])
        longest = chance.choice([0, 3, 12, 12, 40, 40, 300 if number % 50 == 0 else 12])
        said = [text(chance.randint(0, longest), words) for _ in range(count)]
        heard = [misheard(one, chance.choice([0.01, 0.2, 0.6, 1]), words) for one in said]
        if chance.random() < 0.02:
            heard = heard[1:]
        pair = (said[0], heard[0]) if count == 1 and heard and chance.random() < 0.5 else (said, heard)
        chain = chance.choice(["default", "default", "standardize", "contiguous", "chosen"])
        named = [{}, {}]
        if chain == "chosen":
            chosen = chance.sample([one for one in steps if one not in ("AbstractTransform", "BaseRemoveTransform")], 4)
            for module, options in zip((jiwer, earwitness), named):
                made = [getattr(module, one)(*arguments.get(one, [])) for one in chosen]
                options["reference_transform"] = options["hypothesis_transform"] = module.Compose(made)
        elif chain != "default":
            for module, options in zip((jiwer, earwitness), named):
                options["reference_transform"] = options["hypothesis_transform"] = getattr(module, "wer_" + chain)
        for call in ("process_words", "process_characters"):
            one, other = (told(getattr(module, call), *pair, **options) for module, options in zip((jiwer, earwitness), named))
            if one != other:
                different.append((call, pair, chain, one, other))
                continue
            if isinstance(one, str):
                continue
            outputs = [getattr(module, call)(*pair, **options) for module, options in zip((jiwer, earwitness), named)]
            for show, options in (("visualize_alignment", {"line_width": chance.choice([None, 20, 80]), "skip_correct": chance.random() < 0.5}), ("visualize_error_counts", {"top_k": chance.choice([None, 1, 3])})):
                pictures = [getattr(module, show)(output, **options) for module, output in zip((jiwer, earwitness), outputs)]
                if pictures[0] != pictures[1]:
                    different.append((show, pair, chain, *pictures))
    print("%d random pairs or lists: %d of %d comparisons of words and characters differ" % (given.random, len(different), 2 * given.random))
    for one in different[:3]:
        print(*one, sep="\n  ")


def processor_seconds():
    """Of this process and of the children that it has (Linux)."""
    ticks = os.sysconf("SC_CLK_TCK")
    with open("/proc/self/task/%d/children" % os.getpid()) as file:
        children = file.read().split()
    used = sum(os.times()[:2])
    for child in children:
        with open("/proc/%s/stat" % child) as file:
            fields = file.read().rsplit(") ", 1)[1].split()
        used += (int(fields[11]) + int(fields[12])) / ticks
    return used


def speed():
    # One blank between words: what str.split takes for one, jiwer takes for two at a no-break space.
    said = [" ".join(chance.choices([*COMMON, *RARE], k=chance.randint(3, 25))) for _ in range(given.pairs)]
    heard = [misheard(one, 0.15, RARE) for one in said]
    print("%d pairs, %.1f words each; seconds of processor/clock" % (given.pairs, sum(len(one.split()) for one in said) / len(said)))
    print("  " + ", ".join("%s %s" % (name, importlib.metadata.version(name)) for name in ("jiwer", "rapidfuzz")))
    for call in ("wer", "process_words", "cer"):
        ways = {"jiwer": getattr(jiwer, call), "earwitness": getattr(earwitness, call)}
        if call in DISTANCES:
            ways["rapidfuzz"] = DISTANCES[call]
        rates = {name: way(said, heard) for name, way in ways.items() if call != "process_words"}
        assert len(set(rates.values())) <= 1, rates
        least = {}
        for turn in range(3):
            for name, way in list(ways.items())[:: 1 if turn % 2 == 0 else -1]:
                before = processor_seconds(), time.perf_counter()
                way(said, heard)
                took = processor_seconds() - before[0], time.perf_counter() - before[1]
                least[name] = tuple(map(min, least.get(name, took), took))
        shown = ["%s %.2f/%.2f (%.2f of jiwer's)" % (name, *took, took[0] / max(0.01, least["jiwer"][0])) for name, took in least.items()]
        print("  %-14s %s" % (call, "  ".join(shown)))


DISTANCES = {
    "wer": lambda said, heard: sum(Levenshtein.distance(a.split(), b.split()) for a, b in zip(said, heard)) / sum(len(a.split()) for a in said),
    "cer": lambda said, heard: sum(map(Levenshtein.distance, said, heard)) / sum(map(len, said)),
}


def metrics(folder, count=300):
    """`compute` beside that of evaluate, whose metrics are scripts of its repository."""
    import evaluate

    different = 0
    for name in ("wer", "cer"):
        theirs, own = evaluate.load(os.path.join(folder, name)), earwitness.load(name)
        for _ in range(count):
            pairs = chance.choice([1, 2, 5])
            said = [text(chance.randint(0, 12), [*COMMON, *ODD[:10]]).replace("\ud800", "x") for _ in range(pairs)]
            heard = [misheard(one, 0.3, COMMON) for one in said]
            found = []
            for metric in (theirs, own):
                try:
                    found.append(repr(metric.compute(predictions=heard, references=said)))
                except Exception as error:
                    found.append(type(error).__name__)
            different += found[0] != found[1]
            if found[0] != found[1] and different < 4:
                print("  ", name, said, heard, found)
    print("compute of evaluate %s: %d of %d differ" % (evaluate.__version__, different, 2 * count))


def one_by_one(count=1000):
    pairs = [(text(chance.randint(3, 25), COMMON), text(chance.randint(3, 25), COMMON)) for _ in range(count)]
    least = {jiwer: 1e9, earwitness: 1e9}
    for turn in range(10):
        for module in (jiwer, earwitness)[:: 1 if turn % 2 == 0 else -1]:
            before = time.perf_counter()
            for said, heard in pairs:
                module.wer(said, heard)
            least[module] = min(least[module], (time.perf_counter() - before) / count)
    print("  wer of one pair at a time: jiwer %.2f ms, earwitness %.2f ms a call" % tuple(1000 * took for took in least.values()))


SHIM = """
import sys
import earwitness
from earwitness import *
for name in ("transforms", "transformations", "process", "measures", "alignment"):
    sys.modules["jiwer." + name] = getattr(earwitness, name)
def __getattr__(name):
    return getattr(earwitness, name)
"""


def suite(folder):
    with tempfile.TemporaryDirectory() as place:
        os.mkdir(os.path.join(place, "jiwer"))
        with open(os.path.join(place, "jiwer", "__init__.py"), "w") as file:
            file.write(SHIM)
        path = os.pathsep.join([place, os.environ["PYTHONPATH"]])
        line = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--benchmark-disable", os.path.abspath(folder)]
        subprocess.run(line, env={**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"})


earwitness.wer("a", "b")
if given.random:
    same()
if given.pairs:
    speed()
one_by_one()
if given.metrics:
    metrics(given.metrics)
if given.suite:
    suite(given.suite)
