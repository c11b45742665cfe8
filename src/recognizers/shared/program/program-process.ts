import { z } from 'zod';
import type { Clip } from '../../../audio/clip.ts';
import { transcriptProblem } from '../../../base/foreign-data.ts';
import { flag, nonEmpty, oneOf, whole } from '../../../base/option-kinds.ts';
import { printable } from '../../../base/printable.ts';
import { recognizerFailureKinds } from '../../../model/observation.ts';
import {
  failureLine,
  graceMs,
  helloMembers,
  LineProcess,
  type Lines,
  languageTags,
  openedLine,
  pongLine,
} from '../../../system/line-process.ts';
import type { ProgramStart } from '../../../system/run-program.ts';
import { type PartialTranscript, type Recognition, RecognitionError } from '../../contract.ts';
import { recordedWords } from '../recorded-words.ts';
import { givenUp } from '../requests.ts';
import type { FromProgram, ProgramHello } from './protocol.ts';

const id = whole(0);
const heard = { id, text: z.string(), words: z.array(z.unknown()).optional() };

/** What a recognizer process may say. */
export const recognizerLines: Lines<FromProgram> = z.discriminatedUnion('say', [
  z.object({
    ...helloMembers,
    languages: languageTags.optional(),
    sampleRate: whole(1000, 384_000).default(16_000),
    device: nonEmpty(500).optional(),
    audio: oneOf(['frames', 'wav']).default('frames'),
    batch: whole(1, 1024).default(1),
    streams: flag(false),
  }),
  openedLine,
  z.object({ say: z.literal('transcript'), ...heard, details: z.record(z.string(), z.json()).optional() }),
  z.object({ say: z.literal('partial'), ...heard }),
  failureLine.extend({ kind: z.enum(recognizerFailureKinds).default('error') }),
  pongLine,
]);

/** A clip of a batch, at the rate that the process named; `wav`: where it lies, for a process that is given paths. */
export interface BatchClip {
  readonly language: string;
  readonly clip: Clip;
  readonly wav?: string;
}

/** A clip that is heard while it is spoken. */
export interface StreamedClip {
  readonly language: string;
  /** Hz that its chunks must have. */
  readonly sampleRate: number;
  readonly chunks: AsyncIterable<Clip>;
  readonly signal: AbortSignal;
}

/** What becomes of one clip. */
interface Waiting {
  readonly partial?: (partial: PartialTranscript) => void;
  /** What it has taken of the processor so far. To be asked once it has ended. */
  readonly processorSeconds: () => number | null;
  resolve(recognition: Recognition): void;
  reject(error: RecognitionError): void;
}

/** A recognizer process. Where it breaks, every clip in hand fails with one sentence. */
export class ProgramProcess extends LineProcess<FromProgram, RecognitionError> {
  readonly #waiting = new Map<number, Waiting>();

  constructor(start: ProgramStart) {
    super(start, recognizerLines, 'the program');
  }

  override hello(maxSeconds: number): Promise<ProgramHello> {
    return super.hello(maxSeconds, 'recognize');
  }

