import type { Estimate } from '../../model/finding.ts';
import type { Observation, Price } from '../../model/observation.ts';
import { measured } from '../shared/estimates.ts';
import { LogHistogram } from './log-histogram.ts';
import { StreamSpeed } from './stream-speed.ts';

/** Seconds, sound and money of the answers of one recognizer. Flat in memory: ratios are kept as a histogram. */
export class Speed {
  #seconds = 0;
  #soundSeconds = 0;
  #timed = 0;
  #answers = 0;
  #utterances = 0;
  #lastUtterance = '';
  /** Of answers that came in streaming mode. */
  readonly stream = new StreamSpeed();
  readonly #ratios = new LogHistogram();
  readonly #prices = new Map<string, { amount: number; soundSeconds: number; answers: number }>();

  /** Answers about one utterance come one after another. */
  add(utteranceId: string, { timing, soundSeconds, transcript }: Observation): void {
    if (transcript === undefined) return;
    this.#answers++;
    if (soundSeconds === null || !(soundSeconds > 0)) return;
    if (this.#timed === 0 || utteranceId !== this.#lastUtterance) this.#utterances++;
    this.#lastUtterance = utteranceId;
    this.#timed++;
    // A sound that is fed in real time takes as long as itself, whatever the engine does.
    const seconds = Math.max(0, timing.seconds - (timing.stream?.waitedSeconds ?? 0));
    this.#seconds += seconds;
    this.#soundSeconds += soundSeconds;
    this.#ratios.add(seconds / soundSeconds);
    if (timing.stream) this.stream.add(timing.stream, transcript);
    if (transcript.price) this.#addPrice(transcript.price, soundSeconds);
  }

  /** Answers whose time and sound are known. */
  get timed(): number {
    return this.#timed;
  }

  /**
   * Seconds of recognition for a second of sound, over all answers.
   *
   * @param speakers in the corpus, for the record
   */
  realTimeFactor(speakers: number): Estimate {
    const value = this.#timed === 0 ? null : this.#seconds / this.#soundSeconds;
    return this.#estimate(value, speakers, 'seconds of recognition over seconds of sound, all answers together');
  }

  /** The same of the answer in the middle, to half a percent. */
  medianFactor(speakers: number): Estimate {
    return this.#estimate(
      this.#ratios.quantile(0.5),
      speakers,
      'median over answers of seconds of recognition over seconds of sound',
    );
  }

  /** What an hour of sound costs: from the prices that came with answers, else as declared; null where nobody says. */
  pricePerHour(
    declaredPerMinute: Price | null,
    speakers: number,
  ): { readonly currency: string; readonly estimate: Estimate } | null {
    const [commonest] = [...this.#prices].sort(
      ([a, one], [b, other]) => other.answers - one.answers || (a < b ? -1 : 1),
    );
    if (commonest) {
      const [currency, { amount, soundSeconds, answers }] = commonest;
      const n = { utterances: this.#utterances, speakers };
      const reason = 'a price is added up and not sampled';
      const method = `prices that came with ${answers} of ${this.#answers} answers`;
      return { currency, estimate: measured((3600 * amount) / soundSeconds, n, reason, method) };
    }
    if (declaredPerMinute === null) return null;
    const estimate = measured(
      60 * declaredPerMinute.amount,
      { utterances: this.#utterances, speakers },
      'a declared price has no interval',
      'as declared',
    );
    return { currency: declaredPerMinute.currency, estimate };
  }

  #addPrice({ amount, currency }: Price, soundSeconds: number): void {
    const known = this.#prices.get(currency) ?? { amount: 0, soundSeconds: 0, answers: 0 };
    known.amount += amount;
    known.soundSeconds += soundSeconds;
    known.answers++;
    // A recognizer that makes up currencies is no reason to run out of memory.
    if (this.#prices.size < 100 || this.#prices.has(currency)) this.#prices.set(currency, known);
  }

  #estimate(value: number | null, speakers: number, method: string): Estimate {
    const reason =
      value === null
        ? 'no answer came with the length of its sound'
        : 'time was measured on the machine of this run, and not sampled';
    return measured(value, { utterances: this.#utterances, speakers }, reason, method);
  }
}
