import type { ExampleRow } from '../../model/finding.ts';
import { clean, type Trial } from '../../model/trial.ts';
import type { ThresholdQuestion } from '../../statistics/psychometric/curve-grid.ts';
import { type ReceptionThreshold, receptionThreshold } from '../../statistics/psychometric/reception-threshold.ts';
import { curvePosterior, firstLevels, nextLevels } from '../../statistics/psychometric/threshold-search.ts';
import type { Axis } from './axes.ts';
import type { Listeners, SpokenClip } from './clips.ts';
import type { ThresholdOptions } from './options.ts';

/** Of a search, side by side. */
export const trialsAtOnce = 8;

/** Where a question stands: a place in the axis' levels, or clean sound. */
export type Place = number | 'clean';

/** One recognition that a search wants. */
export interface Wanted {
  readonly search: ThresholdSearch;
  readonly clip: SpokenClip;
  readonly place: Place;
  readonly trial: Trial;
}

/** One recognition that was answered. */
export interface Asked {
  readonly clip: SpokenClip;
  readonly place: Place;
  readonly correct: number;
  /** Whoever wrote it down, where the answer names a person; otherwise the recognizer. */
  readonly listener: string;
  /** For an example: what was heard against what was said. */
  readonly transcript: ExampleRow;
}

/** In clean sound, where the threshold is a share of what is right there. */
const cleanQuestions = 16;

/**
 * The search for one recognizer's threshold along one axis. It is a function of the answers alone, so that a run that was
 * stopped finds the same again.
 */
export class ThresholdSearch {
  readonly recognizer: string;
  readonly axis: Axis;
  readonly listeners: Listeners;
  readonly answered: Asked[] = [];
  readonly #options: ThresholdOptions;
  readonly #used = new Set<string>();
  #turn = 0;
  #asked = 0;
  #ended = false;

  constructor(recognizer: string, axis: Axis, listeners: Listeners, options: ThresholdOptions) {
    this.recognizer = recognizer;
    this.axis = axis;
    this.listeners = listeners;
    this.#options = options;
  }

  /** What it wants to know next; nothing where it has ended. */
  next(): Wanted[] {
    const { maxTrials, design, of } = this.#options;
    if (this.#ended || this.listeners.clips.length === 0) return [];
    if (design === 'grid') {
      this.#ended = true;
      return this.#grid();
    }
    const first = this.#asked === 0;
    const wanted: Wanted[] = [];
    if (first && of === 'clean') {
      for (const clip of this.listeners.clips.slice(0, cleanQuestions)) wanted.push(this.#want(clip, 'clean'));
    }
    const places = this.#places(Math.min(trialsAtOnce, maxTrials - this.#asked - wanted.length), first);
    for (const place of places) {
      const clip = this.#freshClip(place);
      if (clip !== null) wanted.push(this.#want(clip, place));
    }
    this.#asked += wanted.length;
    if (wanted.length === 0) this.#ended = true;
    return wanted;
  }

  /** Takes an answer in; failed recognitions have none. */
  take({ clip, place }: Wanted, answer: Pick<Asked, 'correct' | 'listener' | 'transcript'>) {
    this.answered.push({ clip, place, ...answer });
  }

  /** Ends the search if its interval is as narrow as wanted, or its questions are used up. */
  judge(): void {
    const { intervalWidth, minTrials, maxTrials } = this.#options;
    if (this.#asked >= maxTrials) this.#ended = true;
    if (this.#ended || intervalWidth === null || this.#asked < minTrials) return;
    const { low, high } = this.result().threshold;
    if (low === null || high === null) return;
    const widest = this.axis.scale === 'logarithmic' ? Math.log10(intervalWidth) : intervalWidth;
    if (high - low <= widest) this.#ended = true;
  }

  /** How many questions were asked, those without an answer included. */
  get asked(): number {
    return this.#asked;
  }

  questions(answered: readonly Asked[] = this.answered): ThresholdQuestion[] {
    return questionsOf(this.axis, answered, ({ clip }) => clip.cluster);
  }

  /** @param answered all of them, or those that count */
  result(answered: readonly Asked[] = this.answered): ReceptionThreshold {
    const { level, minimumSpeakers } = this.#options;
    return receptionThreshold(this.axis.space, this.questions(answered), { level, minimumClusters: minimumSpeakers });
  }

  #places(count: number, first: boolean): number[] {
    if (count <= 0) return [];
    if (first) return firstLevels(this.axis.levels.length, count);
    return nextLevels(this.axis.space, curvePosterior(this.axis.space, this.questions()), count);
  }

  /** The next clip in turn that was not heard at this level: the same question again would tell nothing. */
  #freshClip(place: number): SpokenClip | null {
    const { clips } = this.listeners;
    for (let tries = 0; tries < clips.length; tries++) {
      const index = (this.#turn + tries) % clips.length;
      const key = `${index} ${place}`;
      if (this.#used.has(key)) continue;
      this.#used.add(key);
      this.#turn = (index + 1) % clips.length;
      return clips[index]!;
    }
    return null;
  }

  #grid(): Wanted[] {
    const clips = this.listeners.clips.slice(0, this.#options.gridClips);
    const places: Place[] = [...this.axis.levels.keys()];
    if (this.#options.of === 'clean') places.push('clean');
    const wanted = clips.flatMap((clip) => places.map((place) => this.#want(clip, place)));
    this.#asked = wanted.length;
    return wanted;
  }

  #want(clip: SpokenClip, place: Place): Wanted {
    const condition = place === 'clean' ? clean : this.axis.condition(place);
    const trial: Trial = { utterance: clip.utterance, condition, draw: 0, recognizer: this.recognizer, repeat: 0 };
    return { search: this, clip, place, trial };
  }
}

/**
 * Answers as statistics take them.
 *
 * @param clusterOf with what each is left out
 */
export function questionsOf(
  { space }: Axis,
  answered: readonly Asked[],
  clusterOf: (one: Asked) => string,
): ThresholdQuestion[] {
  return answered.map((one) => ({
    level: one.place === 'clean' ? Number.POSITIVE_INFINITY : space.aim.levels[one.place]!,
    words: one.clip.words.length,
    correct: one.correct,
    cluster: clusterOf(one),
  }));
}
