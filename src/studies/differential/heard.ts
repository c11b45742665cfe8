import { limitText } from '../../base/limit-text.ts';
import type { FailureKind, Observation, Price } from '../../model/observation.ts';
import type { Normalizer } from '../../scoring/normalizers/normalizer.ts';
import type { StudyRecognizer } from '../contract.ts';
import type { CaseRule, CaseStatus } from './case.ts';
import { type Judgement, judgeText } from './judge-text.ts';
import type { Pool } from './pool.ts';
import type { SaysText } from './tolerant-rule.ts';

/** Everything that the recognizers said of one spoken text. */
export interface HeardText {
  /** As compared, cut where they are garbage; null where a recognizer failed to answer. In the order of the recognizers. */
  readonly transcripts: readonly (string | null)[];
  readonly failures: readonly (FailureKind | null)[];
  readonly judgement: Judgement;
  /** What asking cost: calls, seconds of them, and money where a price is known. */
  readonly calls: number;
  readonly seconds: number;
  readonly prices: readonly Price[];
}

/** A transcript that is kept; a recognizer can write megabytes. */
const keptCharacters = 2000;

/** Of what a program said when it failed, so much is told. */
const toldCharacters = 200;

/** What is known of a pool so far, by the place of its texts. */
export class HeardPool {
  readonly pool: Pool;
  readonly #recognizers: readonly StudyRecognizer[];
  readonly #normalizer: Normalizer;
  readonly #tolerant: SaysText;
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
    return this.#texts.get(text);
  }

  /** Whether every text of the pool has been asked. */
  get whole(): boolean {
    return this.#texts.size === this.pool.texts.length;
  }

  /** Texts of which there is no sound that anybody could hear, as the synthesizer failed. */
  get soundless(): number {
    return [...this.#texts.values()].filter(isSoundless).length;
  }

  /** Why the first of them has none. */
  get silence(): string | null {
    return this.#silence;
  }

  /** Takes in what the recognizers said of a text, in their order. */
  take(text: number, observations: readonly Observation[]): void {
    const whole = observations.map(({ transcript }) =>
      transcript === undefined ? null : this.#normalizer.words(transcript.text).join(' '),
    );
    const heard: HeardText = {
      transcripts: whole.map((transcript) => (transcript === null ? null : kept(transcript))),
      failures: observations.map(({ failure }) => failure?.kind ?? null),
      judgement: judgeText(this.pool.texts[text]!.text, whole, this.#tolerant),
      calls: observations.reduce((sum, { timing }) => sum + timing.calls, 0),
      seconds: observations.reduce((sum, { timing }) => sum + timing.seconds, 0),
      prices: observations.flatMap((observation, index) => priceOf(observation, this.#recognizers[index]!)),
    };
    this.#texts.set(text, heard);
    if (isSoundless(heard)) this.#silence ??= kept(limitText(observations[0]!.failure!.message, toldCharacters));
  }

  /** How many tests of a text have a status. */
  count(text: number, rule: CaseRule, status: CaseStatus, recognizer: number | null = null): number {
    const statuses = this.#texts.get(text)?.judgement[rule] ?? [];
    if (recognizer !== null) return statuses[recognizer] === status ? 1 : 0;
    return statuses.reduce((sum, one) => sum + (one === status ? 1 : 0), 0);
  }

  /** How many tests of some texts have a status. */
  sum(texts: readonly number[], rule: CaseRule, status: CaseStatus, recognizer: number | null = null): number {
    return texts.reduce((sum, text) => sum + this.count(text, rule, status, recognizer), 0);
  }
}

function isSoundless({ failures }: HeardText): boolean {
  return failures.every((kind) => kind === 'sound');
}

function priceOf({ transcript, soundSeconds }: Observation, { pricePerMinute }: StudyRecognizer): Price[] {
  if (transcript?.price !== undefined) return [transcript.price];
  if (pricePerMinute === null || soundSeconds === null) return [];
  return [{ ...pricePerMinute, amount: (pricePerMinute.amount * soundSeconds) / 60 }];
}

/** Through JSON, because parts of a string keep all of it alive. */
function kept(transcript: string): string {
  return JSON.parse(JSON.stringify(limitText(transcript, keptCharacters)));
}
