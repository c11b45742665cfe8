import { limitText } from '../../base/printable.ts';
import type { FailureKind, Observation, Price } from '../../model/observation.ts';
import { decided } from '../../scoring/alignment/align.ts';
import type { Normalizer } from '../../scoring/normalizers/normalizer.ts';
import type { StudyRecognizer } from '../contract.ts';
import { type CaseRule, type CaseStatus, type Judgement, judgeText, type SaysText } from './case.ts';
import type { Pool } from './pool.ts';

/** What the recognizers said of one spoken text, in their order. */
export interface HeardText {
  /** Who was asked. */
  readonly asked: readonly boolean[];
  /** As compared, cut where they are garbage; null where a recognizer was not asked or failed to answer. */
  readonly transcripts: readonly (string | null)[];
  readonly failures: readonly (FailureKind | null)[];
  readonly judgement: Judgement;
  /** What asking cost: calls, seconds of them, and money where a price is known. */
  readonly calls: number;
  readonly seconds: number;
  readonly prices: readonly Price[];
}

/** What is known of the texts of a pool, by their places. */
export interface Heard {
  readonly pool: Pool;
  /** Undefined where nobody was asked. */
  at(text: number): HeardText | undefined;
}

/** How many tests of some texts have a status. */
export function countStatus(
  heard: Heard,
  texts: readonly number[],
  rule: CaseRule,
  status: CaseStatus,
  recognizer: number | null = null,
): number {
  return texts.reduce((sum, text) => {
    const statuses = heard.at(text)?.judgement[rule] ?? [];
    const own = recognizer === null ? statuses : [statuses[recognizer]];
    return sum + own.filter((one) => one === status).length;
  }, 0);
}

/** What one recognizer made of one text. */
interface HeardAnswer {
  readonly transcript: string | null;
  readonly failure: FailureKind | null;
  readonly calls: number;
  readonly seconds: number;
  readonly prices: readonly Price[];
}

/**
 * A transcript that is kept, or twice as much as the text if that is more: a recognizer can write megabytes, and what is longer says
 * something else anyway.
 */
const keptCharacters = 2000;

/** Of what a program said when it failed, so much is told. */
const toldCharacters = 200;

/** Everything that is known of a pool so far, whoever asked. */
export class HeardPool implements Heard {
  readonly pool: Pool;
  readonly #recognizers: readonly StudyRecognizer[];
  readonly #normalizer: Normalizer;
  readonly #tolerant: SaysText;
  readonly #answers = new Map<number, (HeardAnswer | undefined)[]>();
  readonly #texts = new Map<number, HeardText>();
  #silence: string | null = null;

  constructor(
    pool: Pool,
    recognizers: readonly StudyRecognizer[],
    { normalizer, tolerant }: { readonly normalizer: Normalizer; readonly tolerant: SaysText },
  ) {
    this.pool = pool;
    this.#recognizers = recognizers;
    this.#normalizer = normalizer;
    this.#tolerant = tolerant;
  }

  at(text: number): HeardText | undefined {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    const answers = this.#answers.get(text);
    if (answers === undefined) return undefined;
    const heard = this.#judged(text, answers);
    this.#texts.set(text, heard);
    return heard;
  }

  /** The same as if nobody else had been asked; undefined where this one was not. */
  heardBy(text: number, recognizer: number): HeardText | undefined {
    const answers = this.#answers.get(text);
    if (answers?.[recognizer] === undefined) return undefined;
    return this.#judged(
      text,
      answers.map((answer, index) => (index === recognizer ? answer : undefined)),
    );
  }

  get recognizerCount(): number {
    return this.#recognizers.length;
  }

  /** Whether everybody has been asked about every text of the pool. */
  get whole(): boolean {
    return this.pool.texts.every(
      (_, text) => this.#answers.get(text)?.every((answer) => answer !== undefined) === true,
    );
  }

  /** Texts of which there is no sound that anybody could hear, as the synthesizer failed. */
  get soundless(): number {
    return [...this.#answers.values()].filter((answers) => {
      return answers.every((answer) => answer === undefined || answer.failure === 'sound');
    }).length;
  }

  /** Why the first of them has none. */
  get silence(): string | null {
    return this.#silence;
  }

  /** Takes in what a recognizer said of a text. */
  take(text: number, recognizer: number, observation: Observation): void {
    const { transcript, failure, timing } = observation;
    const own = this.pool.texts[text]!;
    const words = (written: string) => this.#normalizer.words(written, own.utterance.language);
    const most = Math.max(keptCharacters, 2 * own.text.length);
    const answers = this.#answers.get(text) ?? this.#recognizers.map(() => undefined);
    answers[recognizer] = {
      transcript:
        transcript === undefined ? null : kept(decided(own.text.split(' '), words(transcript.text))[1].join(' '), most),
      failure: failure?.kind ?? null,
      calls: timing.calls,
      seconds: timing.seconds,
      prices: priceOf(observation, this.#recognizers[recognizer]!),
    };
    this.#answers.set(text, answers);
    this.#texts.delete(text);
    if (failure?.kind === 'sound') this.#silence ??= kept(failure.message, toldCharacters);
  }

  #judged(text: number, answers: readonly (HeardAnswer | undefined)[]): HeardText {
    const transcripts = answers.map((answer) => answer?.transcript ?? null);
    const asked = answers.filter((answer) => answer !== undefined);
    return {
      asked: answers.map((answer) => answer !== undefined),
      transcripts,
      failures: answers.map((answer) => answer?.failure ?? null),
      judgement: judgeText(this.pool.texts[text]!.text, transcripts, this.#tolerant),
      calls: asked.reduce((sum, { calls }) => sum + calls, 0),
      seconds: asked.reduce((sum, { seconds }) => sum + seconds, 0),
      prices: asked.flatMap(({ prices }) => prices),
    };
  }
}

function priceOf({ transcript, soundSeconds }: Observation, { pricePerMinute }: StudyRecognizer): Price[] {
  if (transcript?.price !== undefined) return [transcript.price];
  if (pricePerMinute === null || soundSeconds === null) return [];
  return [{ ...pricePerMinute, amount: (pricePerMinute.amount * soundSeconds) / 60 }];
}

/** Through JSON, because parts of a string keep all of it alive. */
function kept(text: string, most: number): string {
  return JSON.parse(JSON.stringify(limitText(text, most)));
}

/**
 * What is known of a pool to somebody who asks one recognizer first, and the others where it gets the text right: where it does not, no
 * test of the others could fail unless one of them is right, and asking them is mostly in vain. What others have asked is not seen.
 *
 * @param listenerOf who is asked first about a text; null: everybody was asked
 */
export function heardWhileListening(
  pool: HeardPool,
  rule: CaseRule,
  listenerOf: (text: number) => number | null,
): Heard {
  // Judged once: tables count the same texts many times, and what one recognizer has answered stays.
  const judged = new Map<number, HeardText>();
  return {
    pool: pool.pool,
    at(text): HeardText | undefined {
      const listener = listenerOf(text);
      if (listener === null) return pool.at(text);
      const alone = judged.get(text) ?? pool.heardBy(text, listener);
      if (alone !== undefined) judged.set(text, alone);
      return alone !== undefined && goesOn(alone, rule, listener) ? pool.at(text) : alone;
    },
  };
}

/**
 * Whether the others are to be asked about a text that the first one was asked about: where it was right, and where it failed to answer
 * although there was sound.
 */
export function goesOn(heard: HeardText, rule: CaseRule, listener: number): boolean {
  const failure = heard.failures[listener];
  return heard.judgement[rule][listener] === 'success' || (failure !== null && failure !== 'sound');
}
