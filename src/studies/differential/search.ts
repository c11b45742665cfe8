import { createRandom } from '../../base/random.ts';
import type { TriedText } from '../../predictors/contract.ts';
import type { Question } from '../contract.ts';
import { type Chances, chooseTexts, type Way } from './choose-texts.ts';
import { countStatus, type Heard, type HeardPool } from './heard.ts';
import { heardWhileListening } from './listening.ts';
import type { DifferentialOptions } from './options.ts';

/** Why a search ended. */
export type Ending = 'failures' | 'iterations' | 'minutes' | 'calls' | 'money' | 'exhausted';

/** n and k of a search. */
export interface Sizes {
  readonly batch: number;
  readonly keep: number;
}

/** What CrossASR takes (section III): about an hour of theirs. */
const paper: Sizes = { batch: 210, keep: 400 };

/** Of a small pool an iteration takes this share, so that there is something left to choose among. */
const share = 1 / 10;

/**
 * Texts of an iteration, and how many of them stage 1 keeps: as the options say, else those of the paper, scaled down where a tenth
 * of the pool is less.
 *
 * @example sizesFor(300, { batch: null, keep: null }) // { batch: 30, keep: 57 }
 */
export function sizesFor(texts: number, { batch, keep }: Pick<DifferentialOptions, 'batch' | 'keep'>): Sizes {
  const taken = batch ?? Math.min(paper.batch, Math.max(1, Math.ceil(texts * share)));
  return { batch: taken, keep: Math.max(taken, keep ?? Math.round((taken * paper.keep) / paper.batch)) };
}

/**
 * One search through the texts of a pool: chooses an iteration after the other. It is a function of the answers alone, so that a run
 * that was stopped tries the same texts again in the same order.
 */
export class DifferentialSearch {
  /** What it knows itself of the texts that it tried. */
  readonly heard: Heard;
  /** What is known of them, whoever asked. */
  readonly known: HeardPool;
  readonly way: Way;
  readonly sizes: Sizes;
  /** Places of the texts that were tried, by iteration, in order. */
  readonly iterations: number[][] = [];
  /** Seconds that the predictor took, by iteration; 0 where it was not asked. */
  readonly predictionSeconds: number[] = [];
  ending: Ending | null = null;
  /** Who is asked first, and the others where it is right; null: everybody is asked about every text. */
  listener: number | null = null;
  readonly #openly = new Set<number>();
  readonly #options: DifferentialOptions;
  readonly #seed: number;
  /** Those that are not tried yet, in random order. */
  #left: number[];

  /**
   * @param seed of the run
   * @param replicate the same number has the same first iteration, whichever way texts are chosen
   */
  constructor(known: HeardPool, way: Way, options: DifferentialOptions, seed: number, replicate: number) {
    this.known = known;
    this.heard = heardWhileListening(known, options.rule, (text) => (this.#openly.has(text) ? null : this.listener));
    this.way = way;
    this.#options = options;
    const { name, texts } = known.pool;
    this.sizes = sizesFor(texts.length, options);
    const random = createRandom({ seed, study: 'differential', pool: name, replicate });
    this.#left = shuffled(texts.length, (bound) => random.integer(bound));
    this.#seed = random.integer(2 ** 31);
    if (texts.length === 0) this.ending = 'exhausted';
  }

  get tried(): readonly number[] {
    return this.iterations.flat();
  }

  /** Those that everybody was asked about from the start. */
  get openlyTried(): readonly number[] {
    return [...this.#openly];
  }

  /** Those of the first iteration that everybody was asked about: a sample of all texts. */
  get sample(): readonly number[] {
    return (this.iterations[0] ?? []).filter((text) => this.#openly.has(text));
  }

  /** What it wants predicted before it can choose; null where it can already. */
  question(): Extract<Question, { readonly ask: 'prediction' }> | null {
    const { predictor, candidates } = this.#options;
    if (predictor === null || this.way === 'random' || this.iterations.length === 0) return null;
    const { texts } = this.heard.pool;
    const pool = this.#left.slice(0, candidates).map((text) => texts[text]!.text);
    return { ask: 'prediction', predictor, tried: this.#triedTexts(), pool, seed: this.#seed };
  }

  /**
   * Chooses the texts of the next iteration and takes them out of the pool.
   *
   * @param most fewer than the batch where calls or money run out
   */
  choose(chances: (Chances & { readonly seconds: number }) | null, most: number): readonly number[] {
    const candidates = Math.min(this.#left.length, this.#options.candidates);
    const batch = Math.min(this.sizes.batch, most);
    const chosen = chooseTexts(this.way, candidates, chances, {
      ...this.sizes,
      batch,
      ranking: this.#options.ranking,
    }).map((place) => this.#left[place]!);
    const taken = new Set(chosen);
    this.#left = this.#left.filter((text) => !taken.has(text));
    this.iterations.push(chosen);
    this.predictionSeconds.push(chances?.seconds ?? 0);
    return chosen;
  }

  /** Of chosen texts those to be asked about now: few, where it is to be seen first who is best. */
  portion(chosen: readonly number[]): readonly number[] {
    const now = this.#seeksListener() ? chosen.slice(0, this.#options.askedOpenly) : chosen;
    if (this.listener === null) for (const text of now) this.#openly.add(text);
    return now;
  }

  /** Looks at the portion that was heard: who is to be asked first from now on. */
  learn(): void {
    if (!this.#seeksListener()) return;
    const right = (this.heard.at(this.tried[0]!)?.asked ?? []).map((_, recognizer) =>
      countStatus(this.heard, this.tried, this.#options.rule, 'success', recognizer),
    );
    const most = Math.max(0, ...right);
    if (most > 0) this.listener = right.indexOf(most);
  }

  /** Ends the search where it has found or tried enough. To be asked when the last iteration was heard. */
  judge({ failures, iterations }: { readonly failures: number | null; readonly iterations: number | null }): void {
    if (failures !== null && countStatus(this.heard, this.tried, this.#options.rule, 'failed') >= failures)
      this.ending = 'failures';
    else if (this.#left.length === 0) this.ending = 'exhausted';
    else if (iterations !== null && this.iterations.length >= iterations) this.ending = 'iterations';
  }

  /** Beside a predictor, chance is what the paper compares with: everybody is asked. */
  #seeksListener(): boolean {
    const { asking, predictor } = this.#options;
    return asking === 'best-first' && this.listener === null && (this.way !== 'random' || predictor === null);
  }

  /** Texts that no recognizer answered say nothing. */
  #triedTexts(): TriedText[] {
    const { rule } = this.#options;
    return this.tried.flatMap((text): TriedText[] => {
      const known = this.heard.at(text)?.judgement[rule].filter((status) => status !== null) ?? [];
      if (known.length === 0) return [];
      const determinable = !known.includes('indeterminable');
      const failures = known.filter((status) => status === 'failed').length;
      const outcome = determinable
        ? { determinable, failed: failures > 0, failedShare: failures / known.length }
        : { determinable, failed: null, failedShare: null };
      return [{ text: this.heard.pool.texts[text]!.text, ...outcome }];
    });
  }
}

function shuffled(count: number, integer: (bound: number) => number): number[] {
  const order = Array.from({ length: count }, (_, place) => place);
  for (let place = count - 1; place > 0; place--) {
    const other = integer(place + 1);
    [order[place], order[other]] = [order[other]!, order[place]!];
  }
  return order;
}
