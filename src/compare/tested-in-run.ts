import { z } from 'zod';
import { turned } from '../model/comparison.ts';
import type { Comparison, Estimate, Finding } from '../model/finding.ts';
import type { ComparedPlace } from './run-family.ts';

const study = 'robustness';

const size = z.looseObject({ utterances: z.number(), speakers: z.number() });
const shape = z.object({
  difference: z.looseObject({
    ...{ value: z.number().nullable(), low: z.number().nullable(), high: z.number().nullable() },
    ...{ level: z.number(), n: size, method: z.string() },
  }),
  pValue: z.number().nullable(),
  adjustedPValue: z.number().nullable(),
  minPValue: z.number().nullish(),
  test: z.string(),
  verdict: z.enum(['better', 'worse', 'cannot tell']),
  open: z.object({ why: z.string(), text: z.string(), more: z.number().nullable(), unit: z.string() }).optional(),
  reason: z.string().optional(),
});
const compared = z.custom<Comparison>((value) => shape.safeParse(value).success);
const row = z.object({
  recognizer: z.string(),
  comparedWith: z.string(),
  condition: z.string().optional(),
  group: z.object({ attribute: z.string(), value: z.string(), dataset: z.string().optional() }).nullish(),
  measure: z.string().optional(),
  category: z.string().nullish(),
  comparison: compared,
});
const data = z.object({ comparisons: z.array(row), levelComparisons: z.array(row) });

/** What studies of a run said of two of its recognizers. */
export interface TestedInRun {
  readonly studies: number;
  /** Their comparison of the two in this place, where it rests on the same trials: another number would be the answer to another question. */
  known(place: ComparedPlace, difference: Estimate): Comparison | null;
}

/**
 * The comparisons of two recognizers that the study `robustness` made when the run ended, with those of all other pairs; null: it has not, or what it
 * left cannot be read.
 *
 * @param before the recognizer that `after` is compared with
 */
export function testedInRun(findings: readonly Finding[], before: string, after: string): TestedInRun | null {
  const tested = findings.flatMap((finding) => {
    const parsed = finding.study.name === study ? data.safeParse(finding.data) : null;
    return parsed?.success ? [{ finding, ...parsed.data }] : [];
  });
  if (tested.length === 0) return null;
  // Of studies that compared the same, one that was told beforehand to compare these two says it; else the first.
  const first = tested.toSorted((a, b) => Number(isDeclared(b.finding)) - Number(isDeclared(a.finding)));
  const rows = first.flatMap(({ comparisons, levelComparisons }) => {
    const pooled = levelComparisons
      .filter(({ measure, category }) => measure === 'pooled word error rate' && category == null)
      .map((one) => ({ ...one, condition: null }));
    return [...comparisons.map((one) => ({ ...one, condition: one.condition ?? null })), ...pooled].flatMap((one) => {
      if (one.recognizer === after && one.comparedWith === before) return [one];
      return one.recognizer === before && one.comparedWith === after
        ? [{ ...one, comparison: turned(one.comparison) }]
        : [];
    });
  });
  const known = (place: ComparedPlace, difference: Estimate): Comparison | null =>
    rows.find(
      ({ condition, group, comparison }) =>
        condition === place.condition &&
        (group ?? null)?.attribute === place.group?.attribute &&
        (group ?? null)?.value === place.group?.value &&
        isSame(comparison.difference, difference),
    )?.comparison ?? null;
  return { studies: tested.length, known };

  function isDeclared({ settings: { pairs } }: Finding): boolean {
    const declared = z.array(z.array(z.string())).safeParse(pairs);
    return declared.success && declared.data.some((pair) => pair.includes(before) && pair.includes(after));
  }
}

/** Whether two differences are one: the same value and interval, of as many trials. */
function isSame(one: Estimate, other: Estimate): boolean {
  const near = (a: number | null, b: number | null) => (a === null || b === null ? a === b : Math.abs(a - b) < 1e-9);
  return (
    near(one.value, other.value) &&
    near(one.low, other.low) &&
    near(one.high, other.high) &&
    one.level === other.level &&
    (['utterances', 'speakers', 'words', 'pairs'] as const).every((part) => one.n[part] === other.n[part])
  );
}
