import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { systemClock } from '../../base/clock.ts';
import { runCommand, sineWav } from '../../cli/testing/run-command.ts';
import { rowsOf } from '../../model/finding-rows.ts';
import { run } from '../../session/run/run.ts';
import { pageFaults, primaryButtons, skipWithoutBrowser } from '../testing/browser.ts';
import {
  ask,
  besideAddresses,
  cookieOf,
  finishedRun,
  killAgainAndAgain,
  kills,
  onPhone,
  opened,
  planned,
  press,
  put,
  refuseOthers,
  sharedBrowser,
  started,
} from '../testing/session.ts';
import { planText } from './listening-plan.ts';
import { openPeopleStore } from './people-store.ts';
import { type GivenRating, openRating, whyExcluded } from './rate.ts';
import { headphonesPassed, headphoneTrial } from './rate-pages.ts';
import { parseRatingPlan, type RatingPlan, ratedClips, tasksOfRater } from './rating-plan.ts';

const skip = skipWithoutBrowser;
const clip = { sha256: '0'.repeat(64), seconds: 2 };

/** 16-bit WAV as its header says it is. */
function decodeWav(bytes: Uint8Array) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [channels, sampleRate] = [view.getUint16(22, true), view.getUint32(24, true)];
  assert.deepEqual([view.getUint32(28, true), view.getUint16(32, true)], [2 * channels * sampleRate, 2 * channels]);
  const frames = (bytes.length - 44) / (2 * channels);
  return {
    sampleRate,
    channels: Array.from({ length: channels }, (_, channel) =>
      Float32Array.from({ length: frames }, (__, n) => view.getInt16(44 + 2 * (n * channels + channel), true) / 32_768),
    ),
  };
}

function planOf(of: Partial<RatingPlan> = {}, utterances = 12): RatingPlan {
  const plan: RatingPlan = {
    ...{ plan: 'earwitness rate, version 1', run: 'r', seed: 1, profile: 'sr-mt', order: 'random', groupBy: ['sex'] },
    ...{ seats: 4, levelDbfs: -26, repeats: 0, headphones: 'off', anchor: true, utterances: [] },
    exclude: { anchorMargin: 1, repeatDifference: 1.5, sameRating: true },
    conditions: ['noise:1', 'noise:2'].map((name) => ({ name, relation: null })),
    ...of,
  };
  return {
    ...plan,
    utterances: Array.from({ length: utterances }, (_, at) => ({
      ...{
        id: `u${at}`,
        group: at < utterances / 2 ? 'F' : 'M',
        corpus: null,
        clips: ratedClips(plan).map(() => clip),
      },
    })),
  };
}

test('sr-mt: nobody rates an utterance twice; a panel rates all clips, and everybody as many of each group in each condition.', () => {
  const plan = planOf({ seats: 8 }, 16);
  const cells = Array.from({ length: 8 }, (_, seat) => {
    const tasks = tasksOfRater(plan, seat);
    assert.equal(new Set(tasks.map(({ utterance }) => utterance)).size, 16);
    // 16 utterances of two groups as four clips: two of each.
    const counts = Map.groupBy(tasks, ({ utterance, clip: of }) => `${plan.utterances[utterance]!.group} ${of}`);
    assert.deepEqual(
      [...counts.values()].map(({ length }) => length),
      Array.from({ length: 8 }, () => 2),
    );
    for (const { clip: of, kind } of tasks) assert.equal(kind, ['original', 'rated', 'rated', 'anchor'][of]);
    return tasks.map(({ utterance, clip: of }) => `${utterance}/${of}`);
  });
  for (const panel of [cells.slice(0, 4), cells.slice(4)]) assert.equal(new Set(panel.flat()).size, 64);
  assert.notDeepEqual(cells[0], cells[4]);
  const order = (seed: number) => tasksOfRater({ ...plan, seed }, 0).map(({ utterance }) => utterance);
  assert.deepEqual(order(1), order(1));
  assert.notDeepEqual(order(1), order(2));
});

test('Some conditions are rated again at the end, never originals or anchors.', () => {
  const tasks = tasksOfRater(planOf({ repeats: 3 }), 1);
  assert.equal(tasks.length, 15);
  for (const { kind, first, key } of tasks.slice(12)) {
    assert.equal(kind, 'repeat');
    const before = tasks.slice(0, 12).find((one) => one.key === first)!;
    assert.equal(before.kind, 'rated');
    assert.notEqual(before.key, key);
  }
  assert.equal(new Set(tasks.map(({ key }) => key)).size, 15);
});

