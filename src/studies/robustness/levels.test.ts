import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { EarwitnessError } from '../../base/errors.ts';
import { createRandom } from '../../base/random.ts';
import type { Estimate, Finding, Table } from '../../model/finding.ts';
import { comparisonAt, estimateAt } from '../../model/finding-rows.ts';
import { reasonText } from '../../model/reason.ts';
import type { Trial } from '../../model/trial.ts';
import type { Utterance } from '../../model/utterance.ts';
import { earwitness } from '../../perturbations/ladders/earwitness.ts';
import { srb } from '../../perturbations/ladders/srb.ts';
import { srbTable3 } from '../../scoring/srb/table-3.ts';
import type { Batch } from '../contract.ts';
import {
  failedWith,
  type Invention,
  inventedContext,
  inventedRun,
  near,
  recognizerNamed,
  rowOf,
  rowsOf,
  spoken,
  withErrors,
} from '../shared/testing/testing.ts';
import { robustness } from './robustness.ts';
import { srbDifficulty, srbRecordedDifficulty } from './srb-difficulties.ts';

const a = recognizerNamed('a');
const b = recognizerNamed('b');
const minimumSpeakers = 2;

/** What stands of a level of all data sets, or of a language or corpus. */
function levelOf(finding: Finding, level: string, name = '', scope = '', recognizer = 'a') {
  const tables: Readonly<Record<string, string>> = { family: 'families', scenario: 'scenarios' };
  const table = `robustness-${scope === '' ? (tables[level] ?? 'levels') : 'levels-apart'}`;
  const row = rowOf(finding, table, {
    ...{ recognizer, name: name === '' ? 'all scenarios' : name },
    ...(scope !== '' && { level, scope }),
  });
  return {
    row,
    wordErrorRate: estimateAt(row, 'wordErrorRate'),
    degradation: estimateAt(row, 'degradation'),
    normalizedRate: estimateAt(row, 'normalizedRate'),
    normalizedDegradation: estimateAt(row, 'normalizedDegradation'),
  };
}
const tableOf = (finding: Finding, id: string): Table =>
  finding.sections.flatMap(({ tables }) => tables ?? []).find((table) => table.id === id)!;

const words = Array.from({ length: 10 }, (_, index) => `word${'abcdefghij'[index]}`).join(' ');

/** Ten words by each of so many speakers. */
function speakers(count: number, prefix: string, more: Partial<Utterance> = {}): Utterance[] {
  return Array.from({ length: count }, (_, index) =>
    spoken(`${prefix}${index}`, words, { language: 'en', speaker: `${prefix}${index}`, ...more }),
  );
}

/** A transcript with so many of the ten words wrong. */
const wrong = (errors: number) => withErrors(words, errors);

const within = (errors: Readonly<Record<string, number>>): Invention => {
  return ({ condition: { name } }) => wrong(errors[name] ?? 0);
};

test('Families, categories and the whole are means of means soundly, and flat means of categories as the benchmark has them.', async () => {
  const conditions = ['srb/gnoise:1', 'srb/gnoise:4', 'srb/bass:1', 'srb/bass:2', 'srb/treble:1'];
  const errors = {
    clean: 1,
    'srb/gnoise:1': 3,
    'srb/gnoise:4': 9,
    'srb/bass:1': 0,
    'srb/bass:2': 2,
    'srb/treble:1': 5,
  };
  const run = (profile: string) =>
    inventedRun(
      robustness,
      { conditions, profile, minimumSpeakers, normalizer: 'srb' },
      inventedContext(speakers(4, 's'), [a], { ladders: [srb] }),
      within(errors),
    );
  const [sound, flat, paper] = [await run('sound'), await run('srb'), await run('srb-paper')];
  // Of special effects: bass -.1 and .1, treble .4.
  near(levelOf(sound, 'category', 'special effects').degradation.value, (0 + 0.4) / 2);
  near(levelOf(flat, 'category', 'special effects').degradation.value, (0 + 0.1 + 0.4) / 3);
  near(levelOf(paper, 'category', 'special effects').degradation.value, (-0.1 + 0.1 + 0.4) / 3);
  near(levelOf(sound, 'overall').degradation.value, ((0.2 + 0.8) / 2 + 0.2) / 2);
  near(levelOf(flat, 'overall').degradation.value, ((0.2 + 0.8) / 2 + 0.5 / 3) / 2);
  near(levelOf(sound, 'overall').wordErrorRate.value, (0.6 + (0.1 + 0.5) / 2) / 2);
  near(levelOf(sound, 'family', 'srb/bass').degradation.value, 0);
  near(levelOf(flat, 'scenario', 'srb/bass:1').degradation.value, 0);
  near(levelOf(sound, 'scenario', 'srb/bass:1').degradation.value, -0.1);
  // Points of LibriSpeech, which stands in for an English corpus: 14.093, 18.4787, 8.0562.
  const points = (finding: Finding) => levelOf(finding, 'category', 'special effects').normalizedDegradation.value;
  near(points(flat), (100 * (0 + 0.1 / 18.4787 + 0.4 / 8.0562)) / 3);
  near(points(sound), (100 * ((-0.1 / 14.093 + 0.1 / 18.4787) / 2 + 0.4 / 8.0562)) / 2);
  const table = tableOf(flat, 'robustness-table-1');
  assert.deepEqual(table.columns.map(({ label }) => label).slice(0, 4), ['Lang', 'Model', 'clean (WER)', 'accent']);
  const [row] = table.rows;
  near((row!['special effects'] as Estimate).value, points(flat)!);
  near(
    (row!.average as Estimate).value,
    ((row!['white noise'] as Estimate).value! + (row!['special effects'] as Estimate).value!) / 2,
  );
});

