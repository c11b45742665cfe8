import type { CaseSound } from '../../studies/differential/case.ts';

/**
 * The id that a sound of a run has in an exported corpus: that of its utterance, and what was done to it where anything was. A run over the
 * exported corpus asks about the same id in the condition `clean`, so that its answers find their counterparts.
 *
 * @example caseSoundId({ utteranceId: 'a', conditionName: 'clean', draw: 0 }) // 'a'
 */
export function caseSoundId({ utteranceId, conditionName, draw }: CaseSound): string {
  return conditionName === 'clean' ? utteranceId : `${utteranceId}@${conditionName}#${draw}`;
}