test('aequevox: family by family of one utterance, severities rising, with hidden original and anchor somewhere among them.', () => {
  const names = ['noise:1', 'noise:2', 'noise:3', 'drop:1', 'drop:2'];
  const plan = planOf(
    { profile: 'aequevox', order: 'increasing', conditions: names.map((name) => ({ name, relation: null })) },
    3,
  );
  const places = new Set<number>();
  for (const seat of [0, 1, 2, 3, 4, 5]) {
    const tasks = tasksOfRater(plan, seat);
    assert.equal(tasks.length, 5 + 2 * 2);
    const rated = tasks.filter(({ kind }) => kind === 'rated');
    for (const family of [names.slice(0, 3), names.slice(3)]) {
      const own = rated.filter(({ clip: of }) => family.includes(names[of - 1]!));
      assert.deepEqual(
        own.map(({ clip: of }) => names[of - 1]),
        family,
      );
      assert.equal(new Set(own.map(({ utterance }) => utterance)).size, 1);
    }
    places.add(tasks.findIndex(({ kind }) => kind === 'original'));
  }
  assert.ok(places.size > 1);
  // Three seats rate every condition of every utterance once.
  const cells = [0, 1, 2].flatMap((seat) =>
    tasksOfRater(plan, seat).flatMap(({ utterance, clip: of, kind }) =>
      kind === 'rated' ? [`${utterance}/${of}`] : [],
    ),
  );
  assert.deepEqual([cells.length, new Set(cells).size], [15, 15]);
  const mixed = tasksOfRater({ ...plan, order: 'random' }, 0).map(({ clip: of }) => of);
  assert.notDeepEqual(
    mixed,
    mixed.toSorted((a, b) => a - b),
  );
});

test('A plan is read back as it was written, and nothing else is taken for one.', () => {
  const plan = planOf();
  const text = planText(plan);
  assert.deepEqual(parseRatingPlan(text, 'p.json'), plan);
  for (const other of [
    '',
    '{}',
    text.replace('"seats": 4', '"seats": 0'),
    text.replace('"anchor": true', '"anchor": false'),
  ])
    assert.throws(() => parseRatingPlan(other, 'p.json'), /p\.json: expected the plan that earwitness rate wrote/);
});

test('Rules look at originals, anchors and repeats alone, and leave out by what the plan said before.', () => {
  const rules = {
    headphones: 'required',
    exclude: { anchorMargin: 1, repeatDifference: 1.5, sameRating: true },
  } as const;
  const given = (kind: GivenRating['kind'], grade: number, key: string, first: string | null = null): GivenRating => ({
    ...{ key, kind, first, grades: { sharpness: grade } },
  });
  const good = [
    given('original', 5, 'a'),
    given('anchor', 1, 'b'),
    given('rated', 3, 'c'),
    given('repeat', 4, 'd', 'c'),
  ];
  assert.equal(whyExcluded(rules, good, true), null);
  assert.equal(whyExcluded(rules, good, false), 'headphone check not passed');
  assert.equal(whyExcluded({ ...rules, headphones: 'asked' }, good, false), null);
  assert.equal(
    whyExcluded(rules, [given('original', 2, 'a'), given('anchor', 1.5, 'b')], true),
    'originals not 1 above anchors',
  );
  assert.equal(
    whyExcluded(rules, [...good, given('rated', 1, 'e'), given('repeat', 5, 'f', 'e')], true),
    'repeats more than 1.5 apart',
  );
  const same = Array.from({ length: 8 }, (_, at) => given('rated', 3, `${at}`));
  assert.equal(whyExcluded(rules, same, true), 'the same rating everywhere');
  assert.equal(whyExcluded(rules, same.slice(1), true), null);
  const none = { anchorMargin: null, repeatDifference: null, sameRating: false };
  assert.equal(whyExcluded({ headphones: 'off', exclude: none }, same, null), null);
  // What is measured itself leaves nobody out.
  assert.equal(whyExcluded(rules, [...good, given('rated', 1, 'x'), given('rated', 5, 'y')], true), null);
});

