import type { Json, JsonObject } from '../../base/json.ts';
import { type Condition, clean } from '../../model/trial.ts';
import type { Ladder } from '../../perturbations/contract.ts';
import { resolveScenario } from '../../perturbations/scenarios.ts';
import type { Config, ConfiguredMember } from '../config/config.ts';

const type = 'sound-quality';

/**
 * Where a config names measures of quality and no study of them: one that measures what the other studies ask about. Studies
 * agree upon calling scenarios and conditions with steps `conditions`, and ladders of their own `ladders`; what has neither form
 * is passed over.
 *
 * @param ladders that conditions may name
 * @returns null where there is nothing to add
 */
export function addedQualityStudy(
  { quality, studies }: Pick<Config, 'quality' | 'studies'>,
  ladders: readonly Ladder[],
): ConfiguredMember | null {
  if (quality === undefined || studies.some((study) => study.type === type)) return null;
  const conditions = new Map<string, Condition>();
  for (const { options } of studies) {
    const known = [...(isList(options.ladders) ? (options.ladders as unknown as Ladder[]) : []), ...ladders];
    for (const written of isList(options.conditions) ? options.conditions : []) {
      for (const condition of conditionsOf(written, known)) {
        if (!conditions.has(condition.name)) conditions.set(condition.name, condition);
      }
    }
  }
  const options = { conditions: [...conditions.values()].map(asOption) };
  return { type, options, moduleHash: null };
}

function conditionsOf(written: Json, ladders: readonly Ladder[]): readonly Condition[] {
  if (typeof written === 'string') return written === clean.name ? [] : resolveScenario(written, ladders);
  const complete = typeof written === 'object' && written !== null && 'name' in written && 'steps' in written;
  return complete ? [written as unknown as Condition] : [];
}

function asOption({ name, steps, rung }: Condition): JsonObject {
  return { name, steps: steps as unknown as Json, ...(rung && { rung: { ...rung } }) };
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}
