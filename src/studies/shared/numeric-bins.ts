import { z } from 'zod';

/** A range of a numeric attribute with the name that stands for it. */
interface Bin {
  readonly label: string;
  /** From the one before up to, not with, this number. */
  readonly below: number;
}

const everything = Number.POSITIVE_INFINITY;

/** Ranges of ages as published: FairLENS (ages of its subgroups), and its comparison with Casual Conversations (Appendix E). */
const presets: Readonly<Record<'fairlens' | 'casual-conversations', readonly Bin[]>> = {
  fairlens: [
    { label: 'teen (to 18)', below: 19 },
    { label: 'adult (19 to 55)', below: 56 },
    { label: 'senior (from 56)', below: everything },
  ],
  'casual-conversations': [
    { label: 'to 20', below: 21 },
    { label: '21 to 55', below: 56 },
    { label: 'from 56', below: everything },
  ],
};

/** The option that divides numeric attributes: by the name of a preset, or the numbers at which a new range begins. */
export const numericBinsOption = z.record(
  z.string(),
  z.union([
    z.enum(['fairlens', 'casual-conversations']),
    z
      .array(z.number())
      .min(1)
      .max(100)
      .refine((starts) => starts.every((start, index) => index === 0 || start > starts[index - 1]!), {
        message: 'expected numbers that rise',
      }),
  ]),
);

/** `bins` of studies that compare groups. */
export const groupBinsOption = numericBinsOption
  .default({})
  .describe('Numeric attributes in ranges: numbers at which a new range begins, or fairlens');

export type NumericBins = Readonly<z.output<typeof numericBinsOption>>;

/**
 * Names the range in which a value lies. A value that is no number keeps its own name; a range holds its lower end.
 *
 * @example createBinning([19, 56])('27') // '19 to under 56'
 * @example createBinning('fairlens')('56') // 'senior (from 56)'
 */
export function createBinning(chosen: NumericBins[string]): (value: string) => string {
  const bins = typeof chosen === 'string' ? presets[chosen] : binsFrom(chosen);
  return (value) => {
    const number = value.trim() === '' ? Number.NaN : Number(value);
    if (Number.isNaN(number)) return value;
    return bins.find(({ below }) => number < below)?.label ?? value;
  };
}

function binsFrom(starts: readonly number[]): Bin[] {
  return [...starts, everything].map((below, index) => {
    const from = starts[index - 1];
    const label =
      from === undefined ? `under ${below}` : below === everything ? `from ${from}` : `${from} to under ${below}`;
    return { label, below };
  });
}
