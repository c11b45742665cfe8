import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Comparison, Estimate, Finding, Table } from '../../model/finding.ts';
import type { Trial } from '../../model/trial.ts';
import { rankingOf } from '../../report/prepare/ranking.ts';
import type { Answer, Batch, Question } from '../contract.ts';
import {
  failedWith,
  type Invention,
  inventedContext,
  inventedRun,
  recognizerNamed,
  spoken,
} from '../shared/testing/testing.ts';
import { adversarial } from './adversarial.ts';

// Twenty-four speakers, two clips of each, eight words of three letters a clip: how many words a recognizer gets wrong each test says.
const words = ['abc', 'bcd', 'cde', 'def', 'efg', 'fgh', 'ghi', 'hij'];
const utterances = Array.from({ length: 48 }, (_, index) =>
  spoken(`u${index}`, words.join(' '), {
    speaker: `s${index % 24}`,
    attributes: { sex: index % 2 === 0 ? 'f' : 'm' },
  }),
);
const open = recognizerNamed('open', { differentiable: true });
const closed = recognizerNamed('closed');
const wrongIn = (count: number) => words.map((word, place) => (place < count ? 'xyz' : word)).join(' ');

/** Words wrong of eight: one in noise, six under pgd by whom it was made against, two by others, three under kenansville. */
const usual: Invention = ({ condition, recognizer, utterance }: Trial) => {
  const odd = Number(utterance.id.slice(1)) % 3 === 0 ? 1 : 0;
  if (condition.name === 'clean') return wrongIn(0);
  if (condition.name.startsWith('white noise')) return wrongIn(odd);
  if (condition.name.startsWith('kenansville')) return wrongIn(2 + odd);
  return wrongIn(recognizer === 'open' ? 5 + odd : 1 + odd);
};
const facts = (name: string, id: string, snrDb: number) => {
  const [kind] = name.split(' ');
  return [
    {
      ...{ perturbation: 'pgd', achievedSnrDb: snrDb + 0.5 },
      // The first clip has more tokens than the others.
      ...(kind === 'pgd' && {
        surrogate: id === 'u0' ? { positions: 53, sameTokens: 50 } : { positions: 10, sameTokens: 9 },
      }),
    },
  ];
};
const measure = (question: Exclude<Question, { readonly ask: 'recognition' }>): Answer => {
  assert.ok(question.ask === 'measurement');
  const snrDb = Number(/(-?\d+) dB$/.exec(question.condition.name)![1]);
  return {
    ...question,
    measurement: {
      ...{ durationSeconds: 1, sampleRate: 16_000, levelDbfs: -20, clippedShare: 0, sampleHash: '' },
      facts: facts(question.condition.name, question.utterance.id, snrDb),
    },
  };
};
const options = { snrDb: [20, 10], resamples: 200 };
const run = (changed: object = {}, invent: Invention = usual, recognizers = [open, closed], batches: Batch[] = []) =>
  inventedRun(
    adversarial,
    { ...options, ...changed },
    inventedContext(utterances, recognizers),
    invent,
    batches,
    measure,
  );
const tableIn = (finding: Awaited<ReturnType<typeof run>>, id: string): Table =>
  finding.sections.flatMap(({ tables = [] }) => tables).find((table) => table.id === id)!;

