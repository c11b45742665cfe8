import { failureWarnings } from '../shared/failure-warnings.ts';
import { listed } from '../shared/wording.ts';
import type { Known } from './known.ts';
import { namedTrials } from './named-trials.ts';

/** What a reader must know before believing the numbers. */
export function warningsOf(known: Known): string[] {
  const { tally, options } = known;
  const warnings = failureWarnings(namedTrials(known), 'they are left out, which may flatter it');
  if (tally.recordings < options.minimumClips) {
    warnings.push(
      `An interval needs ${options.minimumClips} recordings, and there ${tally.recordings === 1 ? 'is' : 'are'} ${tally.recordings}: no interval is given and nothing is claimed.`,
    );
  }
  if (tally.merged) {
    warnings.push(
      `There are more than ${tally.recordings} recordings: they were merged at random into that many units.`,
    );
  }
  if (tally.manyValued.length > 0)
    warnings.push(`Not looked at by group, because of too many values: ${listed(tally.manyValued)}.`);
  if (options.corpus === 'speech') {
    warnings.push('That the conditions leave no speech is taken on trust: where they do, words are not made up.');
  }
  return warnings;
}
