import { createClosing } from '../../base/closing.ts';
import { EarwitnessError } from '../../base/errors.ts';
import { hashJson } from '../../base/hash.ts';
import { createFileHasher } from '../../decoders/contract.ts';
import type { OpenedQuality, QualityMeters } from '../../engine/quality.ts';
import type { ClipQuality } from '../../model/measurement.ts';
import { type QualityMeter, undefinedValues } from '../../quality/contract.ts';
import type { ConfiguredMember } from '../config/config.ts';
import { loadMember } from '../members/load-member.ts';

/** Raised where what is compared changes: how the clean clip is brought to the times of the changed one. */
const alignmentVersion = 1;

/** Measures that were opened in this thread. */
export type OpenedMeasures = QualityMeters & AsyncDisposable;

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
        throw new EarwitnessError('bad-config', problem);
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
