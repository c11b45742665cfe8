/**
 * Adaptive reception thresholds against a full grid, on simulated recognizers.
 *
 *   node bench/threshold.ts [REPEATS [SITUATION …]]      2,000 repeats by default, about 10 minutes of one core for all
 *
 * A clip has 5 to 12 words and a threshold that is normal around the recognizer's; a word of it is right with the
 * probability `ceiling` x logistic(.6 per dB x (SNR - threshold)). The grid asks 40 clips at 17 SNRs from -20 to 12 dB, 680
 * recognitions; the search asks a tenth of that, 68 questions in batches of 8, at 33 SNRs. Both are evaluated alike, by
 * `receptionThreshold`. The truth is the SNR at which half of all words are right that anybody could say, not those of the clips
 * drawn: 40 clips alone differ from it by `spread` / 6.3 dB.
 *
 * One JSON line for each situation: bias and root-mean-square error in dB of search and grid, their ratio, and the shares of
 * 95 % intervals that hold the truth (standard error .005 with 2,000 repeats), of those that exist. `another` asks another
 * clip for every question; `same` has the grid's 40 clips only; `speakers` has 16 speakers, whose thresholds differ by 3 dB,
 * with clips that differ by `spread` around them; `stopped` ends as soon as the interval is 3 dB wide, after 160 questions at
 * most; `difference` asks two recognizers 2 dB apart about the same clips.
 */
import { createRandom, type Random } from '../src/base/random.ts';
import type { ThresholdQuestion } from '../src/statistics/psychometric/curve-grid.ts';
import { jackknifeDifference } from '../src/statistics/psychometric/jackknife.ts';
import { receptionThreshold } from '../src/statistics/psychometric/reception-threshold.ts';
import {
  curvePosterior,
  firstLevels,
  nextLevels,
  searchSpace,
} from '../src/statistics/psychometric/threshold-search.ts';

const repeats = Number(process.argv[2] ?? 2000);
const wanted = process.argv.slice(3);

const slope = 0.6;
const gridLevels = Array.from({ length: 17 }, (_, place) => -20 + 2 * place);
const space = searchSpace({
  levels: Array.from({ length: 33 }, (_, place) => -20 + place),
  target: 0.5,
  of: 'said',
});

interface Clip {
  readonly words: number;
  readonly threshold: number;
  readonly cluster: string;
}

interface Situation {
  readonly name: string;
  readonly spread: number;
  readonly ceiling: number;
  readonly kind: 'another' | 'same' | 'speakers' | 'stopped' | 'difference';
}

const situations: readonly Situation[] = [
  ...[2, 4, 6].map((spread) => ({ name: `spread-${spread}`, spread, ceiling: 1, kind: 'another' as const })),
  ...[2, 4, 6].map((spread) => ({ name: `same-clips-${spread}`, spread, ceiling: 1, kind: 'same' as const })),
  { name: 'ceiling-.9', spread: 4, ceiling: 0.9, kind: 'another' },
  { name: 'ceiling-.7', spread: 4, ceiling: 0.7, kind: 'another' },
  { name: 'speakers', spread: 3, ceiling: 1, kind: 'speakers' },
  { name: 'stopped', spread: 4, ceiling: 1, kind: 'stopped' },
  { name: 'difference', spread: 4, ceiling: 1, kind: 'difference' },
];

function clipOf(place: number, mean: number, { spread, kind }: Situation, random: Random, voices: number[]): Clip {
  const speaker = place % 16;
  voices[speaker] ??= mean + (kind === 'speakers' ? 3 * random.normal() : 0);
  return {
    words: 5 + random.integer(8),
    threshold: voices[speaker] + spread * random.normal(),
    cluster: kind === 'speakers' ? `speaker ${speaker}` : `clip ${place}`,
  };
}

function ask(clip: Clip, level: number, ceiling: number, random: Random, shift = 0): ThresholdQuestion {
  const share = ceiling / (1 + Math.exp(-slope * (level - clip.threshold - shift)));
  let correct = 0;
  for (let word = 0; word < clip.words; word++) if (random.next() < share) correct++;
  return { level, words: clip.words, correct, cluster: clip.cluster };
}

