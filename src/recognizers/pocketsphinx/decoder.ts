import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { badConfig, type EarwitnessError } from '../../base/errors.ts';
import { temporaryFolder } from '../../base/on-disk.ts';
import { printable } from '../../base/printable.ts';
import type { Binding, Functions, Pointer } from './binding.ts';
import { frontEndMemory, gaussianMemory } from './gaussian-memory.ts';
import type { Segment } from './pronunciations.ts';

/**
 * Lets calls into the library run beside each other, but one that changes what they all share, alone. The library writes its
 * messages to one file for the whole process, and closes it when it is given another, whoever is writing.
 */
export class CallGate {
  #running = 0;
  #waitingAlone = 0;
  #alone = false;
  readonly #waiting: (() => void)[] = [];

  /** Beside others that pass. Who waits to be alone goes first. */
  async pass<T>(call: () => Promise<T>): Promise<T> {
    while (this.#alone || this.#waitingAlone > 0) await this.#change();
    this.#running++;
    try {
      return await call();
    } finally {
      this.#running--;
      this.#changed();
    }
  }

  /** When nothing else runs; nothing else begins before it has ended. */
  async alone<T>(call: () => Promise<T>): Promise<T> {
    this.#waitingAlone++;
    while (this.#alone || this.#running > 0) await this.#change();
    this.#waitingAlone--;
    this.#alone = true;
    try {
      return await call();
    } finally {
      this.#alone = false;
      this.#changed();
    }
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #changed(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

/** What one clip gave. */
export interface Decoded {
  /** One for each stretch of speech between silences. */
  readonly texts: readonly string[];
  readonly segments: readonly Segment[];
}

/** Samples given at a time, as `pocketsphinx_continuous` reads them: where stretches end depends on it. */
export const blockSamples = 2048;

/** Dithering draws from one generator for the whole process: decoders that dither take turns. */
let ditherTurn: Promise<unknown> = Promise.resolve();

/** Of all decoders of this process: opening one sets the file that all write their messages to. */
const gate = new CallGate();

/**
 * One decoder of the library. Hears a clip as `pocketsphinx_continuous -infile` does: block after block, ending an
 * utterance wherever the voice detector hears the speech end. Before each clip it is set back to the state of a decoder
 * that was just made.
 */
export class Decoder {
  /** Samples per second that it expects. */
  readonly sampleRate: number;
  readonly frameRate: number;
  readonly #binding: Binding;
  readonly #config: Pointer;
  readonly #dithers: boolean;
  readonly #seed: number;
  #decoder: Pointer;
  #state: FreshState | null;

  private constructor(binding: Binding, config: Pointer, decoder: Pointer) {
    const { cmd_ln_float_r: number, cmd_ln_int_r: integer } = binding.functions;
    this.#binding = binding;
    this.#config = config;
    this.#decoder = decoder;
    this.#state = freshState(binding, decoder, config);
    this.sampleRate = number(config, '-samprate');
    this.frameRate = Number(integer(config, '-frate'));
    this.#dithers = Number(integer(config, '-dither')) !== 0;
    this.#seed = Number(integer(config, '-seed'));
  }

  /**
   * @param parameters by the library's names
   * @throws EarwitnessError `bad-config` with the library's own words where it refuses them or a file
   */
  static open(binding: Binding, parameters: Readonly<Record<string, string>>): Promise<Decoder> {
    return gate.alone(() => Decoder.#openAlone(binding, parameters));
  }

  static async #openAlone(binding: Binding, parameters: Readonly<Record<string, string>>): Promise<Decoder> {
    const { functions } = binding;
    const folder = temporaryFolder('pocketsphinx');
    const log = join(folder, 'log');
    try {
      functions.err_set_logfile(log);
      const words = ['earwitness', ...Object.entries(parameters).flat()];
      const config = functions.cmd_ln_parse_r(null, functions.ps_args(), words.length, words, 1);
      if (!config) throw await refusal(functions, log);
      const decoder = await inThread<Pointer>((done) => functions.ps_init.async(config, done));
      if (!decoder) {
        functions.cmd_ln_free_r(config);
        throw await refusal(functions, log);
      }
      return new Decoder(binding, config, decoder);
    } finally {
      functions.err_set_logfile('/dev/null');
      await rm(folder, { recursive: true, force: true });
    }
  }

  /**
   * @param samples at the decoder's own rate
   * @param signal stops at the next block
   */
  async decode(samples: Int16Array, signal: AbortSignal): Promise<Decoded> {
    const heard = await this.hear(blocksOf(samples), 'whole', signal).next();
    return heard.value as Decoded;
  }

  /**
   * Hears blocks of sound as they come. Where stretches of speech end depends on the blocks, as it does for the library's
   * own programs.
   *
   * @param blocks samples at the decoder's own rate
   * @param telling `partials`: gives the text so far after every block; `whole`: gives nothing before the end
   * @param signal stops at the next block
   */
  async *hear(
    blocks: Iterable<Int16Array> | AsyncIterable<Int16Array>,
    telling: 'partials' | 'whole',
    signal: AbortSignal,
  ): AsyncGenerator<string, Decoded> {
    if (!this.#dithers) return yield* this.#hearFresh(blocks, telling, signal);
    const turn = ditherTurn;
    const { promise, resolve } = Promise.withResolvers<void>();
    ditherTurn = promise;
    try {
      await turn;
      this.#binding.functions.genrand_seed(this.#seed);
      return yield* this.#hearFresh(blocks, telling, signal);
    } finally {
      resolve();
    }
  }

  close(): void {
    if (!this.#decoder) return;
    this.#binding.functions.ps_free(this.#decoder);
    this.#binding.functions.cmd_ln_free_r(this.#config);
    this.#decoder = null;
  }

  async *#hearFresh(
    blocks: Iterable<Int16Array> | AsyncIterable<Int16Array>,
    telling: 'partials' | 'whole',
    signal: AbortSignal,
  ): AsyncGenerator<string, Decoded> {
    const { functions } = this.#binding;
    await this.#freshen();
    const decoder = this.#decoder;
    const texts: string[] = [];
    const segments: Segment[] = [];
    let heardSpeech = false;
    functions.ps_start_stream(decoder);
    begin(functions.ps_start_utt(decoder));
    let inUtterance = true;
    try {
      for await (const block of blocks) {
        if (signal.aborted) break;
        await passing<number>((done) => functions.ps_process_raw.async(decoder, block, block.length, 0, 0, done));
        const inSpeech = functions.ps_get_in_speech(decoder) !== 0;
        if (inSpeech) heardSpeech = true;
        else if (heardSpeech) {
          inUtterance = false;
          await this.#endUtterance(texts, segments);
          begin(functions.ps_start_utt(decoder));
          inUtterance = true;
          heardSpeech = false;
        }
        if (telling === 'partials') yield [...texts, ...(heardSpeech ? await this.#textSoFar() : [])].join(' ');
      }
      signal.throwIfAborted();
      if (heardSpeech) {
        inUtterance = false;
        await this.#endUtterance(texts, segments);
      }
    } finally {
      if (inUtterance) await passing<number>((done) => functions.ps_end_utt.async(decoder, done));
    }
    return { texts, segments };
  }

  async #textSoFar(): Promise<string[]> {
    const { functions } = this.#binding;
    const text = await passing<string | null>((done) => functions.ps_get_hyp.async(this.#decoder, null, done));
    return text ? [text] : [];
  }

  async #freshen(): Promise<void> {
    if (this.#state) {
      this.#state.restore();
      return;
    }
    const { functions } = this.#binding;
    functions.ps_free(this.#decoder);
    this.#decoder = await passing<Pointer>((done) => functions.ps_init.async(this.#config, done));
  }

  async #endUtterance(texts: string[], segments: Segment[]): Promise<void> {
    const { functions } = this.#binding;
    const decoder = this.#decoder;
    await passing<number>((done) => functions.ps_end_utt.async(decoder, done));
    const text = await passing<string | null>((done) => functions.ps_get_hyp.async(decoder, null, done));
    if (text) texts.push(text);
    const logmath = functions.ps_get_logmath(decoder);
    const first: [number] = [0];
    const last: [number] = [0];
    let segment = await passing<Pointer>((done) => functions.ps_seg_iter.async(decoder, null, done));
    while (segment) {
      functions.ps_seg_frames(segment, first, last);
      const logPosterior = functions.ps_seg_prob(segment, null, null, null);
      segments.push({
        word: functions.ps_seg_word(segment),
        firstFrame: first[0],
        lastFrame: last[0],
        logPosterior,
        posterior: functions.logmath_exp(logmath, logPosterior),
      });
      segment = functions.ps_seg_next(segment);
    }
  }
}

function* blocksOf(samples: Int16Array): Generator<Int16Array> {
  for (let start = 0; start < samples.length; start += blockSamples)
    yield samples.subarray(start, start + blockSamples);
}

function begin(status: number): void {
  if (status < 0) throw new Error('PocketSphinx could not begin an utterance');
}

/** The promise of a call that runs in a thread of its own, so that the event loop stays free. */
function inThread<T>(call: (done: (error: unknown, result: T) => void) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    call((error, result) => (error ? reject(error) : resolve(result)));
  });
}

/** `inThread`, but never while a decoder is being opened. */
function passing<T>(call: (done: (error: unknown, result: T) => void) => void): Promise<T> {
  return gate.pass(() => inThread(call));
}

async function refusal(functions: Functions, log: string): Promise<EarwitnessError> {
  // What the library wrote lies in a buffer until it closes the file.
  functions.err_set_logfile('/dev/null');
  const lines = (await readFile(log, 'utf8').catch(() => '')).split('\n');
  const complaints = lines
    .filter((line) => /^(ERROR|FATAL)/.test(line))
    .map((line) => line.replace(/^\w+: "[^"]*", line \d+: /, ''));
  const words =
    complaints.length === 0
      ? 'without saying why'
      : `saying ${JSON.stringify(printable(complaints.slice(0, 3).join(' '), 300))}`;
  return badConfig(`PocketSphinx refused its settings or a model file, ${words}; check both`);
}

/** Sets a decoder back to what it was when it had heard nothing. */
interface FreshState {
  restore(): void;
}

/**
 * Remembers everything that a decoder of 0.8 or 5prealpha carries from one clip to the next. What its searches hold is
 * cleared by the library itself when an utterance starts.
 *
 * @param decoder one that has heard nothing yet
 * @returns null where its memory does not look as expected; then only a new decoder is a fresh one
 */
function freshState(binding: Binding, decoder: Pointer, config: Pointer): FreshState | null {
  const frontEnd = frontEndMemory(binding, decoder, config);
  const gaussians = frontEnd && gaussianMemory(binding, decoder, config);
  if (!frontEnd || !gaussians) return null;
  const memory = [...frontEnd, ...gaussians];
  return {
    restore() {
      for (const { live, fresh } of memory) live.set(fresh);
    },
  };
}
