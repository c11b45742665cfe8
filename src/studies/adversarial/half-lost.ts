import type { Estimate } from '../../model/finding.ts';
import type { Reason } from '../../model/reason.ts';
import { countEdits } from '../../scoring/alignment/align.ts';
import type { Normalizer } from '../../scoring/normalizers/normalizer.ts';
import { randomOfData } from '../../statistics/bootstrap/random-of-data.ts';
import {
  type BootstrapOptions,
  type ClusteredCounts,
  combineRates,
  rateInterval,
} from '../../statistics/bootstrap/rate-interval.ts';
import type { Interval } from '../../statistics/interval.ts';
import type { Answer, Batch, StudyContext } from '../contract.ts';
import { countsNamed, whole } from '../shared/cube/contract.ts';
import { openCube } from '../shared/cube/cube.ts';
import { toEstimate } from '../shared/estimates.ts';
import { type Attack, type AttackDesign, designAttack } from './design.ts';
import { kindsOf } from './losses.ts';
import type { AdversarialOptions } from './options.ts';

/** The share of words that is looked for. */
const half = 0.5;

/** How often the stretch between two ratios is halved for an end of the interval: 10 dB to .01. */
const halvings = 10;

/**
 * The SNR at which half of the words are lost (substituted or deleted), read from the ratios that were asked: the first, coming from the
 * highest, at which the share of lost words reaches one half, with a straight line in decibels between two neighbours. The interval holds the
 * ratios at which the interval of that share, by speaker, holds one half; at a ratio that was asked it is the interval printed there. `searchHalfLost`
 * makes the grid finer where the answers lead.
 *
 * @param rungs lost words over words said, by speaker; the same index is the same speaker everywhere
 * @returns in decibels; null with the reason where half is lost at the highest ratio already, or not even at the lowest
 * @example halfLost([{ snrDb: 20, counts: few }, { snrDb: 10, counts: many }], { random }).value // 13.2
 */
export function halfLost(
  rungs: readonly { readonly snrDb: number; readonly counts: ClusteredCounts }[],
  bootstrap: BootstrapOptions,
): Interval {
  const { level = 0.95 } = bootstrap;
  const method = 'straight line in dB between the SNRs asked; interval where that of the share holds one half';
  const without = (value: number | null, reason: Reason): Interval => {
    return { value, low: null, high: null, level, reason, method };
  };
  const falling = rungs.toSorted((a, b) => b.snrDb - a.snrDb);
  const [first] = falling;
  if (first === undefined) return without(null, { code: 'nothing-asked' });
  const shares = new Map<number, Interval>();
  /** @param place between 0, the highest ratio, and the last */
  const shareAt = (place: number): Interval => {
    const known = shares.get(place);
    if (known !== undefined) return known;
    const before = Math.floor(place);
    const weight = place - before;
    const counts =
      weight === 0
        ? falling[before]!.counts
        : combineRates([
            { counts: falling[before]!.counts, weight: 1 - weight },
            { counts: falling[before + 1]!.counts, weight },
          ])!;
    const share = rateInterval(counts, bootstrap);
    shares.set(place, share);
    return share;
  };
  if (falling.some((_, place) => shareAt(place).value === null)) return without(null, { code: 'nothing-answered' });
  const ratioAt = (place: number) => {
    const before = Math.floor(place);
    const [here, next] = [falling[before]!.snrDb, falling[before + 1]?.snrDb ?? 0];
    return place === before ? here : here + (place - before) * (next - here);
  };
  /** Where one of the three first reaches one half; null: nowhere. Speakers who are all alike have no limits: the share stands for them. */
  const reached = (which: 'value' | 'low' | 'high'): number | null => {
    const at = (place: number) => shareAt(place)[which] ?? shareAt(place).value!;
    const place = falling.findIndex((_, one) => at(one) >= half);
    if (place <= 0) return place < 0 ? null : 0;
    if (which === 'value') return place - 1 + (half - at(place - 1)) / (at(place) - at(place - 1));
    let [above, below] = [place - 1, place];
    for (let turn = 0; turn < halvings; turn++) {
      const middle = (above + below) / 2;
      if (at(middle) >= half) below = middle;
      else above = middle;
    }
    return below;
  };
  const found = reached('value');
  if (found === null)
    return without(null, { code: 'half-beyond', what: 'words are lost', snrDb: falling.at(-1)!.snrDb, at: 'lowest' });
  if (found === 0 && shareAt(0).value! > half)
    return without(null, { code: 'half-beyond', what: 'words are lost', snrDb: first.snrDb, at: 'highest' });
  const there = shareAt(found);
  if (there.low === null) return without(ratioAt(found), there.reason ?? { code: 'no-interval' });
  const [low, high] = [reached('low'), reached('high')];
  if (low === null || high === null || high === 0) return without(ratioAt(found), { code: 'beyond-asked' });
  return { value: ratioAt(found), low: ratioAt(low), high: ratioAt(high), level, method };
}

