import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { rateInterval } from '../../statistics/bootstrap/rate-interval.ts';
import { decisiveInWords, decisiveOf, decisiveSentences } from './decisive.ts';
import { ShareWatch } from './share-watch.ts';

interface Said {
  readonly id: string;
  readonly speaker: number;
  readonly words: number;
  readonly errors: number;
  readonly heard?: readonly string[];
}

/** Clips of so many words, of which every twelfth is wrong, a little more for some speakers than for others. */
function clips(speakers: number, each: number, words: number, rate = 1 / 12): Said[] {
  const random = createRandom(['clips', speakers, each, words]);
  return Array.from({ length: speakers * each }, (_, index) => {
    const speaker = Math.floor(index / each);
    const chance = rate * (0.7 + (0.6 * (speaker % 5)) / 4);
    const errors = Array.from({ length: words }, () => random.next()).filter((drawn) => drawn < chance).length;
    return { id: `u${index}`, speaker, words, errors };
  });
}

/** What of one clip is other than drawn. */
function odd(all: readonly Said[], index: number, other: Partial<Said>): Said[] {
  return all.with(index, { ...all[index]!, ...other });
}

function judge(all: readonly Said[]) {
  const speakers = 1 + Math.max(...all.map(({ speaker }) => speaker));
  const counts = { numerators: new Float64Array(speakers), denominators: new Float64Array(speakers) };
  const watch = new ShareWatch();
  for (const { id, speaker, words, errors, heard } of all) {
    counts.numerators[speaker]! += errors;
    counts.denominators[speaker]! += words;
    watch.add({ id, unit: speaker }, errors, words, () => heard ?? []);
  }
  const options = { random: createRandom('decisive') };
  const { low, high } = rateInterval(counts, options);
  const n = { utterances: all.length, speakers };
  const units = Array.from({ length: speakers }, (_, unit) => unit);
  return decisiveOf(
    { counts, units, watch },
    () => ({ low, high, n }),
    options,
    (unit) => `s${unit}`,
  );
}

const over = (round: readonly string[], times: number) => Array.from({ length: times }, () => round).flat();
const loop = { errors: 220, heard: over(['thank', 'you'], 110) };
const insertion = { errors: 180, heard: Array.from({ length: 190 }, (_, place) => `w${place}`) };
/** Of 120 utterances so many. */
function looped(times: number): Said[] {
  const spacing = times > 10 ? 4 : 11;
  return clips(40, 3, 10).map((one, place) =>
    place % spacing === 0 && place / spacing < times ? { ...one, ...loop } : one,
  );
}
const silent = (all: readonly Said[]) => all.map((one) => ({ ...one, errors: 0 }));