test('error rates of every recognizer, attack and ratio are those of the words that it got wrong', async () => {
  const finding = await run();
  const rows = tableIn(finding, 'adversarial-rates').rows.map((row) => [
    row.recognizer,
    row.attack,
    row.snrDb,
    Number((row.wer as Estimate).value!.toFixed(4)),
    row.reachedSnrDb,
  ]);
  // Of 48 clips 16 have one more word wrong.
  const odd = 16 / 48 / 8;
  const rate = (whole: number) => Number((whole / 8 + odd).toFixed(4));
  assert.deepEqual(rows, [
    ['open', 'clean', null, 0, null],
    ['closed', 'clean', null, 0, null],
    ...[20, 10].flatMap((snrDb) =>
      ['open', 'closed'].map((name) => [name, 'white noise', snrDb, rate(0), snrDb + 0.5]),
    ),
    ...[20, 10].flatMap((snrDb) =>
      ['open', 'closed'].map((name) => [name, 'kenansville', snrDb, rate(2), snrDb + 0.5]),
    ),
    ...[20, 10].map((snrDb) => ['open', 'pgd', snrDb, rate(5), snrDb + 0.5]),
  ]);
  const transfer = tableIn(finding, 'adversarial-transfer').rows.find(
    ({ condition }) => condition === 'pgd against open, 10 dB',
  )!;
  assert.equal((transfer.closed as Estimate).value!.toFixed(4), rate(1).toFixed(4));
});

test('how near the surrogate is that was attacked stands beside the rates; what kenansville cannot do is said', async () => {
  const finding = await run({ snrDb: [20, -5], attacks: ['pgd', 'kenansville'] });
  const told = tableIn(finding, 'adversarial-rates').rows.map(({ attack, snrDb, surrogate }) => [
    attack,
    snrDb,
    surrogate,
  ]);
  const only = (kind: string) => told.filter(([attack]) => attack === kind);
  // 50 + 47 x 9 of 53 + 47 x 10 tokens.
  assert.deepEqual(
    only('pgd'),
    [20, -5].map((snrDb) => ['pgd', snrDb, 473 / 523]),
  );
  assert.deepEqual(
    only('kenansville').map(([, snrDb]) => snrDb),
    [20, 20],
  );
  assert.ok(finding.warnings.includes('kenansville was not made at -5 dB: at 0 dB nothing is left of a clip.'));
  assert.ok(
    !tableIn(await run({ attacks: ['kenansville'] }), 'adversarial-rates').columns.some(
      ({ key }) => key === 'surrogate',
    ),
  );
  await assert.rejects(
    run({ snrDb: [-5], attacks: ['kenansville'] }),
    /snrDb: expected at least one of 0 dB or more for kenansville, but got -5/,
  );
});

test('an attack succeeds from the share of characters on that is asked for, against the clean transcript and not the reference', async () => {
  // Five words of three letters of 31 characters are 48 %, six 58 %.
  const share = async (successCer: number, invent = usual) => {
    const { rows } = tableIn(await run({ successCer, attacks: ['pgd'] }, invent), 'adversarial-rates');
    return (rows.find(({ attack, snrDb }) => attack === 'pgd' && snrDb === 10)!.success as Estimate).value;
  };
  assert.equal(await share(0.4), 1);
  assert.equal(await share(0.5), 16 / 48);
  assert.equal(await share(0.6), 0);
  // Always the same words, however wrong: nothing was changed by the attack.
  assert.equal(await share(0.4, () => wrongIn(8)), 0);
});

test('an attack that costs more than noise of the same ratio is called so, with the numbers in its sentence', async () => {
  const finding = await run();
  const [first] = finding.answer;
  assert.match(
    first!.text,
    /^open makes 0\.0 errors in 100 words \(WER\) on clean clips, 4\.2 in white noise at 10 dB SNR, and 66\.7 under pgd of the same SNR, made against it: 62\.5 points more than in the noise\.$/,
  );
  assert.equal(first!.verdict, 'worse');
  assert.equal((first!.comparison as Comparison).difference.value!.toFixed(4), (5 / 8).toFixed(4));
  assert.ok(finding.warnings.some((one) => one.startsWith('No sound was made against closed: under pgd it heard')));
  assert.ok(
    finding.sections.at(-1)!.examples!.every(({ conditionName }) => conditionName.startsWith('pgd against open')),
  );
});

test('an attack like noise is not called anything, and the sentence says why', async () => {
  const like: Invention = (trial) =>
    trial.condition.name === 'clean' ? wrongIn(0) : wrongIn(Number(trial.utterance.id.slice(1)) % 3);
  const { answer } = await run({}, like);
  assert.ok(answer.length > 0);
  for (const { verdict, text } of answer) {
    assert.equal(verdict, 'cannot tell');
    assert.match(text, /in the noise\. No verdict: \S/);
  }
});

