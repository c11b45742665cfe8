import type { Estimate } from '../../model/finding.ts';
import { countEdits } from '../../scoring/alignment/align.ts';
import type { Normalizer } from '../../scoring/normalizers/normalizer.ts';
import { randomOfData } from '../../statistics/bootstrap/random-of-data.ts';
import type { Answer, Batch, StudyContext } from '../contract.ts';
import { toEstimate } from '../shared/estimates.ts';
import { gather, SlicedCounts } from '../shared/sliced-counts.ts';
import { type Attack, type Design, designAttack } from './design.ts';
import { halfLost } from './half-lost.ts';
import { kindsOf } from './losses.ts';
import type { AdversarialOptions } from './options.ts';

/** What the search found for one recognizer and kind of sound. */
export interface FoundHalfLost {
  readonly recognizer: number;
  readonly kind: Attack['kind'];
  /** In decibels. */
  readonly snrDb: Estimate;
  /** Ratios that were asked, those of the options included. */
  readonly asked: number;
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
  design: Design,
  options: AdversarialOptions,
  context: StudyContext,
  normalizer: Normalizer,
): AsyncGenerator<Batch, readonly FoundHalfLost[], AsyncIterable<Answer>> {
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
  const found: FoundHalfLost[] = [];
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
  design: Design,
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
): Promise<FoundHalfLost> {
  const { recognizer, kind, rungs } = search;
  const slices = new SlicedCounts([]);
  let place = 0;
  for await (const utterance of utterances()) {
    const number = place++;
    if (utterance.reference === undefined || !isCounted(search, number)) continue;
    slices.enter(utterance);
    for (const [rung, { lost }] of rungs.entries()) slices.addToWhole(rung, lost[number]!, said[number]!, 1, 1);
  }
  const gathered = rungs.map(({ snrDb }, rung) => ({ snrDb, ...gather(slices.whole(), rung) }));
  const bootstrap = { level, resamples, minimumClusters: minimumSpeakers, random: randomOfData(seed) };
  return {
    ...{ recognizer, kind, asked: rungs.length },
    snrDb: toEstimate(halfLost(gathered, bootstrap), gathered[0]!.n),
  };
}