/** The SNR at which a recognizer loses half of the words to one kind of sound. */
export interface HalfLost {
  readonly recognizer: number;
  readonly kind: Attack['kind'];
  /** In decibels. */
  readonly snrDb: Estimate;
  /** SNRs that it was found by, those of the options included. */
  readonly asked: number;
  /** Whether it was searched for by the answers. */
  readonly searched: boolean;
}

/** One search: what is lost of each clip at each ratio, the highest first. */
interface Search {
  readonly recognizer: number;
  readonly kind: Attack['kind'];
  readonly source: number | null;
  readonly rungs: Rung[];
  /** Ratios asked beyond those of the options. */
  further: number;
}

interface Rung {
  readonly snrDb: number;
  /** By utterance: words lost; -1: none said, or no answer. */
  readonly lost: Int32Array;
}

/**
 * For each recognizer and kind of sound that `halfLost` names the SNR at which half of the words are lost, by the answers: first at the ratios of
 * the options, whose answers are there; where half is lost at none of them, or at all, at the end of the range; then by halving, in decibels,
 * the stretch between the last ratio before and the first at which half is lost, until it is no longer than `resolutionDb` or `maxFurther` ratios
 * were asked. Every ratio is one further condition for all clips. The value and its interval come from all that were asked, as by
 * `halfLost` from a grid: the finer the grid about it, the less is left to its straight lines.
 */
export async function* searchHalfLost(
  design: AttackDesign,
  options: AdversarialOptions,
  context: StudyContext,
  normalizer: Normalizer,
): AsyncGenerator<Batch, readonly HalfLost[], AsyncIterable<Answer>> {
  const wanted = options.halfLost!;
  const searches = design.recognizers.flatMap((_, recognizer) =>
    [...kindsOf(recognizer, design)].flatMap(([kind, own]): Search[] => {
      const included = (wanted.sounds as readonly string[]).includes(kind);
      return included ? [{ recognizer, kind, source: design.attacks[own[0]!]!.source, rungs: [], further: 0 }] : [];
    }),
  );
  const said = new Int32Array(context.utteranceCount);
  const own = [...new Set(options.snrDb)];
  let open = searches.map((search) => ({
    search,
    ratios: own.filter((snrDb) => search.kind !== 'kenansville' || snrDb >= 0),
  }));
  while (open.length > 0) {
    const asked = open.flatMap(({ search, ratios }) => ratios.map((snrDb) => ({ search, snrDb })));
    const rungs = asked.map(({ search, snrDb }) => ({
      search,
      rung: { snrDb, lost: new Int32Array(context.utteranceCount).fill(-1) },
    }));
    const answers = yield batchOf(asked, design, options, context);
    let number = 0;
    for await (const answer of answers) {
      if (answer.ask !== 'recognition') continue;
      const { observation, trial } = answer;
      const [utterance, place] = [Math.floor(number / asked.length), number % asked.length];
      number++;
      const { reference, language } = trial.utterance;
      if (reference === undefined || observation.failure !== undefined) continue;
      const words = normalizer.words(reference, language);
      said[utterance] = words.length;
      const { correct } = countEdits(words, normalizer.words(observation.transcript.text, language));
      rungs[place]!.rung.lost[utterance] = words.length - correct;
    }
    for (const { search, rung } of rungs) search.rungs.push(rung);
    open = searches.flatMap((search) => {
      search.rungs.sort((a, b) => b.snrDb - a.snrDb);
      const next = search.further < wanted.maxFurther ? nextRatio(search, said, wanted) : null;
      if (next === null) return [];
      search.further++;
      return [{ search, ratios: [next] }];
    });
  }
  const found: HalfLost[] = [];
  for (const search of searches) found.push(await conclude(search, said, options, context));
  return found;
}

