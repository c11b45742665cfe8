import { z } from 'zod';
import type { Clip } from '../audio/clip.ts';
import { addModulatedNoise } from '../audio/gaussian-noise.ts';
import { levelDbfs } from '../audio/levels.ts';
import { changeSamples, peak, scaling } from '../audio/samplewise.ts';
import { badUsage } from '../base/errors.ts';
import { printable } from '../base/printable.ts';
import { createRandom } from '../base/random.ts';
import { counted } from '../base/wording.ts';
import { clean } from '../model/trial.ts';

import {
  listenersNeeded,
  minimumClips,
  neededListeners,
  type RatingLayout,
  type RatingSpreads,
  ratingPrecision,
} from '../statistics/planning/rating-precision.ts';
import type { Store } from '../store/contract.ts';
import { aboutMinutes } from '../web/people/clip-session.ts';
import {
  familyOf,
  minutesOfRating,
  type RatingPlan,
  ratedClips,
  ratingPanel,
  scalesOf,
  tasksOfRater,
} from '../web/people/rating-plan.ts';
import { say } from './output.ts';
import { chosenConditions, type PlanFiles, planOverRun, refuseOther, refuseUneven } from './plan-over-run.ts';
import type { RatingFlags } from './rating-flags.ts';

/** Everybody's original: ITU-T P.800 has speech played 26 dB below full scale. */
const usualLevelDbfs = -26;
/** The anchor's speech over its noise: ITU-T P.810's unit at 5 dB is heard as bad. */
const anchorRatioDb = 5;
/** Square: as many people hear every utterance once. Rising severities: nothing but time. */
const maxConditions = { 'sr-mt': 12, aequevox: 60 };
/** In steps of five and of ten grades. */
const usualRules = {
  'sr-mt': { anchorMargin: 1, repeatDifference: 1.5 },
  aequevox: { anchorMargin: 2, repeatDifference: 3 },
};
/**
 * Listeners and rest as in the two raw files of AequeVox' listening test (197 people; one recording, so that clips are an assumption: half of the rest), and on five grades four
 * ninths of that.
 */
const usualSpreads: Readonly<Record<RatingPlan['profile'], RatingSpreads>> = {
  aequevox: { listeners: 1.66, clips: 0.58, rest: 1.15 },
  'sr-mt': { listeners: 0.74, clips: 0.26, rest: 0.51 },
};
const confidence = 0.95;
const halfWidths = [0.1, 0.15, 0.2, 0.3, 0.5, 1];

/** Makes the plan of `rate` and its clips: `planOverRun`. */
export function makeRatingPlan(table: string, files: PlanFiles, options: RatingFlags) {
  const { profile = 'sr-mt', groupBy = [], repeats = 2, anchor } = options;
  const level = options.level === false ? null : (options.level ?? usualLevelDbfs);
  return planOverRun<RatingPlan>(table, files, options, 'who rates what', ({ store, run, seed, chosen, available }) => {
    const conditions = conditionsOf(store, run.id, profile, options.condition);
    const seats = seatsFor(options, { profile, conditions, anchor, utterances: chosen }, available);
    const rules = usualRules[profile];
    const rule = (wanted: number | undefined, usual: number) => (wanted === 0 ? null : (wanted ?? usual));
    const softer: string[] = [];
    return {
      conditions: [clean.name, ...conditions.map(({ name }) => name)],
      heard(clips, { id }) {
        const all = anchor
          ? [...clips, addModulatedNoise(clips[0]!, anchorRatioDb, createRandom({ anchor: id, seed }))]
          : clips;
        const { gain, isLess } = gainOf(all, level);
        if (isLess) softer.push(id);
        return all.map(({ samples, sampleRate }) => ({
          samples: changeSamples(samples, [scaling(gain)]).samples,
          sampleRate,
        }));
      },
      plan(utterances) {
        if (softer.length > 0) say(softerThan(level!, softer));
        return {
          ...{ plan: 'earwitness rate, version 1', run: run.id, seed, profile },
          order: options.order ?? (profile === 'sr-mt' ? 'random' : 'increasing'),
          ...{ groupBy: [...groupBy], seats, levelDbfs: level, repeats, headphones: options.headphones ?? 'required' },
          exclude: {
            anchorMargin: anchor ? rule(options.anchorMargin, rules.anchorMargin) : null,
            repeatDifference: repeats > 0 ? rule(options.repeatDifference, rules.repeatDifference) : null,
            sameRating: true,
          },
          ...{ conditions, anchor },
          utterances: utterances.map(({ id, group, corpus, clips }) => ({ id, group, corpus, clips: [...clips] })),
        };
      },
    };
  });
}

/** Which utterances cannot be as loud as the others. */
function softerThan(level: number, ids: readonly string[]): string {
  const named = ids.slice(0, 6).map((id) => printable(id, 40));
  const more = ids.length > named.length ? ` and ${ids.length - named.length} more` : '';
  return `Some utterances stay softer than ${level} dBFS, because one of their clips would be cut off if it were louder: ${named.join(', ')}${more}`;
}

