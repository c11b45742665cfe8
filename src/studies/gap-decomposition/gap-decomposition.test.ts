import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import type { Comparison, Estimate, Finding } from '../../model/finding.ts';
import { numberAt, rowsOf } from '../../model/finding-rows.ts';
import { reasonText } from '../../model/reason.ts';
import type { Trial } from '../../model/trial.ts';
import type { Utterance } from '../../model/utterance.ts';
import { rankingOf } from '../../report/prepare/ranking.ts';
import type { Answer, Batch, StudyContext } from '../contract.ts';
import {
  failedWith,
  type Invention,
  inventedContext,
  inventedRun,
  type OtherInvention,
  recognizerNamed,
  spoken,
} from '../shared/testing/testing.ts';
import { gapDecomposition } from './gap-decomposition.ts';

const quality = [
  { name: 'noise-level', values: { snrDb: 'ratio', noiseDbfs: 'noise', speechDbfs: 'speech' }, needsClean: false },
];

/** Six utterances each of 24 speakers, the first half women; texts of 20 words, two of them drawn. */
const people: Utterance[] = Array.from({ length: 144 }, (_, place) => {
  const speaker = Math.floor(place / 6);
  const random = createRandom(['text', place]);
  const words = Array.from({ length: 20 }, (__, word) => (word < 18 ? `word${word}` : `rare${random.integer(40)}`));
  return spoken(`u${place}`, words.join(' '), {
    speaker: `s${speaker}`,
    sound: { file: `${place}.wav` },
    attributes: { sex: speaker < 12 ? 'female' : 'male', device: speaker < 12 ? 'phone' : 'desk' },
  });
});

const isFemale = ({ attributes }: Utterance) => attributes.sex === 'female';

/** Women were recorded in more noise: 8 dB worse, give or take 4. */
const snrOf = (utterance: Utterance) =>
  (isFemale(utterance) ? 17 : 25) + 4 * createRandom(['snr', utterance.id]).normal();

const measured: OtherInvention = (question): Answer => {
  assert.ok(question.ask === 'measurement');
  const snrDb = snrOf(question.utterance);
  const values = { snrDb, noiseDbfs: -26 - snrDb, speechDbfs: -26 };
  return {
    ...question,
    measurement: {
      durationSeconds: 5 + createRandom(['seconds', question.utterance.id]).next(),
      sampleRate: 16_000,
      levelDbfs: -28,
      clippedShare: 0,
      facts: [],
      sampleHash: '',
      ...(question.quality?.includes('noise-level') && { quality: { 'noise-level': { values } } }),
    },
  };
};

/** A recognizer that noise alone disturbs: more wrong words the noisier, whatever the noise comes from. */
const disturbed: Invention = ({ utterance, condition }: Trial) => {
  const own = snrOf(utterance);
  const step = condition.steps.find(({ perturbation }) => perturbation === 'white-noise');
  const added = step === undefined ? null : (step.parameters.snrDb as number);
  const snrDb = added === null ? own : -10 * Math.log10(10 ** (-own / 10) + 10 ** (-added / 10));
  const wrong = Math.max(0, Math.round((30 - snrDb) / 4 + createRandom(['errors', utterance.id]).normal()));
  return wordsWith(utterance, wrong);
};

function wordsWith({ reference }: Utterance, wrong: number): string {
  return reference!
    .split(' ')
    .map((word, place) => (place < wrong ? 'x' : word))
    .join(' ');
}

async function run(
  options: object,
  { invent = disturbed, utterances = people, context = {}, batches = [] as Batch[], input = 'sound' as const } = {} as {
    invent?: Invention;
    utterances?: readonly Utterance[];
    context?: Partial<StudyContext>;
    batches?: Batch[];
    input?: 'sound' | 'names';
  },
): Promise<Finding> {
  const known = inventedContext(utterances, [recognizerNamed('one', { input })], { quality, ...context });
  return inventedRun(
    gapDecomposition,
    { groupBy: ['sex'], reference: { sex: 'male' }, ...options },
    known,
    invent,
    batches,
    measured,
  );
}

const partOf = (finding: Finding, part: string) =>
  rowsOf(finding, 'gap-decomposition-parts').find((row) => row.part === part)!.difference as Comparison;

