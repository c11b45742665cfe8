// `earwitness/scoring`: texts made comparable, aligned and counted.
export type { AlignedWord } from '../model/finding.ts';
export { align } from './align.ts';
export { characters, countCharacterEdits } from './characters.ts';
export { countEdits } from './count-edits.ts';
export { addCounts, type EditCounts, errorRate, errors, noEdits, referenceLength } from './edit-counts.ts';
export { type Normalizer, normalizerNamed, normalizers } from './normalizers/normalizers.ts';
