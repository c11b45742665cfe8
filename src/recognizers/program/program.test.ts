import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { EarwitnessError } from '../../base/errors.ts';
import { testRecognizer } from '../conformance.ts';
import { RecognitionError, type Recognizer } from '../contract.ts';
import { plainServices, tones } from '../testing/tones.ts';
import { program } from './program.ts';

const folder = mkdtempSync(join(tmpdir(), 'earwitness-program-test-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const secret = 'sesame-4711-sesame';
const services = plainServices(folder, { ...process.env, EAR_TEST_KEY: secret });
const neverAborted = new AbortController().signal;
const examples = join(import.meta.dirname, '..', '..', '..', 'examples', 'programs');

const request = (clip = tones([440, 600, 800], { pauseSeconds: 0.6 })) => ({
  clip,
  utteranceId: 'a',
  conditionName: 'clean',
  repeat: 0,
  language: 'en',
});

for (const example of ['recognizer.mjs', 'recognizer.sh']) {
  testRecognizer({
    kind: program,
    options: {
      program: example.endsWith('.mjs') ? [process.execPath, join(examples, example)] : [join(examples, example)],
      environment: ['EAR_TEST_KEY'],
      version: '1',
    },
    services,
    requests: [request(), request(tones([440], { startSeconds: 1 }))],
    secrets: [secret],
    skip: false,
  });
}

// A recognizer that answers with the number of samples, and on certain numbers, with certain arguments, does what it should not.
const script = join(folder, 'odd.mjs');
writeFileSync(
  script,
  `import { appendFileSync } from 'node:fs';
   const [deed = '', log] = process.argv.slice(2);
   const say = (line) => process.stdout.write(JSON.stringify(line) + '\\n');
   const note = (text) => log && appendFileSync(log, text + '\\n');
   let version = '1';
   if (deed === 'print at start') console.log('Loading model…');
   if (deed === 'exit at start') { console.error('ModuleNotFoundError: no model'); process.exit(3); }
   note('start ' + process.env.EARWITNESS_WORKER + ' ' + process.env.EARWITNESS_DEVICE);
   const deeds = {
     hello() {
       if (deed === 'silent') return;
       if (deed === 'unable') return say({ say: 'failure', message: 'CUDA is not there' });
       say({ say: 'hello', protocol: deed === 'later' ? 2 : 1, name: 'odd', version, ...(deed === 'large facts' && { facts: { a: 'x'.repeat(65_536) } }), ...(deed === 'nul in a name' && { facts: { of: 'a\\0b' } }), batch: 8, languages: ['en', 'de-AT'], device: process.env.EARWITNESS_DEVICE });
     },
     open: ({ device }) => { note('open ' + device); say({ say: 'opened' }); },
     ping: ({ id }) => say({ say: 'pong', id }),
     cancel: ({ id }) => deed !== 'deaf' && say({ say: 'failure', id, message: 'cancelled' }),
     close: () => process.exit(0),
     recognize({ clips }) {
       note('batch ' + clips.map(({ samples }) => samples).join(' '));
       for (const { id, samples } of clips) {
         if (samples === 13) {
           if (deed === 'die') { console.error('Traceback: out of memory'); process.exit(9); }
           if (deed === 'abort') process.abort();
           if (deed === 'print') { console.log('now recognizing'); continue; }
           if (deed === 'huge') { process.stdout.write('x'.repeat(17 * 2 ** 20)); continue; }
           if (deed === 'wrong id') { say({ say: 'transcript', id: 99, text: 'x' }); continue; }
           if (deed === 'no text') { say({ say: 'transcript', id }); continue; }
           if (deed === 'latin-1') { process.stdout.write(Buffer.from('{"say":"transcript","id":' + id + ',"text":"caf\xe9"}\\n', 'latin1')); continue; }
           if (deed === 'surrogate') { process.stdout.write('{"say":"transcript","id":' + id + ',"text":"a\\\\ud800b"}\\n'); continue; }
           if (deed === 'nul') { say({ say: 'transcript', id, text: 'a\\0b' }); continue; }
           if (deed === 'deep') { process.stdout.write('{"say":"transcript","id":' + id + ',"text":"a","details":' + '{"a":'.repeat(1406) + '1' + '}'.repeat(1406) + '}\\n'); continue; }
           if (deed === 'many words') { say({ say: 'transcript', id, text: 'a', words: Array(200_001).fill('a') }); continue; }
           if (deed === 'large details') { say({ say: 'transcript', id, text: 'a', details: { a: 'x'.repeat(65_536) } }); continue; }
           if (deed === 'long wait') { say({ say: 'failure', id, kind: 'unavailable', message: 'busy', retryable: true, retryAfterSeconds: 60_000 }); continue; }
           if (deed === 'hang' || deed === 'deaf') continue;
           if (deed === 'busy') { say({ say: 'failure', id, kind: 'unavailable', message: 'busy', retryable: true, retryAfterSeconds: 2 }); continue; }
         }
         if (deed === 'exit after each answer') { process.stdout.write(JSON.stringify({ say: 'transcript', id, text: String(samples) }) + '\\n', () => process.exit(0)); return; }
         say({ say: 'transcript', id, text: String(samples), later: 1 });
         if (deed === 'answer twice') say({ say: 'transcript', id, text: 'again' });
       }
     },
   };
   let read = Buffer.alloc(0);
   for await (const chunk of process.stdin) {
     read = Buffer.concat([read, chunk]);
     for (let end = read.indexOf(10); end !== -1; end = read.indexOf(10)) {
       const line = JSON.parse(read.subarray(0, end).toString());
       if (read.length < end + 1 + (line.bytes ?? 0)) break;
       read = read.subarray(end + 1 + (line.bytes ?? 0));
       deeds[line.say]?.(line);
     }
   }`,
);

async function opened<T>(deed: string, use: (recognizer: Recognizer) => Promise<T>, more: object = {}): Promise<T> {
  const options = program.options.parse({ program: [process.execPath, script, deed, logFile], ...more });
  const recognizer = await program.open(options, services);
  try {
    return await use(recognizer);
  } finally {
    await recognizer.close();
  }
}

const logFile = join(folder, 'log');
const logged = () => readFileSync(logFile, 'utf8').trim().split('\n');
const forget = () => writeFileSync(logFile, '');

const ask = (recognizer: Recognizer, samples: number, signal = neverAborted, language = 'en') =>
  recognizer
    .recognize({ ...request({ samples: new Float32Array(samples), sampleRate: 16_000 }), language }, signal)
    .then(({ text }) => text);

async function fails(promise: Promise<unknown>, kind: string, message: RegExp): Promise<void> {
  await assert.rejects(promise, (error: unknown) => {
    assert.ok(error instanceof RecognitionError, String(error));
    assert.equal(error.kind, kind);
    assert.match(error.message, message);
    return true;
  });
}

test('clips that come together are asked together, as many as the program and the config allow', async () => {
  forget();
  await opened('', async (recognizer) => {
    const sizes = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
    assert.deepEqual(await Promise.all(sizes.map((size) => ask(recognizer, size))), sizes.map(String));
  });
  assert.deepEqual(logged().slice(-2), ['batch 1 2 3 4 5 6 7 8', 'batch 9 10']);
  forget();
  await opened('', (recognizer) => Promise.all([1, 2, 3].map((size) => ask(recognizer, size))), { batch: 2 });
  assert.deepEqual(logged().slice(-2), ['batch 1 2', 'batch 3']);
});

test('workers have their own processes and devices', async () => {
  forget();
  const more = { workers: 3, devices: ['cuda:0', 'cuda:1'], batch: 1 };
  await opened('', (recognizer) => Promise.all([1, 2, 3].map((size) => ask(recognizer, size))), more);
  assert.deepEqual(
    logged()
      .filter((line) => !line.startsWith('batch'))
      .toSorted(),
    ['open cuda:0', 'open cuda:0', 'open cuda:1', 'start 0 cuda:0', 'start 1 cuda:1', 'start 2 cuda:0'],
  );
});

for (const [deed, kind, message] of [
  [
    'die',
    'crash',
    /^the program ended with exit status 9 with 1 clip unanswered; its last words: Traceback: out of memory$/,
  ],
  ['abort', 'crash', /^the program was ended by SIGABRT/],
  [
    'print',
    'garbage',
    /^the program printed "now recognizing" where only lines of the protocol may stand; .* standard error$/,
  ],
  ['huge', 'garbage', /^the program printed a line of more than 16777216 bytes$/],
  ['wrong id', 'garbage', /^the program answered clip 99, which it was not asked/],
  ['no text', 'garbage', /^the program said .*, but text: /],
  [
    'latin-1',
    'garbage',
    /^the program printed a line that is no UTF-8 text: byte \d+ \(0xe9\) is not part of any UTF-8 character$/,
  ],
  ['surrogate', 'garbage', /^the program said .*, but "text" has half of a surrogate pair/],
  ['nul', 'garbage', /^the program said .*, but "text" has the character U\+0000/],
  ['deep', 'garbage', /^the program said .*, but "details" has more than 64 lists and objects in each other$/],
  ['many words', 'garbage', /^the program answered clip \d+ with what cannot be kept: "words" has 200001 entries/],
  ['large details', 'garbage', /^the program answered clip \d+ .*: "details" has 65544 characters of JSON/],
] as const) {
  test(`${deed}: in the middle of a batch it costs the clip to blame alone, and the program is started again`, async () => {
    forget();
    await opened(deed, async (recognizer) => {
      const answers = await Promise.allSettled([1, 2, 13, 4, 5].map((size) => ask(recognizer, size)));
      const texts = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : 'failed'));
      assert.deepEqual(texts, ['1', '2', 'failed', '4', '5']);
      await fails(ask(recognizer, 13), kind, message);
      assert.equal(await ask(recognizer, 7), '7');
    });
    const batches = logged().filter((line) => line.startsWith('batch'));
    assert.equal(batches[0], 'batch 1 2 13 4 5');
    // What was answered before is not asked again, and the rest one by one.
    assert.deepEqual(batches.slice(1, 4).toSorted(), ['batch 13', 'batch 4', 'batch 5']);
    assert.ok(!batches.includes('batch 1') && !batches.includes('batch 2'), batches.join('; '));
  });
}

