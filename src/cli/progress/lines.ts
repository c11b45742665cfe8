import { type Clock, systemClock } from '../../base/clock.ts';
import { timeLeft } from '../../base/number-format.ts';
import { drawnOver, type Screen } from './progress-line.ts';

const drawnEveryMs = 100;
/** Where lines stay, somebody may be waiting. */
const writtenEveryMs = 60_000;
/** Fewer say little of the pace of the others. */
const fewest = 3;

/** How many of many are done, and how long the others may take. */
interface CountingLine {
  /** @param beside what else is to be said: `, 2 failed` */
  done(count: number, of: number, beside?: string): void;
  /** Takes the line away, so that something else can be written. */
  clear(): void;
}

/**
 * On a terminal, one line that is drawn over itself; elsewhere a line each minute, so that what is done sooner leaves none.
 *
 * @param what is counted: `sounds`
 */
export function createCountingLine(
  screen: Screen,
  what: string,
  clock: Pick<Clock, 'monotonicMs'> = systemClock,
): CountingLine {
  const startedMs = clock.monotonicMs();
  const everyMs = screen.isTTY ? drawnEveryMs : writtenEveryMs;
  let toldMs = startedMs;
  let drawn = false;
  return {
    done(count, of, beside = '') {
      const now = clock.monotonicMs();
      if (now - toldMs < everyMs) return;
      toldMs = now;
      const secondsLeft = ((now - startedMs) / 1000 / count) * (of - count);
      const left = count < fewest || count === of ? '' : `, ${timeLeft(secondsLeft)} left`;
      const line = `${count} of ${of} ${what}${beside}${left}`;
      screen.write(screen.isTTY ? drawnOver(screen, line) : `${line}\n`);
      drawn = screen.isTTY === true;
    },
    clear() {
      if (drawn) screen.write('\r\u001b[2K');
      drawn = false;
    },
  };
}

const redrawnEveryMs = 100;

/**
 * Says what is being done.
 *
 * @param count how far it is, asked only where it is shown: `12,300 files`
 * @example doing('looking for recordings', () => '12,300 files')
 */
export type Doing = (what: string, count?: () => string) => void;

/** One line about what is being done, for what has no end that is known. */
interface DoingLine extends Disposable {
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
      if (!screen.isTTY || (what === drawn && clock.monotonicMs() - drawnMs < redrawnEveryMs)) return;
      drawn = what;
      drawnMs = clock.monotonicMs();
      const line = count === undefined ? what : `${what}: ${count()}`;
      screen.write(drawnOver(screen, line));
    },
    clear,
    [Symbol.dispose]: clear,
  };
}
