import { measureRt60 } from '../../audio/rooms/measure-rt60.ts';
import { severityClass } from '../../audio/rooms/severity-class.ts';
import type { SoundCollection } from '../../audio/sound-collection.ts';
import { EarwitnessError } from '../../base/errors.ts';
import { factOf } from '../shared/chosen-sounds.ts';

/** Keys of `select` that stand for classes, with the fact that they are made of. */
export const severityFacts = { rt60Class: 'rt60Seconds', srmrClass: 'srmr' } as const;
export type SeverityKey = keyof typeof severityFacts;

const classes = 4;

/**
 * The responses of one severity: four classes of equal width between the least and the largest reverberation time, or, from
 * the largest down, SRMR (Speech Robust Bench, appendix). Reverberation times that the collection does not know are
 * measured; responses that have none belong to no class.
 *
 * @returns those of `indices` that belong to the class, and what was measured of them
 * @throws EarwitnessError `bad-input` for another class than 1 to 4, one without responses, or a missing SRMR
 */
export async function ofSeverity(
  collection: SoundCollection,
  indices: readonly number[],
  key: SeverityKey,
  wanted: unknown,
): Promise<{ readonly indices: readonly number[]; readonly values: ReadonlyMap<number, number> }> {
  if (typeof wanted !== 'number' || !Number.isInteger(wanted) || wanted < 1 || wanted > classes) {
    throw new EarwitnessError(
      'bad-input',
      `room-response: expected ${key} from 1 to ${classes}, but got ${JSON.stringify(wanted)}; 1 is the mildest`,
    );
  }
  const values = new Map<number, number>();
  for (const index of indices) {
    const known = Number(factOf(collection.sounds[index]!.facts, severityFacts[key]) ?? Number.NaN);
    const value = Number.isFinite(known) ? known : key === 'rt60Class' ? await measured(collection, index) : null;
    if (value !== null) values.set(index, value);
  }
  if (values.size === 0) throw withoutValues(collection, key);
  const all = [...values.values()];
  const least = all.reduce((a, b) => Math.min(a, b));
  const largest = all.reduce((a, b) => Math.max(a, b));
  const [mildest, worst] = key === 'rt60Class' ? [least, largest] : [largest, least];
  const found = [...values].filter(([, value]) => severityClass(value, mildest, worst, classes) === wanted);
  if (found.length === 0) {
    throw new EarwitnessError(
      'bad-input',
      `room-response: expected responses in class ${wanted} of ${classes}, but none of the ${values.size} of ${JSON.stringify(collection.name)} between ${mildest.toFixed(2)} and ${worst.toFixed(2)} (${severityFacts[key]}) falls into it; choose another class or collection`,
    );
  }
  return { indices: found.map(([index]) => index), values };
}

async function measured(collection: SoundCollection, index: number): Promise<number | null> {
  const { samples, sampleRate } = await collection.read(index, undefined, 'first');
  return measureRt60(samples, sampleRate).rt60Seconds;
}

function withoutValues(collection: SoundCollection, key: SeverityKey): EarwitnessError {
  const [lack, advice] =
    key === 'srmrClass'
      ? ['none of them has the fact srmr', 'name a manifest with a column srmr, or use rt60Class']
      : ['none of them has a reverberation time, known or measured', 'check that they are room responses'];
  return new EarwitnessError(
    'bad-input',
    `room-response: expected responses with ${severityFacts[key]} in ${JSON.stringify(collection.name)}, but ${lack}; ${advice}`,
  );
}