/** As the study metamorphic has them in its settings. */
const relationsOf = z.array(z.looseObject({ name: z.string(), conditions: z.array(z.string()) }));

/** Changed conditions, families together, each from the mildest on, with the relations of metamorphic studies. */
function conditionsOf(
  store: Store,
  runId: string,
  profile: RatingPlan['profile'],
  wanted: readonly string[] | undefined,
): RatingPlan['conditions'] {
  const names = chosenConditions(
    store.conditions(runId).map(({ name }) => name),
    wanted,
    'one-condition',
    maxConditions[profile],
  ).filter((name) => name !== clean.name);
  if (names.length === 0) {
    throw badUsage('expected a changed condition to rate, but the run has none; name another run with --run');
  }
  const relations = new Map<string, string>();
  for (const { study, settings } of store.findings(runId) ?? []) {
    const known = study.name === 'metamorphic' ? relationsOf.safeParse(settings.relations) : null;
    for (const { name, conditions } of known?.data ?? []) for (const one of conditions) relations.set(one, name);
  }
  const rankOf = (name: string) => {
    const rank = Number(name.slice(familyOf(name).length + 1));
    return Number.isFinite(rank) ? rank : 0;
  };
  return [...Map.groupBy(names, familyOf).values()].flatMap((family) =>
    family.toSorted((a, b) => rankOf(a) - rankOf(b)).map((name) => ({ name, relation: relations.get(name) ?? null })),
  );
}

type Shape = Pick<RatingPlan, 'profile' | 'conditions' | 'anchor'> & {
  readonly utterances: readonly { readonly corpus: string | null }[];
};

/** What a report judges as a whole: relations where there are some, but in the profile aequevox. */
export function judgedPer(
  profile: RatingPlan['profile'] | undefined,
  things: readonly { readonly relation: string | null }[],
): 'condition' | 'relation' {
  return profile !== 'aequevox' && things.some(({ relation }) => relation !== null) ? 'relation' : 'condition';
}

/**
 * What the mean that is known least rests on, of those that a report has: of a condition, or of the conditions of a relation, in one corpus. In the profile aequevox a listener
 * hears one utterance in all severities.
 *
 * @param times as many utterances
 */
function layoutOf(shape: Shape, times = 1): Omit<RatingLayout, 'listeners'> & { readonly panel: number } {
  const { profile, conditions, utterances } = shape;
  const per = judgedPer(profile, conditions);
  const fewest = (groups: Map<unknown, readonly unknown[]>) =>
    Math.min(...[...groups.values()].map(({ length }) => length));
  const together = fewest(
    Map.groupBy(conditions, ({ name, relation }) => (per === 'relation' ? (relation ?? name) : name)),
  );
  const clips = times * fewest(Map.groupBy(utterances, ({ corpus }) => corpus));
  const count = Math.round(times * utterances.length);
  return {
    ...{ clips: Math.round(clips), panel: ratingPanel(shape, count) },
    conditions: profile === 'sr-mt' ? ratedClips(shape).length / together : count,
  };
}

/** @throws EarwitnessError `bad-usage` for a number that does not let everything be rated alike often, or a half width that nobody reaches */
function seatsFor({ listeners, halfWidth, spreads }: RatingFlags, shape: Shape, available: number): number {
  const { profile, utterances } = shape;
  const { panel } = layoutOf(shape);
  const each = profile === 'sr-mt' ? 'clip of an utterance (original and anchor too)' : 'utterance';
  if (listeners !== undefined) refuseUneven(listeners, panel, each, 'rated');
  if (halfWidth === undefined || listeners !== undefined) return listeners ?? panel;
  const needed = (times: number) => neededFor(halfWidth, shape, times, spreads ?? usualSpreads[profile]);
  const found = needed(1);
  if (found !== null) return found;
  const times = [2, 4, 8, 16].find((more) => needed(more) !== null);
  const enough =
    times === undefined
      ? ''
      : ` (with ${times * utterances.length} of them ${needed(times)} listeners reach it; the run has ${available})`;
  throw badUsage(
    `expected a half width that some number of listeners reaches, but with ${utterances.length} utterances none reaches ${halfWidth}; take more utterances${enough}, or a larger half width`,
  );
}

function neededFor(halfWidth: number, shape: Shape, times: number, spreads: RatingSpreads): number | null {
  const { panel, ...layout } = layoutOf(shape, times);
  return listenersNeeded(halfWidth, layout, panel, spreads, confidence);
}

function gainOf(clips: readonly Clip[], level: number | null) {
  const [original] = clips;
  const own = levelDbfs(original!.samples);
  const wanted = level === null || own === null ? 1 : 10 ** ((level - own) / 20);
  const loudest = Math.max(...clips.map(({ samples }) => peak(samples)));
  const gain = loudest * wanted > 1 ? 1 / loudest : wanted;
  return { gain, isLess: gain < wanted };
}

