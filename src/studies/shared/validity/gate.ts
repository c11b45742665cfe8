import { badConfig } from '../../../base/errors.ts';
import { hashJson } from '../../../base/hash.ts';
import type { Condition } from '../../../model/trial.ts';
import type { Utterance } from '../../../model/utterance.ts';
import { aequevoxComprehensibility } from '../../../perturbations/ladders/aequevox.ts';
import { randomOfData } from '../../../statistics/bootstrap/random-of-data.ts';
import type { Answer, Batch, StudyContext } from '../../contract.ts';
import { measured } from '../estimates.ts';
import { createClusterMeans, type MeanOptions } from '../speaker-clusters.ts';
import { ratingMeans, readRatings } from './ratings.ts';
import {
  type CaseGroups,
  type CaseValidity,
  type ConditionValidity,
  type NumberedCondition,
  unmetRatings,
  type ValidityGate,
  type ValidityOption,
} from './validity.ts';

/**
 * A gate that leaves out what is too bad to tell recognizers apart: a study asks its questions first, then scores what it keeps,
 * and says what it dropped.
 *
 * @param conditions of the study, clean among them or not
 * @param wanted which utterances the study looks at
 * @throws EarwitnessError `bad-config`: the measure is not in the config, or has no such value
 * @example
 * const gate = createValidityGate(options.validity, conditions, context);
 * for await (const answer of yield { about: 'quality', size: null, questions: () => gate.questions(() => 1) }) gate.see(answer);
 * const validity = gate.judge(options);
 * if (validity.keeps(utterance, condition, draw)) …
 */
export function createValidityGate(
  option: ValidityOption,
  conditions: readonly Condition[],
  context: StudyContext,
  wanted: (utterance: Utterance) => boolean = ({ sound }) => sound !== undefined,
): ValidityGate {
  const changed = conditions
    .map((condition, index): NumberedCondition => ({ condition, index }))
    .filter(({ condition }) => condition.steps.length > 0);
  return 'comprehensibility' in option
    ? gateByListeners(option.comprehensibility, changed)
    : gateByMeasure(option, changed, context, wanted);
}

/**
 * Knows scenarios by their names alone: nothing is asked.
 */
function gateByListeners(threshold: number, conditions: readonly NumberedCondition[]): ValidityGate {
  const judged = conditions.map(({ condition }): ConditionValidity => {
    const rated = aequevoxComprehensibility.get(condition.name);
    return {
      condition: condition.name,
      kept: rated === undefined || rated.mean > threshold,
      mean: measured(
        rated?.mean ?? null,
        { utterances: 1, speakers: 0, ratings: rated?.listeners ?? 0, listeners: rated?.listeners ?? 0 },
        rated === undefined ? { code: 'not-rated' } : { code: 'a-mean-alone' },
        'mean rating of 1 to 10 by the listeners of AequeVox',
      ),
      cases: 0,
      unjudged: 0,
      excluded: 0,
    };
  });
  const dropped = new Set(judged.filter(({ kept }) => !kept).map(({ condition }) => condition));
  return {
    async *questions() {},
    see() {},
    judge: () => ({
      keeps: (_utterance, { name, steps }) => steps.length === 0 || !dropped.has(name),
      conditions: judged,
      rule: `comprehensibility above ${threshold}, by scenario`,
    }),
  };
}

/**
 * Judges by a measure of quality: each sound by itself, or all of a condition by their mean.
 *
 * @throws EarwitnessError `bad-config`: the measure is not in the config, or has no such value
 */