test('AVG is the mean of the categories, and 205 % over 29.29 points is 700 %, as Table 1 of the paper prints it.', async () => {
  // The 205 and 700 are of Canary and Spanish accents; rates of the others are as many per cent of 100 points.
  const rates: Readonly<Record<string, number>> = { accent: 2.05, audio: 0.2, env: 0.2, white: 0.1, sfx: 0.3 };
  const names = Object.keys(rates);
  const conditions = names.map((name) => ({ name, steps: [{ perturbation: 'gain', parameters: { factor: 2 } }] }));
  const finding = await inventedRun(
    robustness,
    {
      conditions,
      profile: 'srb',
      normalizer: 'srb',
      minimumSpeakers,
      difficulties: Object.fromEntries(names.map((name) => [name, name === 'accent' ? 29.29 : 100])),
    },
    inventedContext(speakers(2, 's'), [a]),
    ({ utterance: { id }, condition: { name } }) =>
      name === 'accent'
        ? `${words} ${'x '.repeat(id === 's0' ? 20 : 21)}` // 41 words added to 20
        : wrong(10 * (rates[name] ?? 0)),
  );
  const accent = levelOf(finding, 'category', 'accent').normalizedDegradation;
  near(accent.value, 205 / 29.29);
  assert.equal(Math.round(100 * accent.value!), 700);
  near(levelOf(finding, 'overall').normalizedDegradation.value, (205 / 29.29 + 0.2 + 0.2 + 0.1 + 0.3) / 5);
});

test('A scenario without answers is missing and counted, and so is one without a difficulty.', async () => {
  const own = { name: 'own', steps: [{ perturbation: 'gain', parameters: { factor: 2 } }] };
  const finding = await inventedRun(
    robustness,
    { conditions: ['srb/gnoise:1', 'srb/gnoise:2', own], categories: { own: 'white noise' }, minimumSpeakers },
    inventedContext(speakers(3, 's'), [a], { ladders: [srb] }),
    ({ condition: { name } }) => (name === 'srb/gnoise:2' ? failedWith('timeout') : wrong(name === 'clean' ? 0 : 4)),
  );
  const row = levelOf(finding, 'category', 'white noise');
  assert.deepEqual([row.row.scenarios, row.row.missing], [3, 1]);
  const points = rowsOf(finding, 'robustness-difficulties').map(({ points }) => points);
  assert.equal(points.filter((one) => one === null).length, 1);
  near(row.degradation.value, 0.4);
  near(row.normalizedDegradation.value, 40 / 65.0538);
  const missing = levelOf(finding, 'scenario', 'srb/gnoise:2');
  assert.equal(missing.degradation.value, null);
  assert.ok(missing.degradation.reason);
});

test('Corpora and languages are pooled soundly and averaged by the benchmark, stand apart, and differ by a difference with an interval.', async () => {
  const utterances = [
    ...speakers(6, 'l', { attributes: { corpus: 'LibriSpeech' } }),
    ...speakers(12, 't', { attributes: { corpus: 'TEDLIUM' } }),
    ...speakers(5, 'm', { attributes: { corpus: 'MLS-ES' }, language: 'es-ES' }),
  ];
  const errors: Readonly<Record<string, number>> = { l: 2, t: 6, m: 8 };
  const told = (profile: 'sound' | 'srb-paper') =>
    inventedRun(
      robustness,
      { conditions: ['srb/gnoise:1'], profile, minimumSpeakers },
      inventedContext(utterances, [a, b], { ladders: [srb] }),
      ({ utterance: { id }, condition: { name }, recognizer }) =>
        wrong(name === 'clean' ? 1 : errors[id[0]!]! + (recognizer === 'b' && id.startsWith('m') ? 1 : 0)),
    );
  const pooled = (6 * 2 + 12 * 6 + 5 * 8) / 230;
  for (const [profile, rate, english, more] of [
    ['sound', pooled, (6 * 0.1 + 12 * 0.5) / 18, 5 / 230],
    ['srb-paper', (0.2 + 0.6 + 0.8) / 3, (0.1 + 0.5) / 2, 0.1 / 3],
  ] as const) {
    const finding = await told(profile);
    near(levelOf(finding, 'overall').wordErrorRate.value, rate);
    near(levelOf(finding, 'overall', '', 'language en').degradation.value, english);
    near(levelOf(finding, 'overall', '', 'language es').degradation.value, 0.7);
    near(levelOf(finding, 'overall', '', 'corpus TEDLIUM (en)').normalizedRate.value, 60 / 62.9601);
    near(levelOf(finding, 'overall', '', 'corpus MLS-ES (es)').normalizedRate.value, 80 / 32.8071);
    const [row] = tableOf(finding, 'robustness-languages').rows;
    assert.deepEqual([row!.language, row!.comparedWith], ['es', 'en']);
    near((row!.difference as Estimate).value, 0.7 - english);
    near((row!.degradation as Estimate).value, 0.7);
    near((row!.otherDegradation as Estimate).value, english);
    const rows = tableOf(finding, 'robustness-conditions').rows;
    near((rows[2]!.wordErrorRate as Estimate).value, pooled);
    const compared = rowsOf(finding, 'robustness-level-comparisons').find(
      ({ measure }) => measure === 'mean word error rate',
    );
    near(Math.abs(comparisonAt(compared!, 'difference').difference.value!), more);
    // One condition alone is the mean soundly; the benchmark's is another number, and says why.
    const means = finding.scores!.columns.filter(({ head }) => head[0] === 'mean').map(({ note }) => note);
    assert.deepEqual(
      means,
      profile === 'sound' ? [] : ['of the 3 scenarios; its 3 corpora count alike, in the other columns all words do'],
    );
  }
});

