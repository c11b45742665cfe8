import { createRandom } from '../../base/random.ts';
import type { TriedText } from '../../predictors/contract.ts';
import { align } from '../../scoring/alignment/align.ts';
import type { Question } from '../contract.ts';
import type { CaseStatus } from './case.ts';
import { countStatus, type Heard, type HeardPool, heardWhileListening } from './heard.ts';
import {
  type CalibrationPoint,
  gatherOtherResults,
  type Lesson,
  type OtherResults,
  withFailures,
  withOtherResults,
} from './lessons.ts';
import type { DifferentialOptions } from './options.ts';
import { type Chances, chooseTexts, type Way } from './pool.ts';

/** What CrossASR takes (section III): about an hour of theirs. */
const paper = { batch: 210, keep: 400 } as const;

/** Of a small pool an iteration takes this share, so that there is something left to choose among. */
const share = 1 / 10;

/** An iteration learns so many times, as what it takes is little beside speaking and recognizing. */
const partsOfIteration = 3;

/** Why a search ended. */
export type Ending = 'failures' | 'iterations' | 'minutes' | 'calls' | 'money' | 'exhausted';

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
  /** Searches of other voices and conditions beside this one, if what they heard of a text is to count. */
  others: readonly DifferentialSearch[] = [];
  /** What was expected of texts when they were chosen. */
  readonly #expected = new Map<number, Omit<Lesson, 'determinable'> & { readonly failing: number }>();
  readonly #openly = new Set<number>();
  readonly #missed = new Map<number, readonly (readonly number[])[]>();
  readonly #options: DifferentialOptions;
  readonly #seed: number;
  /** Those that are not tried yet, in random order. */
  #left: number[];
  /** How many texts the iteration still takes. */
  #wanted = 0;

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

  /**
   * Begins the next iteration.
   *
   * @param most texts, fewer than the batch where calls or money run out
   */
  begin(most: number): void {
    this.iterations.push([]);
    this.predictionSeconds.push(0);
    this.#wanted = Math.min(this.sizes.batch, most, this.#left.length);
  }

  /** Whether the iteration is to go on: more of its texts are to be chosen. */
  get goesOn(): boolean {
    return this.#wanted > 0;
  }

  /** What it wants predicted before it can choose; null where it can already. */
  question(): Extract<Question, { readonly ask: 'prediction' }> | null {
    const { predictor, candidates } = this.#options;
    if (predictor === null || !this.#learns) return null;
    const pool = this.#left.slice(0, candidates).map((text) => this.#textAt(text));
    return { ask: 'prediction', predictor, tried: this.#triedTexts(), pool, seed: this.#seed };
  }

  /** What the others have heard by now: to be asked of every search before any of them chooses. */
  otherResults(): (text: string) => OtherResults {
    return gatherOtherResults(this.#learns ? this.others : [], this.#options.rule);
  }

  /** Chooses the next texts of the iteration, to be asked about now, and takes them out of the pool. */
  choose(
    chances: (Chances & { readonly seconds: number }) | null,
    otherResults: (text: string) => OtherResults,
  ): readonly number[] {
    const candidates = this.#left.slice(0, this.#options.candidates);
    const part = Math.min(this.#wanted, this.#partSize());
    const places = chooseTexts(this.way, candidates.length, this.#told(candidates, chances, otherResults), {
      batch: part,
      keep: Math.ceil((this.sizes.keep * part) / this.sizes.batch),
      ranking: this.#options.ranking,
      others: this.listener === null ? null : this.known.recognizerCount - 1,
    });
    const chosen = places.map((place) => candidates[place]!);
    if (chances !== null) {
      for (const place of places) {
        const text = candidates[place]!;
        const { determinable, failing } = chances;
        const told = otherResults(this.#textAt(text));
        this.#expected.set(text, { chance: determinable[place]!, failing: failing[place]!, otherResults: told });
      }
    }
    const taken = new Set(chosen);
    this.#left = this.#left.filter((text) => !taken.has(text));
    this.#wanted = chosen.length === 0 ? 0 : this.#wanted - chosen.length;
    this.iterations.at(-1)!.push(...chosen);
    this.predictionSeconds[this.iterations.length - 1]! += chances?.seconds ?? 0;
    if (this.listener === null) for (const text of chosen) this.#openly.add(text);
    return chosen;
  }

  /** Looks at what was chosen last and heard: who is to be asked first from now on. */
  learn(): void {
    if (!this.#seeksListener) return;
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

  /** The first iteration is drawn at random. */
  get #learns(): boolean {
    return this.way !== 'random' && this.iterations.length > 1;
  }

  /** Whether one stage learns from all texts which have failed tests. */
  get #isOneStage(): boolean {
    return this.way === 'stage 2 alone' && this.#options.ranking === 'yield';
  }

  /** How many texts are chosen at once: few where it is to be seen first who is best, and where something is to be learned from them. */
  #partSize(): number {
    return Math.min(
      this.#seeksListener ? this.#options.askedOpenly : this.sizes.batch,
      this.#learns ? this.sizes.part : this.sizes.batch,
    );
  }

  /** Beside a predictor, chance is what the paper compares with: everybody is asked. */
  get #seeksListener(): boolean {
    const { asking, predictor } = this.#options;
    return asking === 'best-first' && this.listener === null && (this.way !== 'random' || predictor === null);
  }

  #textAt(place: number): string {
    return this.heard.pool.texts[place]!.text;
  }

  /** What was predicted, with what others told of the same texts. */
  #told(
    candidates: readonly number[],
    chances: Chances | null,
    otherResults: (text: string) => OtherResults,
  ): Chances | null {
    if (chances === null) return chances;
    const failing =
      this.#options.ranking === 'yield' ? withFailures(chances.failing, this.#failureLessons()) : chances.failing;
    if (this.others.length === 0) return { ...chances, failing };
    const lessons = [...this.#expected].flatMap(([text, expected]): Lesson[] => {
      const known = this.#answersTo(text);
      return known.length === 0 ? [] : [{ ...expected, determinable: !known.includes('indeterminable') }];
    });
    const told = candidates.map((text) => otherResults(this.#textAt(text)));
    return { failing, determinable: withOtherResults(chances.determinable, told, lessons) };
  }

  #failureLessons(): CalibrationPoint[] {
    return [...this.#expected].flatMap(([text, { failing }]): CalibrationPoint[] => {
      const known = this.#answersTo(text);
      if (known.length < 2 || known.includes('indeterminable')) return [];
      const failures = known.filter((status) => status === 'failed').length;
      return [{ expected: failing, failed: failedShareOf(failures, known.length) }];
    });
  }

  /** Which words of a text each recognizer misheard: looked for once, as everybody who is to be asked has been when it is learned from. */
  #missedIn(text: number): readonly (readonly number[])[] {
    const known = this.#missed.get(text);
    if (known !== undefined) return known;
    const { transcripts, judgement } = this.heard.at(text)!;
    const missed = transcripts.flatMap((transcript, recognizer) => {
      if (transcript === null) return [];
      return [
        judgement[this.#options.rule][recognizer] === 'success' ? [] : missedWords(this.#textAt(text), transcript),
      ];
    });
    this.#missed.set(text, missed);
    return missed;
  }

  #answersTo(text: number): CaseStatus[] {
    return this.heard.at(text)?.judgement[this.#options.rule].filter((status) => status !== null) ?? [];
  }

  /** Texts that no recognizer answered say nothing. */
  #triedTexts(): TriedText[] {
    return this.tried.flatMap((text): TriedText[] => {
      const known = this.#answersTo(text);
      if (known.length === 0) return [];
      // Without stage 1, stage 2 would send the search to what nobody understands: it learns from that too, as not failed.
      const determinable = !known.includes('indeterminable') || this.#isOneStage;
      const failures = known.filter((status) => status === 'failed').length;
      const outcome = determinable
        ? { determinable, failed: failures > 0, failedShare: failedShareOf(failures, known.length) }
        : { determinable, failed: null, failedShare: null };
      return [{ text: this.#textAt(text), ...outcome, missed: this.#missedIn(text) }];
    });
  }
}