test('The tones of the headphone check: one softer by 6 dB in both ears, another one turned round in the right.', async () => {
  const drawn = [0, 1, 2, 3, 4, 5].map((place) => headphoneTrial(place, 'anna 0'));
  assert.deepEqual(
    [0, 1, 2].map((soft) => drawn.filter((trial) => trial.soft === soft).length),
    [2, 2, 2],
  );
  for (const { soft, wav } of drawn) {
    const { channels, sampleRate } = decodeWav(wav());
    assert.equal(channels.length, 2);
    const [left, right] = channels as [Float32Array, Float32Array];
    const tones = [0, 1, 2].map((tone) => {
      let [ofLeft, ofBoth] = [0, 0];
      for (let n = Math.round(1.5 * tone * sampleRate); n < (1.5 * tone + 1) * sampleRate; n++) {
        ofLeft += left[n]! ** 2;
        ofBoth += left[n]! * right[n]!;
      }
      return { power: ofLeft, likeness: ofBoth / ofLeft };
    });
    const loudest = Math.max(...tones.map(({ power }) => power));
    const found = tones.findIndex(({ power }) => Math.abs(10 * Math.log10(power / loudest) + 6) < 0.05);
    assert.equal(found, soft);
    assert.deepEqual(tones.map(({ likeness }) => Math.round(likeness)).sort(), [-1, 1, 1]);
    assert.ok(Math.round(tones[soft]!.likeness) === 1);
  }
  assert.equal(headphonesPassed([true, true, true, true, true, false]), true);
  assert.equal(headphonesPassed([true, true, true, true, false, false]), false);
  assert.equal(headphonesPassed([true, true, true, true, true, null]), null);
});

const member = {
  ...{ command: 'rate' as const, kind: 'rating', parse: parseRatingPlan, open: openRating },
  keys: (plan: RatingPlan, seat: number) => tasksOfRater(plan, seat).map(({ key }) => key),
};
let made: Awaited<ReturnType<typeof finishedRun>>;

before(async () => {
  const conditions = ['aequevox/noise:1', 'aequevox/noise:5'];
  made = await finishedRun(
    8,
    0.1,
    (at) => ({ speaker: `speaker ${at % 4}`, sex: at % 2 === 0 ? 'F' : 'M', corpus: 'timit' }),
    [{ type: 'metamorphic', relations: [{ name: 'MR-1', conditions }] }],
  );
});
after(() => made.folder[Symbol.asyncDispose]());

const rating = (context: TestContext, names: readonly string[], flags: readonly string[] = []) =>
  opened(context, member, made.folder, names, flags);