test('Families count alike in the mean, which is said where it is not the mean of the columns.', async () => {
  const noteFor = async (conditions: readonly string[]) => {
    const finding = await inventedRun(
      robustness,
      { conditions, minimumSpeakers },
      inventedContext(speakers(6, 's'), [a], { ladders: [srb] }),
      () => wrong(1),
    );
    const { head, note } = finding.scores!.columns.at(-1)!;
    return [head.join(' '), note];
  };
  assert.deepEqual(await noteFor(['srb/gnoise:1', 'srb/gnoise:2']), ['mean excl. clean', undefined]);
  assert.deepEqual(await noteFor(['srb/gnoise:1', 'srb/gnoise:2', 'srb/bass:1']), [
    'mean',
    'without clean; each category of conditions counts alike',
  ]);
});

test('Behind a mean over data sets stand the speakers of all of them, each once, in rates as in comparisons.', async () => {
  const utterances = [
    ...speakers(6, 'l', { attributes: { corpus: 'LibriSpeech' } }),
    ...speakers(12, 't', { attributes: { corpus: 'TEDLIUM' } }),
    // Two of them read for both corpora.
    ...speakers(2, 'l', { attributes: { corpus: 'MLS-ES' }, language: 'es-ES' }).map((one) => ({
      ...one,
      id: `m-${one.id}`,
    })),
  ];
  const finding = await inventedRun(
    robustness,
    { conditions: ['srb/gnoise:1', 'srb/bass:1'], minimumSpeakers },
    inventedContext(utterances, [a, b], { ladders: [srb] }),
    ({ recognizer }) => wrong(recognizer === 'a' ? 1 : 2),
  );
  const size = { utterances: 20, speakers: 18, words: 400 };
  const rate = levelOf(finding, 'overall').wordErrorRate.n;
  assert.deepEqual([rate.utterances, rate.speakers, rate.words], Object.values(size));
  const compared = rowsOf(finding, 'robustness-level-comparisons');
  assert.ok(compared.length > 1);
  for (const row of compared) {
    const { utterances, speakers } = comparisonAt(row, 'difference').difference.n;
    assert.deepEqual([utterances, speakers], [size.utterances, size.speakers]);
  }
});

test('Recorded scenarios are heard as they are, once, and compared with the corpus that the profile says.', async () => {
  const utterances = [
    ...speakers(4, 'l', { attributes: { corpus: 'LibriSpeech' } }),
    ...speakers(4, 't', { attributes: { corpus: 'TEDLIUM' } }),
    ...speakers(3, 'n', { attributes: { corpus: 'ami', microphone: 'near' } }),
    ...speakers(3, 'f', { attributes: { corpus: 'ami', microphone: 'far' } }),
  ];
  const errors: Readonly<Record<string, number>> = { l: 2, t: 1, n: 3, f: 6 };
  const batches: Batch[] = [];
  const recorded = [
    { name: 'near', where: { microphone: 'near' }, category: 'social (near field)', difficulty: 'ami/itw_nf_ami' },
    { name: 'far', where: { microphone: ['far'] }, category: 'social (far field)', baseline: 'LibriSpeech' },
  ];
  const asked: Trial[] = [];
  const run = (profile: string) =>
    inventedRun(
      robustness,
      { conditions: ['srb/gnoise:1'], recorded, profile, minimumSpeakers, normalizer: 'srb' },
      inventedContext(utterances, [a], { ladders: [srb] }),
      (trial) => {
        asked.push(trial);
        return wrong(errors[trial.utterance.id[0]!]!);
      },
      batches,
    );
  const [flat, sound] = [await run('srb'), await run('sound')];
  assert.equal(batches[0]!.size, 2 * 8 + 6);
  assert.equal(asked.length, 2 * batches[0]!.size!);
  assert.ok(asked.every(({ utterance, condition }) => condition.name === 'clean' || !/^[nf]/.test(utterance.id)));
  // srb: the least clean rate, .1 of TEDLIUM, unless a corpus is named; soundly two corpora make a choice necessary.
  near(levelOf(flat, 'scenario', 'near').degradation.value, 0.3 - 0.1);
  near(levelOf(flat, 'scenario', 'far').degradation.value, 0.6 - 0.2);
  near(levelOf(flat, 'scenario', 'near').normalizedDegradation.value, 20 / 35.7671);
  assert.equal(levelOf(sound, 'scenario', 'near').degradation.value, null);
  assert.match(reasonText(levelOf(sound, 'scenario', 'near').degradation.reason!), /name its baseline/);
  near(levelOf(sound, 'scenario', 'far').degradation.value, 0.4);
  // Clean sound is the mean of the clean corpora.
  const clean = tableOf(flat, 'robustness-table-1').rows[0]!.clean as Estimate;
  near(clean.value, (0.2 + 0.1) / 2);
  const example = flat.sections
    .flatMap(({ examples }) => examples ?? [])
    .find(({ utteranceId }) => /^f/.test(utteranceId))!;
  assert.equal(example.conditionName, 'clean');
  assert.equal(example.transcripts.length, 1);
});

