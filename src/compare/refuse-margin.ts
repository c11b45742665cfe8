import { badUsage } from '../base/errors.ts';

/** @throws EarwitnessError `bad-usage`: a margin within which no two rates, or any two, are the same */
export function refuseMargin(margin: number | undefined): void {
  if (margin === undefined || (margin > 0 && margin < 1)) return;
  throw badUsage(
    `expected a margin above 0 and below 1 (0.01 for one point), but got ${margin}; no two rates are shown to be the same within ${margin === 0 ? 'nothing' : 'that'}`,
  );
}
