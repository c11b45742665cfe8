import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from './cli/testing/run-command.ts';
import { compareRuns, openStore, openWaveformGradient, run, verifyBundle, writeBundle } from './index.ts';
import { writeTinyCtc } from './recognizers/transformers/testing/tiny-ctc.ts';

/** Every function of an entry, with the text that stands before it where it is written. */
function functions(entry: string): (readonly [name: string, before: string])[] {
  const file = join(import.meta.dirname, entry);
  const face = readFileSync(file, 'utf8');
  const written: (readonly [string, string])[] = [[entry, face]];
  for (const [, , from] of face.matchAll(/^export \{([^}]*)\} from '([^']+)'/gm))
    written.push([from!, readFileSync(join(dirname(file), from!), 'utf8')]);
  return written.flatMap(([, text]) =>
    [...text.matchAll(/^export (?:async )?function (\w+)/gm)]
      .filter(([, name]) => new RegExp(`\\b${name}\\b`).test(face))
      .map((found) => [found[1]!, text.slice(0, found.index)] as const),
  );
}

test('every function of the package is documented where it is written: what it does, and an example', () => {
  const found = [...functions('index.ts'), ...functions('studies/studies.ts')];
  assert.ok(found.length > 22, `${found.length} functions`);
  for (const [name, before] of found) {
    assert.match(before, /\*\/\n$/, `${name} has no documentation`);
    assert.match(before.slice(before.lastIndexOf('/**')), /@example/, `${name} has no example`);
  }
});

test('a run is read, compared and bundled from its store, which gives nothing to write with', async () => {
  await using folder = await temporaryFolder();
  writeFileSync(folder.file('said.tsv'), 'id\treference\na\tso say all of us\nb\tthe sea is high\n');
  await run(
    {
      corpus: { type: 'manifest', file: 'said.tsv', language: 'en' },
      recognizers: {
        parrot: { type: 'scripted', answers: { a: 'so say all of us', b: 'the sea is high' } },
        deaf: { type: 'scripted', default: 'so' },
      },
      studies: [{ type: 'robustness', conditions: [] }],
    },
    { baseFolder: folder.path },
  );
  const file = folder.file('.earwitness/store.sqlite');
  {
    using store = await openStore(file);
    const last = store.run('last')!;
    const heard = [...store.trials(last.id)].map(({ utterance, recognizer, observation }) => [
      utterance.reference,
      last.recognizers[recognizer]!.name,
      observation.transcript?.text,
    ]);
    assert.deepEqual(heard, [
      ['so say all of us', 'parrot', 'so say all of us'],
      ['so say all of us', 'deaf', 'so'],
      ['the sea is high', 'parrot', 'the sea is high'],
      ['the sea is high', 'deaf', 'so'],
    ]);
    const [finding] = await compareRuns(store, 'last:parrot', 'last:deaf', { normalizer: 'basic' });
    assert.match(finding!.title, /deaf/);
    const writer = store as { keepWarnings?(id: string, warnings: readonly string[]): void };
    assert.throws(() => writer.keepWarnings!(last.id, ['changed']));
    assert.deepEqual(store.warnings(last.id)?.includes('changed'), false);
  }
  await writeBundle(file, 'last', folder.file('evidence.jsonl.gz'));
  assert.equal((await verifyBundle(folder.file('evidence.jsonl.gz'))).verdict, 'verified');
});

test('the gradient of a recognizer leads to a clip that it mishears', async () => {
  await using folder = await temporaryFolder();
  const gradient = await openWaveformGradient({ folder: writeTinyCtc(folder.file('model')) });
  const samples = Float32Array.from({ length: 6400 }, (_, n) =>
    n % 3200 < 1600 ? 0.5 * Math.sin((2 * Math.PI * (n < 3200 ? 500 : 2000) * n) / gradient.sampleRateHz) : 0,
  );
  assert.equal(await gradient.transcribe(samples), 'ab');
  const { loss, gradient: slope } = await gradient.lossAndGradient(samples, 'ab');
  const length = Math.hypot(...slope);
  const attacked = samples.map((value, at) => value + (12 * slope[at]!) / length);
  assert.ok((await gradient.lossOf(attacked, 'ab')) > loss + 1);
  assert.notEqual(await gradient.transcribe(attacked), 'ab');
  await gradient.dispose();
});