test('A recorded scenario of a language has its regional forms in it.', async () => {
  const utterances = [
    ...speakers(3, 'e', { language: 'en-GB' }),
    ...speakers(3, 'c', { language: 'zh-CN' }),
    ...speakers(3, 't', { language: 'zh-TW' }),
  ];
  const asked = async (language: string) => {
    const heard = new Set<string>();
    await inventedRun(
      robustness,
      { conditions: ['srb/gnoise:1'], recorded: [{ name: 'other', where: { language } }], minimumSpeakers },
      inventedContext(utterances, [a], { ladders: [srb] }),
      ({ utterance, condition }) => {
        if (condition.name !== 'clean') heard.add(utterance.id[0]!);
        return '';
      },
    );
    return [...heard].sort().join('');
  };
  // What is a scenario by itself is heard in no other.
  assert.deepEqual([await asked('zh'), await asked('zh_TW'), await asked('English')], ['e', 'ce', 'ct']);
});

test('A recorded scenario to which nothing belongs, or whose name is taken, is refused with a sentence.', async () => {
  const run = (recorded: object) =>
    inventedRun(robustness, { conditions: [], recorded: [recorded] }, inventedContext(speakers(2, 's'), [a]), () => '');
  for (const recorded of [
    { name: 'far', where: { microphone: 'far' } },
    { name: 'clean', where: { speaker: 's1' } },
  ]) {
    await assert.rejects(run(recorded), (error) => error instanceof EarwitnessError && error.code === 'bad-config');
  }
});

test('LWERR divides the mean rates of two groups in a category, the first group over the second.', async () => {
  const utterances = [
    ...speakers(5, 'f', { attributes: { sex: 'F' } }),
    ...speakers(7, 'm', { attributes: { sex: 'M' } }),
  ];
  const errors = (trial: Trial) => {
    const noisy = trial.condition.name === 'srb/gnoise:2' ? 2 : 0;
    return trial.utterance.id.startsWith('f') ? 6 + noisy : 1 + noisy;
  };
  const finding = await inventedRun(
    robustness,
    { conditions: ['srb/gnoise:1', 'srb/gnoise:2'], minimumSpeakers },
    inventedContext(utterances, [a], { ladders: [srb] }),
    (trial) => wrong(errors(trial)),
  );
  const row = tableOf(finding, 'robustness-group-ratios').rows.find(({ category }) => category === 'white noise')!;
  assert.deepEqual([row.group, row.comparedWith], ['F', 'M']);
  near((row.ratio as Estimate).value, Math.log2(0.7 / 0.2));
  assert.deepEqual((row.ratio as Estimate).n, { utterances: 12, speakers: 12, words: 240 });
  assert.equal(
    tableOf(finding, 'robustness-group-ratios').note,
    "Each group's rates are averaged over the scenarios, and then divided. Intervals are not corrected for their number.",
  );
});

test('The variance from draw to draw is that of the draws’ rates, and only what chance is in has one.', async () => {
  const errors = [1, 2, 4, 7];
  const finding = await inventedRun(
    robustness,
    { conditions: ['srb/gnoise:1', 'srb/gain:1'], draws: 4, minimumSpeakers },
    inventedContext(speakers(5, 's'), [a], { ladders: [srb], isRandom: async (name) => name === 'white-noise' }),
    ({ draw, condition: { name } }) => wrong(name === 'clean' ? 0 : errors[draw]!),
  );
  const { rows } = tableOf(finding, 'robustness-draws');
  assert.deepEqual(
    rows.map(({ condition }) => condition),
    ['srb/gnoise:1'],
  );
  // Mean .35; squares .0625 + .0225 + .0025 + .1225 = .21; over 3.
  near((rows[0]!.variance as Estimate).value, 0.07);
  assert.equal(rows[0]!.draws, 4);
});

