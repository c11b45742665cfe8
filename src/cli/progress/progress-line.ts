import { timeLeft } from '../../base/number-format.ts';
import { ShareLeft } from '../../base/pace.ts';
import { printable } from '../../base/printable.ts';
import type { EngineEvent } from '../../engine/events.ts';
import { workersText } from '../../queue/workers-text.ts';

const barWidth = 24;
/** Where lines stay, one at least so often: somebody may be waiting. */
const quietMs = 60_000;
/** Of what is computed somewhat more often: it takes no hours. */
const computingMs = 10_000;

/** Shorter waits are soon over. */
const shortWaitSeconds = 10;

/** Shows what a run does. */
export interface ProgressDisplay {
  on(event: EngineEvent): void;
  /** Takes the line away, so that what follows stands alone. */
  end(): void;
}

/** What the display writes to: stderr, so that data on stdout stays data. */
export interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** A line in place of the one that stands in a terminal, no wider than it; as if of 80 columns where the terminal does not know its width. */
export function drawnOver(screen: Pick<Screen, 'columns'>, line: string): string {
  return `\r\u001b[2K${line.slice(0, (screen.columns || 80) - 1)}`;
}

/**
 * On a terminal, one line that is drawn over itself; elsewhere a plain line for each batch, each tenth of it and each minute.
 *
 * @param verbose also says the id of the run, and the hash of what it is to ask
 */
export function createProgressDisplay(screen: Screen, verbose = false): ProgressDisplay {
  return screen.isTTY ? livingLine(screen, verbose) : plainLines(screen, verbose);
}

/** What an event says in words that stay; null for what only moves the bar. */
function lasting(event: EngineEvent, verbose: boolean): string | null {
  switch (event.type) {
    case 'run': {
      if (event.resumed) {
        const run = verbose ? `run ${event.id}` : `the ${event.finished ? 'finished' : 'interrupted'} run`;
        return `${event.finished ? 'looking again at' : 'continuing'} ${run}${lostText(event.lostCalls)}`;
      }
      return verbose ? `run ${event.id}` : null;
    }
    case 'plan':
      if (!verbose) return null;
      return `plan fixed ${new Date(event.frozenAtMs).toISOString()}, SHA-256 ${event.hash}`;
    case 'waiting':
      return event.seconds < shortWaitSeconds ? null : waitingLine(event);
    case 'preparing':
      return printable(event.message, 500);
    case 'warning':
      return `warning: ${printable(event.message, 500)}`;
    default:
      return null;
  }
}

/** @example 'deepgram asks to be left alone for 2 min: the server answered 429: slow down' */
function waitingLine({ recognizer, seconds, why }: EngineEvent & { type: 'waiting' }): string {
  return `${printable(recognizer, 100)} asks to be left alone for ${timeLeft(seconds)}: ${printable(why, 300)}`;
}

function lostText(calls: number): string {
  if (calls === 0) return '';
  return calls === 1
    ? '; 1 call was cut off and is made again: the first may have been charged and counts in full'
    : `; ${calls} calls were cut off and are made again: the first ones may have been charged and count in full`;
}

function computingLine({ study, ...done }: EngineEvent & { type: 'computing' }): string {
  return `${study}: ${shareLine(done)}`;
}

function shareLine({ what, share, secondsLeft = null }: Omit<EngineEvent & { type: 'reporting' }, 'type'>): string {
  if (share === undefined) return what;
  const left = secondsLeft === null || secondsLeft < 1 ? '' : `, ${timeLeft(secondsLeft)} left`;
  return `${what}, ${Math.floor(100 * share)} %${left}`;
}

function makingLine({ what, sound, sounds, pass, passes, secondsLeft }: EngineEvent & { type: 'making' }): string {
  const left = secondsLeft === null ? '' : `, ${timeLeft(secondsLeft)} left`;
  return `${what}: sound ${sound} of ${sounds}, pass ${pass} of ${passes}${left}`;
}