test('groups that an attack costs more are found by the cost, and not by what is wrong on clean clips', async () => {
  const groups = async (cost: (female: boolean) => number, before: (female: boolean) => number) => {
    const finding = await run({ attacks: ['pgd'], groupBy: ['sex'], snrDb: [10] }, (trial) => {
      const female = trial.utterance.attributes.sex === 'f';
      const odd = Number(trial.utterance.id.slice(1)) % 3 === 0 ? 1 : 0;
      return wrongIn(trial.condition.name === 'clean' ? before(female) : before(female) + cost(female) + odd);
    });
    return tableIn(finding, 'adversarial-groups').rows.find(({ recognizer }) => recognizer === 'open')!;
  };
  const unlike = await groups(
    (female) => (female ? 1 : 4),
    () => 0,
  );
  assert.equal(unlike.verdict, 'worse');
  assert.equal(unlike.group, 'sex m');
  assert.ok(Math.abs(Number(unlike.costThere) - Number(unlike.cost) + 3 / 8) < 0.05);
  const before = await groups(
    () => 2,
    (female) => (female ? 0 : 4),
  );
  assert.equal(before.verdict, 'cannot tell');
});

test('women who get twice as many words wrong have an LWERR of 1, in noise and under attacks, and 0 where all get alike', async () => {
  const finding = await run({ groupBy: ['sex'] }, ({ condition, recognizer, utterance }) => {
    // A third of the speakers of either sex has one more word wrong: the ratio is that of the means.
    const odd = Number(utterance.id.slice(1)) % 6 < 2 ? 1 : 0;
    const times = utterance.attributes.sex === 'f' && condition.name !== 'clean' && recognizer === 'open' ? 2 : 1;
    return wrongIn(times * (1 + odd));
  });
  const rows = tableIn(finding, 'adversarial-log-ratios').rows;
  const ratio = (recognizer: string, attack: string) =>
    (rows.find((row) => row.recognizer === recognizer && row.attack === attack)!.ratio as Estimate).value!;
  for (const attack of ['white noise', 'pgd', 'kenansville']) assert.ok(Math.abs(ratio('open', attack) - 1) < 1e-9);
  assert.ok(Math.abs(ratio('open', 'clean')) < 1e-9);
  assert.ok(Math.abs(ratio('closed', 'kenansville')) < 1e-9);
  assert.ok(rows.every((row) => row.group === 'sex f' && row.comparedWith === 'm'));
});

test('speakers who are in both groups are counted once', async () => {
  const moods = utterances.map((one, place) => ({ ...one, attributes: { mood: place < 24 ? 'calm' : 'angry' } }));
  const context = inventedContext(moods, [closed]);
  const changed = { ...options, attacks: ['kenansville'], groupBy: ['mood'] };
  const finding = await inventedRun(adversarial, changed, context, usual, [], measure);
  for (const { ratio } of tableIn(finding, 'adversarial-log-ratios').rows) {
    const { utterances: clips, speakers } = (ratio as Estimate).n;
    assert.deepEqual([clips, speakers], [48, 24]);
  }
});

test('what attacks cost is the mean over their ratios, below clean counted 0 in the profile srb alone', async () => {
  // Of eight words two are wrong clean, one in 20 dB of noise, five in 10 dB: -1/8 and 3/8.
  const invent: Invention = ({ condition }) =>
    wrongIn(condition.name === 'clean' ? 2 : condition.name.endsWith('20 dB') ? 1 : 5);
  const losses = async (changed: object) => {
    const [row] = tableIn(await run(changed, invent), 'adversarial-losses').rows;
    const value = (key: string) => (row![key] as Estimate).value;
    return [value('white-noise'), value('pgd'), value('all')];
  };
  assert.deepEqual(await losses({}), [1 / 8, 1 / 8, 1 / 8]);
  assert.deepEqual(await losses({ profile: 'srb' }), [3 / 16, 3 / 16, 3 / 16]);
});