test('Intervals of a mean over scenarios hold what draws add: they hold the truth as often as they say.', async () => {
  let held = 0;
  const runs = 120;
  for (let run = 0; run < runs; run++) {
    const finding = await inventedRun(
      robustness,
      { conditions: ['srb/gnoise:1', 'srb/gain:1'], draws: 2, resamples: 200, difficulties: null },
      inventedContext(speakers(14, 's'), [a], { ladders: [srb], seed: run }),
      ({ utterance, condition: { name }, draw }) => {
        // Half of a speaker's errors are his own, half of the draw.
        const own = createRandom([run, utterance.id]).next();
        const drawn = createRandom([run, utterance.id, name, draw]).next();
        return wrong(name === 'clean' ? 1 : Math.floor(5 * own) + Math.floor(5 * drawn));
      },
    );
    const { low, high } = levelOf(finding, 'overall').wordErrorRate;
    if (low! <= 0.4 && high! >= 0.4) held++;
  }
  // 95 % of 120 is 114; a binomial of .95 is below 105 once in 10,000 times.
  assert.ok(held >= 105, `${held} of ${runs}`);
});

test('Recognizers are compared over all scenarios and by category, and equal ones are not told apart.', async () => {
  const compare = async (errors: number) => {
    const finding = await inventedRun(
      robustness,
      { conditions: ['srb/gnoise:1', 'srb/bass:1'] },
      inventedContext(speakers(12, 's'), [a, b], { ladders: [srb] }),
      ({ utterance, recognizer, condition: { name } }) => {
        const own = Math.floor(3 * createRandom([utterance.id, recognizer, name]).next());
        return wrong(own + (recognizer === 'b' && name !== 'clean' ? errors : 0));
      },
    );
    const rows = tableOf(finding, 'robustness-level-comparisons').rows;
    // One question has one p: where a category is one condition, the rates of that condition are compared, and no mean of it.
    assert.deepEqual(
      rows.flatMap(({ measure, category }) => (measure === 'mean word error rate' ? [category] : [])),
      ['all scenarios'],
    );
    return rows;
  };
  const worse = await compare(5);
  // Two means over everything, what is lost in two categories of one condition each, and the pooled rate.
  assert.equal(worse.length, 5);
  assert.ok(worse.every(({ verdict, recognizer }) => verdict === 'worse' && recognizer === 'b'));
  assert.ok((await compare(0)).every(({ verdict }) => verdict === 'cannot tell'));
});

test('A benchmark’s mean over languages of which one has too few speakers tells nobody apart, and the claim on clean audio ranks what it counts.', async () => {
  const finding = await inventedRun(
    robustness,
    { conditions: ['srb/gnoise:1', 'srb/bass:1'], profile: 'srb-paper' },
    inventedContext([...speakers(20, 'e'), ...speakers(1, 'd', { language: 'de' })], [a, b], { ladders: [srb] }),
    ({ utterance: { id }, recognizer, condition: { name } }) => {
      const own = Math.floor(3 * createRandom([id, recognizer, name]).next());
      return wrong(id.startsWith('d') ? 0 : own + (recognizer === 'b' ? 3 : 0));
    },
  );
  const compared = tableOf(finding, 'robustness-level-comparisons').rows.filter(({ measure }) =>
    String(measure).startsWith('mean'),
  );
  assert.ok(compared.length > 0);
  for (const { verdict, difference } of compared) {
    assert.equal(verdict, 'cannot tell');
    assert.match(reasonText((difference as Estimate).reason!), /10 speakers in each data set, and one has 1$/);
  }
  const { columns } = tableOf(finding, 'robustness-plane');
  assert.equal(columns.find(({ key }) => key === 'clean')!.label, 'Clean audio, mean of 2 data sets');
});

test('The plane has the recognizers that no other beats on its front, and its table says so.', async () => {
  const rates: Readonly<Record<string, readonly [number, number]>> = { a: [1, 6], b: [2, 4], c: [3, 8] };
  const finding = await inventedRun(
    robustness,
    { conditions: ['srb/gnoise:1'], minimumSpeakers },
    inventedContext(speakers(3, 's'), [a, b, recognizerNamed('c')], { ladders: [srb] }),
    ({ recognizer, condition: { name } }) => wrong(rates[recognizer]![name === 'clean' ? 0 : 1]),
  );
  const [plane] = finding.sections[0]!.planes!;
  assert.deepEqual(plane!.front, [0, 1]);
  assert.deepEqual(
    tableOf(finding, 'robustness-plane').rows.map(({ front }) => front),
    ['on it', 'on it', 'beaten'],
  );
});

