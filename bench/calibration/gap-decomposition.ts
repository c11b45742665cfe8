/**
 * Whether the decomposition of a gap finds the cause that was put in, and no other: `decomposeGap` on invented data.
 *
 *   node bench/calibration/gap-decomposition.ts [SIMULATIONS [PART …]]     parts: none noise text group both sigmoid
 *
 * 2,000 simulations by default. One JSON line for each situation, with `bent` false and true. Standard error of a share of .05
 * from 2,000 simulations .005.
 *
 * A variant: so many speakers in the group and in the others, 10 utterances of 8 to 20 words each. Every speaker has a lognormal
 * difficulty (logarithmic spread .4). Four causes: noise, level (both differ by speaker and by utterance), rate of speech (mostly
 * by speaker), rarity of words (by utterance); noise and level go together (correlation .5). Errors are Poisson
 * at a rate of .12 times exp(.35 noise + .2 rate + .25 rarity); level has no effect. Where a cause is put in, the group has
 * 1 more of it (spreads are 1). `group`: the group has 1.5 times the errors for no cause. `sigmoid`: noise costs as the steep
 * part of a psychometric curve instead, so that the logarithm is no straight line.
 *
 * - held: the share of 95 % intervals that hold the true part; parts are compared on the scale of errors per word, the truth being
 *   that of a sample of 400,000 utterances without differences between speakers
 * - claimed: the share of variants in which a part is called other than 0 at 5 %, each by itself; `anyFalse`: in which any of the parts
 *   without a true one is, after Holm's correction over all five
 */
import assert from 'node:assert/strict';
import { createRandom, type Random } from '../../src/base/random.ts';
import { decomposeGap, type GapData } from '../../src/statistics/gap-decomposition/decompose-gap.ts';
import { holm } from '../../src/statistics/significance/multiplicity.ts';
import { poisson } from './poisson.ts';

const simulations = Number(process.argv[2] ?? 2000);
const wanted = process.argv.slice(3);
const names = ['noise', 'level', 'rate', 'rarity'] as const;

interface Variant {
  readonly name: string;
  readonly group: number;
  readonly others: number;
  /** By how much the group has more of each cause. */
  readonly more: Partial<Record<(typeof names)[number], number>>;
  readonly effect?: number;
  readonly sigmoid?: boolean;
}

const variants: readonly Variant[] = [
  { name: 'none', group: 20, others: 20, more: {} },
  { name: 'none', group: 12, others: 40, more: {} },
  { name: 'noise', group: 20, others: 20, more: { noise: 1 } },
  { name: 'noise', group: 12, others: 40, more: { noise: 1 } },
  { name: 'text', group: 20, others: 20, more: { rarity: 1 } },
  { name: 'group', group: 20, others: 20, more: {}, effect: 1.5 },
  { name: 'both', group: 20, others: 20, more: { noise: 1, rate: 1 }, effect: 1.5 },
  { name: 'sigmoid', group: 20, others: 20, more: { noise: 1 }, sigmoid: true },
];

function draw(variant: Variant, random: Random, speakersOf = 1, spread = 0.4): GapData {
  const { more, effect = 1, sigmoid = false } = variant;
  const errors: number[] = [];
  const words: number[] = [];
  const inGroup: boolean[] = [];
  const speakers: number[] = [];
  const values = names.map((): number[] => []);
  const people = speakersOf * (variant.group + variant.others);
  for (let speaker = 0; speaker < people; speaker++) {
    const mine = speaker < speakersOf * variant.group;
    const own = names.map(() => random.normal());
    const difficulty = Math.exp(spread * random.normal() - spread ** 2 / 2) * (mine ? effect : 1);
    for (let utterance = 0; utterance < 10; utterance++) {
      const chance = names.map(() => random.normal());
      const bySpeaker = [0.6, 0.6, 0.8, 0];
      const mixed = names.map(
        (_, cause) => bySpeaker[cause]! * own[cause]! + Math.sqrt(1 - bySpeaker[cause]! ** 2) * chance[cause]!,
      );
      const together = [mixed[0]!, 0.5 * mixed[0]! + Math.sqrt(0.75) * mixed[1]!, mixed[2]!, mixed[3]!];
      const [noise, level, rate, rarity] = together.map(
        (value, cause) => value + (mine ? (more[names[cause]!] ?? 0) : 0),
      );
      const ofNoise = sigmoid ? 3 / (1 + Math.exp(1 - 1.5 * noise!)) : Math.exp(0.35 * noise!);
      const count = 8 + random.integer(13);
      words.push(count);
      errors.push(poisson(0.12 * count * difficulty * ofNoise * Math.exp(0.2 * rate! + 0.25 * rarity!), random));
      inGroup.push(mine);
      speakers.push(speaker);
      for (const [cause, value] of [noise!, level!, rate!, rarity!].entries()) values[cause]!.push(value);
    }
  }
  const kinds = ['recording', 'recording', 'delivery', 'text'];
  const causes = names.map((name, cause) => ({ name, kind: kinds[cause]!, values: values[cause]! }));
  return { errors, words, inGroup, speakers, causes };
}

function parts(data: GapData, bent: boolean, random: Random) {
  const { parts: own, remainder } = decomposeGap(data, { bent, random });
  return [...own, remainder];
}

for (const variant of variants) {
  if (wanted.length > 0 && !wanted.includes(variant.name)) continue;
  for (const bent of [false, true]) {
    const settled = createRandom({ bench: 'gap decomposition', truth: variant.name, group: variant.group });
    const scale = Math.round(40_000 / (variant.group + variant.others));
    const truth = parts(draw(variant, settled, scale, 0), variant.sigmoid === true, settled).map(
      ({ part }) => part.value,
    );
    assert(truth.every((value) => value !== null));
    const held = truth.map(() => 0);
    const claimed = truth.map(() => 0);
    let anyFalse = 0;
    for (let simulation = 0; simulation < simulations; simulation++) {
      const random = createRandom({
        bench: 'gap decomposition',
        variant: variant.name,
        group: variant.group,
        simulation,
      });
      const found = parts(draw(variant, random), bent, random);
      const adjusted = holm(found.map(({ pValue }) => pValue));
      let isFalse = false;
      found.forEach(({ part, pValue }, place) => {
        if (part.low! <= truth[place]! && truth[place]! <= part.high!) held[place]!++;
        if (pValue! <= 0.05) claimed[place]!++;
        if (Math.abs(truth[place]!) < 0.002 && adjusted[place]! <= 0.05) isFalse = true;
      });
      if (isFalse) anyFalse++;
    }
    const share = (count: number) => Math.round((1000 * count) / simulations) / 1000;
    const named = (numbers: readonly number[]) =>
      Object.fromEntries([...names, 'remains'].map((name, place) => [name, numbers[place]!]));
    console.log(
      JSON.stringify({
        variant: variant.name,
        speakers: `${variant.group} and ${variant.others}`,
        bent,
        simulations,
        truth: named(truth.map((value) => Math.round(1e4 * value) / 1e4)),
        held: named(held.map(share)),
        claimed: named(claimed.map(share)),
        anyFalse: share(anyFalse),
      }),
    );
  }
}
