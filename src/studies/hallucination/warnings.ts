import { counted, listed, named, percent } from '../shared/wording.ts';
import type { Known } from './known.ts';

/** A larger share of failed trials is worth a warning. */
const failuresToWarnOf = 0.01;

/** What a reader must know before believing the numbers. */
export function warningsOf({ tally, conditions, recognizers, options }: Known): string[] {
  const warnings: string[] = [];
  recognizers.forEach((name, number) => {
    const counts = conditions.map((_, place) => tally.trials.at(number * conditions.length + place));
    const asked = counts.reduce((sum, one) => sum + one.asked, 0);
    const failed = counts.reduce((sum, one) => sum + one.failed, 0);
    if (asked > 0 && failed / asked > failuresToWarnOf) {
      warnings.push(
        `${named(name)} failed in ${failed} of ${counted(asked, 'trial')} (${percent(failed, asked)}); they are left out, which may flatter it.`,
      );
    }
  });
  if (tally.recordings < options.minimumClips) {
    warnings.push(
      `An interval needs at least ${options.minimumClips} recordings, but there ${tally.recordings === 1 ? 'is' : 'are'} ${tally.recordings}: no interval is given and nothing is claimed.`,
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
