/**
 * How often intervals from few references and many pseudo verdicts hold the truth, and how much narrower they are than those of the
 * references alone: `predictionPoweredRate` and `predictionPoweredGap` on invented data.
 *
 *   node bench/calibration/few-references.ts [SIMULATIONS [WORLD …]]     variants: good fair useless opposite stratified bursts rare
 *
 * 2,000 simulations by default; one JSON line for each situation. Standard error of a share of .95 from 2,000 simulations .005.
 *
 * A variant: so many speakers, a third of them in a group with 1.5 times the errors; lognormal difficulties (logarithmic spread .5),
 * 8 clips each of 5 to 20 words, clips of lognormal difficulty too (.5), Poisson errors at a rate of .12. Pseudo verdicts count
 * the errors with a share `seen` of them, and Poisson others at a rate of .04 (`useless`: others alone; `opposite`: the fewer
 * the more errors; `good` and `fair`: .9 and .5 seen). So many clips are drawn at random for transcription; in `stratified`
 * three times as likely from the group, and weighted. `bursts`: besides, a clip in 50 has 15 errors more (a hallucination), of which
 * pseudo verdicts see all or none, half of the time each. `rare`: a rate of .01 and a logarithmic spread of 1.5, so that most speakers
 * make no error.
 *
 * - sample, powered: share of 95 % intervals that hold the true rate of the population (and the true gap)
 * - width: median over the simulations of the powered interval's length over that of the sample alone
 */
import { createRandom, type Random } from '../../src/base/random.ts';
import type { Interval } from '../../src/statistics/interval.ts';
import type { PartlyLabelledCounts } from '../../src/statistics/prediction-powered/powered-influences.ts';
import {
  predictionPoweredGap,
  predictionPoweredRate,
} from '../../src/statistics/prediction-powered/prediction-powered.ts';
import { poisson } from './poisson.ts';

const simulations = Number(process.argv[2] ?? 2000);
const wanted = process.argv.slice(3);

interface Variant {
  readonly name: string;
  readonly speakers: number;
  readonly transcribed: number;
  readonly seen: number;
  readonly opposite?: boolean;
  readonly stratified?: boolean;
  readonly bursts?: boolean;
  readonly rare?: boolean;
}

const variants: readonly Variant[] = [
  { name: 'good', speakers: 60, transcribed: 60, seen: 0.9 },
  { name: 'good', speakers: 300, transcribed: 150, seen: 0.9 },
  { name: 'fair', speakers: 60, transcribed: 60, seen: 0.5 },
  { name: 'fair', speakers: 300, transcribed: 150, seen: 0.5 },
  { name: 'useless', speakers: 60, transcribed: 60, seen: 0 },
  { name: 'useless', speakers: 300, transcribed: 150, seen: 0 },
  { name: 'opposite', speakers: 300, transcribed: 150, seen: 0, opposite: true },
  { name: 'stratified', speakers: 300, transcribed: 150, seen: 0.9, stratified: true },
  { name: 'bursts', speakers: 60, transcribed: 60, seen: 0.9, bursts: true },
  { name: 'bursts', speakers: 300, transcribed: 150, seen: 0.9, bursts: true },
  { name: 'rare', speakers: 60, transcribed: 60, seen: 0.9, rare: true },
  { name: 'rare', speakers: 300, transcribed: 150, seen: 0.9, rare: true },
];

const effect = 1.5;
const [burstShare, burstErrors, meanWords] = [1 / 50, 15, 12.5];
const rateOf = ({ rare }: Variant) => (rare ? 0.01 : 0.12);

/** A third of the words are the group's. */
function truthOf(variant: Variant) {
  const rate = rateOf(variant);
  return {
    rate: (rate * (2 + effect)) / 3 + (variant.bursts ? (burstShare * burstErrors) / meanWords : 0),
    gap: rate * (effect - 1),
  };
}