test('Clips are those of the run at one level, with an anchor; cost, half width and rules are said beforehand.', async () => {
  const { plan, clips, result, stem } = await planned(member, made.folder, ['--group-by', 'sex', '--listeners', '8']);
  assert.match(result.stdout, /8 utterances, 2 conditions: aequevox\/noise:1, aequevox\/noise:5\n/);
  assert.match(result.stdout, /sharpness \(1 to 5\), naturalness \(1 to 5\)\n8 listeners: 10 clips each, about \d/);
  assert.match(result.stdout, /Each relation's mean will be known to about ±\d\.\d\d/);
  assert.match(
    result.stdout,
    /Left out, by rule: who does not pass the headphone check; whose hidden originals are not 1 above/,
  );
  assert.deepEqual(
    plan.conditions.map(({ relation }) => relation),
    ['MR-1', 'MR-1'],
  );
  assert.deepEqual(new Set(plan.utterances.map(({ corpus }) => corpus)), new Set(['timit']));
  const powers = await Promise.all(
    [1, 2, 3, 4].map(async (of) => {
      const { channels } = decodeWav(await readFile(join(clips, `1-${of}.wav`)));
      const [samples] = channels as [Float32Array];
      return 10 * Math.log10(samples.reduce((sum, sample) => sum + sample ** 2, 0) / samples.length);
    }),
  );
  assert.ok(Math.abs(powers[0]! + 26) < 0.01, String(powers[0]));
  // Speech over noise of the ladder is kept, because all clips of an utterance have one gain: the anchor adds its noise at 5 dB to the power.
  assert.ok(Math.abs(powers[3]! - powers[0]! - 10 * Math.log10(1 + 10 ** -0.5)) < 0.3, String(powers));

  const refused = async (flags: readonly string[], message: RegExp, table = `${stem}.csv`) => {
    const { code, stderr } = await runCommand(['rate', table, '--person', 'anna', ...flags], { cwd: made.folder.path });
    assert.notEqual(code, 0);
    assert.match(stderr, message);
  };
  await refused(['--listeners', '4'], /expected --listeners as the plan has it/);
  await refused(['--headphones', 'off'], /expected --headphones as the plan has it/);
  await refused(['--no-anchor'], /expected --no-anchor as the plan has it/);
  await refused(['--listeners', '6'], /expected a multiple of 4 listeners.*take 8/, 'other.csv');
  await refused(
    ['--half-width', '0.01'],
    /with 8 utterances none reaches 0.01; take more utterances, or a larger half width/,
    'other.csv',
  );
  await refused(
    ['--utterances', '4', '--half-width', '0.3'],
    /with 4 utterances none reaches 0.3; take more utterances \(with \d+ of them \d+ listeners reach it; the run has 8\)/,
    'other.csv',
  );
  await refused(
    ['--listeners', '8', '--half-width', '0.3'],
    /'--half-width <rating>' cannot be used with option '--listeners/,
    'other.csv',
  );
  await refused(['--spreads', '1,2'], /expected three numbers/, 'other.csv');
  await refused(['--out', 'x'], /expected --report beside --out/);
  await refused([], /expected a table that ends in \.csv/, 'other.tsv');
  const wide = await runCommand(['rate', 'wide.csv', '--half-width', '0.5', '--plan-only', '--json'], {
    cwd: made.folder.path,
  });
  // Half of what fewer listeners reach, by the spreads that are printed.
  const { seats } = JSON.parse(wide.stdout) as { seats: unknown[] };
  assert.ok(seats.length > 4 && seats.length % 4 === 0, String(seats.length));
  const path = made.folder.file(`${stem}-plan.json`);
  const text = await readFile(path, 'utf8');
  await refused(['--revoke', 'nobody'], /there is no nobody/);
  await writeFile(path, text.replace('"repeats": 2', '"repeats": 1'));
  await refused([], /expected the plan by which people listened before/);
  await writeFile(path, text);
  const table = made.folder.file(`${stem}.csv`);
  await writeFile(table, 'condition,rating\r\nnoise,4\r\n');
  await refused([], /expected the table as it was written from \S+, but it has 1 row filled in otherwise/);
  await rm(table);
  await writeFile(join(clips, '1-1.wav'), 'other');
  await refused([], /1-1\.wav: expected the clip of the plan, but its bytes are others/);
});

test('More utterances are named where they say more than more people; fewer than asked for, and clips that cannot be loud enough, are told.', async () => {
  const { path } = made.folder;
  const half = await planned(member, made.folder, ['--utterances', '4', '--level', '0']);
  // Where clips differ and people do not, twice the clips say more than twice the people, who would give as many ratings; else less.
  const told =
    /known to about ±(\d\.\d\d)[\s\S]*More utterances (.*): with 8, of the 8 that the run has, the same 4 listeners would reach about ±(\d\.\d\d), in about \d minutes? each(?:; 8 listeners with these, ±(\d\.\d\d))?\./;
  const [, few, how, more, people] = told.exec(half.result.stdout)!;
  assert.ok(Number(more) < Number(few) && Number(people) < Number(more), half.result.stdout);
  assert.equal(how, 'gain less than more listeners');
  assert.match(
    half.result.stderr,
    /^Some utterances stay softer than 0 dBFS, because one of their clips would be cut off if it were louder: u\d, u\d/m,
  );
  const spreads = (of: string) => runCommand(['rate', half.table, '--plan-only', '--spreads', of], { cwd: path });
  assert.match((await spreads('0.1,0.8,0.8')).stdout, /More utterances are the cheaper way: with 8 the same/);
  assert.match((await spreads('1,0.1,0.1')).stdout, /More utterances gain less than more listeners: with 8 the same/);
  const most = await planned(member, made.folder, ['--utterances', '24']);
  assert.match(most.result.stderr, /^The run has 8 utterances, not 24: all of them are in the plan$/m);
  assert.match(most.result.stdout, /with 16, which this run does not have, the same 4 listeners/);
  const again = await runCommand(['rate', most.table, '--plan-only', '--utterances', '24'], { cwd: path });
  assert.match(again.stderr, /^The plan has 8 utterances, not 24: it was made before anybody listened$/m);
});

test('Nobody hears or rates for another, and what is no rating is not taken.', async (context) => {
  const { origin, people, serving, rows, pages, clipAt, plan } = await rating(
    context,
    ['anna', '<b>ben</b>'],
    ['--headphones', 'off', '--repeats', '0'],
  );
  const [anna, ben] = [await cookieOf(serving.links[0]!.link), await cookieOf(serving.links[1]!.link)];
  const [own, bens] = [clipAt(0, 1), clipAt(1, 1)];
  const path = `${own}/rating`;
  const good = { sharpness: '4', naturalness: '5', plays: '1' };
  await refuseOthers(origin, [own, bens], [anna, ben], path, good);
  const page = await ask(origin, own, { headers: { cookie: anna } });
  assert.doesNotMatch(besideAddresses(page.body), /secret|stolen|machine|u\d|noise|clean|anchor|original|repeat|\bF\b/);
  const [, audio] = /data-audio="(\/p\/[\w-]+\/audio\/[\w-]+)"/.exec(page.body)!;
  assert.equal((await ask(origin, audio!, { headers: { cookie: anna } })).body.slice(0, 4), 'RIFF');
  assert.equal((await ask(origin, audio!, { headers: { cookie: ben } })).status, 403);
  const asBen = audio!.replace(/^\/p\/[^/]+/, people.people()[1]!.home);
  assert.equal((await ask(origin, asBen, { headers: { cookie: ben } })).status, 404);
  const { home } = people.people()[0]!;
  // In sr-mt nobody hears the original beside a clip.
  for (const other of [
    '/clips/0',
    '/audio/x',
    `/audio/${audio!.split('/').at(-1)}/original`,
    '/overview',
    '/check/x',
    '/headphones',
  ])
    assert.equal((await ask(origin, home + other, { headers: { cookie: anna } })).status, 404, other);
  for (const value of [
    {},
    [],
    null,
    { ...good, sharpness: '6' },
    { ...good, sharpness: '0' },
    { ...good, sharpness: '4.5' },
    { ...good, sharpness: 4 },
    { ...good, naturalness: undefined },
    { ...good, plays: '0' },
    { ...good, plays: undefined },
    { ...good, ...JSON.parse('{"__proto__": {"rating": 1}}') },
  ])
    assert.equal((await put(origin, anna, path, value)).status, 400, JSON.stringify(value));
  assert.deepEqual(people.answers(), []);
  assert.equal((await put(origin, anna, path, { ...good, note: 'x'.repeat(100_000) })).status, 413);
  assert.equal((await put(origin, anna, path, { ...good, sharpness: '2' })).status, 200);
  await pages.writeTable();
  const [first] = tasksOfRater(plan, 0);
  const expected = {
    ...{ listener: 'anna', utterance: plan.utterances[first!.utterance]!.id, condition: ratedClips(plan)[first!.clip] },
    ...{
      relation: first!.kind === 'rated' ? 'MR-1' : null,
      corpus: 'timit',
      kind: first!.kind,
      plays: 1,
      excluded: null,
    },
  };
  assert.deepEqual(rows(), [
    { ...expected, scale: 'sharpness', rating: 2 },
    { ...expected, scale: 'naturalness', rating: 5 },
  ]);
  const own1 = await ask(origin, `${people.people()[1]!.home}/`, { headers: { cookie: ben } });
  assert.doesNotMatch(own1.body, /<b>ben/);
  people.revoke('anna');
  assert.equal((await ask(origin, own, { headers: { cookie: anna } })).status, 403);
});

/** Everybody rates everything: what is worse gets less, by each one's own measure. */
async function rateAll(
  people: Awaited<ReturnType<typeof rating>>,
  gradeOf: (condition: string, seat: number) => number,
) {
  for (const [seat, { link }] of people.serving.links.entries()) {
    const cookie = await cookieOf(link);
    for (const [at, task] of tasksOfRater(people.plan, seat).entries()) {
      const grade = gradeOf(ratedClips(people.plan)[task.clip]!, seat);
      const { status } = await put(people.origin, cookie, `${people.clipAt(seat, at + 1)}/rating`, {
        ...{ sharpness: String(grade), naturalness: String(grade), comprehensibility: String(grade), plays: '1' },
      });
      assert.equal(status, 200);
    }
  }
  await people.pages.writeTable();
}

test('The table that comes of it gates robustness, degradation and metamorphic; who does not tell anchors from originals is left out.', async (context) => {
  const { folder, config } = made;
  const names = ['a', 'b', 'c', 'd'];
  const all = await rating(context, names, ['--headphones', 'off']);
  const grades: Readonly<Record<string, number>> = {
    clean: 5,
    'aequevox/noise:1': 4,
    'aequevox/noise:5': 2,
    anchor: 1,
  };
  // The last one hears everything turned round.
  await rateAll(all, (condition, seat) => (seat < 3 ? grades[condition]! : 6 - grades[condition]!));
  assert.deepEqual(
    new Set(
      all
        .rows()
        .filter(({ excluded }) => excluded !== null)
        .map(({ listener }) => listener),
    ),
    new Set(['d']),
  );
  // The command writes the same, and reports it.
  const before = await runCommand(['rate', `${all.stem}.csv`, '--report', '--json'], { cwd: folder.path });
  assert.equal(before.code, 4);
  const columns = [
    'listener',
    'utterance',
    'condition',
    'relation',
    'corpus',
    'scale',
    'rating',
    'kind',
    'plays',
    'excluded',
  ] as const;
  const lines = all.rows().map((row) => columns.map((name) => row[name] ?? '').join(','));
  await writeFile(all.table, `${columns.join(',')}\n${lines.join('\n')}\n`);
  const told = await runCommand(['rate', `${all.stem}.csv`, '--report', '--json', '--out', `${all.stem}-report`], {
    cwd: folder.path,
  });
  assert.equal(told.code, 0, told.stderr);
  const [finding] = JSON.parse(told.stdout).findings;
  const means = rowsOf(finding, 'ratings-means').filter(({ corpus }) => corpus !== null);
  assert.deepEqual(
    means.map(({ about, corpus, scale }) => `${about} ${corpus} ${scale}`),
    ['MR-1 timit sharpness', 'MR-1 timit naturalness'],
  );
  assert.equal(rowsOf(finding, 'ratings-excluded')[0]!.reason, 'originals not 1 above anchors');
  const studies = (per: string) => ({ ratings: `${all.stem}.csv`, atLeast: 3.5, per });
  const conditions = ['aequevox/noise:1', 'aequevox/noise:5'];
  const { findings } = await run(
    {
      ...config,
      studies: [
        { type: 'robustness', conditions, resamples: 100, validity: studies('condition') },
        { type: 'degradation', conditions, resamples: 100, validity: studies('condition') },
        { ...config.studies[0]!, resamples: 100, validity: studies('relation') },
      ],
    } as never,
    { baseFolder: folder.path },
  ).then(({ report }) => report);
  const ratings = findings.slice(0, 3).map(({ sections }) => {
    const table = sections.flatMap((section) => section.tables ?? []).find(({ id }) => id.endsWith('-ratings'))!;
    return table.rows.map((row) => [row.about, row.scale, (row.mean as { value: number }).value]);
  });
  const each = [
    ['aequevox/noise:1', 'sharpness', 4],
    ['aequevox/noise:5', 'sharpness', 2],
    ['aequevox/noise:1', 'naturalness', 4],
    ['aequevox/noise:5', 'naturalness', 2],
  ];
  assert.deepEqual(ratings[0]!.toSorted(), each.toSorted());
  assert.deepEqual(ratings[1]!.toSorted(), each.toSorted());
  assert.equal(ratings[2]!.length, 2);
});

/** Plays a clip to its end by keyboard. */
async function hear(page: Page): Promise<void> {
  await page.waitForSelector('[data-name=clip] button:enabled');
  await press(page, 'Escape');
  await page.waitForSelector('[data-name=clip] [data-state]:has-text("Heard.")');
  assert.equal(await page.inputValue('input[name=plays]'), '1');
}

test('By keyboard on a phone: headphones, two scales, a lost network, a reload and a change of mind.', {
  skip,
}, async (context) => {
  const { serving, pages, rows, plan, clipAt, people } = await rating(context, ['anna', 'ben']);
  const browser = await sharedBrowser(context);
  const { phone, page, complaints } = await onPhone(browser, /ERR_INTERNET_DISCONNECTED|400/);
  // The tones of the first trial are heard as they are, of the others a moment: they are looked at by another test, and take as long as they take.
  let heard = 0;
  await page.route('**/tones/*', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: heard++ === 0 ? await response.body() : sineWav(200, 8000, 0.05) });
  });
  await page.goto(serving.links[0]!.link);
  await page.waitForSelector('text=You will hear 10 short clips');
  assert.deepEqual(await pageFaults(page), []);
  await look(page, 'welcome');
  await page.click('text=Begin');
  for (let place = 0; place < 6; place++) {
    await page.waitForSelector(`text=${place + 1} of 6`);
    if (place === 0) {
      assert.deepEqual(await pageFaults(page), []);
      await look(page, 'headphones');
      // Nobody goes around the check.
      await page.goto(new URL(clipAt(0, 1), page.url()).href);
      await page.waitForURL(/check/);
    }
    await hear(page);
    const { soft } = headphoneTrial(place, people.alias('headphones', 'anna 0'));
    await press(page, String(soft + 1), 'Enter');
    if (place < 5) await page.waitForSelector(`text=${place + 2} of 6`);
  }
  await page.waitForURL(`**${clipAt(0, 1)}`);
  await page.waitForSelector('[data-name=clip] button:enabled');
  assert.deepEqual(await pageFaults(page), []);
  await look(page, 'two-scales');
  assert.deepEqual(await primaryButtons(page), ['Save and go on']);
  // Five keys of one size beside each other, each wide enough for a finger.
  const keys = (await page.evaluate(
    `[...document.querySelectorAll('[data-scale]')].map((scale) => [...scale.querySelectorAll('label')].map((key) => [Math.round(key.offsetWidth), Math.round(key.offsetHeight), key.offsetTop - scale.offsetTop]))`,
  )) as number[][][];
  assert.deepEqual(
    keys.map((scale) => scale.length),
    [5, 5],
  );
  for (const scale of keys) {
    assert.equal(new Set(scale.map(String)).size, 1, String(scale));
    assert.ok(scale[0]![0]! >= 44 && scale[0]![1]! >= 44, String(scale[0]));
  }
  // Unheard is not taken.
  await press(page, '4', '5', 'Enter');
  await page.waitForSelector('text=Hear the clip to its end first.');
  await hear(page);
  await page.reload();
  await page.waitForSelector('text=What you had entered is here again.');
  assert.equal(await page.isChecked('input[name=sharpness][value="4"]'), true);
  assert.equal(await page.inputValue('input[name=plays]'), '1');
  await phone.setOffline(true);
  await page.click('text=Save and go on');
  await page.waitForSelector('text=It stays in this browser and is sent again.');
  await phone.setOffline(false);
  await page.waitForURL(`**${clipAt(0, 2)}`);
  for (let at = 2; at <= 10; at++) {
    await hear(page);
    await press(page, String(1 + (at % 5)), '3', 'Enter');
    await page.waitForURL(at === 10 ? /done/ : `**${clipAt(0, at + 1)}`);
  }
  await page.waitForSelector('text=All 10 clips are rated');
  await look(page, 'done');
  await page.goto(new URL(clipAt(0, 1), page.url()).href);
  await page.check('input[name=sharpness][value="1"]');
  await page.click('text=Save the change');
  await page.waitForURL(/done/);
  assert.equal(await page.evaluate('window.stolen'), undefined);

  const overview = await browser.newPage();
  await overview.goto(serving.overview);
  assert.match(
    await overview.innerText('main'),
    /anna\s+10\s+10\s+passed\s+(yes|no)[\s\S]*ben\s+0\s+10\s+–\s+yes\s+open/,
  );
  await look(overview, 'overview');
  assert.deepEqual(complaints, []);
  await pages.writeTable();
  const order = new Map(
    tasksOfRater(plan, 0).map(({ utterance, clip: of, kind }, at) => [
      `${plan.utterances[utterance]!.id} ${ratedClips(plan)[of]} ${kind}`,
      at,
    ]),
  );
  const mine = rows()
    .map((row) => ({ ...row, at: order.get(`${row.utterance} ${row.condition} ${row.kind}`)! }))
    .toSorted((a, b) => a.at - b.at);
  assert.deepEqual(
    mine.map(({ at, scale, rating: grade, plays }) => [at, scale, grade, plays]),
    Array.from({ length: 10 }, (_, at) => [
      [at, 'sharpness', at === 0 ? 1 : 1 + ((at + 1) % 5), 1],
      [at, 'naturalness', at === 0 ? 5 : 3, 1],
    ]).flat(),
  );
});