for (const deed of ['exit after each answer', 'answer twice']) {
  test(`${deed}: no clip is lost to what was asked before it`, async () => {
    await opened(deed, async (recognizer) => {
      const sizes = [1, 2, 3, 4, 5];
      assert.deepEqual(await Promise.all(sizes.map((size) => ask(recognizer, size))), sizes.map(String));
      for (const size of sizes) assert.equal(await ask(recognizer, size), String(size));
    });
  });
}

test('a program that asks to be left alone for longer than a run waits is not waited for', async () => {
  await opened('long wait', async (recognizer) => {
    await assert.rejects(ask(recognizer, 13), {
      kind: 'unavailable',
      message: 'busy, to be asked again in 16.7 hours',
      retryable: false,
    });
    assert.equal(await ask(recognizer, 3), '3');
  });
});

test('a failure of its own keeps its kind and what it asks for', async () => {
  await opened('busy', async (recognizer) => {
    await assert.rejects(ask(recognizer, 13), {
      kind: 'unavailable',
      message: 'busy',
      retryable: true,
      retryAfterSeconds: 2,
    });
  });
});

test('a clip that is given up is cancelled; a program that does not let it go is started again', async () => {
  for (const [deed, starts] of [
    ['hang', 1],
    ['deaf', 2],
  ] as const) {
    forget();
    await opened(deed, async (recognizer) => {
      const started = performance.now();
      await fails(ask(recognizer, 13, AbortSignal.timeout(100)), 'error', /given up/);
      assert.ok(performance.now() - started < 10_000);
      assert.equal(await ask(recognizer, 3), '3');
    });
    assert.equal(logged().filter((line) => line.startsWith('start')).length, starts, deed);
  }
});

