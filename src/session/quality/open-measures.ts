import { createClosing } from '../../base/closing.ts';
import { badConfig } from '../../base/errors.ts';
import { hashJson } from '../../base/hash.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { createFileHasher } from '../../decoders/contract.ts';
import type { OpenedQuality, QualityMeters } from '../../engine/quality.ts';
import { type ClipQuality, type Condition, clean } from '../../model/trial.ts';
import type { Ladder } from '../../perturbations/contract.ts';
import { resolveScenario } from '../../perturbations/scenarios.ts';
import { type QualityMeter, undefinedValues } from '../../quality/contract.ts';
import type { Config, ConfiguredMember } from '../config/config.ts';
import { loadMember } from '../members/load-member.ts';

/** Raised where what is compared changes: how the clean clip is brought to the times of the changed one. */
const alignmentVersion = 1;

/** Measures that were opened in this thread. */
type OpenedMeasures = QualityMeters & AsyncDisposable;

/**
 * Opens measures of quality: loads their models, one after another.
 *
 * @param configured each measure once
 * @throws EarwitnessError `bad-config`: a measure twice, models that cannot be used; `missing-program`: an engine is not installed
 */
export async function openMeasures(
  configured: readonly ConfiguredMember[],
  baseFolder: string,
): Promise<OpenedMeasures> {
  const closing = createClosing();
  const measures: OpenedQuality[] = [];
  const meters = new Map<string, QualityMeter>();
  try {
    for (const member of configured) {
      const { measure, meter } = await openOne(member, baseFolder);
      closing.defer(() => meter.close());
      if (meters.has(measure.name)) {
        const problem = `expected each measure of quality once, but got ${measure.name} twice; leave one out`;
        throw badConfig(problem);
      }
      measures.push(measure);
      meters.set(measure.name, meter);
    }
  } catch (error) {
    await closing[Symbol.asyncDispose]();
    throw error;
  }
  return {
    measures,
    async measure(names, clip, clean) {
      const results: ClipQuality[] = [];
      for (const name of names) {
        const { needsClean, values } = measures.find((measure) => measure.name === name)!;
        const without = 'reason' in clean;
        results.push(
          needsClean && without
            ? undefinedValues(values, clean.reason)
            : await meters.get(name)!.measure(clip, without ? null : clean),
        );
      }
      return results;
    },
    [Symbol.asyncDispose]: () => closing[Symbol.asyncDispose](),
  };
}

async function openOne(
  { type, options, moduleHash }: ConfiguredMember,
  baseFolder: string,
): Promise<{ readonly measure: OpenedQuality; readonly meter: QualityMeter }> {
  const { member } = await loadMember('quality', type, baseFolder);
  const meter = await member.open(member.options.parse(options), { baseFolder, fileHash: createFileHasher() });
  const identity = moduleHash === null ? meter.identity : { ...meter.identity, module: moduleHash };
  const { name, values, needsClean } = member;
  const key = hashJson({ quality: identity, alignment: needsClean ? alignmentVersion : null });
  return { measure: { name, values: { ...values }, needsClean, key }, meter };
}

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
