import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Comparison, Table } from '../../model/finding.ts';
import { estimateAt, type Row, rowsOf, textAt } from '../../model/finding-rows.ts';
import type { Trial } from '../../model/trial.ts';
import { srMt } from '../../perturbations/ladders/sr-mt.ts';
import type { Batch, Question, StudyContext } from '../contract.ts';
import {
  failedWith,
  type Invention,
  inventedContext,
  inventedRun,
  measuredClip,
  near,
  type OtherInvention,
  recognizerNamed,
  rowOf,
  spoken,
} from '../shared/testing/testing.ts';
import { metamorphic } from './metamorphic.ts';

const noise = { name: 'noise', steps: [] };
const about = (output: unknown, more: object = {}) => ({
  relations: [{ name: 'R', conditions: [noise], output }],
  resamples: 100,
  ...more,
});
/** Twelve speakers who say four words each. */
const utterances = Array.from({ length: 12 }, (_, index) =>
  spoken(`u${index}`, 'one two three four', { speaker: `s${index}` }),
);

/** What tables say of one recognizer in the one condition. */
const tablesOfConditions = ['wrong', 'extra-words', 'validity', 'condition-likeness', 'condition-violations'];

async function found(
  options: object,
  invent: Invention,
  more: { context?: Partial<StudyContext>; recognizers?: object[]; others?: OtherInvention; batches?: Batch[] } = {},
) {
  const recognizers = more.recognizers ?? [{}];
  const context = inventedContext(
    utterances,
    recognizers.map((facts, index) => recognizerNamed(`r${index}`, facts)),
    more.context,
  );
  const finding = await inventedRun(metamorphic, options, context, invent, more.batches, more.others);
  const row = (recognizer = 'r0'): Row =>
    Object.assign(
      {},
      ...tablesOfConditions.map((table) =>
        rowsOf(finding, `metamorphic-${table}`).findLast((one) => one.recognizer === recognizer),
      ),
    );
  const table = (id: string): Table =>
    finding.sections.flatMap(({ tables = [] }) => tables).find((one) => one.id === id)!;
  return { finding, row, table };
}

/** How many of the cases a share is of, and how many it is of. */
function countsIn(row: Row, key: string): [number, number] {
  const { value, n } = estimateAt(row, key);
  return [Math.round((value ?? Number.NaN) * n.pairs!), n.pairs!];
}

const number = ({ utterance }: Trial) => Number(utterance.id.slice(1));
const isClean = ({ condition }: Trial) => condition.name === 'clean';

test('Relations without a case are told in one line for all, and those with cases in their own.', async () => {
  const relations = ['A', 'B', 'C'].map((name) => ({
    ...{ name, output: 'equal' },
    conditions: [{ name: name.toLowerCase(), steps: [] }],
  }));
  const texts = async (answered: string) => {
    const { finding } = await found(
      { relations, resamples: 100 },
      ({ condition }) => (condition.name === 'clean' || condition.name === answered ? 'one two' : failedWith('error')),
      { recognizers: [{}, {}] },
    );
    return finding.answer.map(({ text }) => text);
  };
  const [none, ...others] = await texts('none');
  assert.equal(
    none,
    'Nothing to count, as no case has both its clean and its changed clip answered: r0 in A, B, C; r1 in A, B, C.',
  );
  assert.ok(
    others.every((text) => !/\b[ABC]:/.test(text)),
    others.join('\n'),
  );
  const some = await texts('b');
  assert.match(some[0]!, /: r0 in A, C; r1 in A, C\.$/);
  assert.equal(some.filter((text) => /^B: r\d violates it in /.test(text)).length, 2);
  assert.equal(some.filter((text) => /nothing to count/i.test(text)).length, 1);
});