function gateByMeasure(
  { measure, value, atLeast, per }: Exclude<ValidityOption, { comprehensibility: number }>,
  conditions: readonly NumberedCondition[],
  context: StudyContext,
  wanted: (utterance: Utterance) => boolean,
): ValidityGate {
  const name = chosenValue(measure, value, context);
  const places = new Map(conditions.map(({ condition }, place) => [condition.name, place]));
  const means = createClusterMeans(conditions.length);
  const totals = conditions.map(() => ({ cases: 0, unjudged: 0, sum: 0, below: 0 }));
  /** Cases that are dropped one by one. Their memory follows how many they are. */
  const bad = new Set<string>();
  return {
    async *questions(draws) {
      for await (const utterance of context.utterances()) {
        if (!wanted(utterance)) continue;
        for (const { condition, index } of conditions) {
          for (let draw = 0; draw < draws(index); draw++) {
            yield { ask: 'measurement', utterance, condition, draw, quality: [measure] };
          }
        }
      }
    },
    see(answer) {
      if (answer.ask !== 'measurement') return;
      const place = places.get(answer.condition.name);
      if (place === undefined || !answer.quality?.includes(measure)) return;
      const total = totals[place]!;
      const found = answer.measurement?.quality?.[measure]?.values[name] ?? null;
      total.cases++;
      if (found === null) {
        total.unjudged++;
        return;
      }
      means.add(place, answer.utterance, found);
      total.sum += found;
      if (found < atLeast) {
        total.below++;
        if (per === 'case') bad.add(caseName(answer.utterance.id, answer.condition.name, answer.draw));
      }
    },
    judge(options) {
      const judged = conditions.map(({ condition }, place): ConditionValidity => {
        const { cases, unjudged, sum, below } = totals[place]!;
        const heard = cases - unjudged;
        const dropped = heard > 0 && (per === 'case' ? below === cases : sum / heard < atLeast);
        return {
          condition: condition.name,
          kept: !dropped,
          mean: means.mean(place, { ...options, random: randomOfData(context.seed) }),
          cases,
          unjudged,
          excluded: per === 'case' ? below : dropped ? cases : 0,
        };
      });
      const gone = new Set(judged.filter(({ kept }) => !kept).map(({ condition }) => condition));
      return {
        keeps: ({ id }, { name: condition, steps }, draw) =>
          steps.length === 0 || !(gone.has(condition) || bad.has(caseName(id, condition, draw))),
        conditions: judged,
        rule: `${measure} ${name} at least ${atLeast}, by ${per === 'case' ? 'clip' : 'the mean of a condition'}`,
      };
    },
  };
}

function chosenValue(measure: string, value: string | undefined, { quality = [] }: StudyContext): string {
  const known = quality.find(({ name }) => name === measure);
  if (known === undefined) {
    const there = quality.length === 0 ? 'it names none' : `it names ${quality.map(({ name }) => name).join(', ')}`;
    throw badConfig(
      `validity: expected a measure that the config names under \`quality\`, but got ${JSON.stringify(measure)}, and ${there}; add it there`,
    );
  }
  const names = Object.keys(known.values);
  if (value === undefined) return names[0]!;
  if (names.includes(value)) return value;
  throw badConfig(`validity: expected a value of ${measure} (${names.join(', ')}), but got ${JSON.stringify(value)}`);
}

function caseName(utterance: string, condition: string, draw: number): string {
  return JSON.stringify([utterance, condition, draw]);
}

/** What a gate judges. */
export interface JudgedCases extends CaseGroups {
  readonly conditions: readonly Condition[];
  /** Names that ratings may be about: of all that is heard changed, and of relations. */
  readonly ratable: readonly string[];
  /** How often the sound of a condition is made. */
  draws(condition: number): number;
  /** Which utterances are looked at. */
  wanted(utterance: Utterance): boolean;
  /** How the intervals of means of conditions are made; they decide nothing. */
  readonly means: Omit<MeanOptions, 'random'>;
}

/**
 * Opens the gate that an option names: asks for the measurements it needs, and says which changed clips count.
 *
 * @throws EarwitnessError `bad-config` for a measure that the config does not have, `bad-input` for a table that cannot be read
 * @example const validity = yield* judgeCases(options.validity, { conditions, draws, wanted, groupOf, corpusBy, means }, context);
 */
export async function* judgeCases(
  option: ValidityOption | { readonly ratings: string; readonly atLeast: number; readonly per: string },
  cases: JudgedCases,
  context: StudyContext,
): AsyncGenerator<Batch, CaseValidity, AsyncIterable<Answer>> {
  if ('ratings' in option) return validityByRatings(option, cases, context);
  const gate = createValidityGate(option, cases.conditions, context, cases.wanted);
  // Ratings of the listeners of scenarios is known: nothing has to be measured.
  if ('measure' in option) {
    const answers: AsyncIterable<Answer> = yield {
      about: 'quality of changed clips',
      size: null,
      questions: () => gate.questions(cases.draws),
    };
    for await (const answer of answers) gate.see(answer);
  }
  const { keeps, rule, conditions } = gate.judge(cases.means);
  return {
    judge: (utterance, condition, draw) => (keeps(utterance, condition, draw) ? 'kept' : 'excluded'),
    rule,
    identity: { rule },
    conditions,
    ratings: null,
  };
}