/** Clips that were answered at every ratio. */
function isCounted({ rungs }: Search, utterance: number): boolean {
  return rungs.every(({ lost }) => lost[utterance] !== -1);
}

/** The ratio that tells most of where half is lost; null where that is known as well as it was asked for, or cannot be found. */
function nextRatio(
  search: Search,
  said: Int32Array,
  { resolutionDb, lowestDb, highestDb }: NonNullable<AdversarialOptions['halfLost']>,
): number | null {
  const { rungs, kind } = search;
  const half = ({ lost }: Rung) => {
    let [sum, words] = [0, 0];
    for (const [utterance, count] of said.entries()) {
      if (!isCounted(search, utterance)) continue;
      sum += lost[utterance]!;
      words += count;
    }
    return words > 0 && 2 * sum >= words;
  };
  const first = rungs.findIndex(half);
  const lowest = kind === 'kenansville' ? Math.max(0, lowestDb) : lowestDb;
  if (first === -1) return rungs.at(-1)!.snrDb > lowest ? lowest : null;
  if (first === 0) return rungs[0]!.snrDb < highestDb ? highestDb : null;
  const [above, below] = [rungs[first - 1]!.snrDb, rungs[first]!.snrDb];
  return above - below <= resolutionDb ? null : Math.round(50 * (above + below)) / 100;
}

function batchOf(
  asked: readonly { readonly search: Search; readonly snrDb: number }[],
  design: AttackDesign,
  options: AdversarialOptions,
  { utterances, utteranceCount }: StudyContext,
): Batch {
  const conditions = asked.map(({ search: { kind, source }, snrDb }) =>
    designAttack(kind, source, snrDb, design, options),
  );
  return {
    about: `the SNR at which half of the words are lost: ${asked.length} conditions`,
    size: utteranceCount * asked.length,
    async *questions() {
      for await (const utterance of utterances()) {
        for (const [place, { search }] of asked.entries()) {
          const recognizer = design.recognizers[search.recognizer]!.name;
          const condition = conditions[place]!;
          yield { ask: 'recognition', trial: { utterance, condition, draw: 0, recognizer, repeat: 0 } };
        }
      }
    },
  };
}

async function conclude(
  search: Search,
  said: Int32Array,
  { level, resamples, minimumSpeakers }: AdversarialOptions,
  { utterances, seed }: StudyContext,
): Promise<HalfLost> {
  const { recognizer, kind, rungs } = search;
  const cube = openCube<Readonly<Record<'lost' | 'words', number>>>()({
    series: rungs.map(({ snrDb }) => `${snrDb} dB`),
    conditions: [],
    counts: countsNamed(['lost', 'words']),
    ratios: { lost: { label: 'Words lost', kind: 'rate', over: ['lost', 'words'] } },
    slices: { whole },
    unit: 'speaker',
    words: 'words',
    paired: false,
    settings: { level, resamples, minimumSpeakers, seed },
  });
  let place = 0;
  for await (const utterance of utterances()) {
    const number = place++;
    if (utterance.reference === undefined || !isCounted(search, number)) continue;
    cube.add(
      utterance,
      rungs.map(({ lost }) => ({ lost: lost[number]!, words: said[number]! })),
    );
  }
  const [everybody] = cube.parts('whole');
  const sides = rungs.map(({ snrDb }, series) => {
    return { snrDb, ...everybody!.side({ series, path: [], ratio: 'lost' }) };
  });
  const bootstrap = { level, resamples, minimumClusters: minimumSpeakers, random: randomOfData(seed) };
  const snrDb = toEstimate(halfLost(sides, bootstrap), sides[0]!.n);
  return { recognizer, kind, snrDb, asked: rungs.length, searched: true };
}