test('What a recognizer changes with nothing changed is no violation beyond that.', async () => {
  // Its second and third answers to every third clip are another; what it says of noise is like its first.
  const { row, finding } = await found(about('equal'), (trial) =>
    number(trial) % 3 === 0 && (isClean(trial) ? trial.repeat > 0 : true) ? 'one two three' : 'one two three four',
  );
  // 4 of 12 clips are violated; all of these are unsteady: of their three pairs of recognitions two differ.
  assert.deepEqual(countsIn(row(), 'violationRate'), [4, 12]);
  assert.deepEqual(countsIn(row(), 'steadyViolationRate'), [0, 8]);
  assert.equal(row().takenOut, 4);
  assert.equal(rowsOf(finding, 'metamorphic-identity')[0]!.unsteadyClips, 4);
  near(row().controlRate, (4 * (2 / 3)) / 12);
  near((row().excess as Comparison).difference, (4 - 8 / 3) / 12);
  assert.match(
    finding.answer[0]!.text,
    /cannot tell whether .* with nothing changed\. No verdict: only 4 of 12 speakers differ, and no arrangement of these 4 speakers could reach p ≤ \.05; 6 more speakers would do\.$/,
  );
});

test('A change that breaks every steady clip is worse than nothing changed.', async () => {
  const { row, finding } = await found(about('equal'), (trial) => (isClean(trial) ? 'one two' : 'one'));
  near(row().violationRate, 1);
  assert.equal(row().verdict, 'worse');
  // Accuracy 1/2; BLEU with all words right and a brevity penalty of exp(-1) = .37, which is in the band from .2.
  assert.match(
    finding.answer[0]!.text,
    /^R: r0 violates it in 100\.0 % of cases \(95 % CI 73\.5-100\.0\), robustness level 2, more often than/,
  );
});

test('Each output relation asks for what it says.', async () => {
  const says = async (output: unknown, followUp: string) =>
    countsIn(
      (await found(about(output), (trial) => (isClean(trial) ? 'one two' : followUp))).row(),
      'violationRate',
    )[0];
  assert.equal(await says('equal', 'One, two!'), 0);
  assert.equal(await says('equal', 'zero one two'), 12);
  assert.equal(await says('contains', 'zero one two three'), 0);
  assert.equal(await says('contains', 'one zero two'), 12);
  assert.equal(await says({ repeated: 2 }, 'one two one two'), 0);
  assert.equal(await says({ repeated: 2 }, 'one two'), 12);
  // What was heard in u7 alone must follow.
  assert.equal(await says({ followedBy: 'u7' }, 'one two one two'), 0);
  assert.equal(await says({ followedBy: 'u7' }, 'one two one'), 12);
});

test('An appended utterance that is not in the corpus leaves no cases, and a warning.', async () => {
  const { row, finding } = await found(about({ followedBy: 'nobody' }), () => 'one');
  assert.equal(row().pairs, 0);
  assert.equal(estimateAt(row(), 'violationRate').value, null);
  assert.ok(finding.warnings.some((warning) => warning.includes('nobody')));
});

test('Added words are told apart by where they stand.', async () => {
  const { row } = await found(about('equal'), (trial) => (isClean(trial) ? 'one two' : 'so one er er two now now now'));
  const { before, inside, after, alone } = row();
  assert.deepEqual([before, inside, after, alone], [12, 24, 36, 0]);
  const { row: silent } = await found(about('equal'), (trial) => (isClean(trial) ? '' : 'you you'));
  assert.equal(silent().alone, 24);
  assert.equal(silent().before, 0);
  assert.equal(estimateAt(silent(), 'accuracy').value, null);
});

test('References say who is wrong, and which passes are wrong too.', async () => {
  const texts = [
    ['one two three four', 'one two three'],
    ['one two three', 'one two three four'],
    ['one two', 'two three'],
    ['one two', 'one two'],
  ] as const;
  const { row } = await found(about('equal'), (trial) => texts[number(trial) % 4]![isClean(trial) ? 0 : 1]);
  const { followUpWrong, sourceWrong, bothWrong, sameError } = row();
  assert.deepEqual([followUpWrong, sourceWrong, bothWrong, sameError], [3, 3, 3, 3]);
});