test('a gap that comes of noise is put down to noise, and to nothing else', async () => {
  const finding = await run({ equalize: [] });
  assert.equal(partOf(finding, 'the whole gap').verdict, 'worse');
  assert.equal(partOf(finding, 'noise').verdict, 'worse');
  for (const other of ['speech-rate', 'rarity', 'what remains']) {
    assert.equal(partOf(finding, other).verdict, 'cannot tell', other);
  }
  // 8 dB at one word of 20 for 4 dB: a tenth.
  assert.ok(Math.abs(partOf(finding, 'noise').difference.value! - 0.1) < 0.035);
  assert.match(
    finding.answer[0]!.text,
    /female is [\d.]+ points above male \(95 % CI [\d.]+-[\d.]+\)\. Shown to contribute: noise, [\d.]+ points \[[\d.]+, [\d.]+\]\. /,
  );
  // All texts are as long and all clips as loud.
  assert.match(reasonText(partOf(finding, 'length').reason!), /the same in all recordings/);
  assert.match(reasonText(partOf(finding, 'bandwidth').reason!), /not known for 144 of 144/);
  assert.deepEqual(JSON.parse(JSON.stringify(finding)), finding);
});

test('brought to one noise the gap shrinks, and to one rate it does not', async () => {
  const finding = await run({ equalize: ['noise', 'rate'] });
  const rows = rowsOf(finding, 'gap-decomposition-counterfactuals');
  assert.deepEqual(
    rows.map(({ variant }) => variant),
    ['one noise', 'one rate'],
  );
  assert.equal((rows[0]!.change as Comparison).verdict, 'better');
  assert.equal((rows[1]!.change as Comparison).verdict, 'cannot tell');
  // A tenth of the clips is noisier than the target and stays as it is.
  assert.ok((rows[0]!.changed as number) > 110 && (rows[0]!.changed as number) <= 135, `${rows[0]!.changed}`);
  assert.ok(finding.answer.some(({ text }) => /one noise\), one has a smaller gap/.test(text)));
});

test('a gap has one interval before equalization and in whole, and a change of 0 is said to be 0', async () => {
  // Level disturbs nobody here.
  const finding = await run({ equalize: ['level'] });
  const [row] = rowsOf(finding, 'gap-decomposition-counterfactuals');
  const { value, low, high, n } = row!.before as Estimate;
  const whole = partOf(finding, 'the whole gap').difference;
  assert.deepEqual([value, low, high, n], [whole.value, whole.low, whole.high, whole.n]);
  assert.notEqual(low, null);
  assert.match(reasonText((row!.change as Comparison).difference.reason!), /^it is 0 for every speaker/);
});

test('recognizers are ranked by the size of the gap that the answer begins with', async () => {
  const recognizers = ['one', 'two'].map((name) => recognizerNamed(name));
  const utterances = people.map((one, place) => ({
    ...one,
    attributes: { ...one.attributes, age: Math.floor(place / 6) % 2 === 0 ? 'old' : 'young' },
  }));
  // Two makes fewer errors of women than of men, and by less than one makes more.
  const invent: Invention = (trial) => {
    const chance = createRandom(['luck', trial.utterance.id]).integer(2);
    if (trial.recognizer === 'one') return disturbed(trial);
    return wordsWith(trial.utterance, chance + (isFemale(trial.utterance) ? 0 : 1));
  };
  const known = inventedContext(utterances, recognizers, { quality });
  const options = { groupBy: ['age', 'sex'], reference: { sex: 'male' }, equalize: [] };
  const finding = await inventedRun(gapDecomposition, options, known, invent, [], measured);
  assert.match(finding.answer[0]!.text, /^one, WER by sex in recordings with a reference: female is /);
  const ranking = rankingOf(finding)!;
  assert.deepEqual(ranking.slice, ['sex female – male', 'the whole gap']);
  assert.deepEqual(
    ranking.rows.map(({ name, estimate }) => [name, estimate.value! > 0]),
    [
      ['two', false],
      ['one', true],
    ],
  );
  assert.equal(ranking.section.charts![0]!.title, 'sex female – male');
});

test('conditions share steps, and no trial is asked twice', async () => {
  const batches: Batch[] = [];
  await run(
    { equalize: ['level', 'noise', 'rate'], conditions: ['own/gain:1'] },
    { batches, context: { ladders: [quieter] } },
  );
  const seen = new Set<string>();
  const names = new Map<string, string>();
  for await (const question of batches[1]!.questions()) {
    assert.ok(question.ask === 'recognition');
    const { utterance, condition } = question.trial;
    const key = `${utterance.id} ${condition.name}`;
    assert.ok(!seen.has(key), key);
    seen.add(key);
    const steps = JSON.stringify(condition.steps);
    assert.equal(names.get(condition.name) ?? steps, steps);
    names.set(condition.name, steps);
  }
  assert.ok([...names.keys()].filter((name) => name.startsWith('one rate')).length < 12);
  assert.ok(names.has('own/gain:1'));
});