function fittingLine({ what, passes, maxPasses, secondsLeft }: EngineEvent & { type: 'fitting' }): string {
  const left = secondsLeft === null || passes === maxPasses ? '' : `, at most ${timeLeft(secondsLeft)} left`;
  return `${what}: ${passes} of at most ${maxPasses} passes${left}`;
}

function preflightLine(recognizers: number): string {
  return recognizers === 1
    ? 'testing the recognizer on one clip'
    : `testing ${recognizers} recognizers on one clip each`;
}

/** @param pace told of every one */
function plannedLine(study: string, { questions, size }: EngineEvent & { type: 'planned' }, pace: ShareLeft): string {
  if (size === null) return `${study}: planned ${questions} questions`;
  const left = pace.secondsLeft(questions / Math.max(1, size), Date.now());
  const told = left === null || left < 1 ? '' : `, ${timeLeft(left)} left`;
  return `${study}: planned ${questions} of ${size} questions${told}`;
}

function counts(event: ProgressEvent): string {
  const failed = event.failed > 0 ? `, ${event.failed} failed` : '';
  const reused = event.reused > 0 ? `, ${event.reused} reused` : '';
  const what = event.of === 'measurements' ? ' measurements' : '';
  return `${event.answered} of ${event.size}${what}${failed}${reused}`;
}

type ProgressEvent = EngineEvent & { type: 'progress' };
type WorkersEvent = EngineEvent & { type: 'workers' };

/** Where nobody makes calls nobody knows. */
function leftText({ answered, size, secondsLeft }: ProgressEvent, workers: WorkersEvent | null): string {
  return answered === size || !secondsLeft || workers?.working === 0 ? '' : `, ${timeLeft(secondsLeft)} left`;
}

/** Whoever answers is there, though nobody was when it was looked last. */
function seenStill(
  workers: WorkersEvent | null,
  before: ProgressEvent | null,
  { answered }: ProgressEvent,
): WorkersEvent | null {
  return workers?.working === 0 && answered > (before?.answered ?? 0) ? null : workers;
}

function workersLine(workers: WorkersEvent, progress: ProgressEvent | null): string {
  if (progress === null) return workersText(workers, null);
  return workersText(workers, { waiting: progress.size - progress.answered - workers.inFlight });
}

function livingLine(screen: Screen, verbose: boolean): ProgressDisplay {
  let study = '';
  let about = '';
  let drawn = '';
  let shown = 0;
  let planning = new ShareLeft();
  /** Of those who make the calls elsewhere there is a second line while something is asked. */
  let workers: WorkersEvent | null = null;
  let progress: ProgressEvent | null = null;
  const up = () => '\u001b[1A'.repeat(Math.max(0, shown - 1));
  const draw = (line: string, isAsking = false) => {
    const lines = [line, ...(isAsking && workers !== null ? [workersLine(workers, progress)] : [])];
    const left = '\r\u001b[2K'.repeat(shown > lines.length ? 1 : 0);
    screen.write(`${left}${up()}${lines.map((one) => drawnOver(screen, one)).join('\n')}`);
    drawn = isAsking ? line : '';
    shown = lines.length;
  };
  const clear = () => {
    if (shown > 1) screen.write(`\r\u001b[2K${up()}`);
    if (shown > 0) screen.write('\r\u001b[2K');
    shown = 0;
  };
  return {
    on(event) {
      if (event.type === 'progress') {
        workers = seenStill(workers, progress, event);
        progress = event;
      } else if (event.type === 'batch' || event.type === 'preflight') progress = null;
      const words = lasting(event, verbose);
      if (words !== null) {
        clear();
        screen.write(`${words}\n`);
      } else if (event.type === 'workers') {
        workers = event;
        if (drawn !== '') draw(drawn, true);
      } else if (event.type === 'preflight') {
        draw(preflightLine(event.recognizers), true);
      } else if (event.type === 'batch') {
        ({ study, about } = event);
        planning = new ShareLeft();
        if (about !== '') draw(`${study}: ${about}`);
      } else if (event.type === 'computing') {
        draw(computingLine(event));
      } else if (event.type === 'reporting') {
        draw(shareLine(event));
      } else if (event.type === 'making') {
        draw(makingLine(event));
      } else if (event.type === 'fitting') {
        draw(fittingLine(event));
      } else if (about === '') {
        return;
      } else if (event.type === 'planned') {
        draw(plannedLine(study, event, planning), true);
      } else if (event.type === 'progress') {
        const share = event.size === 0 ? 1 : event.answered / event.size;
        const full = Math.round(share * barWidth);
        const bar = `${'█'.repeat(full)}${'░'.repeat(barWidth - full)}`;
        const percent = String(Math.floor(share * 100)).padStart(3);
        draw(`${study} ${bar} ${percent} %  ${counts(event)}${leftText(event, workers)}`, true);
      } else if (event.type === 'analysing') {
        draw(`${event.study}: analysing`);
      }
    },
    end: clear,
  };
}