test('aequevox by keyboard: the original is beside, ten grades; whoever has no headphones on goes no further.', {
  skip,
}, async (context) => {
  const { serving, clipAt, rows, pages, people, origin } = await rating(
    context,
    ['anna', 'ben'],
    ['--profile', 'aequevox', '--utterances', '2', '--repeats', '0', '--headphones', 'required'],
  );
  const cookie = await cookieOf(serving.links[1]!.link);
  for (const round of [0, 1]) {
    for (let place = 0; place < 6; place++) {
      const { home } = people.people()[1]!;
      const id = people.alias('headphones', `ben headphones/${round}/${place}`);
      const { soft, wav } = headphoneTrial(place, people.alias('headphones', `ben ${round}`));
      const tones = await ask(origin, `${home}/tones/${id}`, { headers: { cookie } });
      assert.equal(tones.body, Buffer.from(wav()).toString('latin1'));
      const { body } = await put(origin, cookie, `${home}/check/${id}/softest`, {
        softest: String(1 + ((soft + 1) % 3)),
        plays: '1',
      });
      const last = round === 1 && place === 5;
      assert.match(JSON.parse(body).next, last ? /headphones$/ : /check/);
    }
  }
  assert.equal(
    (await put(origin, cookie, `${clipAt(1, 1)}/rating`, { comprehensibility: '4', plays: '1' })).status,
    409,
  );

  const browser = await sharedBrowser(context);
  const phone = await browser.newContext({ viewport: { width: 390, height: 800 } });
  const shut = await phone.newPage();
  await shut.goto(serving.links[1]!.link);
  await shut.waitForSelector('text=This listening test needs headphones');
  assert.deepEqual(await pageFaults(shut), []);
  const page = await (await browser.newContext({ viewport: { width: 390, height: 800 } })).newPage();
  const { home } = people.people()[0]!;
  const annas = await cookieOf(serving.links[0]!.link);
  for (let place = 0; place < 6; place++) {
    const id = people.alias('headphones', `anna headphones/0/${place}`);
    const { soft } = headphoneTrial(place, people.alias('headphones', 'anna 0'));
    await put(origin, annas, `${home}/check/${id}/softest`, { softest: String(soft + 1), plays: '1' });
  }
  await page.goto(serving.links[0]!.link);
  await page.click('text=Begin');
  for (let at = 1; at <= 4; at++) {
    await page.waitForURL(`**${clipAt(0, at)}`);
    await page.waitForSelector('[data-name=original] button:enabled');
    await press(page, 'o');
    await page.waitForSelector('[data-name=original] [data-state]:has-text("Heard.")');
    assert.equal(await page.inputValue('input[name=plays]'), '0');
    await hear(page);
    if (at === 1) {
      assert.deepEqual(await pageFaults(page), []);
      await look(page, 'ten-grades');
    }
    await press(page, at === 1 ? '0' : String(at), 'Enter');
  }
  await page.waitForURL(/done/);
  await pages.writeTable();
  assert.deepEqual(
    rows().map(({ rating: grade }) => grade),
    [10, 2, 3, 4],
  );
  assert.deepEqual(new Set(rows().map(({ kind }) => kind)), new Set(['original', 'rated', 'anchor']));
});

