import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Estimate, Finding } from '../../model/finding.ts';
import type { Utterance } from '../../model/utterance.ts';
import { countEdits } from '../../scoring/alignment/align.ts';
import { normalizerNamed } from '../../scoring/normalizers/normalizers.ts';
import { inventedContext, inventedRun, recognizerNamed, spoken } from '../shared/testing/testing.ts';
import { fewReferences } from './few-references.ts';

const shared = fileURLToPath(new URL('../../../../shared/data/asr-outputs/artie-bias/', import.meta.url));
const skip = existsSync(shared) ? false : 'shared/data/asr-outputs is not beside the repository';
const names = ['amazon-en-US', 'google-en-IN', 'deepspeech-0.7.3'];

const table = (file: string) =>
  readFileSync(shared + file, 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t'));
const stem = (path: string) => path.replace(/\.\w+$/, '');

test('of three recognizers a seventh of the references tells the rate of all clips, and tells it narrower than alone', {
  skip,
}, async () => {
  const utterances: Utterance[] = table('artie-bias-corpus.tsv').map(([speaker, path, sentence, , , , gender]) =>
    spoken(stem(path!), sentence!, { speaker: speaker!, attributes: { sex: gender! } }),
  );
  const heard = new Map(
    names.flatMap((name) =>
      table(`${name}.tsv`).map(([path, text]) => [`${name} ${stem(path!)}`, text ?? ''] as const),
    ),
  );
  const finding: Finding = await inventedRun(
    fewReferences,
    { groupBy: ['sex'], share: 0.15, verdict: 'distance' },
    inventedContext(
      utterances,
      names.map((name) => recognizerNamed(name, { input: 'names' })),
    ),
    ({ recognizer, utterance }) => heard.get(`${recognizer} ${utterance.id}`)!,
  );
  const rows = finding.sections
    .flatMap(({ tables }) => tables ?? [])
    .find(({ id }) => id === 'few-references-rates')!.rows;
  const { words } = normalizerNamed('plain');
  for (const name of names) {
    const row = rows.find(({ recognizer, group }) => recognizer === name && group === 'everybody')!;
    // All references, counted here again: what a few of them should have told.
    const total = { errors: 0, words: 0 };
    for (const { id, reference } of utterances) {
      const { substitutions, deletions, insertions } = countEdits(
        words(reference!),
        words(heard.get(`${name} ${id}`)!),
      );
      total.errors += substitutions + deletions + insertions;
      total.words += words(reference!).length;
    }
    const [powered, sample] = [row.powered as Estimate, row.sample as Estimate];
    const truth = total.errors / total.words;
    assert.ok(Math.abs((row.byAll as Estimate).value! - truth) < 1e-12, name);
    assert.ok(powered.low! < truth && truth < powered.high!, `${name}: ${powered.low} ${truth} ${powered.high}`);
    assert.ok(powered.high! - powered.low! < 0.9 * (sample.high! - sample.low!), name);
  }
});
