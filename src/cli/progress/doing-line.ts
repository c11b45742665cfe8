import { type Clock, systemClock } from '../../base/clock.ts';
import type { Screen } from './progress-line.ts';

const drawnEveryMs = 100;

/**
 * Says what is being done.
 *
 * @param count how far it is, asked only where it is shown: `12,300 files`
 * @example doing('looking for recordings', () => '12,300 files')
 */
export type Doing = (what: string, count?: () => string) => void;

/** One line about what is being done, for what has no end that is known. */
export interface DoingLine extends Disposable {
  readonly doing: Doing;
  /** Takes the line away, so that something else can be written. */
  clear(): void;
}

/** On a terminal, one line that is drawn over itself; elsewhere nothing. */
export function createDoingLine(screen: Screen, clock: Pick<Clock, 'monotonicMs'> = systemClock): DoingLine {
  let drawn = '';
  let drawnMs = 0;
  const clear = () => {
    if (drawn !== '') screen.write('\r\u001b[2K');
    drawn = '';
  };
  return {
    doing(what, count) {
      if (!screen.isTTY || (what === drawn && clock.monotonicMs() - drawnMs < drawnEveryMs)) return;
      drawn = what;
      drawnMs = clock.monotonicMs();
      const line = count === undefined ? what : `${what}: ${count()}`;
      screen.write(`\r\u001b[2K${line.slice(0, (screen.columns || 80) - 1)}`);
    },
    clear,
    [Symbol.dispose]: clear,
  };
}
