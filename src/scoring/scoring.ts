// `earwitness/scoring`: texts made comparable, aligned and counted.
export type { AlignedWord } from '../model/finding.ts';
export { align } from './alignment/align.ts';
export { characters, countCharacterEdits } from './alignment/characters.ts';
export { countEdits } from './alignment/count-edits.ts';
export { addCounts, type EditCounts, errorRate, errors, noEdits, referenceLength } from './edit-counts.ts';
export { type ExplainedStep, makeNormalizer, type Normalizer, type NormalizerStep } from './normalizers/normalizer.ts';
export { normalizerNamed, normalizers } from './normalizers/normalizers.ts';