/** Pages as they look, where somebody wants to see them. */
async function look(page: Page, name: string): Promise<void> {
  const folder = process.env.EARWITNESS_LOOK;
  if (folder) await page.screenshot({ path: join(folder, `rate-${name}.png`), fullPage: true });
}

test('Killed at any moment, nothing that was acknowledged is lost and nothing is doubled; the same link goes on.', async () => {
  const { stem, table, plan, people: file } = await planned(member, made.folder, ['--headphones', 'off']);
  const people = openPeopleStore(file, 'rating', systemClock);
  const { home } = people.invite('anna');
  const tasks = tasksOfRater(plan, 0);
  const paths = tasks.map(({ key }) => `${home}/clips/${people.alias('clip', key)}/rating`);
  people[Symbol.dispose]();
  /** Plays stand for the number of what was sent. */
  const acknowledged = new Map<number, number>();
  await killAgainAndAgain(
    () => started(['rate', `${stem}.csv`, '--person', 'anna'], made.folder.path),
    kills,
    async ({ origin, cookie }, sent) => {
      const at = sent % paths.length;
      const grades = { sharpness: String(1 + (sent % 5)), naturalness: '3', plays: String(sent) };
      const { status } = await put(origin, cookie, paths[at]!, grades);
      if (status === 200) acknowledged.set(at, sent);
      return status === 200;
    },
  );
  const [header, ...lines] = (await readFile(table, 'utf8'))
    .trim()
    .split('\r\n')
    .map((line) => line.split(','));
  const kept = lines.map((cells) => Object.fromEntries(header!.map((name, at) => [name, cells[at]!])));
  const nameOf = ({ utterance, condition, kind, scale }: Readonly<Record<string, string>>) =>
    `${utterance} ${condition} ${kind} ${scale}`;
  assert.equal(new Set(kept.map(nameOf)).size, kept.length);
  for (const [at, count] of acknowledged) {
    const { utterance, clip: of, kind } = tasks[at]!;
    const name = `${plan.utterances[utterance]!.id} ${ratedClips(plan)[of]} ${kind} sharpness`;
    const found = kept.find((row) => nameOf(row) === name);
    const plays = Number(found?.plays);
    // One that was sent and not acknowledged may have come after it.
    assert.ok(plays >= count && Number(found!.rating) === 1 + (plays % 5), `${at} ${count} ${plays}`);
  }
});
