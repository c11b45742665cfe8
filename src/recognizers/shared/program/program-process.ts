import type { Clip } from '../../../audio/clip.ts';
import type { JsonObject } from '../../../base/json.ts';
import { printable } from '../../../base/printable.ts';
import type { Transcript } from '../../../model/observation.ts';
import {
  hearLines,
  type NaturalEnd,
  type ProgramStart,
  type StartedProgram,
  startProgram,
} from '../../../system/run-program.ts';
import { type PartialTranscript, RecognitionError } from '../../contract.ts';
import { recordedWords } from '../recorded-words.ts';
import { givenUp } from '../requests.ts';
import { readLine } from './messages.ts';
import { type FromProgram, type ProgramHello, protocolVersion, type ToProgram } from './protocol.ts';

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
  resolve(transcript: Transcript): void;
  reject(error: RecognitionError): void;
}

/** Said once, outside of clips. */
type Said = Extract<FromProgram, { say: 'hello' | 'opened' | 'pong' }>;

const wasClosed = () => new RecognitionError('error', 'the recognizer was closed');

const shownErrorCharacters = 500;
/** An answer beyond this is no transcript of anything. */
const maxLineCharacters = 16 * 2 ** 20;
/** How long a process may take to end when asked, or to be done with a clip that was given up. */
const graceMs = 1000;

/**
 * A process that speaks the protocol of docs/protocol.md. Whatever breaks it (its end, a line that is none of the protocol's, a clip that
 * it does not let go) breaks it for good: every clip in hand fails with one sentence, what was answered before stands.
 */
export class ProgramProcess {
  readonly #program: StartedProgram;
  readonly #ending: Promise<NaturalEnd>;
  readonly #waiting = new Map<number, Waiting>();
  #said: { readonly say: Said['say']; resolve(said: Said): void; reject(error: RecognitionError): void } | null = null;
  #lastId = 0;
  #broken: RecognitionError | null = null;