test('the mean of Speech Robust Bench is of its two columns, each the mean of the conditions that were answered', async () => {
  const wrongUnder: Readonly<Record<string, number>> = {
    'pgd against open, 20 dB': 3,
    'universal against open, 20 dB': 1,
    'universal against open, 10 dB': 7,
  };
  const finding = await run({ attacks: ['pgd', 'universal'], fitEpochs: 1 }, ({ condition: { name } }) =>
    name === 'pgd against open, 10 dB' ? failedWith('timeout') : wrongIn(wrongUnder[name] ?? 0),
  );
  const [row] = tableIn(finding, 'adversarial-losses').rows;
  const value = (key: string) => (row![key] as Estimate).value!;
  assert.deepEqual([value('pgd'), value('universal')], [3 / 8, 4 / 8]);
  assert.ok(Math.abs(value('all') - (3 / 8 + 4 / 8) / 2) < 1e-12, String(value('all')));
});

test('conditions beside are asked of everybody, and attacks are drawn against what they cost', async () => {
  const steps = [{ perturbation: 'gain', parameters: { factor: 2 } }];
  const finding = await run({ beside: [{ name: 'loud', steps }] }, (trial) =>
    trial.condition.name === 'loud' ? wrongIn(trial.recognizer === 'open' ? 3 : 2) : usual(trial),
  );
  const planes = finding.sections.flatMap(({ planes = [] }) => planes);
  assert.deepEqual(
    planes.map(({ title, points }) => [title, points.map(({ name, x }) => [name, x.value])]),
    [
      [
        'Change from clean under kenansville, against that under conditions beside',
        [
          ['open', 3 / 8],
          ['closed', 2 / 8],
        ],
      ],
    ],
  );
});

test('claim, ranking and picture are of the same measure: the attack less noise of the same SNR, at the lowest', async () => {
  // From 20 dB to 10 dB open and closed change places.
  const invent: Invention = ({ condition, recognizer, utterance }: Trial) => {
    const odd = Number(utterance.id.slice(1)) % 3 === 0 ? 1 : 0;
    if (!condition.name.startsWith('kenansville')) return wrongIn(odd);
    return wrongIn(odd + ((recognizer === 'open') === condition.name.endsWith('10 dB') ? 3 : 1));
  };
  const finding = await run({ attacks: ['kenansville'] }, invent);
  const ranking = rankingOf(finding)!;
  assert.equal(ranking.by, 'WER less that of the noise, kenansville at 10 dB SNR');
  assert.deepEqual(
    ranking.rows.map(({ name, estimate }) => [name, estimate.value]),
    [
      ['closed', 1 / 8],
      ['open', 3 / 8],
    ],
  );
  const claims = finding.answer.filter(({ headline }) => headline);
  assert.deepEqual(
    claims.map(({ about, comparison }) => [about!.recognizer, comparison!.difference.value]),
    [
      ['open', 3 / 8],
      ['closed', 1 / 8],
    ],
  );
  assert.deepEqual(
    ranking.section.bars![0]!.rows.map(({ values }) => values.map((one) => (one as Estimate).value)),
    [[3 / 8, 1 / 8]],
  );
});

test('where half of the words are lost, ranking and picture are of that', async () => {
  const invent: Invention = ({ condition, recognizer }: Trial) =>
    wrongIn(
      /^kenansville.* 10 dB$/.test(condition.name) ||
        (recognizer === 'open' && /^kenansville.* 20 dB$/.test(condition.name))
        ? 6
        : 0,
    );
  const finding = await run({ attacks: ['kenansville'], snrDb: [40, 20, 10] }, invent);
  assert.match(finding.answer[0]!.text, /loses half of the words/);
  const ranking = rankingOf(finding)!;
  assert.equal(ranking.by, 'SNR where half of the words are lost');
  assert.deepEqual(ranking.slice, ['kenansville']);
  assert.equal(ranking.section.bars![0]!.kind, 'decibels');
});

