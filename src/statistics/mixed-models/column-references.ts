import type { CountMethod } from './fitted-counts.ts';
import {
  betweenSpeakerReference,
  chiSquareReference,
  type LikelihoodRatioReference,
} from './likelihood-ratio-reference.ts';
import type { PreparedCounts } from './prepare-counts.ts';

/**
 * For each column of the design what its likelihood ratio is held against: the between-speaker F distribution where no
 * speaker has two values of it, else the chi-square distribution.
 */
export function columnReferences(
  prepared: PreparedCounts,
  method: CountMethod,
): readonly (LikelihoodRatioReference | string)[] {
  const { design, speakerOf, speakers } = prepared;
  if (method.rule === null) return design.columns.map(() => chiSquareReference);
  const between = design.columns.map(({ values }) =>
    values.every((value, row) => row === 0 || speakerOf[row] !== speakerOf[row - 1] || value === values[row - 1]),
  );
  const coefficients = between.filter(Boolean).length;
  const reference =
    speakers.length > coefficients
      ? betweenSpeakerReference(speakers.length, coefficients)
      : `a test of what differs between speakers needs more speakers (${speakers.length}) than coefficients between them (${coefficients})`;
  return between.map((isBetween) => (isBetween ? reference : chiSquareReference));
}
