import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import type { Cell, Comparison, Estimate, Finding } from '../../model/finding.ts';
import { reasonText } from '../../model/reason.ts';
import type { Trial } from '../../model/trial.ts';
import type { Utterance } from '../../model/utterance.ts';
import {
  failedWith,
  type Invention,
  inventedContext,
  inventedRun,
  recognizerNamed,
  spoken,
} from '../shared/testing/testing.ts';
import { fewReferences } from './few-references.ts';

const sentence = Array.from({ length: 20 }, (_, place) => `word${place}`);

/** Ten recordings each of 60 speakers, a third of them women; every fifth recording has a reference. */
const people: Utterance[] = Array.from({ length: 600 }, (_, place) => {
  const speaker = Math.floor(place / 10);
  return spoken(`u${place}`, createRandom(['transcribed', place]).next() < 0.2 ? sentence.join(' ') : null, {
    speaker: `s${speaker}`,
    attributes: { sex: speaker % 3 === 0 ? 'female' : 'male' },
  });
});

const wrong = (count: number, by: string) => sentence.map((word, place) => (place < count ? by : word)).join(' ');

/** How hard a recording is, for whoever recognizes it: women's are harder. */
const difficulty = ({ id, attributes }: Utterance) =>
  createRandom(['hard', id]).integer(6) + (attributes.sex === 'female' ? 3 : 0);

/** One makes as many errors as a recording is hard; the other makes hardly any, so that their distance tells. */
const says: Invention = ({ utterance, recognizer }: Trial) =>
  recognizer === 'one'
    ? wrong(difficulty(utterance) + createRandom(['one', utterance.id]).integer(2), 'x')
    : wrong(createRandom(['two', utterance.id]).integer(3), 'y');

async function run(
  options: object = {},
  {
    invent = says,
    utterances = people,
    names = ['one', 'two'],
  }: { invent?: Invention; utterances?: readonly Utterance[]; names?: string[] } = {},
): Promise<Finding> {
  const recognizers = names.map((name) => recognizerNamed(name));
  return inventedRun(fewReferences, { groupBy: ['sex'], ...options }, inventedContext(utterances, recognizers), invent);
}

const rowsOf = ({ sections }: Finding, id: string): readonly Readonly<Record<string, Cell>>[] =>
  sections.flatMap(({ tables }) => tables ?? []).find((table) => table.id === id)?.rows ?? [];
const rateOf = (finding: Finding, group = 'everybody', recognizer = 'one') =>
  rowsOf(finding, 'few-references-rates').find((row) => row.group === group && row.recognizer === recognizer)!;
const width = ({ low, high }: Estimate) => high! - low!;

/** From all recordings, each having been given its reference. */
function truth(of: (utterance: Utterance) => boolean): number {
  const own = people.filter(of);
  const errors = own.reduce((sum, utterance) => {
    const text = says({ utterance, recognizer: 'one' } as Trial) as string;
    return sum + text.split(' ').filter((word) => word === 'x').length;
  }, 0);
  return errors / (20 * own.length);
}

test('the rate of all recordings is nearer and narrower than that of the sample', async () => {
  const row = rateOf(await run());
  const [sample, powered] = [row.sample as Estimate, row.powered as Estimate];
  assert.ok(width(powered) < 0.8 * width(sample), `${width(powered)} ${width(sample)}`);
  const real = truth(() => true);
  assert.ok(powered.low! < real && real < powered.high!);
  assert.ok(
    Math.abs(powered.value! - real) < Math.abs(sample.value! - real),
    `${powered.value} ${sample.value} ${real}`,
  );
  assert.equal(row.recordings, 600);
  assert.equal(row.transcribed, people.filter(({ reference }) => reference !== undefined).length);
  assert.ok((row.varianceRatio as number) < 0.65);
});

test('the sample’s rate is errors over words of what has a reference, counted here again', async () => {
  const transcribed = people.filter(({ reference }) => reference !== undefined);
  const errors = transcribed.reduce((sum, utterance) => {
    return (
      sum + (says({ utterance, recognizer: 'one' } as Trial) as string).split(' ').filter((word) => word === 'x').length
    );
  }, 0);
  assert.ok(Math.abs((rateOf(await run()).sample as Estimate).value! - errors / (20 * transcribed.length)) < 1e-12);
});

test('a gap between groups is found over all recordings, with its test', async () => {
  const finding = await run();
  const [row] = rowsOf(finding, 'few-references-gaps');
  const gap = row!.powered as Comparison;
  assert.equal(gap.verdict, 'worse');
  const real =
    truth(({ attributes }) => attributes.sex === 'female') - truth(({ attributes }) => attributes.sex === 'male');
  assert.ok(gap.difference.low! < real && real < gap.difference.high!);
  assert.ok(width(gap.difference) < width((row!.sample as Comparison).difference));
  assert.ok(finding.answer.some(({ text }) => /one makes more errors for sex female than for male/.test(text)));
  assert.deepEqual(JSON.parse(JSON.stringify(finding)), finding);
});