test('what passes to others is shaded by what it costs beyond noise', async () => {
  const finding = await run();
  const maps = finding.sections.flatMap(({ heatMaps = [] }) => heatMaps);
  assert.deepEqual(
    maps.map(({ title, columns, rows }) => [title, columns, rows.map(({ name }) => name)]),
    [20, 10].map((snrDb) => [`WER over white noise: pgd, ${snrDb} dB`, ['open', 'closed'], ['against open']]),
  );
  const [own, passed] = maps[0]!.rows[0]!.cells;
  assert.equal(own!.difference.value!.toFixed(4), (5 / 8).toFixed(4));
  assert.equal(passed!.difference.value!.toFixed(4), (1 / 8).toFixed(4));
});

test('half of the words are lost where the straight line says, and the answer begins with it', async () => {
  const finding = await run({ snrDb: [30, 20, 10] }, (trial) => {
    const odd = Number(trial.utterance.id.slice(1)) % 24 < 12 ? 1 : -1;
    const { name } = trial.condition;
    if (!name.startsWith('pgd') || trial.recognizer !== 'open') return wrongIn(0);
    return wrongIn((name.endsWith('30 dB') ? 1 : name.endsWith('20 dB') ? 3 : 7) + odd);
  });
  const rows = tableIn(finding, 'adversarial-half-lost').rows;
  const found = rows.find(({ recognizer, attack }) => recognizer === 'open' && attack === 'pgd')!.snrDb as Estimate;
  assert.equal(found.value, 17.5);
  assert.ok(found.low! > 10 && found.low! < 17.5 && found.high! > 17.5 && found.high! < 20);
  assert.match(
    finding.answer[0]!.text,
    /^open loses half of the words under pgd at 17\.5 dB SNR \(95 % CI 16\.4-18\.6\)\. In white noise: fewer than half/,
  );
});

/** Every word of a clip is lost below a ratio of its speaker, which lies evenly between 11 and 22 dB but for pgd: 3 dB higher. */
const lostBelow: Invention = ({ condition, utterance }) => {
  if (condition.name === 'clean') return wrongIn(0);
  const snrDb = Number(/(-?[\d.]+) dB$/.exec(condition.name)![1]);
  const own = 11 + (Number(utterance.id.slice(1)) % 24) * 0.5 + (condition.name.startsWith('pgd') ? 3 : 0);
  return wrongIn(snrDb < own ? 8 : 0);
};
const foundHalves = async (changed: object, invent: Invention = lostBelow) => {
  const batches: Batch[] = [];
  const finding = await run({ snrDb: [40, 0], ...changed }, invent, [open, closed], batches);
  const found = Object.fromEntries(
    tableIn(finding, 'adversarial-half-lost').rows.map((row) => [`${row.recognizer} ${row.attack}`, row]),
  );
  return { found, batches, finding };
};

test('with halfLost the SNR at which half is lost is searched for by further SNRs, of pgd only where it is named', async () => {
  // Half of the speakers are below 16.75 dB. The line between 40 and 0 dB says 20.
  const read = await foundHalves({});
  assert.equal((read.found['open kenansville']!.snrDb as Estimate).value, 20);
  assert.deepEqual([read.found['open kenansville']!.how, read.found['open kenansville']!.asked], ['read', 2]);
  const { found, batches } = await foundHalves({ halfLost: {} });
  for (const key of ['open kenansville', 'closed white noise']) {
    const { snrDb, how, asked } = found[key]!;
    const { value, low, high } = snrDb as Estimate;
    assert.ok(Math.abs(value! - 16.75) < 0.5, `${value}`);
    assert.ok(low! > 12 && low! < 16.75 && high! > 16.75 && high! < 21, `${low} ${high}`);
    assert.deepEqual([how, asked], ['searched', 8]);
  }
  assert.deepEqual([found['open pgd']!.how, (found['open pgd']!.snrDb as Estimate).value], ['read', 20]);
  const asked = new Set<string>();
  for (const batch of batches.slice(1)) {
    for await (const question of batch.questions()) {
      if (question.ask === 'recognition') asked.add(question.trial.condition.name);
    }
  }
  assert.ok([...asked].every((name) => !name.startsWith('pgd')));
  // Both recognizers lose alike: they are asked about the same sounds.
  assert.equal([...asked].filter((name) => name.startsWith('kenansville')).length, 8);
  const pgd = await foundHalves({ halfLost: { sounds: ['pgd'], resolutionDb: 5 } });
  const { snrDb, asked: ratios } = pgd.found['open pgd']!;
  assert.ok(Math.abs((snrDb as Estimate).value! - 19.75) < 1.5, `${(snrDb as Estimate).value}`);
  assert.deepEqual([ratios, pgd.found['open kenansville']!.how], [5, 'read']);
});

