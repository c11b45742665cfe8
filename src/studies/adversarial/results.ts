import type { Comparison, Estimate } from '../../model/finding.ts';
import { randomOfData } from '../../statistics/bootstrap/random-of-data.ts';
import type { StudyContext } from '../contract.ts';
import { toEstimate } from '../shared/estimates.ts';
import { judgeTests, testTogether } from '../shared/test-groups.ts';
import type { ReadAttacks } from './answers.ts';
import type { AttackCube } from './attack-cube.ts';
import { type AttackDesign, controlOf, isAttack, isOwn } from './design.ts';
import { type HalfLost, halfLost } from './half-lost.ts';
import {
  type CountsOf,
  clipsInWords,
  kindsOf,
  type LogRatio,
  type Loss,
  logRatios,
  lossesOf,
  rateOf,
} from './losses.ts';
import type { AdversarialOptions } from './options.ts';

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

export interface AttackResults {
  readonly rates: readonly Rates[];
  /** Of noise, and of attacks that know the recognizer or ask none. */
  readonly halfLost: readonly HalfLost[];
  readonly losses: readonly Loss[];
  readonly groups: readonly GroupCost[];
  readonly logRatios: readonly LogRatio[];
}

/** What the parts of a finding are made from. */
export interface Concluded {
  readonly design: AttackDesign;
  readonly options: AdversarialOptions;
  readonly cube: AttackCube;
  readonly read: ReadAttacks;
  readonly results: AttackResults;
}

/** Turns counts into estimates and comparisons. */
export function conclude(
  cube: AttackCube,
  design: AttackDesign,
  options: AdversarialOptions,
  { seed, computing }: Pick<StudyContext, 'seed' | 'computing'>,
  found: readonly HalfLost[],
): AttackResults {
  const { attacks, recognizers } = design;
  const { level, resamples, minimumSpeakers } = options;
  const bootstrap = { level, resamples, minimumClusters: minimumSpeakers, random: randomOfData(seed) };
  type Sliced = Parameters<typeof cube.parts>[0];
  type Ratio = Parameters<ReturnType<typeof cube.parts>[number]['side']>[0]['ratio'];
  const countsOf =
    (slice: Sliced, ratio: Ratio, number = 0): CountsOf =>
    (series, attack) =>
      cube.parts(slice)[number]!.side({ series, path: [attacks[attack]!.condition.name], ratio });
  return {
    rates: ratesOf(cube, design),
    halfLost: recognizers.flatMap((_, recognizer) => halfLostBy(recognizer)),
    losses: lossesOf(
      design,
      {
        words: countsOf('answered', 'wer'),
        under: countsOf('besideClean', 'wer'),
        clean: countsOf('besideClean', 'cleanWer'),
      },
      options.profile === 'srb',
      bootstrap,
    ),
    groups: groupCosts(),
    logRatios: logRatios(
      cube.parts('groups').map(({ group, units }, number) => ({
        ...group!,
        speakers: new Set(units.filter((unit) => cube.units.isSpeaker(unit))),
        countsOf: countsOf('groups', 'wer', number),
      })),
      design,
      bootstrap,
    ),
  };

  function halfLostBy(recognizer: number): HalfLost[] {
    return [...kindsOf(recognizer, design)].flatMap(([kind, own]): HalfLost[] => {
      const searched = found.find((one) => one.recognizer === recognizer && one.kind === kind);
      if (searched !== undefined) return [searched];
      const all = own.flatMap((attack) => {
        const { snrDb } = attacks[attack]!;
        return snrDb === null ? [] : [{ snrDb, ...countsOf('answered', 'lost')(recognizer, attack) }];
      });
      // An SNR at which nothing was answered takes nothing from the others.
      const answered = all.filter(({ n }) => n.words !== 0);
      const rungs = answered.length === 0 ? all : answered;
      const [first] = rungs;
      if (first === undefined) return [];
      const snrDb = toEstimate(halfLost(rungs, bootstrap), first.n);
      return [{ recognizer, kind, snrDb, asked: rungs.length, searched: false }];
    });
  }

  function groupCosts(): GroupCost[] {
    const own = attacks.flatMap(({ heardBy, kind }, attack) =>
      heardBy
        .map((recognizer) => ({ recognizer, attack }))
        .filter((place) => isAttack({ kind }) && isOwn(place, design)),
    );
    if (own.length === 0) return [];
    const groups = cube.parts('groupsBesideClean').map(({ group }, number) => ({ ...group!, number }));
    return [...Map.groupBy(groups, ({ attribute }) => attribute)].flatMap(([attribute, members]) => {
      const measures = own.map(({ recognizer, attack }) =>
        members.map(({ number }) => {
          const side = countsOf('groupsBesideClean', 'cost', number)(recognizer, attack);
          return side.n.words === 0 ? null : side;
        }),
      );
      const settings = { level, resamples, minimumSpeakers, seed, study: 'adversarial', what: attribute };
      const tests = testTogether(measures, { ...settings, ...(computing && { computing }) });
      const judged = judgeTests(tests.flat());
      let place = 0;
      return tests.flatMap((pairs, asked) =>
        pairs.map(({ first, second }): GroupCost => {
          const { recognizer, attack } = own[asked]!;
          const cost = (group: number) => {
            const side = measures[asked]![group];
            return side ? rateOf(side.counts) : null;
          };
          const clips = (slice: Sliced, of: number) =>
            [first, second].reduce(
              (sum, group) => sum + countsOf(slice, 'wer', members[group]!.number)(recognizer, of).n.utterances,
              0,
            );
          return {
            recognizer,
            attack,
            over: clipsInWords(
              clips('groupsBesideClean', attack),
              Math.max(clips('groups', attack), clips('groups', 0)),
            ),
            attribute,
            group: members[second]!.value,
            comparedWith: members[first]!.value,
            cost: cost(second),
            costThere: cost(first),
            comparison: judged[place++]!,
          };
        }),
      );
    });
  }
}