const quieter = {
  name: 'own',
  about: 'one scenario',
  source: 'a test',
  families: [
    {
      name: 'gain',
      about: 'softer',
      axis: 'dB',
      rungs: [{ label: 'half', steps: [{ perturbation: 'gain', parameters: { factor: 0.5 } }] }],
    },
  ],
};

test('a device that goes with the group is said to, and what remains has its name', async () => {
  const finding = await run({ attributes: { device: 'recording' }, equalize: [] });
  assert.match(reasonText(partOf(finding, 'device').reason!), /cannot be told/);
  assert.ok(partOf(finding, 'what remains, or goes with device'));
  assert.match(finding.warnings.join('\n'), /device goes with the group itself/);
});

test('texts that several have read tell how hard they are', async () => {
  const utterances = people.map((utterance, place) => ({
    ...utterance,
    reference: `${'word '.repeat(10)}text ${place % 6}`,
  }));
  const invent: Invention = ({ utterance }) => {
    const wrong = Number(utterance.reference!.at(-1)) + createRandom(['luck', utterance.id]).integer(2);
    return wordsWith(utterance, wrong);
  };
  const finding = await run({ causes: ['same-text', 'noise'], equalize: [] }, { utterances, invent });
  // All have read the same texts: nothing of a gap goes with them.
  assert.ok(Math.abs(partOf(finding, 'same-text').difference.value!) < 0.005);
  const other = await run({ causes: ['same-text'], equalize: [] });
  assert.match(reasonText(partOf(other, 'same-text').reason!), /not known/);
});

test('transcripts alone have parts of text, and a warning that nothing confirms them', async () => {
  const utterances = people.map(({ sound: _, ...utterance }) => utterance);
  const batches: Batch[] = [];
  const finding = await run({}, { utterances, input: 'names', context: { quality: [] }, batches });
  assert.match(partOf(finding, 'rarity').difference.method, /Poisson/);
  assert.match(finding.warnings.join('\n'), /only transcripts are available/);
  assert.match(finding.warnings.join('\n'), /quality: \[noise-level, bandwidth, pitch\]/);
  const asked = [];
  for await (const question of batches[0]!.questions()) asked.push(question);
  assert.equal(asked.length, 0);
});

test('failures are left out and reported; the same answers give the same finding', async () => {
  const invent: Invention = (trial) => (trial.utterance.id === 'u3' ? failedWith('timeout') : disturbed(trial));
  const finding = await run({ equalize: [] }, { invent });
  assert.equal(partOf(finding, 'the whole gap').difference.n.utterances, 143);
  assert.equal(rowsOf(finding, 'gap-decomposition-failures')[0]!.count, 1);
  assert.deepEqual(await run({ equalize: [] }, { invent }), finding);
});

test('a list of word frequencies is read, and a line that is none is named', async () => {
  const readText = async () => 'word0 1000\nrare1\t2\n\n';
  const finding = await run({ frequencies: 'list.txt', equalize: [] }, { context: { readText } });
  assert.notEqual(partOf(finding, 'rarity').difference.value, null);
  const broken = async () => 'word0 1000\nrare1 many\n';
  await assert.rejects(
    run({ frequencies: 'list.txt' }, { context: { readText: broken } }),
    /list\.txt:2: expected a word/,
  );
});

test('few speakers, no utterances and one group have sentences and no claims', async () => {
  const few = await run({ minimumSpeakers: 13, equalize: [] });
  const [row, ...others] = rowsOf(few, 'gap-decomposition-parts');
  assert.equal((row!.difference as Comparison).difference.low, null);
  assert.match(row!.note as string, /needs 13 speakers/);
  assert.equal(others.length, 0);
  assert.match(few.warnings.join('\n'), /fewer than 13 speakers/);
  const none = await run({}, { utterances: [] });
  assert.match(none.answer[0]!.text, /no attribute divides/);
  const women = await run({ groupBy: null, reference: {}, equalize: [] }, { utterances: people.filter(isFemale) });
  assert.match(women.answer[0]!.text, /no attribute divides/);
});

test('attributes, references and causes that do not exist are named in one sentence', async () => {
  await assert.rejects(run({ groupBy: ['sexx'] }), /none has "sexx"; did you mean "sex"/);
  await assert.rejects(run({ reference: { sex: 'males' } }), /a value of "sex" \("female", "male"\), but got "males"/);
  await assert.rejects(run({ reference: { device: 'desk' } }), /attributes that make groups \(sex\), but got "device"/);
  await assert.rejects(run({ causes: ['pitch'] }), /add quality: \[pitch\]/);
});

