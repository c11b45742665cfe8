import type { Observation } from '../../model/observation.ts';

/** What answers of one recognizer took together. Flat in memory. */
export interface ComputingTime {
  /** Elapsed until the answers, without what was waited for sound that was not yet spoken. */
  readonly elapsedSeconds: number;
  /** Of the processor; null where it is not known of every answer: a sum of some would be too small. */
  readonly processorSeconds: number | null;
  /** Seconds of audio of those answers. */
  readonly audioSeconds: number;
}

/** By which measure a recognizer's computing is told: elapsed time only where nothing better is known, and under that name. */
export type TimeMeasure = 'processor time' | 'elapsed time';

/** Adds up what answers took. Failures took time too, but computed nothing that was of use. */
export class TimeSum implements ComputingTime {
  elapsedSeconds = 0;
  audioSeconds = 0;
  #processorSeconds = 0;
  #answers = 0;
  #measured = 0;

  add({ timing, soundSeconds, transcript }: Observation): void {
    if (transcript === undefined) return;
    this.#answers++;
    this.audioSeconds += soundSeconds ?? 0;
    this.elapsedSeconds += workingSeconds(timing);
    if (typeof timing.processorSeconds !== 'number') return;
    this.#measured++;
    this.#processorSeconds += timing.processorSeconds;
  }

  get processorSeconds(): number | null {
    return this.#measured > 0 && this.#measured === this.#answers ? this.#processorSeconds : null;
  }
}

/** Elapsed seconds in which an engine could work: a sound that is fed in real time takes at least as long as itself, whatever the engine does. */
export function workingSeconds({ seconds, stream }: Observation['timing']): number {
  return Math.max(0, seconds - (stream?.waitedSeconds ?? 0));
}

/** What is to be told of some computing, and by which measure. */
export function computingOf({
  processorSeconds,
  elapsedSeconds,
}: Pick<ComputingTime, 'elapsedSeconds' | 'processorSeconds'>): {
  readonly seconds: number;
  readonly measure: TimeMeasure;
} {
  if (processorSeconds !== null) return { seconds: processorSeconds, measure: 'processor time' };
  return { seconds: elapsedSeconds, measure: 'elapsed time' };
}