test('Facts about models make lines and boxes where recognizers are enough, and say why not where they are few.', async () => {
  const models = Array.from({ length: 8 }, (_, index) =>
    recognizerNamed(`m${index}`, {
      facts: { parameters: 10 ** (6 + index / 4), family: index < 4 ? 'small' : 'large', training: 'self' },
    }),
  );
  const run = (recognizers: typeof models) =>
    inventedRun(
      robustness,
      { conditions: ['srb/gnoise:1'], minimumSpeakers },
      inventedContext(speakers(3, 's'), recognizers, { ladders: [srb] }),
      // The larger the better: a word for each half of a tenfold.
      ({ recognizer, condition: { name } }) => wrong(name === 'clean' ? 0 : 9 - Number(recognizer[1])),
    );
  const section = (finding: Finding) => finding.sections.find(({ id }) => id === 'robustness-facts')!;
  const many = section(await run(models));
  const effects = many.tables!.find(({ id }) => id === 'robustness-fact-effects')!;
  // One word of ten less for a quarter of a tenfold; the line drawn begins at .9 for the smallest and ends at .2 for the largest.
  near((effects.rows[0]!.slope as Estimate).value, -0.4);
  const [from, to] = many.planes![0]!.fits![0]!.ends;
  for (const [actual, expected] of [
    [from[0], 1e6],
    [from[1], 0.9],
    [to[0] / 10 ** 7.75, 1],
    [to[1], 0.2],
  ] as const) {
    near(actual, expected, 1e-9);
  }
  // Nobody says how long any was trained.
  assert.equal(many.planes!.length, 1);
  assert.deepEqual(
    many.boxPlots!.map(({ boxes }) => boxes.map(({ name, median }) => [name, Math.round(1000 * median)])),
    [
      [
        ['small', 750],
        ['large', 350],
      ],
    ],
  );
  assert.deepEqual(
    many.planes![0]!.lines!.map(({ name, points }) => [name, points]),
    [
      ['small', [0, 1, 2, 3]],
      ['large', [4, 5, 6, 7]],
    ],
  );
  assert.match(many.text!.join(' '), /By training, no boxes are drawn/);
  const few = section(await run(models.slice(0, 3)));
  const slope = few.tables!.find(({ id }) => id === 'robustness-fact-effects')!.rows[0]!.slope as Estimate;
  assert.equal(slope.value, null);
  assert.match(reasonText(slope.reason!), /at least 8 recognizers/);
});

const golden = new URL('../../../../shared/golden/srb/difficulty.csv', import.meta.url);

test('The frozen difficulties are the published ones, and those of Table 3.', () => {
  const lines = existsSync(golden) ? readFileSync(golden, 'utf8').trim().split('\n').slice(1) : [];
  let compared = 0;
  for (const line of lines) {
    const [dataset, family, severity, , , , , , difficulty] = line.split(',');
    const expected = difficulty === '' ? null : Number(difficulty);
    const language = dataset === 'MLS-ES' ? 'es' : 'en';
    const single = ['ami', 'chime6', 'common_voice'].includes(dataset!);
    const { value } = single
      ? srbRecordedDifficulty(`${dataset}/${family}`)
      : srbDifficulty({ corpus: dataset!, language }, family!, Number(severity));
    assert.equal(value, expected, line);
    compared++;
  }
  assert.equal(compared, lines.length);
  assert.equal(srbDifficulty({ corpus: null, language: 'de' }, 'bass', 1).value, null);

  // Scenarios that are recordings, each of one data set.
  const recorded = { accent: 'common_voice', itw_ff: 'chime6', itw_nf: 'chime6', itw_ff_ami: 'ami', itw_nf_ami: 'ami' };
  const near = (value: number, printed: number, rounding: number, what: string) =>
    assert.ok(Math.abs(value - printed) <= rounding + 1e-3, `${what}: ${value} for ${printed}`);
  const checked = { recorded: 0, english: 0, all: 0 };
  for (const { family, average, dnsmos, pesq } of srbTable3) {
    if (Object.hasOwn(recorded, family)) {
      const name = `${recorded[family as keyof typeof recorded]}/${family}`;
      near(srbRecordedDifficulty(name).value!, average[0]!, 0.05, name);
      checked.recorded++;
    }
    for (const [index, mean] of average.entries()) {
      const what = `${family} ${index + 1}`;
      // Rows of another perturbation came under this name in the program's own file.
      if (mean === null || pesq[index] === null || what === 'pitch_down 3') continue;
      const of = (corpus: string, language: string) => srbDifficulty({ corpus, language }, family, index + 1).value;
      const [one, two, spanish] = [of('LibriSpeech', 'en'), of('TEDLIUM', 'en'), of('MLS-ES', 'es')];
      if (one === null || two === null) continue;
      if (spanish === null || /^(bass|chorus|treble|tremolo|slowdown 4|tempo_down 4)/.test(what)) {
        // Where there is no PESQ of Spanish, the mean is that of the data sets.
        near(spanish === null ? (one + two) / 2 : (one + two + spanish) / 3, mean, 0.05, what);
        checked.all++;
      } else {
        // Else that PESQ is a fourth member of the mean, and means of three go into both others, which leaves the sum of the English.
        near(one + two, 3 * (dnsmos[index]! + pesq[index]!) - 4 * mean, 0.5, what);
        checked.english++;
      }
    }
  }
  assert.deepEqual(checked, { recorded: 5, english: 77, all: 23 });
});

test('Scenarios of the ladder earwitness are other sounds than those of the published difficulties, and have none.', async () => {
  const difficultyOf = async (condition: string) => {
    const context = inventedContext(speakers(2, 's', { language: 'en' }), [a], { ladders: [srb, earwitness] });
    const options = { conditions: ['srb/bass:1', condition], minimumSpeakers };
    const finding = await inventedRun(robustness, options, context, () => words);
    return rowOf(finding, 'robustness-difficulties', { condition });
  };
  assert.equal(
    (await difficultyOf('srb/gnoise:1')).points,
    srbDifficulty({ corpus: null, language: 'en' }, 'gnoise', 1).value,
  );
  const { points, reason } = await difficultyOf('earwitness/gnoise:1');
  assert.equal(points, null);
  assert.match(String(reason), /belong to the ladder srb/);
});

