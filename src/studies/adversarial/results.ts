import type { Comparison, Estimate } from '../../model/finding.ts';
import { randomOfData } from '../../statistics/bootstrap/random-of-data.ts';
import { rateInterval } from '../../statistics/bootstrap/rate-interval.ts';
import type { StudyContext } from '../contract.ts';
import { compareAll } from '../shared/comparisons.ts';
import { toEstimate } from '../shared/estimates.ts';
import { gather, type Part } from '../shared/sliced-counts.ts';
import { judgeTests, testTogether } from '../shared/test-groups.ts';
import { type Attack, controlOf, type Design, isAttack, isOwn } from './design.ts';
import { type FoundHalfLost, halfLost } from './half-lost.ts';
import { type CountsOf, clipsInWords, kindsOf, type LogRatio, type Loss, logRatios, lossesOf } from './losses.ts';
import type { AdversarialOptions } from './options.ts';
import type { Counted, Tally } from './tally.ts';

/** One recognizer in one condition; `attack` is the place of the condition. */
export interface Rates {
  readonly recognizer: number;
  readonly attack: number;
  readonly wer: Estimate;
  readonly cer: Estimate;
  /** Share of clips for which the attack succeeds. */
  readonly success: Estimate;
  /** Share of the words said that are lost. */
  readonly lost: Estimate;
  /** Clips of which nothing is written, and those of which one word is at most. */
  readonly empty: number;
  readonly oneWord: number;
  /** The attack's WER less that of white noise at the same ratio (of `prepend`: behind noise); null for clean clips and noise. */
  readonly overNoise: Comparison | null;
  /** Where some clips were answered in one of the two alone: what `overNoise` is over, and the two rates it is the difference of. */
  readonly rests: { readonly over: string; readonly own: Estimate; readonly noise: Estimate } | null;
}

/** What an attack costs one group beyond what it costs another, of those that know the recognizer or ask none. */
export interface GroupCost {
  readonly recognizer: number;
  readonly attack: number;
  readonly attribute: string;
  readonly group: string;
  readonly comparedWith: string;
  readonly cost: number | null;
  readonly costThere: number | null;
  /** `38 of 40 clips`, where some of the two groups were answered clean or under the attack alone. */
  readonly over: string | null;
  readonly comparison: Comparison;
}

/** The SNR at which a recognizer loses half of the words to one kind of sound. */
export interface HalfLost {
  readonly recognizer: number;
  readonly kind: Attack['kind'];
  /** In decibels. */
  readonly snrDb: Estimate;
  /** SNRs that it was found by. */
  readonly asked: number;
  /** Whether it was searched for by the answers. */
  readonly searched: boolean;
}

export interface Results {
  readonly rates: readonly Rates[];
  /** Of noise, and of attacks that know the recognizer or ask none. */
  readonly halfLost: readonly HalfLost[];
  readonly losses: readonly Loss[];
  readonly groups: readonly GroupCost[];
  readonly logRatios: readonly LogRatio[];
}

/** What a finding is made of. */
export interface Known {
  readonly design: Design;
  readonly options: AdversarialOptions;
  readonly tally: Tally;
  readonly results: Results;
}