/**
 * Judges by a table of listeners' ratings, as SR-MT does (section 4.2: a mean opinion score of 4.0 or more): each changed
 * clip by the mean of its own ratings, or a group of conditions on a corpus by the mean of all ratings that name one of them.
 * Ratings that name no corpus count for every one. Where there are several scales (sharpness, naturalness) each must pass.
 *
 * @param option `per: 'case'` judges clip by clip, anything else groups
 * @throws EarwitnessError `bad-input` for a table that cannot be read
 */
async function validityByRatings(
  { ratings: file, atLeast, per }: { readonly ratings: string; readonly atLeast: number; readonly per: string },
  { groupOf, corpusBy, ratable, means: settings }: Pick<JudgedCases, 'groupOf' | 'corpusBy' | 'ratable' | 'means'>,
  context: StudyContext,
): Promise<CaseValidity> {
  if (context.readText === undefined) throw badConfig('ratings: files cannot be read here');
  const text = await context.readText(file);
  const rows = readRatings(file, text);
  /** By what is judged, then by scale. */
  const means = new Map<string, Map<string | null, { sum: number; count: number }>>();
  const add = (key: string, scale: string | null, rating: number) => {
    const scales = means.get(key) ?? new Map<string | null, { sum: number; count: number }>();
    means.set(key, scales);
    const mean = scales.get(scale) ?? { sum: 0, count: 0 };
    scales.set(scale, { sum: mean.sum + rating, count: mean.count + 1 });
  };
  for (const { rating, utterance, condition, relation, corpus, scale } of rows) {
    if (per === 'case') {
      if (utterance !== null && condition !== null) add(keyOf(utterance, condition), scale, rating);
      continue;
    }
    const group = groupOf(condition, relation);
    if (group !== null) add(keyOf(group, corpus), scale, rating);
  }
  const unmet = new Set(
    rows.flatMap(({ condition, relation }) =>
      [condition, relation].some((name) => name !== null && ratable.includes(name))
        ? []
        : (relation ?? condition ?? []),
    ),
  );
  /** The least of the means of all scales. */
  const leastOf = (...keys: readonly string[]): number | null => {
    const found = keys.flatMap((key) => [...(means.get(key) ?? [])]);
    const byScale = Map.groupBy(found, ([scale]) => scale);
    const ofScales = [...byScale.values()].map((own) => {
      const count = own.reduce((total, [, mean]) => total + mean.count, 0);
      return own.reduce((total, [, mean]) => total + mean.sum, 0) / count;
    });
    return ofScales.length === 0 ? null : Math.min(...ofScales);
  };
  return {
    judge({ id, attributes }, { name }) {
      const corpus = Object.hasOwn(attributes, corpusBy) ? attributes[corpusBy]! : null;
      const group = groupOf(name, null);
      const mean =
        per === 'case'
          ? leastOf(keyOf(id, name))
          : group === null
            ? null
            : leastOf(keyOf(group, null), ...(corpus === null ? [] : [keyOf(group, corpus)]));
      if (mean === null) return 'unrated';
      return mean >= atLeast ? 'kept' : 'excluded';
    },
    rule: `mean rating of at least ${atLeast}, ${per === 'case' ? 'changed clip by changed clip' : `by ${per} and corpus`}`,
    identity: { ratings: hashJson(text), atLeast, per },
    conditions: null,
    warnings: unmetRatings([...unmet], 'condition or relation of this study', ratable),
    ratings: ratingMeans(rows, ({ condition, relation }) => groupOf(condition, relation), {
      ...settings,
      random: randomOfData(context.seed),
    }),
  };
}

function keyOf(first: string, second: string | null): string {
  return JSON.stringify([first, second]);
}