/** Each recognizer in each condition that it was asked about. */
function ratesOf(cube: AttackCube, design: AttackDesign): Rates[] {
  const { attacks, recognizers } = design;
  const sets = attacks.map(({ condition }, attack) => ({ attack, cells: [[condition.name]] }));
  const rowsIn = (slice: 'answered' | 'besideClean' | 'besideNoise') => {
    const rows = cube.over(slice, sets);
    return (recognizer: number, attack: number) => rows[attack * recognizers.length + recognizer]!;
  };
  const [answered, besideClean, besideNoise] = [rowsIn('answered'), rowsIn('besideClean'), rowsIn('besideNoise')];
  const made = sets.filter(({ attack }) => isAttack(attacks[attack]!));
  const compared = cube.against('besideNoise', made, 'wer', 'noiseWer');
  return attacks.flatMap(({ heardBy }, attack) => {
    const number = made.findIndex((one) => one.attack === attack);
    return heardBy.map((recognizer): Rates => {
      const { ratios, counts } = answered(recognizer, attack);
      const beside = besideNoise(recognizer, attack);
      const most = [attack, controlOf(attack, design)].map((place) =>
        place === -1 ? 0 : answered(recognizer, place).counts.clips,
      );
      const over = clipsInWords(beside.counts.clips, Math.max(...most));
      return {
        recognizer,
        attack,
        wer: ratios.wer,
        cer: ratios.cer,
        success: besideClean(recognizer, attack).ratios.success,
        lost: ratios.lost,
        empty: counts.empty,
        oneWord: counts.oneWord,
        overNoise: number === -1 ? null : compared[number * recognizers.length + recognizer]!,
        rests: number === -1 || over === null ? null : { over, own: beside.ratios.wer, noise: beside.ratios.noiseWer },
      };
    });
  });
}