/** Turns counts into estimates and comparisons. */
export function conclude(
  tally: Tally,
  design: Design,
  options: AdversarialOptions,
  { seed, computing }: Pick<StudyContext, 'seed' | 'computing'>,
  found: readonly FoundHalfLost[],
): Results {
  const { slices, series } = tally;
  const { attacks } = design;
  const { level, resamples, minimumSpeakers } = options;
  const whole = slices.whole();
  const counts = (what: Counted, recognizer: number, attack: number, part: Part = whole) =>
    gather(part, series(what, recognizer, attack));
  const bootstrap = { level, resamples, minimumClusters: minimumSpeakers, random: randomOfData(seed) };
  const places = attacks.flatMap(({ heardBy }, attack) => heardBy.map((recognizer) => ({ recognizer, attack })));
  const contrasted = places.filter(({ attack }) => isAttack(attacks[attack]!));
  const comparisons = compareAll(
    contrasted,
    ({ recognizer, attack }) => {
      const second = counts('besideNoise', recognizer, attack);
      const first = counts('noiseThere', recognizer, attack);
      return { first: first.counts, second: second.counts, n: second.n };
    },
    { level, resamples, minimumSpeakers, seed, speakers: slices.clusters.count, ...(computing && { computing }) },
  );

  const rates = places.map(({ recognizer, attack }): Rates => {
    const rate = (what: Counted) => {
      const { counts: own, n } = counts(what, recognizer, attack);
      const words = counts('words', recognizer, attack).n;
      const size = what !== 'successes' && what !== 'characters' ? n : { ...words, utterances: n.utterances };
      return toEstimate(rateInterval(what === 'successes' ? { ...own, proportion: true } : own, bootstrap), size);
    };
    const clips = (what: 'empty' | 'oneWord') =>
      counts(what, recognizer, attack).counts.numerators.reduce((sum, one) => sum + one, 0);
    const rests = () => {
      const here = counts('besideNoise', recognizer, attack).n.utterances;
      const most = Math.max(
        ...[attack, controlOf(attack, design)].map((place) => counts('words', recognizer, place).n.utterances),
      );
      const over = clipsInWords(here, most);
      return over === null ? null : { over, own: rate('besideNoise'), noise: rate('noiseThere') };
    };
    const place = contrasted.findIndex((one) => one.recognizer === recognizer && one.attack === attack);
    return {
      ...{
        recognizer,
        attack,
        wer: rate('words'),
        cer: rate('characters'),
        success: rate('successes'),
        lost: rate('lost'),
      },
      ...{ empty: clips('empty'), oneWord: clips('oneWord') },
      overNoise: comparisons[place] ?? null,
      rests: place < 0 ? null : rests(),
    };
  });
  const countsOf =
    (what: Counted, part: Part): CountsOf =>
    (recognizer, attack) =>
      counts(what, recognizer, attack, part);
  const groups = slices.groups().map((part) => ({ ...part.group!, part, countsOf: countsOf('words', part) }));
  return {
    rates,
    halfLost: design.recognizers.flatMap((_, recognizer) => halfLostBy(recognizer)),
    losses: lossesOf(
      design,
      { words: countsOf('words', whole), under: countsOf('besideClean', whole), clean: countsOf('cleanThere', whole) },
      options.profile === 'srb',
      bootstrap,
    ),
    groups: groupCosts(),
    logRatios: logRatios(groups, design, bootstrap),
  };

  function halfLostBy(recognizer: number): HalfLost[] {
    return [...kindsOf(recognizer, design)].flatMap(([kind, own]): HalfLost[] => {
      const searched = found.find((one) => one.recognizer === recognizer && one.kind === kind);
      if (searched !== undefined)
        return [{ recognizer, kind, snrDb: searched.snrDb, asked: searched.asked, searched: true }];
      const all = own.flatMap((attack) => {
        const { snrDb } = attacks[attack]!;
        return snrDb === null ? [] : [{ snrDb, ...counts('lost', recognizer, attack) }];
      });
      if (all.length === 0) return [];
      // An SNR at which nothing was answered takes nothing from the others.
      const answered = all.filter(({ n }) => n.words > 0);
      const rungs = answered.length === 0 ? all : answered;
      const snrDb = toEstimate(halfLost(rungs, bootstrap), rungs[0]!.n);
      return [{ recognizer, kind, snrDb, asked: rungs.length, searched: false }];
    });
  }

  function groupCosts(): GroupCost[] {
    const own = contrasted.filter((place) => isOwn(place, design));
    const divided = [...Map.groupBy(slices.groups(), ({ group }) => group!.attribute)];
    return divided.flatMap(([attribute, parts]) => {
      const measures = own.map(({ recognizer, attack }) =>
        parts.map((part) => {
          const attacked = counts('besideClean', recognizer, attack, part);
          const clean = counts('cleanThere', recognizer, attack, part);
          const numerators = attacked.counts.numerators.map(
            (errors, place) => errors - clean.counts.numerators[place]!,
          );
          return attacked.n.words === 0
            ? null
            : {
                counts: { numerators, denominators: attacked.counts.denominators },
                clusters: part.rows.map((row) => part.clusterOf(row)),
                n: attacked.n,
              };
        }),
      );
      if (measures.length === 0) return [];
      const settings = { level, resamples, minimumSpeakers, seed, study: 'adversarial', what: attribute };
      const tests = testTogether(measures, { ...settings, ...(computing && { computing }) });
      const judged = judgeTests(tests.flat());
      let place = 0;
      return tests.flatMap((pairs, number) =>
        pairs.map(({ first, second }): GroupCost => {
          const cost = (group: number) => {
            const side = measures[number]![group];
            if (!side) return null;
            const sum = (values: Float64Array) => values.reduce((total, value) => total + value, 0);
            return sum(side.counts.numerators) / sum(side.counts.denominators);
          };
          const { recognizer, attack } = own[number]!;
          const clips = (what: Counted, place: number) =>
            [first, second].reduce(
              (sum, group) => sum + counts(what, recognizer, place, parts[group]!).n.utterances,
              0,
            );
          return {
            ...own[number]!,
            over: clipsInWords(clips('besideClean', attack), Math.max(clips('words', attack), clips('words', 0))),
            attribute,
            group: parts[second]!.group!.value,
            comparedWith: parts[first]!.group!.value,
            cost: cost(second),
            costThere: cost(first),
            comparison: judged[place++]!,
          };
        }),
      );
    });
  }
}
