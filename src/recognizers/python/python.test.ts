import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { EarwitnessError } from '../../base/errors.ts';
import { noPython as skip } from '../../system/testing/no-python.ts';
import { testRecognizer } from '../conformance.ts';
import { RecognitionError, type Recognizer } from '../contract.ts';
import { plainServices, tones } from '../testing/tones.ts';
import { python } from './python.ts';

const folder = mkdtempSync(join(tmpdir(), 'earwitness-python-test-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const secret = 'sesame-4711-sesame';
const services = plainServices(folder, { ...process.env, EAR_TEST_KEY: secret });
const neverAborted = new AbortController().signal;
const root = join(import.meta.dirname, '..', '..', '..');

const write = (name: string, text: string) => writeFileSync(join(folder, name), text);

// Says of each half second whether it was loud or quiet, and prints where a model would.
write(
  'loud.py',
  `import earwitness
def power(part):
    return sum(sample * sample for sample in part) / max(1, len(part))
def transcribe(audio, rate, language):
    print("computing", len(audio))
    return " ".join("loud" if power(audio[at : at + rate // 2]) > 1e-4 else "quiet" for at in range(0, len(audio), rate // 2))
def stream(chunks, rate, language):
    heard = []
    for chunk in chunks:
        heard.extend(chunk)
        yield transcribe(heard, rate, language)
print("loaded")
earwitness.serve(transcribe, stream=stream)
`,
);
// Says how long each clip is, and with how many it came; of 13 samples it does what its argument says.
write(
  'odd.py',
  `import os, sys
deed = sys.argv[1] if len(sys.argv) > 1 else ""
if deed == "import": import no_such_package
if deed == "raise": raise ValueError("no model\\nat all")
if deed == "exit": sys.exit(3)
os.system("echo a child prints")
import earwitness
def transcribe(audios, rate, languages):
    if any(len(audio) == 13 for audio in audios):
        if deed == "memory": raise RuntimeError("CUDA out of memory. Tried to allocate 2.00 GiB")
        if deed == "error": raise KeyError("blank_id")
        if deed == "refuse": raise earwitness.Refused("too short", kind="sound")
        if deed == "none": return [None if len(audio) == 13 else "%d of" % len(audio) for audio in audios]
        if deed == "few": return []
        if deed == "text": return "a" * len(audios)
        if deed == "crash": os.abort()
        if deed == "die": print("Traceback: gone", file=sys.stderr); os._exit(9)
    return ["%d of %d on %s" % (len(audio), len(audios), earwitness.device()) for audio in audios]
if deed != "forget":
    earwitness.serve(transcribe, batch=4, languages=["en"], facts={"parameters": 1})
`,
);

const request = (clip = tones([440, 600, 800], { pauseSeconds: 0.6 })) => ({
  clip,
  utteranceId: 'a',
  conditionName: 'clean',
  repeat: 0,
  language: 'en',
});

testRecognizer({
  kind: python,
  options: { script: 'loud.py', environment: ['EAR_TEST_KEY'], revision: '1' },
  services,
  requests: [request(), request(tones([440], { startSeconds: 1 }))],
  secrets: [secret],
  skip,
});

async function opened<T>(options: object, use: (recognizer: Recognizer) => Promise<T>): Promise<T> {
  const recognizer = await python.open(python.options.parse({ script: 'odd.py', ...options }), services);
  try {
    return await use(recognizer);
  } finally {
    await recognizer.close();
  }
}

const ask = (recognizer: Recognizer, samples: number) =>
  recognizer
    .recognize(request({ samples: new Float32Array(samples), sampleRate: 16_000 }), neverAborted)
    .then(({ text }) => text);

test('batches, workers and devices', { skip }, async () => {
  const texts = await opened({ batch: 4 }, (recognizer) =>
    Promise.all([1, 2, 3, 4, 5].map((samples) => ask(recognizer, samples))),
  );
  assert.deepEqual(texts, ['1 of 4 on cpu', '2 of 4 on cpu', '3 of 4 on cpu', '4 of 4 on cpu', '5 of 1 on cpu']);
  const spread = await opened({ workers: 2, devices: ['cuda:0', 'cuda:1'] }, (recognizer) =>
    Promise.all([1, 2].map((samples) => ask(recognizer, samples))),
  );
  assert.deepEqual(spread.toSorted(), ['1 of 1 on cuda:0', '2 of 1 on cuda:1']);
});

for (const [deed, kind, message] of [
  ['memory', 'error', /^the device has no memory for this \(CUDA out of memory.*\); make `batch` smaller$/],
  ['error', 'error', /^odd\.py:11: KeyError: 'blank_id'$/],
  ['refuse', 'sound', /^too short$/],
  ['none', 'garbage', /^odd\.py:8: expected a text or \{"text": …\}, but your function gave NoneType$/],
  ['few', 'garbage', /^odd\.py:8: expected as many answers as clips in the batch \(1\), but your function gave 0$/],
  ['text', 'garbage', /^odd\.py:8: expected a list of answers, .* but your function gave str$/],
  ['crash', 'crash', /^the program was ended by SIGABRT/],
  ['die', 'crash', /^the program ended with exit status 9 .*its last words: .*Traceback: gone$/],
] as const) {
  test(`${deed}: one clip of a batch costs no other`, { skip }, async () => {
    await opened({ batch: 4, arguments: [deed] }, async (recognizer) => {
      const [one, thirteen, three] = await Promise.allSettled([
        ask(recognizer, 1),
        ask(recognizer, 13),
        ask(recognizer, 3),
      ]);
      assert.match(one.status === 'fulfilled' ? one.value : String(one.reason), /^1 of/);
      assert.match(three.status === 'fulfilled' ? three.value : String(three.reason), /^3 of/);
      assert.ok(thirteen.status === 'rejected' && thirteen.reason instanceof RecognitionError, deed);
      assert.equal(thirteen.reason.kind, kind);
      assert.match(thirteen.reason.message, message);
      assert.match(await ask(recognizer, 5), /^5 of 1/);
    });
  });
}

for (const [what, options, message] of [
  [
    'a package that is not there',
    { arguments: ['import'] },
    /^odd\.py:3: the Python package of no_such_package is missing; install it for python3.* let `python` be the one/,
  ],
  ['an exception while loading', { arguments: ['raise'] }, /^odd\.py:4: ValueError: no model at all$/],
  [
    'a script that ends',
    { arguments: ['exit'] },
    /^the program ended with exit status 3; its last words: odd\.py:5: sys\.exit\(3\)$/,
  ],
  [
    'a script that forgets to serve',
    { arguments: ['forget'] },
    /^odd\.py: the script ended without calling earwitness\.serve/,
  ],
  [
    'a wrong path of Python',
    { python: '.venv/bin/python' },
    /^python: expected Python 3\.8 or later at \.venv\/bin\/python, but there is none/,
  ],
  [
    'a Python that is none',
    { python: '/bin/echo' },
    /^python: expected Python 3\.8 or later at \/bin\/echo, but it did not say its version$/,
  ],
  [
    'a named package that is missing',
    { packages: ['no-such-package'] },
    /^python: expected the packages no-such-package in python3.* type: python3 -m pip install no-such-package$/,
  ],
  ['a script that is not there', { script: 'absent.py' }, /^script: expected a file at absent\.py, but there is none/],
] as const) {
  test(`${what} is one sentence`, { skip }, async () => {
    await assert.rejects(
      opened(options, async () => {}),
      (error: unknown) => {
        assert.ok(error instanceof EarwitnessError, String(error));
        assert.match(error.message, message);
        return true;
      },
    );
  });
}

test('its identity is what the script, the packages and the model are', { skip }, async () => {
  const describe = (options: object) =>
    python.describe(python.options.parse({ script: 'odd.py', ...options }), plainServices(folder));
  const plain = await describe({});
  assert.equal(plain.pinned, false);
  mkdirSync(join(folder, 'model', 'deep'), { recursive: true });
  write('model/deep/weights', 'one');
  const first = await describe({ models: ['model'], batch: 4, workers: 2, devices: ['cuda:0', 'cuda:1'] });
  assert.deepEqual([first.pinned, first.concurrency, first.identity.devices], [true, 8, ['cuda']]);
  write('model/deep/weights', 'two');
  const second = await describe({ models: ['model'], batch: 4, workers: 2, devices: ['cuda:0', 'cuda:1'] });
  assert.notDeepEqual(second.identity, first.identity);
  assert.deepEqual({ ...second.identity, models: 0 }, { ...first.identity, models: 0 });
  write('copy.py', '# another');
  assert.notDeepEqual((await describe({ script: 'copy.py' })).identity, plain.identity);
});

test('a version that the script works out is asked for, and is part of its identity; one that stands in it is not', {
  skip,
}, async () => {
  const identity = async (told: string) => {
    write('told.txt', told);
    const options = python.options.parse({ script: 'told.py', revision: 'pinned' });
    return (await python.describe(options, plainServices(folder))).identity;
  };
  write('told.py', 'import earwitness\nearwitness.serve(lambda *_: "", version=open("told.txt").read())\n');
  const [one, two] = [await identity('1'), await identity('2')];
  assert.deepEqual(
    [one.introduced, two.introduced],
    ['1', '2'].map((version) => ({ name: 'told', version })),
  );
  write('told.py', 'import earwitness\nearwitness.serve(lambda *_: "", version="3")\n');
  assert.equal((await identity('3')).introduced, undefined);
});

test('the tests of the Python package', { skip }, () => {
  const { status, stderr } = spawnSync('python3', ['-B', '-m', 'unittest', '-q'], {
    cwd: join(root, 'python'),
    env: { ...process.env, EARWITNESS_NODE: process.execPath },
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
});
