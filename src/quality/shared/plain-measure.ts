import { z } from 'zod';
import type { Clip } from '../../audio/clip.ts';
import { type QualityMeasure, undefinedValues } from '../contract.ts';

type PlainMeasure = Pick<QualityMeasure, 'name' | 'version' | 'about' | 'values' | 'needsClean' | 'sampleRate'> & {
  /** The measure's values by their names; a text says why there are none. */
  of(clip: Clip, clean: Clip | null): Readonly<Record<string, number>> | string;
};

/** A measure that computes alone: without options, models or programs. */
export function plainMeasure({ of, ...measure }: PlainMeasure): QualityMeasure<Record<string, never>> {
  const { name, version, values } = measure;
  return {
    ...measure,
    options: z.strictObject({}),
    async open() {
      return {
        identity: { measure: name, version },
        async measure(clip, clean) {
          const found = of(clip, clean);
          return typeof found === 'string' ? undefinedValues(values, found) : { values: found };
        },
        async close() {},
      };
    },
  };
}
