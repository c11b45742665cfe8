import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { artieBias } from '../../corpora/artie-bias/artie-bias.ts';
import { testServices, utterancesOf } from '../../corpora/shared/fixtures.ts';
import { recorded } from '../../recognizers/recorded/recorded.ts';
import { plainServices } from '../../recognizers/shared/plain-services.ts';
import { normalizerNamed } from '../../scoring/normalizers/normalizers.ts';
import { inventedContext, inventedRun, recognizerNamed } from '../shared/invented-run.ts';
import { disparity } from './disparity.ts';

const shared = fileURLToPath(new URL('../../../../shared/data/asr-outputs/artie-bias/', import.meta.url));
const names = ['amazon-en-US', 'amazon-en-GB', 'amazon-en-IN', 'google-en-US', 'google-en-GB', 'google-en-IN'].concat([
  'deepspeech-0.5.1',
  'deepspeech-0.6.0',
  'deepspeech-0.7.3',
]);

interface Found {
  readonly groups: readonly {
    readonly name: string;
    readonly recognizer: string;
    readonly counted: boolean;
    readonly wordErrors: number;
    readonly words: number;
    readonly utterances: number;
  }[];
  readonly subgroups: readonly { readonly values: readonly string[]; readonly speakers: number }[];
  readonly recognizers: readonly {
    readonly recognizer: string;
    readonly wordErrors: number;
    readonly words: number;
    readonly disparities: readonly number[];
    readonly meanDisparity: { readonly value: number };
  }[];
}

/** Least edits between two lists of words, row by row. */
function edits(said: readonly string[], heard: readonly string[]): number {
  let row = heard.map((_, place) => place + 1);
  said.forEach((word, before) => {
    let [corner, left] = [before, before + 1];
    row = heard.map((other, place) => {
      const above = row[place]!;
      left = Math.min(above + 1, left + 1, corner + (word === other ? 0 : 1));
      corner = above;
      return left;
    });
  });
  return row.at(-1) ?? said.length;
}

const table = (file: string) =>
  readFileSync(shared + file, 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t'));

test('nine recognizers on the Artie Bias Corpus: counts, rates and disparities are those of a few lines over its tables', {
  skip: existsSync(shared) ? false : 'shared/data/asr-outputs is not beside the repository',
}, async () => {
  const utterances = await utterancesOf(await artieBias.open({ folder: shared, sounds: false }, testServices('/')));
  const heard = new Map<string, string>();
  for (const name of names) {
    const options = { file: `${name}.tsv`, fileEndings: 'ignored', columns: { utterance: 'path', text: 'prediction' } };
    const recognizer = await recorded.open(recorded.options.parse(options), plainServices(shared));
    for (const { id: utteranceId, language } of utterances) {
      const request = { utteranceId, language, conditionName: 'clean', repeat: 0 };
      const { text } = await recognizer.recognize(request, new AbortController().signal);
      heard.set(`${name} ${utteranceId}`, text);
    }
    await recognizer.close();
  }
  const finding = await inventedRun(
    disparity,
    {
      attributes: ['sex', 'ageGroup', 'accent'],
      profile: 'fairlens',
      orders: [1, 2],
      permutations: 1000,
      resamples: 100,
      model: false,
    },
    inventedContext(
      utterances,
      names.map((name) => recognizerNamed(name)),
    ),
    ({ recognizer, utterance }) => heard.get(`${recognizer} ${utterance.id}`)!,
  );
  const found = finding.data as unknown as Found;

  const words = (text: string) => normalizerNamed('basic').words(text);
  const people = table('artie-bias-corpus.tsv').map(([speaker, path, sentence, , , age, gender, accent]) => ({
    speaker: speaker!,
    stem: path!.replace(/\.\w+$/, ''),
    said: words(sentence!),
    is: (value: string) => [age, gender, accent].includes(value),
  }));
  const known = { female: 'female', male: 'male', 'Canadian English': 'canada', 'England English': 'england' };
  // One of each maker, to spare time; the alignment is the same for all.
  for (const name of ['amazon-en-IN', 'google-en-US', 'deepspeech-0.5.1']) {
    const said = new Map(table(`${name}.tsv`).map(([path, text]) => [path!.replace(/\.\w+$/, ''), words(text ?? '')]));
    const counted = people.map((one) => ({ ...one, errors: edits(one.said, said.get(one.stem)!) }));
    const total = (some: typeof counted) => ({
      wordErrors: some.reduce((sum, { errors }) => sum + errors, 0),
      words: some.reduce((sum, one) => sum + one.said.length, 0),
    });
    const whole = total(counted);
    const mine = found.recognizers.find(({ recognizer }) => recognizer === name)!;
    assert.deepEqual({ wordErrors: mine.wordErrors, words: mine.words }, whole, name);
    for (const [value, code] of [...Object.entries(known), ['female × United States English', 'female us'] as const]) {
      const some = counted.filter(({ is }) => code.split(' ').every(is));
      const place = found.subgroups.findIndex(({ values }) => values.join(' × ') === value);
      const group = found.groups[place * names.length + names.indexOf(name)]!;
      const { wordErrors, words: said, utterances: clips } = group;
      assert.deepEqual({ wordErrors, words: said, clips }, { ...total(some), clips: some.length }, `${name} ${value}`);
      assert.equal(found.subgroups[place]!.speakers, new Set(some.map(({ speaker }) => speaker)).size);
    }
    // Mean distance of the groups of at least 10 speakers from the pooled rate.
    const rates = found.groups
      .filter(({ recognizer, counted: judged }) => recognizer === name && judged)
      .map((group) => group.wordErrors / group.words);
    const distances = rates.map((rate) => Math.abs(rate - whole.wordErrors / whole.words));
    const mean = distances.reduce((sum, distance) => sum + distance, 0) / distances.length;
    assert.ok(Math.abs(mine.meanDisparity.value - mean) < 1e-12, `${name} ${mean}`);
  }
});