/** Of those that can fail: where a text is determinable somebody is right, or by the majority's words nearly. */
function failedShareOf(failures: number, known: number): number {
  return Math.min(1, failures / Math.max(1, known - 1));
}

function shuffled(count: number, integer: (bound: number) => number): number[] {
  const order = Array.from({ length: count }, (_, place) => place);
  for (let place = count - 1; place > 0; place--) {
    const other = integer(place + 1);
    [order[place], order[other]] = [order[other]!, order[place]!];
  }
  return order;
}

/** n and k of a search, and after how many texts of an iteration it learns. */
interface Sizes {
  readonly batch: number;
  readonly keep: number;
  readonly part: number;
}

/**
 * Texts of an iteration, and how many of them stage 1 keeps: as the options say, else those of the paper, scaled down where a tenth
 * of the pool is less.
 *
 * @example sizesFor(300, { batch: null, keep: null, learnAfter: null }) // { batch: 30, keep: 57, part: 10 }
 */
export function sizesFor(
  texts: number,
  { batch, keep, learnAfter }: Pick<DifferentialOptions, 'batch' | 'keep' | 'learnAfter'>,
): Sizes {
  const taken = batch ?? Math.min(paper.batch, Math.max(1, Math.ceil(texts * share)));
  return {
    batch: taken,
    keep: Math.max(taken, keep ?? Math.round((taken * paper.keep) / paper.batch)),
    part: Math.min(taken, learnAfter ?? Math.ceil(taken / partsOfIteration)),
  };
}

/**
 * Places of the words of a text that a transcript does not have: where it has another or none, and the next word after something that
 * nobody said.
 *
 * @param text normalized words with single blanks between them
 * @param transcript normalized alike
 * @example missedWords('the cat sat', 'the hat sat') // [1]
 */
export function missedWords(text: string, transcript: string): number[] {
  const words = text.split(' ');
  const places = new Set<number>();
  let place = 0;
  for (const { reference, hypothesis } of align(words, transcript === '' ? [] : transcript.split(' '))) {
    if (reference !== hypothesis) places.add(Math.min(place, words.length - 1));
    if (reference !== null) place++;
  }
  return [...places];
}