test('Critical words alone can make the level.', async () => {
  const robustness = { criticalWords: ['Not'], metrics: ['criticalWords'], bands: [0.9, 0.5, 0.3, 0.1] };
  const { row } = await found(about('equal', { robustness }), (trial) =>
    isClean(trial) || number(trial) < 6 ? 'do not turn it off' : 'do turn it off',
  );
  near(row().criticalWords, 0.5);
  near(row().level, 4);
});

test('Chinese is compared by characters, and languages are counted apart.', async () => {
  const mixed = [
    spoken('en', 'so far', { language: 'en', speaker: 'a' }),
    spoken('zh', '你好吗', { language: 'zh-CN', speaker: 'b' }),
  ];
  const finding = await inventedRun(
    metamorphic,
    about('equal'),
    inventedContext(mixed, [recognizerNamed('r')]),
    (trial) => (trial.utterance.id === 'en' ? 'so far' : isClean(trial) ? '你好吗' : '你好'),
  );
  assert.deepEqual(finding.settings.units, { en: 'words', zh: 'characters' });
  assert.deepEqual(
    ['relation', 'condition'].flatMap((kind) =>
      rowsOf(finding, `metamorphic-${kind}-likeness`).map((row) => {
        const { value, n } = estimateAt(row, 'accuracy');
        return [kind, row.language, Math.round((1 - value!) * n.words!), n.words];
      }),
    ),
    [
      ['relation', 'en', 0, 2],
      ['relation', 'zh', 1, 3],
      ['condition', 'en', 0, 2],
      ['condition', 'zh', 1, 3],
    ],
  );
});

test('A recognizer that declares itself deterministic is believed after a sample, and not if it is caught.', async () => {
  const asked = async (steady: boolean) => {
    const batches: Batch[] = [];
    const { finding, row } = await found(
      about('equal', { identity: { repeats: 1, sample: 3 } }),
      (trial) => (isClean(trial) && trial.repeat === 1 && !steady ? 'one' : 'one two'),
      { recognizers: [{ facts: { deterministic: true } }], batches },
    );
    const questions: Question[] = [];
    for await (const question of batches.at(-1)!.questions()) questions.push(question);
    return { finding, row, sizes: [questions.length, batches.at(-1)!.size], batches: batches.length };
  };
  const steady = await asked(true);
  // 12 clean clips, 3 of them again, 12 in noise.
  assert.deepEqual(steady.sizes, [27, 27]);
  assert.equal(steady.batches, 2);
  assert.equal(estimateAt(steady.row(), 'controlRate').n.pairs, 12);
  assert.equal(steady.finding.warnings.length, 0);
  const caught = await asked(false);
  assert.deepEqual(caught.sizes, [36, 36]);
  assert.equal(rowsOf(caught.finding, 'metamorphic-identity')[0]!.unsteadyClips, 12);
  assert.match(caught.finding.warnings[0]!, /^r0 declares itself deterministic, but/);
});

test('Recognizers are compared on the cases that both answered, and failures are no transcripts.', async () => {
  const { finding, row } = await found(
    about('equal'),
    (trial) => {
      if (trial.recognizer === 'r0') return isClean(trial) ? 'one' : 'two';
      if (number(trial) === 0 && !isClean(trial)) return failedWith('timeout');
      return 'one';
    },
    { recognizers: [{}, {}] },
  );
  assert.equal(row('r1').pairs, 11);
  const statement = finding.answer[0]!;
  assert.equal(statement.text, 'R: r1 violates it in 100.0 points fewer cases than r0 (95 % CI 59.7-100.0).');
  assert.equal(statement.comparison!.difference.value, -1);
  assert.equal(statement.comparison!.difference.n.pairs, 11);
});