function search(
  clips: (question: number) => Clip,
  situation: Situation,
  random: Random,
  most: number,
  shift = 0,
): ThresholdQuestion[] {
  const questions: ThresholdQuestion[] = [];
  const { levels } = space.aim;
  while (questions.length < most) {
    const count = Math.min(8, most - questions.length);
    const places =
      questions.length === 0
        ? firstLevels(levels.length, count)
        : nextLevels(space, curvePosterior(space, questions), count);
    for (const place of places)
      questions.push(ask(clips(questions.length), levels[place]!, situation.ceiling, random, shift));
    if (situation.kind === 'stopped' && questions.length >= 32) {
      const { low, high } = receptionThreshold(space, questions).threshold;
      if (low !== null && high !== null && high - low <= 3) break;
    }
  }
  return questions;
}

/** Where half of all words are right: the mean over clips by the trapezoid rule, the level by bisection. */
function truthOf(mean: number, { spread, ceiling, kind }: Situation): number {
  const deviation = kind === 'speakers' ? Math.hypot(spread, 3) : spread;
  const shareAt = (level: number) => {
    let share = 0;
    let weights = 0;
    for (let place = -60; place <= 60; place++) {
      const weight = Math.exp(-((place / 10) ** 2) / 2);
      weights += weight;
      share += (weight * ceiling) / (1 + Math.exp(-slope * (level - mean - (deviation * place) / 10)));
    }
    return share / weights;
  };
  let low = -60;
  let high = 60;
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (shareAt(middle) < 0.5) low = middle;
    else high = middle;
  }
  return low;
}

class Errors {
  #sum = 0;
  #squares = 0;
  #count = 0;
  #intervals = 0;
  #held = 0;
  #lengths = 0;
  #withoutThreshold = 0;
  add({ value, low, high }: { value: number | null; low: number | null; high: number | null }, truth: number) {
    if (value === null) {
      this.#withoutThreshold++;
      return;
    }
    this.#count++;
    this.#sum += value - truth;
    this.#squares += (value - truth) ** 2;
    if (low === null || high === null) return;
    this.#intervals++;
    this.#lengths += high - low;
    if (low <= truth && truth <= high) this.#held++;
  }
  get error() {
    return Math.sqrt(this.#squares / this.#count);
  }
  line() {
    const round = (value: number) => Math.round(value * 1000) / 1000;
    return {
      bias: round(this.#sum / this.#count),
      rmse: round(this.error),
      held: round(this.#held / this.#intervals),
      meanLength: round(this.#lengths / this.#intervals),
      withoutThreshold: this.#withoutThreshold,
      withoutInterval: this.#count - this.#intervals,
    };
  }
}

for (const situation of situations) {
  const { name, kind, ceiling } = situation;
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const adaptive = new Errors();
  const grid = new Errors();
  let asked = 0;
  const before = process.cpuUsage();
  for (let repeat = 0; repeat < repeats; repeat++) {
    const random = createRandom({ bench: 'threshold', name, repeat });
    const mean = -8 + 8 * random.next();
    const truth = truthOf(mean, situation);
    const pool: Clip[] = [];
    const voices: number[] = [];
    for (let place = 0; place < 160; place++) pool.push(clipOf(place, mean, situation, random, voices));
    const most = kind === 'stopped' ? 160 : 68;
    const clips = (question: number) => pool[kind === 'same' ? question % 40 : question]!;
    const questions = search(clips, situation, random, most);
    asked += questions.length;
    const found = receptionThreshold(space, questions);
    if (kind === 'difference') {
      const second = receptionThreshold(space, search(clips, situation, random, most, 2));
      if (found.jackknife === null || second.jackknife === null) throw new Error('expected two thresholds');
      const options = { level: 0.95, minimumClusters: 10 };
      adaptive.add(jackknifeDifference(found.jackknife, second.jackknife, options).interval, 2);
      continue;
    }
    adaptive.add(found.threshold, truth);
    if (kind === 'stopped') continue;
    const all = gridLevels.flatMap((level) =>
      Array.from({ length: 40 }, (_, place) => ask(pool[place]!, level, ceiling, random)),
    );
    grid.add(receptionThreshold(space, all).threshold, truth);
  }
  const { user, system } = process.cpuUsage(before);
  const single = kind === 'stopped' || kind === 'difference';
  console.log(
    JSON.stringify({
      situation: name,
      repeats,
      questions: asked / repeats,
      search: adaptive.line(),
      ...(single ? {} : { grid: grid.line(), ratio: Math.round((1000 * adaptive.error) / grid.error) / 1000 }),
      processorSeconds: Math.round((user + system) / 1e6),
    }),
  );
}
