import type { Table } from '../../model/finding.ts';
import type { FailureReason, RecognizerFailures } from '../../model/run.ts';

/** A reason as it is shown: its kind, and the message of the first that failed so. */
export function reasonText({ kind, message, varied }: FailureReason): string {
  return `${kind}: ${varied ? 'the first: ' : ''}${message}`;
}

/** Failed trials for reasons that are not listed. */
export function otherFailures({ failed, reasons }: RecognizerFailures): number {
  return failed - reasons.reduce((sum, { count }) => sum + count, 0);
}

/** Why trials failed, as a table for reports. */
export function reasonsTable(failures: readonly RecognizerFailures[]): Table {
  return {
    id: 'failure-reasons',
    title: 'Why trials failed',
    columns: [
      { key: 'recognizer', label: 'Recognizer', kind: 'text' },
      { key: 'failed', label: 'Failed', kind: 'count' },
      { key: 'trials', label: 'Of its trials', kind: 'count' },
      { key: 'reason', label: 'Reason', kind: 'text' },
    ],
    rows: failures.flatMap((one) => {
      const { recognizer, trials, reasons } = one;
      const rows = reasons.map((reason) => ({ recognizer, trials, failed: reason.count, reason: reasonText(reason) }));
      const others = otherFailures(one);
      return others === 0 ? rows : [...rows, { recognizer, trials, failed: others, reason: 'other reasons' }];
    }),
  };
}
