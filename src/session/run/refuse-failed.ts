import { callerNames } from '../../base/caller.ts';
import { EarwitnessError } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import { failuresInWords } from '../../model/observation.ts';
import type { RunReport } from '../../model/run.ts';

/**
 * A run that failed is reported, and fails.
 *
 * @throws EarwitnessError `nothing-answered` or `too-much-failed`
 */
export function refuseFailed({ tally, failures }: Pick<RunReport, 'tally' | 'failures'>, maxShare: number): void {
  const tooMany = failures.filter(({ failed, trials }) => failed > maxShare * trials);
  if (tally.answered > 0 && tooMany.length === 0) return;
  const [worst] = [...failures].sort((a, b) => b.failed / b.trials - a.failed / a.trials);
  if (worst === undefined && tally.trials > 0)
    throw new EarwitnessError(
      'nothing-answered',
      `none of the ${tally.trials} trials could be asked, because no condition can be applied to its clip; the report says why`,
    );
  // Nothing was asked.
  if (worst === undefined) return;
  const { recognizer, failed, trials, reasons } = worst;
  const { kind, message } = reasons[0]!;
  const why = `${reasons.length > 1 ? 'most often ' : ''}${failuresInWords[kind]}: ${printable(message, 300)}`;
  const more = tooMany.length > 1 ? ` ${tooMany.length - 1} more failed too often.` : '';
  if (tally.answered === 0)
    throw new EarwitnessError('nothing-answered', `all ${tally.trials} trials failed (${why}). Fix that and run again`);
  // No sound, no question: that is no fault of the recognizer.
  const unheard = reasons.every((reason) => reason.kind === 'sound');
  const { retryFailed, moreMayFail } = callerNames();
  const mend = `Fix that and run again${retryFailed === null ? '' : ` (${retryFailed} repeats only what failed)`}`;
  if (failed === trials)
    throw new EarwitnessError(
      'nothing-answered',
      `${recognizer} ${unheard ? 'could not be asked any of its' : 'answered none of its'} ${trials} trials (${why}).${more} ${mend}`,
    );
  throw new EarwitnessError(
    'too-much-failed',
    `${recognizer} ${unheard ? 'could not be run in' : 'failed in'} ${failed} of ${trials} trials, ${percent(failed / trials)} (allowed: ${percent(maxShare)}; reason: ${why}).${more} ${mend}; or allow more with ${moreMayFail}`,
  );
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