test('Ratings gate case by case or relation by relation, and what is left out is counted.', async () => {
  const gated = (ratings: string, per: string) =>
    found(about('equal', { validity: { ratings: 'ratings.csv', per } }), (trial) => (isClean(trial) ? 'one' : 'two'), {
      context: { readText: async () => ratings },
    });
  const rows = utterances.slice(0, 8).map(({ id }, index) => `${id},noise,${index < 5 ? 4 : 3}`);
  const byCase = await gated(['utterance,condition,rating', ...rows].join('\n'), 'case');
  assert.equal(estimateAt(byCase.row(), 'violationRate').n.pairs, 12);
  assert.equal(estimateAt(byCase.row(), 'valid').n.pairs, 5);
  assert.deepEqual(byCase.table('metamorphic-excluded').rows, [{ set: 'noise', excluded: 3, unrated: 4 }]);
  // Three listeners, mean 4.0 and mean 3.9.
  const pass = await gated('condition\trating\nnoise\t5\nnoise\t4\nnoise\t3\n', 'relation');
  assert.equal(estimateAt(pass.row(), 'valid').n.pairs, 12);
  const fail = await gated('relation\trating\nR\t5\nR\t4\nR\t2.7\n', 'relation');
  assert.equal(estimateAt(fail.row(), 'valid').n.pairs, 0);
  assert.deepEqual(fail.table('metamorphic-excluded').rows, [{ set: 'noise', excluded: 12, unrated: 0 }]);
  // Each scale must pass: a natural sound may be blurred.
  const scales = await gated('relation\tscale\trating\nR\tsharpness\t3.5\nR\tnaturalness\t5\n', 'relation');
  assert.equal(estimateAt(scales.row(), 'valid').n.pairs, 0);
  assert.deepEqual(
    scales.table('metamorphic-ratings').rows.map(({ about: set, scale, ratings }) => [set, scale, ratings]),
    [
      ['R', 'sharpness', 1],
      ['R', 'naturalness', 1],
    ],
  );
  await assert.rejects(gated('condition,rating\nnoise,good\n', 'case'), {
    code: 'bad-input',
    message: /^ratings.csv:2:7: expected a number as rating, but got "good"; /,
  });
});

test('Measured quality gates changed clips before they are recognized.', async () => {
  const condition = { name: 'noise', steps: [{ perturbation: 'white-noise', parameters: { snrDb: 0 } }] };
  const heard = utterances.map((one) => ({ ...one, sound: { file: `${one.id}.wav` } }));
  const quality = [{ name: 'mos', values: { overall: 'from 1 to 5' }, needsClean: false }];
  const finding = await inventedRun(
    metamorphic,
    {
      relations: [{ name: 'R', conditions: [condition] }],
      validity: { measure: 'mos', atLeast: 4, per: 'case' },
      resamples: 100,
    },
    inventedContext(heard, [recognizerNamed('r')], { quality }),
    (trial) => (isClean(trial) ? 'one' : 'two'),
    [],
    (question) => {
      assert.ok(question.ask === 'measurement');
      const overall = Number(question.utterance.id.slice(1)) < 3 ? 3.9 : 4;
      return { ...question, measurement: measuredClip({ mos: { values: { overall } } }) };
    },
  );
  const row = rowOf(finding, 'metamorphic-validity', { set: 'R' });
  assert.deepEqual([row.pairs, row.validPairs], [12, 9]);
});