function draw(variant: Variant, random: Random): { all: PartlyLabelledCounts; groups: PartlyLabelledCounts[] } {
  const rate = rateOf(variant);
  const spread = variant.rare ? 1.5 : 0.5;
  const clips = Array.from({ length: variant.speakers * 8 }, (_, place) => ({
    speaker: Math.floor(place / 8),
    mine: false,
    words: 0,
    errors: 0,
    pseudo: 0,
  }));
  for (let speaker = 0; speaker < variant.speakers; speaker++) {
    const mine = random.next() < 1 / 3;
    const difficulty = Math.exp(spread * random.normal() - spread ** 2 / 2) * (mine ? effect : 1);
    for (const clip of clips.slice(speaker * 8, speaker * 8 + 8)) {
      clip.mine = mine;
      clip.words = 5 + random.integer(16);
      clip.errors = poisson(rate * difficulty * Math.exp(0.5 * random.normal() - 0.125) * clip.words, random);
      let seen = 0;
      for (let error = 0; error < clip.errors; error++) if (random.next() < variant.seen) seen++;
      clip.pseudo = variant.opposite
        ? Math.max(0, Math.round(0.3 * clip.words) - clip.errors)
        : seen + poisson(0.04 * clip.words, random);
      if (variant.bursts && random.next() < burstShare) {
        clip.errors += burstErrors;
        if (random.next() < 0.5) clip.pseudo += burstErrors;
      }
    }
  }
  const shares = clips.map(({ mine }) => (variant.stratified && mine ? 3 : 1));
  const order = clips
    .map((_, place) => ({ place, key: -Math.log(1 - random.next()) / shares[place]! }))
    .sort((a, b) => a.key - b.key);
  const chosen = new Set(order.slice(0, variant.transcribed).map(({ place }) => place));
  const strata = [false, true].map((mine) => {
    const own = clips.flatMap((clip, place) => (clip.mine === mine ? [place] : []));
    const labelled = own.filter((place) => chosen.has(place)).length;
    return variant.stratified ? own.length / Math.max(1, labelled) : 1;
  });
  const gather = (of: (mine: boolean) => boolean): PartlyLabelledCounts => {
    const sums = () => new Float64Array(variant.speakers);
    const counts = {
      errors: sums(),
      words: sums(),
      pseudoErrors: sums(),
      pseudoWords: sums(),
      allPseudoErrors: sums(),
      allPseudoWords: sums(),
    };
    for (const [place, { speaker, mine, words, errors, pseudo }] of clips.entries()) {
      if (!of(mine)) continue;
      counts.allPseudoErrors[speaker]! += pseudo;
      counts.allPseudoWords[speaker]! += words;
      if (!chosen.has(place)) continue;
      const weight = strata[mine ? 1 : 0]!;
      counts.errors[speaker]! += weight * errors;
      counts.words[speaker]! += weight * words;
      counts.pseudoErrors[speaker]! += weight * pseudo;
      counts.pseudoWords[speaker]! += weight * words;
    }
    return counts;
  };
  return { all: gather(() => true), groups: [gather((mine) => !mine), gather((mine) => mine)] };
}

const holds = ({ low, high }: Interval, value: number) => low !== null && low <= value && value <= high!;
const length = ({ low, high }: Interval) => (low === null ? Number.NaN : high! - low);

for (const variant of variants) {
  if (wanted.length > 0 && !wanted.includes(variant.name)) continue;
  const truth = truthOf(variant);
  const held = { sample: 0, powered: 0, gapSample: 0, gapPowered: 0 };
  const widths: number[] = [];
  const gapWidths: number[] = [];
  let [withInterval, withGap] = [0, 0];
  for (let simulation = 0; simulation < simulations; simulation++) {
    const random = createRandom({ bench: 'few references', variant: { ...variant }, simulation });
    const { all, groups } = draw(variant, random);
    const found = predictionPoweredRate(all);
    const gap = predictionPoweredGap(groups[0]!, groups[1]!, { weight: found.weight ?? 0 });
    if (found.powered.low !== null) {
      withInterval++;
      if (holds(found.sample, truth.rate)) held.sample++;
      if (holds(found.powered, truth.rate)) held.powered++;
      widths.push(length(found.powered) / length(found.sample));
    }
    if (gap.powered.low === null) continue;
    withGap++;
    if (holds(gap.sample, truth.gap)) held.gapSample++;
    if (holds(gap.powered, truth.gap)) held.gapPowered++;
    gapWidths.push(length(gap.powered) / length(gap.sample));
  }
  const share = (count: number, of: number) => Math.round((1000 * count) / of) / 1000;
  const at = (values: readonly number[], part: number) =>
    Math.round(1000 * values.toSorted((a, b) => a - b)[Math.floor(part * (values.length - 1))]!) / 1000;
  console.log(
    JSON.stringify({
      variant: variant.name,
      speakers: variant.speakers,
      transcribed: variant.transcribed,
      simulations,
      rate: {
        sample: share(held.sample, withInterval),
        powered: share(held.powered, withInterval),
        width: at(widths, 0.5),
        widest: at(widths, 0.95),
      },
      gap: {
        of: withGap,
        sample: share(held.gapSample, withGap),
        powered: share(held.gapPowered, withGap),
        width: at(gapWidths, 0.5),
        widest: at(gapWidths, 0.95),
      },
    }),
  );
}