test('verdicts that say nothing cost nothing', async () => {
  // The other recognizer agrees or not by chance alone.
  const invent: Invention = (trial) =>
    trial.recognizer === 'one' ? says(trial) : wrong(20, `z${createRandom(['chance', trial.utterance.id]).next()}`);
  const row = rateOf(await run({}, { invent }));
  assert.ok(width(row.powered as Estimate) <= 1.05 * width(row.sample as Estimate));
});

test('majority and confidence make verdicts too', async () => {
  const some = people.slice(0, 240);
  const three = await run({ verdict: 'majority' }, { names: ['one', 'two', 'three', 'four'], utterances: some });
  assert.ok((rateOf(three).varianceRatio as number) < 0.7);
  const invent: Invention = (trial) => {
    const text = says(trial) as string;
    const words = text.split(' ').map((word) => ({ text: word, confidence: word === 'x' ? 0.2 : 0.9 }));
    return { transcript: { text, words }, soundSeconds: 1, timing: { seconds: 0.1, calls: 1 } };
  };
  const sure = await run({ verdict: 'confidence' }, { invent, names: ['one'] });
  assert.ok((rateOf(sure).varianceRatio as number) < 0.5);
  const silent = await run({ verdict: 'confidence' }, { names: ['one'] });
  assert.equal((rateOf(silent).powered as Estimate).value, null);
  assert.match(silent.warnings.join('\n'), /600 transcripts of one without a verdict .* there are no confidences/);
});

test('what to transcribe next is drawn at random, more of whom less is known, the same each time', async () => {
  const finding = await run({ next: 40 });
  const cells = rowsOf(finding, 'few-references-cells');
  assert.deepEqual(
    cells.map(({ cell }) => cell),
    ['sex female', 'sex male'],
  );
  const [women, men] = cells.map(({ next }) => next as number);
  assert.equal(women! + men!, 40);
  // A third as many references for about as much that is open.
  assert.ok(women! > men!, `${women} ${men}`);
  const listed = rowsOf(finding, 'few-references-next').map(({ utterance }) => utterance);
  assert.equal(new Set(listed).size, 40);
  for (const id of listed) assert.equal(people.find((one) => one.id === id)!.reference, undefined);
  assert.deepEqual(await run({ next: 40 }), finding);
  assert.deepEqual(
    rowsOf(await run({ next: 40 }, { utterances: people.toReversed() }), 'few-references-next').map(
      ({ utterance }) => utterance,
    ),
    listed,
  );
});

test('By Neyman: of two groups as many are to be transcribed as their deviations are to each other', async () => {
  // 30 of 100 recordings of either are transcribed. Of 20 words women have 6 or 14 wrong, men 8 or 12, and to the other, whose words are all others,
  // everything is as far.
  const utterances = ['female', 'male'].flatMap((sex) =>
    Array.from({ length: 100 }, (_, place) =>
      spoken(`${sex}${place}`, place < 30 ? sentence.join(' ') : null, {
        speaker: `${sex}${place}`,
        attributes: { sex },
      }),
    ),
  );
  const invent: Invention = ({ utterance: { id, attributes }, recognizer }) => {
    const apart = attributes.sex === 'female' ? 4 : 2;
    const errors = Number(/\d+$/.exec(id)![0]) % 2 === 0 ? 10 - apart : 10 + apart;
    return recognizer === 'one' ? wrong(errors, 'x') : wrong(20, 'y');
  };
  const cells = rowsOf(await run({ next: 60 }, { invent, utterances }), 'few-references-cells');
  for (const [place, apart] of [4, 2].entries())
    assert.ok(Math.abs((cells[place]!.open as number) - (apart / 20) * Math.sqrt(30 / 29)) < 1e-12);
  // 120 in all: 80 and 40. The variance of the gap, 4 ** 2 / women + 2 ** 2 / men, is nowhere less.
  const varianceOf = (women: number) => 4 ** 2 / (30 + women) + 2 ** 2 / (90 - women);
  const best = Array.from({ length: 61 }, (_, women) => women).toSorted((a, b) => varianceOf(a) - varianceOf(b))[0]!;
  assert.deepEqual([cells[0]!.next, cells[1]!.next, best], [50, 10, 50]);
});