const cases: readonly [name: string, all: readonly Said[], who: string | null, loop: number | null][] = [
  ['nothing, 40 speakers', clips(40, 3, 10), null, null],
  ['nothing, 12 speakers', clips(12, 6, 10), null, null],
  ['nothing, 200 speakers', clips(200, 2, 8), null, null],
  ['nothing, too few for an interval', clips(4, 5, 10), null, null],
  ['nothing, one speaker of several is as the others', clips(30, 4, 12, 0.4), null, null],
  ['a loop among 40 speakers', odd(clips(40, 3, 10), 22, loop), 'u22', 110],
  ['a loop among 12 speakers', odd(clips(12, 6, 10), 22, loop), 'u22', 110],
  ['a loop among 200 speakers', odd(clips(200, 3, 10), 22, { ...loop, errors: 220 }), 'u22', 110],
  ['a loop, too few speakers for an interval', odd(clips(4, 5, 10), 7, loop), 'u7', 110],
  ['a loop in the last utterance', odd(clips(40, 3, 10), 119, loop), 'u119', 110],
  ['a loop in a long utterance', odd(clips(40, 3, 60), 50, { errors: 300, heard: over(['no'], 300) }), 'u50', 300],
  [
    'a loop where all others are right',
    odd(silent(clips(12, 1, 3)), 4, { errors: 30, heard: over(['so'], 30) }),
    'u4',
    30,
  ],
  ['two loops', odd(odd(clips(40, 3, 10), 22, loop), 70, { ...loop, errors: 240 }), 'u70 u22', 110],
  ['two loops of one speaker', odd(odd(clips(40, 3, 10), 21, loop), 22, { ...loop, errors: 240 }), 'u22 u21', 110],
  ['a loop, and an insertion', odd(odd(clips(40, 3, 10), 22, loop), 70, insertion), 'u22 u70', 110],
  [
    'a loop, and a word that is hardly wrong',
    odd(odd(clips(40, 3, 10), 22, loop), 70, { words: 1, errors: 3 }),
    'u22',
    110,
  ],
  ['ten loops hide each other', looped(10), 'u0 u11 u22 u33 u44 u55 u66 u77 u88 u99', 110],
  ['of so many loops none is odd', looped(25), null, null],
  ['an insertion without a loop', odd(clips(40, 3, 10), 22, insertion), 'u22', null],
  ['a long utterance without an error', odd(clips(40, 3, 10, 0.3), 9, { words: 300, errors: 0 }), 'u9', null],
  ['most of the words', odd(clips(12, 3, 10, 0.3), 9, { words: 900, errors: 0 }), 'u9', null],
  [
    'a speaker who is not understood',
    clips(40, 3, 10).map((one) => (one.speaker === 7 ? { ...one, errors: 10 } : one)),
    's7',
    null,
  ],
];

for (const [name, all, who, repeats] of cases) {
  test(`Who decides a rate: ${name}.`, () => {
    const found = judge(all);
    const names = found?.utterances.map(({ id }) => id).join(' ');
    assert.equal(found === null ? null : names || found.speaker, who);
    assert.equal(found?.utterances[0]?.loop?.repeats ?? null, repeats);
    if (found === null) return;
    // The rate without it, added up anew.
    const rest = all.filter(({ id, speaker }) =>
      names === '' ? `s${speaker}` !== who : !who!.split(' ').includes(id),
    );
    const sum = (of: 'errors' | 'words') => rest.reduce((total, one) => total + one[of], 0);
    assert.ok(Math.abs(found.without.value! - sum('errors') / sum('words')) < 1e-12);
  });
}

/** Clips of 3 to 20 words, of speakers and clips of unequal difficulty: the more `alike`, the less so. */
function ordinary(seed: number, speakers: number, each: number, alike: number): Said[] {
  const random = createRandom(['ordinary', seed, speakers, each, alike]);
  return Array.from({ length: speakers }, (_, speaker) => {
    const chance = 0.12 * Math.exp(random.normal() / Math.sqrt(alike * 0.12));
    return Array.from({ length: each }, (__, clip): Said => {
      const words = 3 + random.integer(18);
      const own = Math.min(0.9, chance * [0.3, 1, 1, 2.5][random.integer(4)]!);
      const errors = Array.from({ length: words }, () => random.next()).filter((drawn) => drawn < own).length;
      return { id: `s${speaker}u${clip}`, speaker, words, errors };
    });
  }).flat();
}

const worlds = [
  [25, 3, 40],
  [15, 3, 6],
  [12, 6, 40],
  [40, 3, 6],
  [100, 2, 6],
] as const;
/** What of so many words goes wrong in a clip of its own, or of a speaker whom nobody understands. */
const failures: Readonly<Record<string, (words: number) => readonly Said[]>> = {
  'an empty or wholly wrong output': (words) => [{ id: 'long', speaker: 3, words, errors: words }],
  'an output that is half wrong': (words) => [{ id: 'long', speaker: 3, words, errors: words / 2 }],
  'a loop': (words) => [{ id: 'long', speaker: 3, words: 10, errors: words, heard: over(['no'], words) }],
  'a speaker who is not understood': (words) =>
    Array.from({ length: words / 5 }, (_, place) => ({ id: `long${place}`, speaker: 3, words: 5, errors: 5 })),
};

