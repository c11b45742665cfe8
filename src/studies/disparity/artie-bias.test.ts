import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { artieBias } from '../../corpora/artie-bias/artie-bias.ts';
import { testServices, utterancesOf } from '../../corpora/conformance.ts';
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

interface Found {
  readonly groups: readonly {
    readonly name: string;
    readonly recognizer: string;
    readonly counted: boolean;
    readonly wordErrors: number;
    readonly words: number;
    readonly utterances: number;
    readonly wordErrorRate: { readonly value: number };
  }[];
  readonly subgroups: readonly {
    readonly attributes: readonly string[];
    readonly values: readonly string[];
    readonly speakers: number;
  }[];
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

  const words = (text: string) => normalizerNamed('english').words(text);
  const people = table('artie-bias-corpus.tsv').map(([speaker, path, sentence, , , age, gender, accent]) => ({
    speaker: speaker!,
    stem: path!.replace(/\.\w+$/, ''),
    said: words(sentence!),
    values: [gender, ages[age!], accents[accent!] ?? accent].map((value) => (value === 'NA' ? undefined : value)),
  }));
  const attributes = ['sex', 'ageGroup', 'accent'];
  // Some are `other` by sex and some by accent.
  const keyOf = (by: readonly string[], values: readonly (string | undefined)[]) => JSON.stringify([by, values]);
  // All groups of one attribute and of two: sex and age, sex and accent, age and accent.
  const groups = new Map<string, typeof people>();
  for (const one of people) {
    for (const places of [[0], [1], [2], [0, 1], [0, 2], [1, 2]]) {
      const values = places.map((place) => one.values[place]);
      if (values.includes(undefined)) continue;
      const name = keyOf(
        places.map((place) => attributes[place]!),
        values,
      );
      groups.set(name, [...(groups.get(name) ?? []), one]);
    }
  }
  assert.deepEqual(found.subgroups.map((one) => keyOf(one.attributes, one.values)).sort(), [...groups.keys()].sort());
  for (const [number, name] of names.entries()) {
    const said = new Map(table(`${name}.tsv`).map(([path, text]) => [path!.replace(/\.\w+$/, ''), words(text ?? '')]));
    const errors = new Map(people.map((one) => [one.stem, edits(one.said, said.get(one.stem)!)]));
    const total = (some: typeof people) => ({
      wordErrors: some.reduce((sum, { stem }) => sum + errors.get(stem)!, 0),
      words: some.reduce((sum, one) => sum + one.said.length, 0),
    });
    const whole = total(people);
    const mine = found.recognizers.find(({ recognizer }) => recognizer === name)!;
    assert.deepEqual({ wordErrors: mine.wordErrors, words: mine.words }, whole, name);
    const distances: number[] = [];
    for (const [place, { attributes: by, values, speakers }] of found.subgroups.entries()) {
      const some = groups.get(keyOf(by, values))!;
      const { recognizer, counted, wordErrors, words, utterances, wordErrorRate } =
        found.groups[place * names.length + number]!;
      const own = { ...total(some), utterances: some.length, speakers: new Set(some.map((one) => one.speaker)).size };
      assert.deepEqual({ recognizer, wordErrors, words, utterances, speakers }, { recognizer: name, ...own });
      assert.equal(wordErrorRate.value, own.wordErrors / own.words, `${name} ${values}`);
      assert.equal(counted, own.speakers >= 10, `${values}`);
      if (counted) distances.push(Math.abs(own.wordErrors / own.words - whole.wordErrors / whole.words));
    }
    const mean = distances.reduce((sum, distance) => sum + distance, 0) / distances.length;
    assert.ok(Math.abs(mine.meanDisparity.value - mean) < 1e-12, `${name} ${mean}`);
    mine.disparities.forEach((disparity, place) => {
      assert.ok(Math.abs(disparity - distances[place]!) < 1e-12);
    });
    assert.equal(mine.disparities.length, distances.length);
  }
});