  /** Sends a batch. Each clip has its own answer, in whatever order they come. */
  recognize(batch: readonly BatchClip[]): readonly { readonly id: number; readonly answer: Promise<Recognition> }[] {
    const asked = batch.map((clip) => ({ ...clip, id: ++this.lastId }));
    const answers = asked.map(({ id }) => ({ id, answer: this.#expect(id) }));
    const frames = asked.flatMap(({ wav, clip }) => (wav === undefined ? [clip.samples] : []));
    const bytes = frames.reduce((sum, { byteLength }) => sum + byteLength, 0);
    const clips = asked.map(({ id, language, clip, wav }) => ({
      id,
      language,
      ...(wav === undefined ? { samples: clip.samples.length } : { wav }),
    }));
    void this.tell({ say: 'recognize', clips, ...(bytes > 0 && { bytes }) }, frames);
    return answers;
  }

  /**
   * Feeds it a clip while it is spoken. Whoever leaves before the end has it cancelled.
   *
   * @param released is told when the process is free for others
   * @param took is told what it took of the processor, before the final transcript
   */
  async *stream(
    { language, sampleRate, chunks, signal }: StreamedClip,
    released: (when: Promise<void>) => void,
    took: (processorSeconds: number | null) => void = () => {},
  ): AsyncGenerator<PartialTranscript, void> {
    const id = ++this.lastId;
    const heard: PartialTranscript[] = [];
    let failure: unknown = null;
    let wake: () => void = () => {};
    const fail = (error: unknown) => {
      failure ??= error;
      wake();
    };
    const push = (partial: PartialTranscript) => {
      heard.push(partial);
      wake();
    };
    const giveUp = () => fail(givenUp(signal));
    signal.addEventListener('abort', giveUp, { once: true });
    if (signal.aborted) giveUp();
    this.#expect(id, push).then(({ text, words, timing }) => {
      took(timing?.processorSeconds ?? null);
      push({ text, ...(words && { words }), final: true });
    }, fail);
    let left = false;
    const feed = async () => {
      void this.tell({ say: 'stream', id, language });
      for await (const { samples, sampleRate: rate } of chunks) {
        if (left) return;
        if (rate !== sampleRate)
          throw new RecognitionError('sound', `expected a chunk of ${sampleRate} Hz, but got one of ${rate} Hz`);
        await this.tell({ say: 'chunk', id, samples: samples.length, bytes: samples.byteLength }, [samples]);
      }
      void this.tell({ say: 'end', id });
    };
    feed().catch(fail);
    try {
      for (;;) {
        const partial = heard.shift();
        if (partial !== undefined) {
          yield partial;
          if (partial.final) return;
        } else if (failure !== null) throw failure;
        else
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
    } finally {
      left = true;
      signal.removeEventListener('abort', giveUp);
      released(this.cancel(id));
    }
  }

  /** Gives a clip up: resolves when the process is done with it, which is killed where that takes more than a second. */
  async cancel(id: number): Promise<void> {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    void this.tell({ say: 'cancel', id });
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => {
        this.break('timeout', 'did not let go of a clip that was given up');
        resolve();
      }, graceMs);
      const done = () => {
        clearTimeout(timer);
        resolve();
      };
      this.#waiting.set(id, {
        processorSeconds: waiting.processorSeconds,
        resolve(recognition) {
          done();
          waiting.resolve(recognition);
        },
        reject(error) {
          done();
          waiting.reject(error);
        },
      });
    });
  }

  #expect(id: number, partial?: (partial: PartialTranscript) => void): Promise<Recognition> {
    const { promise, resolve, reject } = Promise.withResolvers<Recognition>();
    // Whoever gave it up does not listen any more.
    promise.catch(() => {});
    const processorSeconds = this.processor.begin();
    if (this.broken === null) this.#waiting.set(id, { ...(partial && { partial }), processorSeconds, resolve, reject });
    else reject(this.broken);
    return promise;
  }

  protected override heard(message: FromProgram): string | null {
    if (message.say !== 'transcript' && message.say !== 'partial' && message.say !== 'failure')
      return super.heard(message);
    const id = message.id!;
    const unfit = message.say === 'failure' ? null : transcriptProblem(message);
    if (unfit !== null) return `answered clip ${id} with what cannot be kept: ${unfit}`;
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return `answered clip ${id}, which it was not asked or has answered before`;
    if (message.say === 'partial') {
      const words = message.words === undefined ? undefined : recordedWords(message.words);
      waiting.partial?.({ text: message.text, final: false, ...(words && { words }) });
      return null;
    }
    this.#waiting.delete(id);
    const processorSeconds = waiting.processorSeconds();
    if (message.say === 'failure') {
      const { kind, retryable, retryAfterSeconds } = message;
      const again = { retryable, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) };
      waiting.reject(new RecognitionError(kind, printable(message.message, 1000), again));
      return null;
    }
    const { text, words: given, details } = message;
    const words = given === undefined ? undefined : recordedWords(given);
    if (words === null)
      waiting.reject(new RecognitionError('garbage', 'the program gave words that are no list of {text, start, end}'));
    else
      waiting.resolve({
        text,
        ...(words !== undefined && words.length > 0 && { words }),
        ...(details !== undefined && { details }),
        timing: { processorSeconds },
      });
    return null;
  }

  protected override failure(kind: string, sentence: string): RecognitionError {
    const retryable = kind === 'crash' || kind === 'timeout';
    return new RecognitionError(kind as RecognitionError['kind'], sentence, { retryable });
  }

  protected override lost(why: RecognitionError): void {
    const inHand = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of inHand) reject(why);
  }

  protected override inHand(): string {
    const { size } = this.#waiting;
    return size === 0 ? '' : ` with ${size} ${size === 1 ? 'clip' : 'clips'} unanswered`;
  }
}