test('Where no scenario has a difficulty, NWER and NWERD stand empty with the reason, and a sentence says it.', async () => {
  const context = inventedContext(speakers(2, 's', { language: 'en' }), [a], { ladders: [srb, earwitness] });
  const asked = (conditions: string[], difficulties: object | null) =>
    inventedRun(robustness, { conditions, minimumSpeakers, difficulties }, context, () => words);
  for (const finding of [await asked(['srb/gnoise:1'], null), await asked(['srb/gnoise:1'], { 'srb/gnoise:2': 3 })]) {
    const [row] = tableOf(finding, 'robustness-levels').rows;
    const { value, reason } = row!.normalizedDegradation as Estimate;
    assert.equal(value, null);
    assert.match(reasonText(reason!), /no difficulties were asked for|the config gives no difficulty for it/);
    const { text } = finding.sections.find(({ id }) => id === 'robustness-levels')!;
    assert.deepEqual(text, [`There is no NWER and no NWERD: ${reason}.`]);
    assert.ok(tableOf(finding, 'robustness-levels').columns.some(({ key }) => key === 'normalizedDegradation'));
  }
  // Who asked for no ladder with published difficulties reads nothing of them.
  const own = await inventedRun(
    robustness,
    { conditions: ['earwitness/gnoise:1'], minimumSpeakers },
    context,
    () => words,
  );
  const { text } = own.sections.find(({ id }) => id === 'robustness-levels')!;
  assert.deepEqual(text, []);
  assert.ok(!tableOf(own, 'robustness-levels').columns.some(({ key }) => key.startsWith('normalized')));
});

test('A collection that stands in for a published one is not divided by the published difficulty.', async () => {
  const withSounds = (dataSet: string | null) => ({
    ...srb,
    families: srb.families.map((family) => ({
      ...family,
      rungs: family.rungs.map((rung) => ({ ...rung, sounds: [{ collection: 'ms-snsd', sounds: 51, dataSet }] })),
    })),
  });
  const runWith = (dataSet: string | null) => {
    const context = inventedContext(speakers(2, 's', { language: 'en' }), [a], { ladders: [withSounds(dataSet)] });
    const options = { conditions: ['srb/env_noise:1'], minimumSpeakers };
    return inventedRun(robustness, options, context, () => words);
  };
  // Table of LibriSpeech, env_noise, severity 1.
  assert.equal(rowsOf(await runWith('ms-snsd'), 'robustness-difficulties')[0]!.points, 44.6897);
  const { value, reason } = levelOf(await runWith(null), 'overall').normalizedRate;
  assert.equal(value, null);
  assert.match(reasonText(reason!), /to the sounds of ms-snsd, and those of this name in the config are others/);
});

test('Groups and LWERR stand by data set, never pooled: opposite gaps in two corpora do not cancel.', async () => {
  const utterances = [
    ...speakers(4, 'lf', { attributes: { corpus: 'LibriSpeech', sex: 'F' } }),
    ...speakers(4, 'lm', { attributes: { corpus: 'LibriSpeech', sex: 'M' } }),
    ...speakers(4, 'tf', { attributes: { corpus: 'TEDLIUM', sex: 'F' } }),
    ...speakers(4, 'tm', { attributes: { corpus: 'TEDLIUM', sex: 'M' } }),
    ...speakers(3, 'af', { attributes: { corpus: 'cv', sex: 'F' } }),
    ...speakers(3, 'am', { attributes: { corpus: 'cv', sex: 'M' } }),
  ];
  const errors: Readonly<Record<string, number>> = { lf: 8, lm: 2, tf: 2, tm: 8, af: 6, am: 3 };
  const recorded = [{ name: 'accent', where: { corpus: 'cv' }, category: 'accent', baseline: 'LibriSpeech' }];
  const finding = await inventedRun(
    robustness,
    { conditions: ['srb/gnoise:1'], recorded, minimumSpeakers, groupBy: ['sex'] },
    inventedContext(utterances, [a], { ladders: [srb] }),
    ({ utterance: { id }, condition: { name } }) =>
      wrong(name === 'clean' && !id.startsWith('a') ? 1 : errors[id.slice(0, 2)]!),
  );
  const ratios = tableOf(finding, 'robustness-group-ratios').rows;
  const ratio = (dataset: string, category: string) =>
    (ratios.find((row) => row.dataset === dataset && row.category === category)!.ratio as Estimate).value;
  near(ratio('LibriSpeech', 'white noise'), Math.log2(8 / 2));
  near(ratio('TEDLIUM', 'white noise'), Math.log2(2 / 8));
  near(ratio('accent', 'accent'), Math.log2(6 / 3));
  assert.equal(ratios.length, 5);
  const charts = finding.sections.find(({ id }) => id === 'robustness-group-ratios')!.bars!;
  assert.deepEqual(
    charts.map(({ title, rows }) => [title, rows.map(({ name }) => name)]),
    [
      ['sex: F over M, LibriSpeech', ['clean', 'white noise']],
      ['sex: F over M, TEDLIUM', ['clean', 'white noise']],
      ['sex: F over M, accent', ['accent']],
    ],
  );
  const groups = (id: string) =>
    tableOf(finding, `robustness-groups-${id}`).rows.map(({ dataset, group, wordErrorRate }) => [
      dataset,
      group,
      (wordErrorRate as Estimate).value,
    ]);
  assert.deepEqual(groups('worst-condition'), [
    ['LibriSpeech', 'F', 0.8],
    ['LibriSpeech', 'M', 0.2],
    ['TEDLIUM', 'F', 0.2],
    ['TEDLIUM', 'M', 0.8],
  ]);
  assert.deepEqual(groups('recorded'), [
    ['accent', 'F', 0.6],
    ['accent', 'M', 0.3],
  ]);
});