/** @throws EarwitnessError `bad-usage` where flags want another plan than there is */
export function refuseOtherRatingPlan(plan: RatingPlan, options: RatingFlags, file: string): void {
  const { order, repeats, headphones, anchorMargin, repeatDifference, level } = options;
  const { exclude, levelDbfs } = plan;
  refuseOther(
    plan,
    options,
    file,
    { conditions: ratedClips(plan), utterances: plan.utterances.length },
    {
      '--order': order !== undefined && order !== plan.order,
      '--repeats': repeats !== undefined && repeats !== plan.repeats,
      '--headphones': headphones !== undefined && headphones !== plan.headphones,
      '--no-anchor': !options.anchor && plan.anchor,
      '--anchor-margin': anchorMargin !== undefined && (anchorMargin || null) !== exclude.anchorMargin,
      '--repeat-difference': repeatDifference !== undefined && (repeatDifference || null) !== exclude.repeatDifference,
      '--no-level': level === false && levelDbfs !== null,
      '--level': typeof level === 'number' && level !== levelDbfs,
    },
  );
}

/** What each seat rates, and about how long that takes. */
export function ratingSeats(plan: RatingPlan) {
  return Array.from({ length: plan.seats }, (_, seat) => {
    const tasks = tasksOfRater(plan, seat);
    return { clips: tasks.length, minutes: minutesOfRating(plan, tasks) };
  });
}

/**
 * What a plan costs and gives, for people.
 *
 * @param available how many utterances the run has; null: not known
 */
export function ratingPlanLines(
  plan: RatingPlan,
  available: number | null,
  spreads = usualSpreads[plan.profile],
): string[] {
  const seats = ratingSeats(plan);
  const { conditions, utterances, seats: listeners, exclude, headphones } = plan;
  const { clips } = layoutOf(plan);
  const reachedWith = (times: number, people = listeners) =>
    ratingPrecision({ ...layoutOf(plan, times), listeners: people }, spreads, confidence);
  const reached = reachedWith(1);
  const minutes = Math.max(...seats.map((seat) => seat.minutes));
  const wanted = halfWidths.flatMap((halfWidth) => {
    const needed = neededFor(halfWidth, plan, 1, spreads);
    return needed === null || (reached !== null && halfWidth >= reached) ? [] : [`±${halfWidth}: ${needed}`];
  });
  /** More utterances, as far as the run has them; where it has no more, twice as many of another. */
  const moreUtterances = () => {
    const isThere = available !== null && available > utterances.length;
    const times = isThere ? Math.min(2, available / utterances.length) : 2;
    const [count, then] = [Math.round(times * utterances.length), reachedWith(times)];
    if (reached === null || then === null || listeners % layoutOf(plan, times).panel !== 0) return [];
    const where =
      available === null ? '' : isThere ? `, of the ${available} that the run has,` : ', which this run does not have,';
    const long = plan.profile === 'sr-mt' ? `, in ${aboutMinutes(times * minutes)} each` : '';
    const more = `with ${count}${where} the same ${listeners} listeners would reach about ±${then.toFixed(2)}${long}`;
    // As many ratings, of more people.
    const people = Math.round(times * listeners);
    const instead = reachedWith(1, people) ?? reached;
    return then <= instead
      ? [`More utterances are the cheaper way: ${more}.`]
      : [
          `More utterances gain less than more listeners: ${more}; ${people} listeners with these, ±${instead.toFixed(2)}.`,
        ];
  };
  const rules = [
    ...(headphones === 'required' ? ['who does not pass the headphone check'] : []),
    ...(exclude.anchorMargin === null
      ? []
      : [`whose hidden originals are not ${exclude.anchorMargin} above the anchors`]),
    ...(exclude.repeatDifference === null ? [] : [`whose repeats are more than ${exclude.repeatDifference} apart`]),
    ...(exclude.sameRating ? ['who rates everything alike'] : []),
  ];
  const scales = scalesOf(plan.profile);
  return [
    `${counted(utterances.length, 'utterance')}, ${counted(conditions.length, 'condition')}: ${conditions.map(({ name }) => printable(name, 60)).join(', ')}`,
    `Rated: ${scales.map(({ name, grades }) => `${name} (1 to ${grades.length})`).join(', ')}`,
    `${counted(listeners, 'listener')}: ${seats[0]!.clips} clips each, ${aboutMinutes(minutes)}`,
    reached === null
      ? `With fewer than ${neededListeners(clips)} listeners no mean${clips < minimumClips ? ' of so few clips' : ''} has an interval.`
      : `Each ${judgedPer(plan.profile, conditions)}'s mean${new Set(utterances.map(({ corpus }) => corpus)).size > 1 ? ' in each corpus' : ''} will be known to about ±${reached.toFixed(2)}, if listeners and clips differ as much as in other studies${clips < minimumClips ? ', for these clips alone' : ''}.`,
    ...(wanted.length === 0 ? [] : [`Listeners for a half width of ${wanted.join(', ')}`]),
    ...moreUtterances(),
    `Left out, by rule: ${rules.join('; ') || 'nobody'}.`,
  ];
}