test('where half is lost at every SNR asked, or at none, the search goes beyond them; maxFurther ends it', async () => {
  const value = async (changed: object) => {
    const { snrDb, asked } = (await foundHalves(changed)).found['open white noise']!;
    return { value: (snrDb as Estimate).value, asked };
  };
  for (const snrDb of [
    [60, 50],
    [5, 0],
  ]) {
    const { value: found, asked } = await value({ snrDb, halfLost: { maxFurther: 12 } });
    assert.ok(Math.abs(found! - 16.75) < 0.5, `${found}`);
    assert.ok(asked === 2 + 1 + 6, `${asked}`);
  }
  assert.equal((await value({ halfLost: { maxFurther: 1 } })).asked, 3);
  assert.equal((await value({ snrDb: [60, 50], halfLost: { lowestDb: 30 } })).value, null);
});

test('a clip that fails on the way of a search is left out of all of its SNRs', async () => {
  const { found } = await foundHalves({ halfLost: {} }, (trial) =>
    trial.utterance.id === 'u0' && trial.condition.name === 'white noise, 20 dB'
      ? failedWith('timeout')
      : lostBelow(trial),
  );
  assert.deepEqual(
    ['open white noise', 'open kenansville'].map((key) => (found[key]!.snrDb as Estimate).n.utterances),
    [47, 48],
  );
});

test('a clip that a recognizer leaves unanswered counts in its other conditions, and what it is compared in says of how many clips', async () => {
  const failed = (trial: Parameters<typeof usual>[0]) =>
    trial.utterance.id === 'u0' && trial.condition.name === 'kenansville, 10 dB' && trial.recognizer === 'open'
      ? failedWith('timeout')
      : usual(trial);
  const { rows } = tableIn(await run({ attacks: ['kenansville'] }, failed), 'adversarial-rates');
  const all = tableIn(await run({ attacks: ['kenansville'] }), 'adversarial-rates').rows;
  for (const [place, row] of rows.entries()) {
    const isIt = row.recognizer === 'open' && row.attack === 'kenansville' && row.snrDb === 10;
    assert.equal((row.wer as Estimate).n.utterances, isIt ? 47 : 48);
    if (isIt) assert.equal(row.over, '47 of 48 clips');
    else
      assert.deepEqual(
        [row.wer, row.success, row.overNoise],
        [all[place]!.wer, all[place]!.success, all[place]!.overNoise],
      );
  }
});