test('clips without words in the reference are left out of sound made alike too', async () => {
  const utterances = [
    ...people,
    ...people.filter(isFemale).map((utterance) => ({ ...utterance, id: `silent ${utterance.id}`, reference: '' })),
  ];
  // What is invented where nothing was said would be errors without words, of women alone.
  const invent: Invention = (trial) => (trial.utterance.reference === '' ? 'thank you' : disturbed(trial));
  const [row] = rowsOf(await run({ equalize: ['level'] }, { utterances, invent }), 'gap-decomposition-counterfactuals');
  const [alone] = rowsOf(await run({ equalize: ['level'] }), 'gap-decomposition-counterfactuals');
  assert.equal(row!.utterances, 144);
  assert.deepEqual(row!.before, alone!.before);
});

test('more causes than can be split are refused before anything is asked, and attributes of many values say why they are none', async () => {
  const attributes = Object.fromEntries(Array.from({ length: 8 }, (_, place) => [`device${place}`, 'recording']));
  const batches: Batch[] = [];
  // Noise, level, speech-rate, length, rarity and same-text can be told here.
  await assert.rejects(
    run({ attributes }, { batches }),
    /at most 12 causes, but there are 6 \(noise, level, .*\) and 8/,
  );
  assert.equal(batches.length, 0);
  const utterances = people.map((one) => ({ ...one, attributes: { ...one.attributes, text: `${one.id}` } }));
  const finding = await run({ attributes: { text: 'text' }, equalize: [] }, { utterances });
  assert.match(reasonText(partOf(finding, 'text').reason!), /144 values, but at most 30/);
  assert.equal(partOf(finding, 'noise').verdict, 'worse');
});

test('a table has the quartiles of the causes, and failures are warned of with the worst condition', async () => {
  const invent: Invention = (trial) => (trial.condition.steps.length > 0 ? failedWith('timeout') : disturbed(trial));
  const finding = await run({ equalize: ['noise'] }, { invent });
  const [others, group] = rowsOf(finding, 'gap-decomposition-causes').filter(({ cause }) => cause === 'noise');
  assert.deepEqual([others!.group, group!.group], ['sex male', 'sex female']);
  assert.ok(numberAt(others!, 'median') - numberAt(group!, 'median') > 6);
  assert.match(finding.warnings.join('\n'), /did not answer \d+ of \d+ trials .*most in made alike \(100\.0 %\)/);
});

test('a group that is always understood has a gap with a verdict, and a sentence why it is not split', async () => {
  const invent: Invention = (trial) =>
    isFemale(trial.utterance)
      ? wordsWith(trial.utterance, 1 + createRandom(trial.utterance.id).integer(9))
      : trial.utterance.reference!;
  const finding = await run({ equalize: [] }, { invent });
  assert.equal(partOf(finding, 'the whole gap').verdict, 'worse');
  assert.match(finding.answer[0]!.text, /What remains cannot be estimated: one of the two groups has no errors/);
  assert.deepEqual(JSON.parse(JSON.stringify(finding)), finding);
});

test('where what remains is against the gap, the sentence says whom it is against', async () => {
  const invent: Invention = (trial) => {
    const wrong = (disturbed(trial) as string).split(' ').filter((word) => word === 'x').length;
    return wordsWith(trial.utterance, wrong + (isFemale(trial.utterance) ? 0 : 1));
  };
  const finding = await run({ equalize: [] }, { invent });
  const [gap, rest] = [partOf(finding, 'the whole gap'), partOf(finding, 'what remains')];
  assert.deepEqual([gap.verdict, rest.verdict], ['worse', 'better']);
  assert.match(
    finding.answer[0]!.text,
    /beyond chance, against the gap: of recordings alike in all causes, those of sex male have more errors\.$/,
  );
});

test('one gap that is not beyond chance is called so, and nothing is claimed of it', async () => {
  const invent: Invention = ({ utterance }) => wordsWith(utterance, createRandom(['luck', utterance.id]).integer(4));
  const finding = await run({ equalize: [] }, { invent });
  assert.match(
    finding.answer[0]!.text,
    /^The gap in recordings with a reference is not shown to be beyond chance in these data; this does not prove that the groups are equal\. /,
  );
  assert.equal(finding.answer[0]!.verdict, 'cannot tell');
});

test('recordings of unknown speakers are not called speakers without a word', async () => {
  const utterances = people.map(({ speaker: _, ...utterance }) => utterance);
  const finding = await run({ equalize: [] }, { utterances });
  assert.match(finding.warnings.join(' '), /The speakers are unknown: such utterances are taken to be independent/);
});
