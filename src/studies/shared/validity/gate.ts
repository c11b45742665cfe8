import { EarwitnessError } from '../../../base/errors.ts';
import type { Condition } from '../../../model/condition.ts';
import type { Utterance } from '../../../model/utterance.ts';
import { aequevoxComprehensibility } from '../../../perturbations/ladders/listening/aequevox-comprehensibility.ts';
import { randomOfData } from '../../../statistics/bootstrap/random-of-data.ts';
import type { StudyContext } from '../../contract.ts';
import { createClusterMeans } from '../cluster-means.ts';
import { measured } from '../estimates.ts';
import type { ConditionValidity, NumberedCondition, ValidityGate } from './condition-validity.ts';
import type { ValidityOption } from './section.ts';

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
        { utterances: 1, speakers: rated?.listeners ?? 0 },
        rated === undefined ? 'no listeners rated this scenario' : 'a mean without the spread of recordings',
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
        rule: `${measure} ${name} at least ${atLeast}, by ${per === 'case' ? 'sound' : 'the mean of a condition'}`,
      };
    },
  };
}

function chosenValue(measure: string, value: string | undefined, { quality = [] }: StudyContext): string {
  const known = quality.find(({ name }) => name === measure);
  if (known === undefined) {
    const there = quality.length === 0 ? 'it names none' : `it names ${quality.map(({ name }) => name).join(', ')}`;
    throw new EarwitnessError(
      'bad-config',
      `validity: expected a measure that the config names under \`quality\`, but got ${JSON.stringify(measure)}, and ${there}; add it there`,
    );
  }
  const names = Object.keys(known.values);
  if (value === undefined) return names[0]!;
  if (names.includes(value)) return value;
  throw new EarwitnessError(
    'bad-config',
    `validity: expected a value of ${measure} (${names.join(', ')}), but got ${JSON.stringify(value)}`,
  );
}

function caseName(utterance: string, condition: string, draw: number): string {
  return JSON.stringify([utterance, condition, draw]);
}