test('where more of a group was transcribed on purpose, strata set it right and a warning asks for them', async () => {
  const utterances = people.map((utterance, place) => {
    const women = utterance.attributes.sex === 'female';
    const keep = createRandom(['unequal', place]).next() < (women ? 0.6 : 0.1);
    const { reference: _, ...rest } = utterance;
    return keep ? { ...rest, reference: sentence.join(' ') } : rest;
  });
  const plain = await run({}, { utterances });
  assert.match(plain.warnings.join('\n'), /strata: \[sex\]/);
  const weighted = await run({ strata: ['sex'] }, { utterances });
  const real = truth(() => true);
  const [wrongly, rightly] = [plain, weighted].map((finding) => (rateOf(finding).sample as Estimate).value! - real);
  assert.ok(Math.abs(rightly!) < Math.abs(wrongly!) / 2, `${rightly} ${wrongly}`);
  assert.doesNotMatch(weighted.warnings.join('\n'), /strata/);
  const without = utterances.map(
    (utterance) =>
      (utterance.attributes.sex === 'male' ? { ...utterance, reference: undefined } : utterance) as Utterance,
  );
  const none = await run({ strata: ['sex'] }, { utterances: without });
  assert.match(reasonText((rateOf(none).powered as Estimate).reason!), /no recording is transcribed of the stratum/);
});

test('a share of the references shows what few would have said, beside what all say', async () => {
  const utterances = people.map((utterance) => ({ ...utterance, reference: sentence.join(' ') }));
  const finding = await run({ share: 0.2 }, { utterances });
  const row = rateOf(finding);
  assert.ok(Math.abs((row.byAll as Estimate).value! - truth(() => true)) < 1e-12);
  assert.ok((row.transcribed as number) > 90 && (row.transcribed as number) < 150);
  const powered = row.powered as Estimate;
  assert.ok(powered.low! < (row.byAll as Estimate).value! && (row.byAll as Estimate).value! < powered.high!);
  assert.match(finding.warnings.join('\n'), /references are hidden/);
});

test('failures are left out of sample and rest; nothing to go by is said, not guessed', async () => {
  const invent: Invention = (trial) =>
    trial.utterance.id === 'u1' && trial.recognizer === 'one' ? failedWith('timeout') : says(trial);
  const finding = await run({}, { invent });
  assert.equal(rateOf(finding).recordings, 599);
  assert.equal(rowsOf(finding, 'few-references-failures')[0]!.count, 1);
  assert.match(finding.warnings.join('\n'), /1 transcript of two without a verdict/);
  const untranscribed = await run({}, { utterances: people.filter(({ reference }) => reference === undefined) });
  assert.match(untranscribed.answer[0]!.text, /None of .* has a reference/);
  assert.equal((rateOf(untranscribed).powered as Estimate).value, null);
  const empty = await run({}, { utterances: [] });
  assert.match(empty.answer[0]!.text, /None of 0 recordings/);
  const alone = await run({}, { names: ['one'] });
  assert.match(alone.warnings.join('\n'), /No other recognizer judges one/);
});

test('attributes, references and judges that do not exist are named in one sentence', async () => {
  await assert.rejects(run({ groupBy: ['sexx'] }), /none has "sexx"; did you mean "sex"/);
  await assert.rejects(run({ reference: { sex: 'x' } }), /a value of "sex" \("male", "female"\), but got "x"/);
  await assert.rejects(run({ judges: ['three'] }), /recognizers of the config \(one, two\), but got "three"/);
});

test('speakers beside a gap are those of the transcribed recordings, beside all references those of all', async () => {
  // One recording of each of 20 speakers is transcribed.
  const utterances = people.map((one, place) => ({
    ...one,
    reference: place < 200 && place % 10 === 0 ? sentence.join(' ') : undefined,
  })) as Utterance[];
  const finding = await run({}, { utterances });
  const [gap] = rowsOf(finding, 'few-references-gaps');
  assert.deepEqual([gap!.transcribed, gap!.speakers], [20, 20]);
  const hidden = await run({ share: 0.3 }, { utterances });
  const row = rateOf(hidden);
  assert.equal((row.byAll as Estimate).n.speakers, 20);
  assert.ok((row.speakers as number) < 20);
});

test('references without verdicts are not called missing, and gaps that cannot be told are not called chance', async () => {
  const finding = await run({}, { names: ['one'] });
  const alone = rateOf(finding).powered as Estimate;
  assert.equal(alone.value, null);
  assert.match(reasonText(alone.reason!), /no transcribed recording has a transcript and a verdict/);
  assert.match(finding.answer.at(-2)!.text, /No gap between groups can be estimated/);
  const bare = await run({}, { utterances: people.map(({ reference: _, ...utterance }) => utterance) });
  assert.match(reasonText((rateOf(bare).powered as Estimate).reason!), /no recording is transcribed/);
});