function plainLines(screen: Screen, verbose: boolean): ProgressDisplay {
  let study = '';
  let about = '';
  let told = -1;
  let estimated = false;
  let toldAtMs = 0;
  let planning = new ShareLeft();
  let plannedAtMs = 0;
  let computed = '';
  let computedAtMs = 0;
  let madeAtMs = 0;
  let fitted = '';
  let fittedAtMs = 0;
  let workers: WorkersEvent | null = null;
  let progress: ProgressEvent | null = null;
  return {
    on(event) {
      const words = lasting(event, verbose);
      if (words !== null) screen.write(`${words}\n`);
      if (event.type === 'workers') workers = event;
      if (event.type === 'progress') {
        workers = seenStill(workers, progress, event);
        progress = event;
      }
      if (event.type === 'preflight') screen.write(`${preflightLine(event.recognizers)}\n`);
      if (event.type === 'batch') {
        ({ study, about } = event);
        told = -1;
        estimated = false;
        planning = new ShareLeft();
        plannedAtMs = Date.now();
        if (about !== '') screen.write(`${study}: ${about}\n`);
      }
      if (event.type === 'planned' && about !== '') {
        const line = plannedLine(study, event, planning);
        if (Date.now() - plannedAtMs < quietMs) return;
        plannedAtMs = Date.now();
        screen.write(`${line}\n`);
      }
      if (event.type === 'progress' && about !== '') {
        const tenth = event.size === 0 ? 10 : Math.floor((event.answered / event.size) * 10);
        const now = Date.now();
        // The first estimate is said once it is known; each tenth corrects it.
        const isFirst = !estimated && event.secondsLeft !== null;
        if (tenth === told && now - toldAtMs < quietMs && !isFirst) return;
        estimated = event.secondsLeft !== null;
        told = tenth;
        toldAtMs = now;
        const who = workers === null || tenth === 10 ? '' : `; ${workersLine(workers, event)}`;
        screen.write(`${study}: ${counts(event)}${leftText(event, workers)}${who}\n`);
      }
      if (event.type === 'making' && Date.now() - madeAtMs >= quietMs) {
        madeAtMs = Date.now();
        screen.write(`${makingLine(event)}\n`);
      }
      if (event.type === 'fitting') {
        const now = Date.now();
        if (event.what === fitted && now - fittedAtMs < quietMs && event.passes < event.maxPasses) return;
        fitted = event.what;
        fittedAtMs = now;
        screen.write(`${fittingLine(event)}\n`);
      }
      if (event.type === 'computing' || (event.type === 'reporting' && event.share !== undefined)) {
        const now = Date.now();
        if (event.what === computed && now - computedAtMs < computingMs) return;
        computed = event.what;
        computedAtMs = now;
        screen.write(`${event.type === 'computing' ? computingLine(event) : shareLine(event)}\n`);
      }
    },
    end() {},
  };
}