test('In the profile of the benchmark the plane is in NWERD; NWERD stands by severity in both.', async () => {
  const run = (profile: string) =>
    inventedRun(
      robustness,
      { conditions: ['srb/gnoise:1', 'srb/gnoise:2', 'srb/bass:1', 'srb/bass:2'], profile, minimumSpeakers },
      inventedContext(speakers(3, 's'), [a], { ladders: [srb] }),
      within({ 'srb/gnoise:1': 2, 'srb/gnoise:2': 4, 'srb/bass:1': 1, 'srb/bass:2': 3 }),
    );
  const [sound, flat] = [await run('sound'), await run('srb')];
  // Published points of LibriSpeech: 65.0538 and 83.9509, 14.093 and 18.4787.
  const first = (20 / 65.0538 + 10 / 14.093) / 2;
  const second = (40 / 83.9509 + 30 / 18.4787) / 2;
  for (const finding of [sound, flat]) {
    const [all, white] = finding.sections.find(({ id }) => id === 'robustness-severities')!.charts!;
    assert.deepEqual(
      [all!.title, all!.xTicks, all!.yLabel],
      ['All scenarios, by severity', ['1', '2'], 'Change over difficulty (NWERD)'],
    );
    near(all!.series[0]!.points[0]!.estimate, first);
    near(all!.series[0]!.points[1]!.estimate, second);
    near(white!.series[0]!.points[1]!.estimate, 40 / 83.9509);
  }
  const pointOf = (finding: Finding) => finding.sections[0]!.planes![0]!.points[0]!.y;
  near(pointOf(sound), 0.25);
  near(pointOf(flat), (first + second) / 2);
  assert.equal(flat.sections[0]!.planes![0]!.yLabel, 'Mean change over difficulty (NWERD)');
});

test('Speakers who are in both of two groups are counted once in their ratio.', async () => {
  const utterances = ['calm', 'angry'].flatMap((mood) =>
    speakers(5, 's', { attributes: { mood } }).map((one) => ({ ...one, id: `${one.id} ${mood}` })),
  );
  const finding = await inventedRun(
    robustness,
    { conditions: ['srb/gnoise:1'], minimumSpeakers, groupBy: ['mood'] },
    inventedContext(utterances, [a], { ladders: [srb] }),
    ({ utterance }) => wrong(utterance.attributes.mood === 'calm' ? 1 : 2),
  );
  const ratios = tableOf(finding, 'robustness-group-ratios').rows;
  assert.ok(ratios.length > 0);
  for (const { ratio } of ratios) assert.equal((ratio as Estimate).n.speakers, 5);
});

test('A mean over scenarios of which one recognizer lacks one is compared over the others, and says so with the two means there.', async () => {
  const conditions = ['srb/gnoise:1', 'srb/bass:1', 'srb/treble:1'];
  const errorsOf: Readonly<Record<string, number>> = { 'srb/gnoise:1': 9, 'srb/bass:1': 2, 'srb/treble:1': 4 };
  const finding = await inventedRun(
    robustness,
    { conditions, minimumSpeakers, normalizer: 'srb', resamples: 100 },
    inventedContext(speakers(6, 's'), [a, b], { ladders: [srb] }),
    ({ recognizer, condition: { name } }) =>
      recognizer === 'b' && name === 'srb/gnoise:1'
        ? failedWith('timeout')
        : wrong((errorsOf[name] ?? 0) + (recognizer === 'b' ? 1 : 0)),
  );
  const row = tableOf(finding, 'robustness-level-comparisons').rows.find(
    ({ category, measure }) => category === 'all scenarios' && measure === 'mean word error rate',
  )!;
  assert.equal(row.over, '2 of 3 scenarios');
  // Bass and treble are of one category: .2 and .4, with one of ten words more for b.
  near(row.others, 0.3);
  near(row.own, 0.4);
  near((row.difference as { difference: Estimate }).difference, 0.1);
  const said = finding.answer.find(({ text }) => text.includes('over all 3 scenarios'))!;
  assert.match(said.text, /than b.*, over 2 of 3 scenarios\./);
});
