import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { artieBias } from '../../corpora/artie-bias/artie-bias.ts';
import { testServices, utterancesOf } from '../../corpora/conformance.ts';
import { estimateAt, type Row, rowsOf, textAt } from '../../model/finding-rows.ts';
import { recorded } from '../../recognizers/recorded/recorded.ts';
import { plainServices } from '../../recognizers/testing/tones.ts';
import { normalizerNamed } from '../../scoring/normalizers/normalizers.ts';
import { inventedContext, inventedRun, recognizerNamed } from '../shared/testing/testing.ts';
import { disparity } from './disparity.ts';

const shared = fileURLToPath(new URL('../../../../shared/data/asr-outputs/artie-bias/', import.meta.url));
const names = ['amazon-en-US', 'amazon-en-GB', 'amazon-en-IN', 'google-en-US', 'google-en-GB', 'google-en-IN'].concat([
  'deepspeech-0.5.1',
  'deepspeech-0.6.0',
  'deepspeech-0.7.3',
]);

/** The corpus' codes in the names of Common Voice's profile page; others stay as they are. */
const ages: Readonly<Record<string, string>> = {
  teens: 'under 19',
  twenties: '19-29',
  thirties: '30-39',
  fourties: '40-49',
  fifties: '50-59',
  sixties: '60-69',
  seventies: '70-79',
  nineties: '90+',
  NA: 'NA',
};
const accents: Readonly<Record<string, string>> = {
  african: 'Southern African (South Africa, Zimbabwe, Namibia)',
  australia: 'Australian English',
  bermuda: 'West Indies and Bermuda (Bahamas, Bermuda, Jamaica, Trinidad)',
  canada: 'Canadian English',
  england: 'England English',
  hongkong: 'Hong Kong English',
  indian: 'India and South Asia (India, Pakistan, Sri Lanka)',
  ireland: 'Irish English',
  malaysia: 'Malaysian English',
  newzealand: 'New Zealand English',
  philippines: 'Filipino',
  scotland: 'Scottish English',
  singapore: 'Singaporean English',
  southatlandtic: 'South Atlantic (Falkland Islands, Saint Helena)',
  us: 'United States English',
  wales: 'Welsh English',
};

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
      normalizer: 'english',
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

  const words = (text: string) => normalizerNamed('english').words(text);
  const people = table('artie-bias-corpus.tsv').map(([speaker, path, sentence, , , age, gender, accent]) => ({
    speaker: speaker!,
    stem: path!.replace(/\.\w+$/, ''),
    said: words(sentence!),
    values: [gender, ages[age!], accents[accent!] ?? accent].map((value) => (value === 'NA' ? undefined : value)),
  }));
  const attributes = ['sex', 'ageGroup', 'accent'];
  // Some are `other` by sex and some by accent.
  const labelOf = (by: readonly string[], values: readonly (string | undefined)[]) =>
    by.map((attribute, place) => `${attribute} ${values[place]}`).join(' × ');
  // All groups of one attribute and of two: sex and age, sex and accent, age and accent.
  const groups = new Map<string, typeof people>();
  for (const one of people) {
    for (const places of [[0], [1], [2], [0, 1], [0, 2], [1, 2]]) {
      const values = places.map((place) => one.values[place]);
      if (values.includes(undefined)) continue;
      const name = labelOf(
        places.map((place) => attributes[place]!),
        values,
      );
      groups.set(name, [...(groups.get(name) ?? []), one]);
    }
  }
  const rows = rowsOf(finding, 'disparity-groups');
  assert.deepEqual([...new Set(rows.map((row) => textAt(row, 'group')))].sort(), [...groups.keys()].sort());
  assert.equal(rows.length, groups.size * names.length);
  for (const name of names) {
    const said = new Map(table(`${name}.tsv`).map(([path, text]) => [path!.replace(/\.\w+$/, ''), words(text ?? '')]));
    const errors = new Map(people.map((one) => [one.stem, edits(one.said, said.get(one.stem)!)]));
    const rateOf = (some: typeof people) => {
      const n = {
        utterances: some.length,
        speakers: new Set(some.map((one) => one.speaker)).size,
        words: some.reduce((sum, one) => sum + one.said.length, 0),
      };
      return { value: some.reduce((sum, { stem }) => sum + errors.get(stem)!, 0) / n.words, n };
    };
    const told = (row: Row) => {
      const { value, n } = estimateAt(row, 'wordErrorRate');
      return { value, n };
    };
    const whole = rateOf(people);
    const mine = rowsOf(finding, 'disparity-recognizers').find(({ recognizer }) => recognizer === name)!;
    assert.deepEqual(told(mine), whole, name);
    const distances: number[] = [];
    for (const row of rows.filter(({ recognizer }) => recognizer === name)) {
      const own = rateOf(groups.get(textAt(row, 'group'))!);
      assert.deepEqual(told(row), own, `${name} ${row.group}`);
      assert.deepEqual([row.speakers, row.words], [own.n.speakers, own.n.words]);
      assert.equal(row.note === 'yes', own.n.speakers >= 10, `${row.group}`);
      if (row.note === 'yes') distances.push(Math.abs(own.value - whole.value));
    }
    const mean = distances.reduce((sum, distance) => sum + distance, 0) / distances.length;
    assert.ok(Math.abs(estimateAt(mine, 'meanDisparity').value! - mean) < 1e-12, `${name} ${mean}`);
  }
});