test('an attack that fails on all clips takes nothing from what the others cost, nor clean clips that fail from attacks and noise', async () => {
  const options = { attacks: ['kenansville'], snrDb: [20, 10], groupBy: ['sex'] };
  const failing =
    (name: string): Parameters<typeof run>[1] =>
    (trial) =>
      trial.condition.name === name ? failedWith('error') : usual(trial);
  const whole = await run(options);
  const others = (finding: Finding, table: string) =>
    tableIn(finding, table).rows.filter((row) => row.snrDb !== 10 && row.condition !== 'kenansville, 10 dB');
  const attackless = await run(options, failing('kenansville, 10 dB'));
  const numbers = (rows: Table['rows'], keys: readonly string[]) =>
    rows.map((row) => keys.map((key) => JSON.stringify(row[key] ?? null)));
  const rates = ['recognizer', 'attack', 'wer', 'cer', 'success'];
  assert.deepEqual(
    numbers(others(attackless, 'adversarial-rates'), rates),
    numbers(others(whole, 'adversarial-rates'), rates),
  );
  const costs = ['recognizer', 'condition', 'group', 'cost', 'costThere'];
  assert.ok(others(whole, 'adversarial-groups').length > 0);
  assert.deepEqual(
    numbers(others(attackless, 'adversarial-groups'), costs),
    numbers(others(whole, 'adversarial-groups'), costs),
  );
  assert.match(tableIn(attackless, 'adversarial-losses').note!, / under kenansville over 1 of 2 conditions/);
  // What is beside noise needs no clean clips.
  const cleanless = tableIn(await run(options, failing('clean')), 'adversarial-rates').rows;
  for (const row of tableIn(whole, 'adversarial-rates').rows) {
    if (row.overNoise == null) continue;
    const same = cleanless.find(
      (one) => one.recognizer === row.recognizer && one.attack === row.attack && one.snrDb === row.snrDb,
    );
    assert.deepEqual((same!.overNoise as Comparison).difference, (row.overNoise as Comparison).difference);
  }
});

test('as many questions are asked as were announced; without transfer others are not asked', async () => {
  for (const transfer of [true, false]) {
    const batches: Batch[] = [];
    await run({ transfer }, usual, [open, closed], batches);
    let asked = 0;
    for await (const question of batches[0]!.questions()) {
      asked++;
      if (question.ask !== 'recognition' || transfer) continue;
      const { recognizer, condition } = question.trial;
      assert.ok(recognizer === 'open' || !condition.name.startsWith('pgd'));
    }
    assert.equal(batches[0]!.size, asked);
  }
});

test('a recognizer that cannot be looked into, or is not there, is refused in one sentence', async () => {
  const message = async (changed: object, recognizers = [open, closed]) => {
    const context = inventedContext(utterances, recognizers);
    const parsed = adversarial.options.parse({ ...options, ...changed });
    return adversarial.check!(parsed, context).then(
      () => '',
      (error: Error) => error.message,
    );
  };
  assert.match(
    await message({ sources: ['closed'] }),
    /of this run "open" can be taken\), but "closed" is none; name another/,
  );
  assert.match(await message({ sources: ['none'] }), /but there is no "none"/);
  assert.match(await message({}, [closed]), /none of this run is one; add one of type transformers, or set attacks/);
  assert.equal(await message({ attacks: ['kenansville'] }, [closed]), '');
});

test('what is fitted on some speakers is asked about the others alone, in every condition, and both numbers are said', async () => {
  const batches: Batch[] = [];
  const fitSpeakers = Array.from({ length: 12 }, (_, place) => `s${place}`);
  const finding = await run({ attacks: ['universal'], fitSpeakers, fitEpochs: 3 }, usual, [open, closed], batches);
  let asked = 0;
  for await (const question of batches[0]!.questions()) {
    asked++;
    assert.ok(question.ask === 'recognition' || question.ask === 'measurement');
    const { utterance, condition } = question.ask === 'recognition' ? question.trial : question;
    assert.ok(!fitSpeakers.includes(utterance.speaker!));
    if (!condition.name.startsWith('universal')) continue;
    assert.equal(condition.steps[0]!.parameters.source, 'open');
    assert.deepEqual(condition.steps[0]!.parameters.fitSpeakers, fitSpeakers);
  }
  assert.equal(batches[0]!.size, asked);
  assert.equal(
    finding.warnings[0],
    'The sound of universal was fitted on clips of 12 speakers; everything here is counted on the clips of the other 12.',
  );
  const rows = tableIn(finding, 'adversarial-rates').rows.filter(({ attack }) => attack === 'universal');
  assert.deepEqual(
    rows.map(({ wer }) => (wer as Estimate).n.utterances),
    [24, 24],
  );
  const context = inventedContext(utterances, [open, closed]);
  const wrong = adversarial.options.parse({ ...options, attacks: ['universal'], fitSpeakers: ['nobody'] });
  await assert.rejects(async () => adversarial.check!(wrong, context), /there is no "nobody"/);
});

