/**
 * Whether comparisons that are tested jointly keep their level, and how many true differences they find beside Holm's correction.
 *
 *   node bench/calibration/joint.ts [WORLDS [ONLY [alone [SEED]]]]
 *
 * `fair`: 10,000 variants of families of 15 comparisons, 2,000 of families of 4,995 (WORLDS, and a fifth of it), in which no recognizer
 * differs from another; printed is the share of variants with any verdict (standard error .002 and .005), then with the comparisons in
 * three families of weights 2, 1 and 1. `partly`: some recognizers differ; the share of variants with a verdict on an equal pair, and the
 * share of true differences found, in brackets by Holm's correction of the same p values. `designs`: what is said of four designs in
 * which Holm's correction could say nothing. ONLY runs the lines whose name contains it; with `alone` three families are left out; SEED
 * makes other worlds.
 *
 * Invented data: speakers' rates are lognormal (spread .5) around .2, alike for all recognizers. A recognizer does better with some
 * speakers than with others (log spread .3): `shared`, in all conditions alike, so that comparisons depend on each other strongly, or
 * `apart`, in each condition anew. Words are 40 for each speaker and condition, or `unequal`: lognormal of spread 1.2 around 40.
 * Errors are Poisson. Families of 15: one pair in 15 conditions (`pair`), or six recognizers in one (`six`); of 4,995: ten recognizers in
 * 111 conditions. `skewed`: errors are lognormal themselves, of spread 1 or 2, with 12 speakers and one condition. 1,000 random arrangements, exact with 7 speakers.
 */
import { createRandom, type Random } from '../../src/base/random.ts';
import { jointPairedTest } from '../../src/statistics/significance/joint-paired-test.ts';
import { holm } from '../../src/statistics/significance/multiplicity.ts';
import { poisson as drawPoisson } from './poisson.ts';

interface Shape {
  readonly speakers: number;
  /** Mean rate of each recognizer. */
  readonly rates: readonly number[];
  readonly conditions: number;
  readonly dependence: 'shared' | 'apart';
  readonly words: 'equal' | 'unequal';
  /** Words of each speaker in each condition, on average. */
  readonly mean?: number;
  /** Log spread of how a recognizer does with speakers. */
  readonly liking?: number;
  /** Log spread of the errors themselves, in place of Poisson. */
  readonly skew?: number;
}

const poisson = (mean: number, random: Random) => drawPoisson(mean, random, 100);

/** Errors by recognizer and condition, and words; by speaker. */
function drawWorld(
  { speakers, rates, conditions, dependence, words, mean = 40, liking: spread = 0.3, skew }: Shape,
  random: Random,
) {
  const each = <Value>(make: (speaker: number) => Value) =>
    Array.from({ length: speakers }, (_, speaker) => make(speaker));
  const logNormal = (spread: number) => Math.exp(spread * random.normal() - spread ** 2 / 2);
  const said = Float64Array.from(
    each(() => (words === 'equal' ? mean : Math.max(2, Math.round(mean * logNormal(1.2))))),
  );
  const own = each(() => logNormal(0.5));
  const errors = rates.map((rate) => {
    const liking = each(() => logNormal(spread));
    return Array.from({ length: conditions }, () =>
      Float64Array.from(
        each((speaker) => {
          const suits = dependence === 'shared' ? liking[speaker]! : logNormal(spread);
          const expected = said[speaker]! * Math.min(1, rate * own[speaker]! * suits);
          return skew === undefined ? poisson(expected, random) : expected * logNormal(skew);
        }),
      ),
    );
  });
  return { errors, words: said };
}

/** Every pair in every condition, and whether it truly differs. */
function pairsOf({ rates, conditions }: Shape) {
  return rates.flatMap((one, first) =>
    rates.slice(first + 1).flatMap((other, offset) =>
      Array.from({ length: conditions }, (_, condition) => ({
        ...{ first, second: first + 1 + offset, condition, differs: one !== other },
      })),
    ),
  );
}

function tested(shape: Shape, random: Random, families: readonly number[], permutations = 1000) {
  const { errors, words } = drawWorld(shape, random);
  const pairs = pairsOf(shape);
  const { comparisons } = jointPairedTest(
    pairs.length,
    (place) => {
      const { first, second, condition } = pairs[place]!;
      const side = (recognizer: number) => ({ numerators: errors[recognizer]![condition]!, denominators: words });
      // A fifth in the first family, as much in the second.
      const family = families.length === 1 ? 0 : Math.min(2, Math.floor((5 * condition) / shape.conditions));
      return { first: side(first), second: side(second), family };
    },
    { familyWeights: families, permutations, random, randomOfComparison: () => random },
  );
  return pairs.map(({ differs }, place) => ({ differs, ...comparisons[place]! }));
}

const found = (p: number | null) => p !== null && p <= 0.05 + 1e-12;

