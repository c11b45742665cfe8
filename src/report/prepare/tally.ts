import { formatFixed } from '../../base/number-format.ts';
import type { RunTally } from '../../model/run.ts';
import { counted } from '../format/sample-size.ts';

/**
 * What became of the trials, in a sentence or two.
 *
 * @example tallySentence(tally) // '1,280 trials: 1,270 answered (600 of them stored before), 10 failed.'
 */
export function tallySentence(tally: RunTally): string {
  const reused = tally.reused > 0 ? ` (${formatFixed(tally.reused, 0)} of them stored before)` : '';
  const failed = tally.failed > 0 ? `${formatFixed(tally.failed, 0)} failed` : 'none failed';
  const sentence = `${counted(tally.trials, 'trial')}: ${tally.answered === 0 && tally.trials > 0 ? 'none' : formatFixed(tally.answered, 0)} answered${reused}, ${failed}.`;
  if (tally.possiblyPaid === 0) return sentence;
  return `${sentence} ${counted(tally.possiblyPaid, 'call')} sent but not answered, possibly paid.`;
}