test('Similarity of meaning is asked of a sample of clips, and what has none is counted by its reason.', async () => {
  const options = about('equal', { similarity: { embedder: 'minilm', utterances: 4 } });
  let place = 0;
  const { row, finding } = await found(options, (trial) => (isClean(trial) ? 'one' : 'two'), {
    context: { embedders: ['minilm'] },
    others(question) {
      assert.ok(question.ask === 'similarity');
      assert.deepEqual([question.reference, question.hypothesis], ['one', 'two']);
      const similarity = place++ === 0 ? { value: null, reason: 'a reason' } : { value: 0.5 };
      return { ...question, similarity, model: { name: 'mini' } };
    },
  });
  assert.equal(place, 4);
  near(row().similarity, 0.5);
  assert.equal(estimateAt(row(), 'similarity').n.pairs, 3);
  assert.ok(finding.warnings.includes('1 case without a similarity of meaning: a reason.'));
  await assert.rejects(
    found(options, () => 'one'),
    { code: 'bad-config', message: /expected the name of one of the config's embedders/ },
  );
});

test('Kinds of noise and ratios become conditions, counted by relation, kind and severity.', async () => {
  const noises = { sounds: 'n', kinds: { hum: { name: 'hum.wav' }, rain: { name: 'rain.wav' } }, snrDb: [0, 10] };
  const { finding } = await found(
    { relations: [{ name: 'MR', noises }], resamples: 100 },
    (trial) => (trial.condition.rung?.label === '0 dB' ? 'two' : 'one'),
    { context: { isRandom: async () => true } },
  );
  assert.deepEqual(
    ['relation', 'family', 'severity', 'condition'].flatMap((kind) =>
      rowsOf(finding, `metamorphic-${kind}-violations`).map(
        (row) => `${kind} ${textAt(row, 'set')} ${estimateAt(row, 'violationRate').value}`,
      ),
    ),
    [
      'relation MR 0.5',
      'family MR/hum 0.5',
      'family MR/rain 0.5',
      'severity MR, 10 dB 0',
      'severity MR, 0 dB 1',
      'condition MR/hum:1 0',
      'condition MR/hum:2 1',
      'condition MR/rain:1 0',
      'condition MR/rain:2 1',
    ],
  );
});

test('A name that stands twice is refused in a sentence.', async () => {
  const relation = { name: 'R', conditions: [noise] };
  for (const relations of [
    [relation, { ...relation, name: 'S' }],
    [relation, { ...relation, conditions: [{ name: 'b', steps: [] }] }],
    [{ name: 'R', conditions: [{ name: 'clean', steps: [] }] }],
  ]) {
    await assert.rejects(
      found({ relations }, () => 'one'),
      {
        code: 'bad-config',
        message: /^expected each (relation|condition) to have a name of its own, but .* stands twice; /,
      },
    );
  }
});

test('An empty corpus, and words that are names of every object, do no harm.', async () => {
  const context = inventedContext([], [recognizerNamed('r')]);
  const empty = await inventedRun(metamorphic, about('equal'), context, () => '');
  assert.ok(empty.warnings[0]!.startsWith('The corpus has no utterances'));
  const { row } = await found(about('equal'), (trial) => (isClean(trial) ? '__proto__ constructor' : '__proto__'));
  near(row().accuracy, 0.5);
});

test('The profile sr-mt makes every file of the noises a kind, at four ratios, and slow speech in each at 10 dB.', async () => {
  const asked: string[] = [];
  const soundNames = async (collection: string) => {
    asked.push(collection);
    return ['babble.wav', 'cars/volvo.wav', 'tanks/m109.flac', 'old/m109.wav'];
  };
  const { finding } = await found({ profile: 'sr-mt', resamples: 100 }, () => 'one', {
    context: { soundNames, ladders: [srMt] },
  });
  const conditions = finding.settings.conditions as string[];
  const kinds = ['babble', 'volvo', 'tanks/m109.flac', 'old/m109.wav'];
  assert.deepEqual(conditions, [
    ...kinds.flatMap((kind) => [1, 2, 3, 4].map((rank) => `MR-1/${kind}:${rank}`)),
    ...['sr-mt/slow:1', 'sr-mt/fast:1', 'sr-mt/tone-up:1', 'sr-mt/tone-down:1'],
    ...kinds.map((kind) => `MR-4/${kind}:1`),
  ]);
  assert.deepEqual(new Set(asked), new Set(['noisex-92']));
  const table = (id: string) =>
    finding.sections
      .flatMap(({ tables = [] }) => tables)
      .find((one) => one.id === id)!
      .columns.map(({ key, label }) => {
        // Files have keys for heads.
        assert.equal(key.toLowerCase(), label.toLowerCase());
        return label;
      });
  assert.deepEqual(table('metamorphic-table-2').slice(2), ['MR-1, 10 dB', 'MR-2', 'MR-3', 'MR-4']);
  assert.deepEqual(table('metamorphic-table-4').slice(2), [
    ...['MR-1, 0 dB', 'MR-1, 10 dB', 'MR-1, 30 dB', 'MR-1, 50 dB'],
    ...['MR-2', 'MR-3', 'MR-4'],
  ]);
  // Fig. 7: each kind by itself, beside the relation.
  const families = finding.sections.find(({ id }) => id === 'metamorphic-family')!.tables![0]!.rows;
  assert.deepEqual(
    families.map(({ set }) => set),
    kinds.map((kind) => `MR-1/${kind}`),
  );
});

test('People who heard the sounds stand beside machines, as accurate as they were at each severity.', async () => {
  const noises = { sounds: 'n', kinds: { hum: { name: 'hum.wav' }, rain: { name: 'rain.wav' } }, snrDb: [0, 10] };
  const says: Invention = (trial) => {
    if (isClean(trial) || trial.condition.rung!.label === '10 dB') return 'one two three four';
    return trial.recognizer === 'r0' ? 'one two three' : 'one';
  };
  const { finding } = await found(
    { relations: [{ name: 'MR', noises }], resamples: 100, identity: { repeats: 0 } },
    says,
    {
      recognizers: [{ facts: { people: 3 } }, {}],
    },
  );
  const { charts } = finding.sections.find(({ id }) => id === 'metamorphic-curves')!;
  const chart = charts!.find(({ title }) => title === 'MR: accuracy');
  assert.equal(chart!.title, 'MR: accuracy');
  assert.deepEqual(chart!.xTicks, ['10 dB', '0 dB']);
  assert.deepEqual(
    chart!.series.map(({ name, points }) => [name, points.map(({ estimate }) => estimate.value)]),
    [
      ['r0', [1, 0.75]],
      ['r1', [1, 0.25]],
    ],
  );
  assert.ok(
    finding.sections.every(({ id }) => id !== 'metamorphic-published'),
    'without the profile no table of the paper',
  );
});

test('People are asked once about a clean clip, with which all conditions are compared, also where machines are asked anew for each.', async () => {
  const noises = { sounds: 'n', kinds: { hum: { name: 'hum.wav' }, rain: { name: 'rain.wav' } }, snrDb: [0, 10] };
  const says: Invention = (trial) => {
    if (trial.recognizer === 'r0' && isClean(trial)) assert.equal(trial.repeat, 0);
    return isClean(trial) || trial.condition.rung!.label === '10 dB' ? 'one two three four' : 'one two three';
  };
  const batches: Batch[] = [];
  const options = { profile: 'sr-mt', relations: [{ name: 'MR', noises }], resamples: 100 };
  const { finding } = await found(options, says, { recognizers: [{ facts: { people: 3 } }, {}], batches });
  const { charts } = finding.sections.find(({ id }) => id === 'metamorphic-curves')!;
  const chart = charts!.find(({ title }) => title === 'MR: accuracy');
  assert.deepEqual(
    chart!.series.map(({ name, points }) => [name, points.map(({ estimate }) => estimate.value)]),
    [
      ['r0', [1, 0.75]],
      ['r1', [1, 0.75]],
    ],
  );
  // Twelve clips: four conditions of both, one clean recognition of people and four of the machine.
  assert.deepEqual(
    batches.map(({ size }) => size),
    [12 * (2 * 4 + 1 + 4)],
  );
  assert.equal(estimateAt(rowsOf(finding, 'metamorphic-identity')[0]!, 'same').value, null);
  assert.ok(finding.answer.every(({ text }) => !text.startsWith('r0: asked twice')));
});