function report(name: string, variants: number, shape: Shape): void {
  if (!name.includes(only)) return;
  const counts = { any: 0, families: 0, truths: 0, called: 0, byHolm: 0, holmAny: 0 };
  const share = (count: number, of: number) => (of === 0 ? '-' : (count / of).toFixed(3));
  const random = createRandom(seed === undefined ? ['joint', name] : ['joint', name, seed]);
  const hasFamilies = shape.conditions >= 5 && !isAlone;
  for (let variant = 0; variant < variants; variant++) {
    if (variant > 0 && variant % 250 === 0)
      console.error(`${name}: of ${variant} worlds ${share(counts.any, variant)}`);
    const results = tested(shape, random, [1]);
    const adjusted = holm(results.map(({ pValue }) => pValue));
    if (results.some(({ differs, adjustedPValue }) => !differs && found(adjustedPValue))) counts.any++;
    if (results.some(({ differs }, place) => !differs && found(adjusted[place]!))) counts.holmAny++;
    results.forEach(({ differs, adjustedPValue }, place) => {
      if (!differs) return;
      counts.truths++;
      if (found(adjustedPValue)) counts.called++;
      if (found(adjusted[place]!)) counts.byHolm++;
    });
    if (hasFamilies) {
      const three = tested(shape, random, [2, 1, 1]);
      if (three.some(({ differs, adjustedPValue }) => !differs && found(adjustedPValue))) counts.families++;
    }
  }
  const three = hasFamilies ? `, in three families ${share(counts.families, variants)}` : '';
  const power =
    counts.truths > 0 ? `; found ${share(counts.called, counts.truths)} (${share(counts.byHolm, counts.truths)})` : '';
  console.log(
    `${name}: ${variants} worlds, any false ${share(counts.any, variants)} (${share(counts.holmAny, variants)})${three}${power}`,
  );
}

function design(name: string, shape: Shape): void {
  if (!name.includes(only)) return;
  const results = tested(shape, createRandom(['joint', name]), [1], 10_000);
  const holms = holm(results.map(({ pValue }) => pValue));
  const told = (differs: boolean, p: (place: number) => number | null) =>
    results.filter((one, place) => one.differs === differs && found(p(place))).length;
  const all = (differs: boolean) => results.filter((one) => one.differs === differs).length;
  const joint = (place: number) => results[place]!.adjustedPValue;
  const byHolm = (place: number) => holms[place]!;
  console.log(
    `${name}: ${told(true, joint)} of ${all(true)} differences told (Holm ${told(true, byHolm)}), ${told(false, joint)} of ${all(false)} equal ones (${told(false, byHolm)})`,
  );
}

const variants = Number(process.argv[2] ?? 10_000);
const only = process.argv[3] ?? '';
const isAlone = process.argv[4] === 'alone';
const seed = process.argv[5];
const same = (count: number) => Array.from({ length: count }, () => 0.2);
for (const speakers of [7, 12, 60]) {
  for (const words of ['equal', 'unequal'] as const) {
    for (const dependence of ['shared', 'apart'] as const) {
      const rest = { speakers, words, dependence };
      report(`fair pair, ${speakers} speakers, ${words}, ${dependence}`, variants, {
        ...rest,
        rates: same(2),
        conditions: 15,
      });
      report(`fair six, ${speakers} speakers, ${words}, ${dependence}`, variants, {
        ...rest,
        rates: same(6),
        conditions: 1,
      });
    }
  }
}
for (const speakers of [7, 12, 60]) {
  for (const dependence of ['shared', 'apart'] as const) {
    const rest = { speakers, words: 'unequal', dependence } as const;
    report(`fair many, ${speakers} speakers, unequal, ${dependence}`, Math.ceil(variants / 5), {
      ...rest,
      rates: same(10),
      conditions: 111,
    });
  }
}
for (const recognizers of [3, 10]) {
  for (const skew of [1, 2]) {
    report(`fair skewed, ${recognizers} recognizers, spread ${skew}`, variants, {
      ...{ speakers: 12, words: 'unequal', dependence: 'apart', skew, rates: same(recognizers), conditions: 1 },
    });
  }
}
for (const speakers of [7, 12, 60]) {
  for (const dependence of ['shared', 'apart'] as const) {
    const rest = { speakers, words: 'unequal', dependence } as const;
    report(`partly six, ${speakers} speakers, ${dependence}`, variants, {
      ...rest,
      rates: [0.2, 0.2, 0.2, 0.2, 0.3, 0.3],
      conditions: 1,
    });
    report(`partly twenty conditions, ${speakers} speakers, ${dependence}`, Math.ceil(variants / 5), {
      ...rest,
      rates: [0.2, 0.2, 0.3, 0.3],
      conditions: 20,
    });
  }
}
const usual = { dependence: 'shared', words: 'unequal', liking: 0.1 } as const;
const rates = (...counts: readonly (readonly [number, number])[]) =>
  counts.flatMap(([count, rate]) => Array.from({ length: count }, () => rate));
design('designs: 11 recognizers, six at 5 and five at 90 %, 101 conditions, 30 speakers', {
  ...{ ...usual, speakers: 30, rates: rates([6, 0.05], [5, 0.9]), conditions: 101, mean: 10 },
});
design('designs: 50 recognizers, half at 10 and half at 25 %, 30 speakers', {
  ...{ ...usual, speakers: 30, rates: rates([25, 0.1], [25, 0.25]), conditions: 1, mean: 100 },
});
design('designs: 10 speakers, 29 comparisons, 4.8 and 90 %', {
  ...{ ...usual, speakers: 10, rates: [0.048, 0.9], conditions: 29 },
});
design('designs: 7 speakers, 15 comparisons, 40 and 75 %', {
  ...{ ...usual, speakers: 7, rates: [0.4, 0.75], conditions: 15, mean: 60 },
});