test('what mutes is asked beside noise before the clip, and words lost and transcripts without words are counted', async () => {
  const batches: Batch[] = [];
  const fitSpeakers = Array.from({ length: 12 }, (_, place) => `s${place}`);
  // Behind prepend open writes nothing of two clips in three, and one word of the third; behind noise one of eight is wrong.
  const invent: Invention = ({ condition, recognizer, utterance }) => {
    if (condition.name === 'prepend against open' && recognizer === 'open')
      return Number(utterance.id.slice(1)) % 3 === 0 ? words[0]! : '';
    return wrongIn(condition.name.startsWith('noise before') ? 1 : 0);
  };
  const changed = { attacks: ['prepend'], fitSpeakers, fitEpochs: 3, prependSeconds: 0.5 };
  const finding = await run(changed, invent, [open, closed], batches);
  const asked = new Map<string, unknown>();
  for await (const question of batches[0]!.questions()) {
    assert.ok(question.ask === 'recognition' && !fitSpeakers.includes(question.trial.utterance.speaker!));
    asked.set(question.trial.condition.name, question.trial.condition.steps[0]?.parameters);
  }
  const parameters = { source: 'open', fitSpeakers, clipsPerSpeaker: null, epochs: 3, lengthSeconds: 0.5, peak: 0.02 };
  assert.deepEqual(Object.fromEntries(asked), {
    clean: undefined,
    'noise before, as loud as prepend against open': { ...parameters, control: true },
    'prepend against open': parameters,
  });
  const rows = tableIn(finding, 'adversarial-muted').rows.map((row) => [
    ...[row.recognizer, row.attack, row.source, (row.lost as Estimate).value, row.empty, row.oneWord, row.clips],
  ]);
  assert.deepEqual(rows, [
    ['open', 'nothing', null, 0, 0, 0, 24],
    ['closed', 'nothing', null, 0, 0, 0, 24],
    ['open', 'noise', 'open', 1 / 8, 0, 0, 24],
    ['closed', 'noise', 'open', 1 / 8, 0, 0, 24],
    ['open', 'prepend', 'open', 1 - 1 / 24, 16, 24, 24],
    // What was made against one is played to the other too.
    ['closed', 'prepend', 'open', 0, 0, 0, 24],
  ]);
  assert.match(
    finding.answer[0]!.text,
    /^open makes 0\.0 errors in 100 words \(WER\) on clean clips, 12\.5 behind noise, and 95\.8 behind prepend of the same length and level, made against it: 83\.3 points more than behind the noise \(95 % CI 79\.8-86\.8\)\. Behind prepend it loses 95\.8 of 100 words said; of 24 transcripts 16 are empty, and 24 have one word at most\.$/,
  );
  assert.ok(finding.warnings.some((one) => one.startsWith('No sound was made against closed: under prepend it heard')));
  assert.deepEqual(finding.settings.sources, ['open']);
  // What has an SNR comes before what has none.
  const both = await run({ ...changed, attacks: ['universal', 'prepend'] }, invent, [open, closed], []);
  assert.deepEqual(
    both.answer.flatMap(({ kind, text }) => (kind === 'difference' ? [/universal|prepend/.exec(text)![0]] : [])),
    ['universal', 'prepend'],
  );
  const maps = finding.sections.flatMap(({ heatMaps = [] }) => heatMaps);
  assert.deepEqual(
    maps.map(({ title, rows: own }) => [title, own[0]!.cells.map(({ difference }) => difference.value)]),
    [['WER over noise before: prepend', [1 - 1 / 24 - 1 / 8, -1 / 8]]],
  );
});