for (const [kind, said] of Object.entries(failures)) {
  test(`The longer ${kind}, the more it is worth a line.`, () => {
    for (const [speakers, each, alike] of worlds) {
      for (const seed of [1, 2]) {
        const lengths = [50, 100, 150, 200, 300, 500, 700, 1000];
        const told = lengths.map((words) => {
          const found = judge([...ordinary(seed, speakers, each, alike), ...said(words)]);
          return found?.speaker === 's3' || found?.utterances[0]?.id === 'long';
        });
        const where = `${speakers} speakers, ${each} clips each, seed ${seed}: ${told}`;
        assert.ok(
          told.every((now, place) => now || !told[place - 1]),
          where,
        );
        assert.ok(kind.includes('half') || told.slice(4).every(Boolean), where);
      }
    }
  });
}

test('In 200 ordinary samples hardly ever a speaker and no utterance is worth a line.', () => {
  const samples = [...worlds, [15, 3, 2] as const, [20, 10, 3] as const, [10, 10, 40] as const].flatMap(
    ([speakers, each, alike]) => Array.from({ length: 25 }, (_, seed) => ordinary(100 + seed, speakers, each, alike)),
  );
  const found = samples.flatMap((said) => judge(said) ?? []);
  assert.equal(samples.length, 200);
  assert.deepEqual(
    found.flatMap(({ utterances }) => utterances),
    [],
  );
  assert.ok(found.length <= 4, `${found.length}: ${found.map(({ all, speaker }) => `${speaker} of ${all.speakers}`)}`);
});

test('Trials of one utterance count together.', () => {
  // Twenty trials, each with a few insertions.
  const often = Array.from({ length: 20 }, (): Said => ({ id: 'again', speaker: 3, words: 10, errors: 14 }));
  assert.equal(judge([...clips(40, 3, 10), ...often])?.utterances[0]?.id, 'again');
});

test('One sentence says who, how much, and the rate without; what decides many rates is said once.', () => {
  const decisive = judge(odd(clips(40, 3, 10), 22, loop))!;
  const sentence = decisiveInWords(decisive, { measure: 'WER' });
  assert.match(
    sentence,
    /^One of 120 utterances, u22, moves the WER from \d\.\d % \(95 % CI \d\.\d-\d+\.\d\) to \d\d\.\d %: it has 220 of the \d+ errors \(2 words repeated 110 times\)\.$/,
  );
  const long = judge(odd(clips(40, 3, 10, 0.3), 9, { words: 300, errors: 0 }))!;
  assert.match(
    decisiveInWords(long, { measure: 'WER' }, 'a, clean'),
    /^a, clean: one of .*: it has 0 of the \d+ errors and 300 of the 1,490 words\.$/,
  );
  const two = judge(odd(odd(clips(40, 3, 10), 22, loop), 70, { ...loop, errors: 240 }))!;
  assert.match(
    decisiveInWords(two, { measure: 'WER' }),
    /^2 of 120 utterances, u70 and u22, move the WER from \d\.\d % \(95 % CI \d\.\d-\d+\.\d\) to \d\d\.\d %: they have 460 of the \d+ errors \(the same words over and over\)\.$/,
  );
  assert.match(
    decisiveInWords(decisive, { measure: 'WER', to: 'before' }, 'new'),
    /^new: one of 120 utterances, u22, moves the difference to before from \+\d\.\d points \(95 % CI \+\d\.\d to \+\d+\.\d\) to \+\d\d\.\d points: it adds 220 errors \(2 words repeated 110 times\)\.$/,
  );
  const places = ['a, clean', 'a, noise', 'b, clean'].map((where) => ({ where, decisive }));
  const told = decisiveSentences(places, { measure: 'WER' });
  assert.equal(told.length, 1);
  assert.match(told[0]!, / It decides 2 other rates too\.$/);
  const many = Array.from({ length: 9 }, (_, place) => ({
    where: `${place}`,
    decisive: { ...decisive, utterances: [{ ...decisive.utterances[0]!, id: `u${place}` }] },
  }));
  assert.equal(decisiveSentences(many, { measure: 'WER' }).length, 4);
});
