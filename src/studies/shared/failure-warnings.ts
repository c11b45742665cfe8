import type { TrialRow } from './trial-rows.ts';
import { counted, named, percent } from './wording.ts';

/** A larger share of failed trials in some condition is worth a warning. */
export const failuresToWarnOf = 0.01;

/**
 * Recognizers that did not answer too often in some condition to be believed without a look. A sound that cannot be read is no fault of
 * theirs, and is told apart.
 *
 * @param consequence ends the sentence: `they are left out of its rates, which may flatter it`
 * @example failureWarnings(trialRows(conditions, recognizers, at), 'these cases are left out')
 */
export function failureWarnings(rows: readonly TrialRow[], consequence: string): string[] {
  return [...Map.groupBy(rows, ({ recognizer }) => recognizer)].flatMap(([recognizer, own]) => {
    const worst = own.reduce((most, one) => (share(one) > share(most) ? one : most));
    if (share(worst) <= failuresToWarnOf) return [];
    const asked = own.reduce((sum, one) => sum + one.asked, 0);
    const failed = own.reduce((sum, one) => sum + one.failed, 0);
    const unheard = own
      .flatMap(({ failures }) => failures)
      .reduce((sum, { kind, count }) => sum + (kind === 'sound' ? count : 0), 0);
    const why =
      unheard === 0
        ? ''
        : `, ${unheard === failed ? '' : `in ${unheard.toLocaleString('en-US')} of them `}because the sound could not be read`;
    if (failed === asked) {
      const all = asked === 1 ? 'its only trial' : `any of its ${counted(asked, 'trial')}`;
      return [`${named(recognizer)} did not answer ${all}${why}: nothing is known of it.`];
    }
    const alike = own.every((one) => one.asked === 0 || share(one) === share(worst));
    const where = alike ? '' : `, most in ${named(worst.condition)} (${percent(worst.failed, worst.asked)})`;
    return [
      `${named(recognizer)} did not answer ${failed} of ${counted(asked, 'trial')} (${percent(failed, asked)})${where}${why}; ${consequence}.`,
    ];
  });
}

function share({ asked, failed }: Pick<TrialRow, 'asked' | 'failed'>): number {
  return asked === 0 ? 0 : failed / asked;
}