  constructor(start: ProgramStart) {
    this.#program = startProgram(start);
    hearLines(
      this.#program.output,
      maxLineCharacters,
      (line) => this.#hear(line),
      () => this.#break('garbage', `printed a line of more than ${maxLineCharacters} characters`),
    );
    this.#ending = this.#program.ended.then((end) => {
      this.#died(end, start.program);
      return end;
    });
  }

  /** Why it is of no use any more; null while it is. */
  get broken(): RecognitionError | null {
    return this.#broken;
  }

  /** @throws RecognitionError where it cannot be started, does not answer in time, or speaks another version */
  async hello(maxSeconds: number): Promise<ProgramHello> {
    const hello = await this.#ask('hello', { say: 'hello', protocol: protocolVersion }, maxSeconds);
    if (hello.protocol === protocolVersion) return hello;
    throw this.#break(
      'refused',
      `speaks version ${hello.protocol} of the protocol, and earwitness version ${protocolVersion}; update the older of the two`,
    );
  }

  /** Has it load what it needs. */
  async open(worker: number, device: string | undefined, maxSeconds: number): Promise<void> {
    await this.#ask('opened', { say: 'open', worker, ...(device !== undefined && { device }) }, maxSeconds);
  }

  /** Whether it is there and hears. A process that does not answer is broken. */
  async ping(maxSeconds: number): Promise<boolean> {
    const ping = this.#ask('pong', { say: 'ping', id: ++this.#lastId }, maxSeconds);
    return ping.then(
      () => true,
      () => false,
    );
  }

  /** Sends a batch. Each clip has its own answer, in whatever order they come. */
  recognize(batch: readonly BatchClip[]): readonly { readonly id: number; readonly answer: Promise<Transcript> }[] {
    const asked = batch.map((clip) => ({ ...clip, id: ++this.#lastId }));
    const answers = asked.map(({ id }) => ({ id, answer: this.#expect(id) }));
    const frames = asked.flatMap(({ wav, clip }) => (wav === undefined ? [clip.samples] : []));
    const bytes = frames.reduce((sum, { byteLength }) => sum + byteLength, 0);
    const clips = asked.map(({ id, language, clip, wav }) => ({
      id,
      language,
      ...(wav === undefined ? { samples: clip.samples.length } : { wav }),
    }));
    void this.#send({ say: 'recognize', clips, ...(bytes > 0 && { bytes }) }, frames);
    return answers;
  }

  /**
   * Feeds it a clip while it is spoken. Whoever leaves before the end has it cancelled.
   *
   * @param released is told when the process is free for others
   */
  async *stream(
    { language, sampleRate, chunks, signal }: StreamedClip,
    released: (when: Promise<void>) => void,
  ): AsyncGenerator<PartialTranscript, void> {
    const id = ++this.#lastId;
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
    this.#expect(id, push).then(({ text, words }) => push({ text, ...(words && { words }), final: true }), fail);
    let left = false;
    const feed = async () => {
      void this.#send({ say: 'stream', id, language });
      for await (const { samples, sampleRate: rate } of chunks) {
        if (left) return;
        if (rate !== sampleRate)
          throw new RecognitionError('sound', `expected a chunk of ${sampleRate} Hz, but got one of ${rate} Hz`);
        await this.#send({ say: 'chunk', id, samples: samples.length, bytes: samples.byteLength }, [samples]);
      }
      void this.#send({ say: 'end', id });
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
    void this.#send({ say: 'cancel', id });
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => {
        this.#break('timeout', 'did not let go of a clip that was given up');
        resolve();
      }, graceMs);
      const done = () => {
        clearTimeout(timer);
        resolve();
      };
      this.#waiting.set(id, {
        resolve(transcript) {
          done();
          waiting.resolve(transcript);
        },
        reject(error) {
          done();
          waiting.reject(error);
        },
      });
    });
  }

  /** Sends a line of any kind: for proving that what is unknown is passed over. */
  tell(line: JsonObject): void {
    void this.#send(line);
  }

  /**
   * Asks it to end and ends its input (or only one of the two), and kills it where it has not ended in time.
   *
   * @returns how it ended
   */
  async close(how: 'both' | 'asked' | 'silently' = 'both'): Promise<NaturalEnd> {
    if (how !== 'silently') void this.#send({ say: 'close' });
    this.#fail(wasClosed());
    if (how !== 'asked') this.#program.input.end();
    const timer = setTimeout(() => this.#program.kill(), graceMs);
    const end = await this.#ending;
    clearTimeout(timer);
    return end;
  }

  /** Ends it at once, and waits until it has. */
  async kill(): Promise<void> {
    this.#fail(wasClosed());
    this.#program.kill();
    await this.#ending;
  }

  #expect(id: number, partial?: (partial: PartialTranscript) => void): Promise<Transcript> {
    const { promise, resolve, reject } = Promise.withResolvers<Transcript>();
    // Whoever gave it up does not listen any more.
    promise.catch(() => {});
    if (this.#broken === null) this.#waiting.set(id, { ...(partial && { partial }), resolve, reject });
    else reject(this.#broken);
    return promise;
  }

  async #ask<Say extends Said['say']>(
    say: Say,
    line: ToProgram,
    maxSeconds: number,
  ): Promise<Extract<Said, { say: Say }>> {
    const { promise, resolve, reject } = Promise.withResolvers<Said>();
    if (this.#broken !== null) throw this.#broken;
    this.#said = { say, resolve, reject };
    const timer = setTimeout(
      () => this.#break('timeout', `did not answer "${line.say}" within ${maxSeconds} s`),
      Math.min(maxSeconds * 1000, 2 ** 31 - 1),
    );
    void this.#send(line);
    try {
      return (await promise) as Extract<Said, { say: Say }>;
    } finally {
      clearTimeout(timer);
      this.#said = null;
    }
  }

  /** @returns what resolves when the process has taken it, or will take nothing any more */
  #send(line: ToProgram | JsonObject, frames: readonly Float32Array[] = []): Promise<void> {
    const { input } = this.#program;
    if (this.#broken !== null || !input.writable) return Promise.resolve();
    const parts = frames.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength));
    input.cork();
    let taken = input.write(`${JSON.stringify(line)}\n`);
    for (const part of parts) taken = input.write(part);
    input.uncork();
    if (taken) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        input.off('drain', done).off('close', done);
        resolve();
      };
      input.on('drain', done).on('close', done);
    });
  }

  #hear(line: string): void {
    if (this.#broken !== null) return;
    const read = readLine(line);
    if ('problem' in read) this.#break('garbage', read.problem);
    else if (read.message.say === 'hello' || read.message.say === 'opened' || read.message.say === 'pong') {
      if (this.#said?.say === read.message.say) this.#said.resolve(read.message);
      else this.#break('garbage', `said "${read.message.say}" without being asked`);
    } else if (read.message.say === 'failure' && read.message.id === undefined) {
      this.#breakWith(new RecognitionError(read.message.kind, printable(read.message.message, 1000)));
    } else this.#answer(read.message);
  }

  #answer(message: Extract<FromProgram, { say: 'transcript' | 'partial' | 'failure' }>): void {
    const id = message.id!;
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) {
      this.#break('garbage', `answered clip ${id}, which it was not asked or has answered before`);
      return;
    }
    if (message.say === 'partial') {
      const words = message.words === undefined ? undefined : recordedWords(message.words);
      waiting.partial?.({ text: message.text, final: false, ...(words && { words }) });
      return;
    }
    this.#waiting.delete(id);
    if (message.say === 'failure') {
      const { kind, retryable, retryAfterSeconds } = message;
      const again = { retryable, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) };
      waiting.reject(new RecognitionError(kind, printable(message.message, 1000), again));
      return;
    }
    const { text, words: given, details } = message;
    const words = given === undefined ? undefined : recordedWords(given);
    if (words === null) {
      waiting.reject(new RecognitionError('garbage', 'the program gave words that are no list of {text, start, end}'));
      return;
    }
    waiting.resolve({
      text,
      ...(words !== undefined && words.length > 0 && { words }),
      ...(details !== undefined && { details }),
    });
  }

  #break(kind: RecognitionError['kind'], what: string): RecognitionError {
    const words = printable(this.#program.errors().trim(), shownErrorCharacters, 'end');
    const error = new RecognitionError(kind, `the program ${what}${words === '' ? '' : `; its last words: ${words}`}`, {
      retryable: kind === 'crash' || kind === 'timeout',
    });
    this.#breakWith(error);
    return error;
  }

  #breakWith(error: RecognitionError): void {
    this.#fail(error);
    this.#program.kill();
  }

  #fail(error: RecognitionError): void {
    if (this.#broken !== null) return;
    this.#broken = error;
    this.#said?.reject(error);
    const inHand = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of inHand) reject(error);
  }

  #died(end: NaturalEnd, program: string): void {
    if (end.how === 'not started') {
      const name = printable(program.slice(program.lastIndexOf('/') + 1), 100);
      const reason = end.error.code === 'ENOENT' ? 'there is none of that name' : (end.error.code ?? 'no reason');
      this.#breakWith(new RecognitionError('refused', `the program ${name} could not be started: ${reason}`));
    } else if (end.how === 'signal') this.#break('crash', `was ended by ${end.signal}`);
    else this.#break('crash', `ended with exit status ${end.code}${this.#clipsInHand()}`);
  }

  #clipsInHand(): string {
    const { size } = this.#waiting;
    return size === 0 ? '' : ` with ${size} ${size === 1 ? 'clip' : 'clips'} unanswered`;
  }
}