test('a language that it does not name is refused', async () => {
  await opened('', async (recognizer) => {
    assert.equal(await ask(recognizer, 3, neverAborted, 'de-CH'), '3');
    await fails(ask(recognizer, 3, neverAborted, 'fr'), 'refused', /^odd recognizes en, de-AT, but not fr$/);
  });
});

for (const [deed, code, message, more] of [
  ['exit at start', 'missing-program', /exit status 3; its last words: ModuleNotFoundError: no model$/, {}],
  ['print at start', 'missing-program', /printed "Loading model…" where only lines/, {}],
  ['unable', 'missing-program', /^CUDA is not there$/, {}],
  ['large facts', 'missing-program', /, but "facts" has 65544 characters of JSON, more than 65536$/, {}],
  ['nul in a name', 'missing-program', /, but "facts" has the character U\+0000/, {}],
  ['later', 'missing-program', /speaks version 2 of the protocol, and earwitness version 1/, {}],
  ['silent', 'nothing-answered', /did not answer "hello" within 0\.3 s/, { startLimitSeconds: 0.3 }],
] as const) {
  test(`${deed}: it cannot be opened, and one sentence says why`, async () => {
    await assert.rejects(
      opened(deed, (recognizer) => ask(recognizer, 1), more),
      (error: unknown) => {
        assert.ok(error instanceof EarwitnessError, String(error));
        assert.equal(error.code, code);
        assert.match(error.message, message);
        return true;
      },
    );
  });
}

test('a program that is not there is named', async () => {
  const opening = (named: string) => program.open(program.options.parse({ program: [named] }), services);
  await assert.rejects(opening('./nothing-here'), /expected a program at \.\/nothing-here, but there is none/);
  await assert.rejects(opening('no-such-program'), /no-such-program could not be started: there is none of that name/);
});

test('its identity is what it says of itself; without a version in the config each run asks anew', async () => {
  const described = (options: object) =>
    program.describe(program.options.parse({ program: [process.execPath, script], ...options }), services);
  const { identity, pinned, concurrency, batch } = await described({ devices: ['cuda:1'], workers: 2, batch: 4 });
  assert.deepEqual(
    { pinned, concurrency, batch, name: identity.name, version: identity.version, device: identity.device },
    { pinned: false, concurrency: 8, batch: 4, name: 'odd', version: '1', device: 'cuda' },
  );
  assert.equal((await described({ version: '7' })).pinned, true);
});
