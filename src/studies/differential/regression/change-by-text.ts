import { createRandom } from '../../../base/random.ts';
import type { Comparison } from '../../../model/finding.ts';
import { differenceInterval } from '../../../statistics/bootstrap/difference-interval.ts';
import { randomOfData } from '../../../statistics/bootstrap/random-of-data.ts';
import { holm } from '../../../statistics/significance/multiplicity.ts';
import { signFlipTest } from '../../../statistics/significance/paired-permutation-test.ts';
import { toEstimate } from '../../shared/estimates.ts';

/** What is right of what one text was tested for, before and after. */
export interface TextChange {
  readonly tests: number;
  readonly before: number;
  readonly after: number;
}

export interface ChangeSettings {
  readonly level: number;
  readonly resamples: number;
  readonly seed: number;
}

/**
 * By how much the share of what is right has changed, for several that are compared at once: texts are what intervals resample and
 * the test's signs belong to, because tests of one text share its words. P values are adjusted by Holm's method.
 *
 * @param parts texts by the name of what is compared, which seeds the test
 */
export function changesByText(
  parts: readonly { readonly name: string; readonly texts: readonly TextChange[] }[],
  settings: ChangeSettings,
): readonly Comparison[] {
  const { level, resamples, seed } = settings;
  const pValues = parts.map(({ name, texts }) => {
    const differences = texts.map(({ before, after }) => after - before);
    return signFlipTest(differences, { random: createRandom({ seed, regression: name, use: 'test' }) }).pValue;
  });
  const adjusted = holm(pValues);
  return parts.map(({ texts }, place): Comparison => {
    const denominators = Float64Array.from(texts, ({ tests }) => tests);
    const interval = differenceInterval(
      { numerators: Float64Array.from(texts, ({ before }) => before), denominators, proportion: true },
      { numerators: Float64Array.from(texts, ({ after }) => after), denominators, proportion: true },
      { level, resamples, random: randomOfData(seed) },
    );
    const utterances = texts.reduce((sum, { tests }) => sum + tests, 0);
    const { reason, method, ...rest } = toEstimate(interval, { utterances, speakers: 1 });
    const difference = { ...rest, ...(reason === undefined ? {} : { reason: worded(reason) }), method: worded(method) };
    const adjustedPValue = adjusted[place] ?? null;
    const certain = adjustedPValue !== null && adjustedPValue <= 1 - level && difference.low !== null;
    const up = certain && difference.low! > 0;
    const down = certain && difference.high! < 0;
    return {
      difference,
      pValue: pValues[place]!,
      adjustedPValue,
      test: 'permutation test by text, signs flipped',
      verdict: up ? 'better' : down ? 'worse' : 'cannot tell',
      ...(adjustedPValue === null ? { reason: 'no test: no text is right more or less often than before' } : {}),
    };
  });
}

function worded(text: string): string {
  return text.replace('clusters (speakers)', 'texts').replaceAll('over clusters', 'over texts');
}
