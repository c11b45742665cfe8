import { badInput, type EarwitnessError } from '../base/errors.ts';
import type { OnnxRuntime } from '../packages/onnx-runtime.ts';
import type { GradientCheck, SurrogateAgreement, WaveformGradient } from './contract.ts';

/** Share by which a gradient may deviate from central differences. */
const largestDeviation = 0.01;

/** Changes of the loss, in nats, that a step is to make: smaller ones drown in single precision, larger ones in curvature. */
const changes = [0.03, 0.01, 0.1, 0.3] as const;

/** A step is at most so large a share of the waveform (L2 norms): beyond, no loss is straight. */
const largestStep = 0.03;

/** One pass through features and model. */
export interface Forward {
  readonly loss: number;
  /** What comparisons decided on the way; to be given to a pass where it is to stay decided. */
  readonly held: unknown;
  /** The gradient with respect to the samples, once. */
  gradient(): Promise<Float32Array>;
}

/** What every chain is given. */
export interface ChainOptions {
  readonly runtime: OnnxRuntime;
  /** Threads that compute one pass. */
  readonly threads: number;
  /** Bytes that may still be allocated. */
  availableBytes(): number;
}

/** What kinds of models do in their own ways. */
export interface Chain {
  readonly sampleRateHz: number;
  readonly longestSeconds: number | null;
  readonly surrogate: boolean;
  /** What it is called in errors. */
  readonly about: string;
  forward(samples: Float32Array, text: string, held?: unknown): Promise<Forward>;
  transcribe(samples: Float32Array): Promise<string>;
  agreement(samples: Float32Array, text: string): Promise<SurrogateAgreement>;
  memoryBytes(durationSeconds: number): Promise<number>;
  dispose(): Promise<void>;
}

/** Shorter sound is followed by silence, as recognizers do: convolutions of wav2vec 2.0 need 25 ms. */
const minSeconds = 0.1;

/** The gradient of a chain: with its checks, one call at a time. */
export function waveformGradient(chain: Chain): WaveformGradient {
  const { sampleRateHz, longestSeconds, surrogate, about } = chain;
  let last: Promise<unknown> = Promise.resolve();
  let checked = false;
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = last.then(work, work);
    last = result.catch(() => {});
    return result;
  };
  const prepared = (samples: Float32Array): Float32Array => {
    const wrong = samples.findIndex((value) => !Number.isFinite(value));
    if (samples.length === 0 || wrong !== -1) {
      const came = wrong === -1 ? 'there are none' : `sample ${wrong} is ${samples[wrong]}`;
      throw badInput(`expected samples that are numbers, but ${came}; take another clip`);
    }
    const seconds = samples.length / sampleRateHz;
    if (longestSeconds !== null && seconds > longestSeconds) {
      throw badInput(
        `expected at most ${longestSeconds} s, which ${about} takes at once, but got ${Number(seconds.toFixed(4))} s; cut the clip`,
      );
    }
    const least = Math.ceil(minSeconds * sampleRateHz);
    if (samples.length >= least) return samples;
    const filled = new Float32Array(least);
    filled.set(samples);
    return filled;
  };
  const computed = async (samples: Float32Array, text: string) => {
    const { loss, held, gradient } = await chain.forward(samples, text);
    const found = finite(await gradient(), about);
    if (!Number.isFinite(loss)) {
      throw badInput(`expected a loss that is a number from ${about}, but got ${loss}; take another clip`);
    }
    return { loss, held, gradient: found };
  };
  const compare = async (samples: Float32Array, text: string, known: Awaited<ReturnType<typeof computed>>) => {
    const expected = norm(known.gradient);
    const length = norm(samples);
    const measured: { step: number; slope: number }[] = [];
    for (const change of changes) {
      const step = change / expected;
      if (step > largestStep * length) continue;
      const at = async (sign: number) => {
        const moved = samples.map((value, index) => value + (sign * step * known.gradient[index]!) / expected);
        return (await chain.forward(moved, text, known.held)).loss;
      };
      const slope = ((await at(1)) - (await at(-1))) / (2 * step);
      measured.push({ step, slope });
      if (Math.abs(slope / expected - 1) <= largestDeviation) break;
    }
    if (measured.length === 0) return { expected, measured, deviation: null, passed: null } satisfies GradientCheck;
    const deviation = Math.min(...measured.map(({ slope }) => Math.abs(slope / expected - 1)));
    return { expected, measured, deviation, passed: deviation <= largestDeviation } satisfies GradientCheck;
  };

  /**
   * For a text far from the model's transcript the loss may be too curved for any step, and where the model is sure too flat: its transcript
   * and an empty text go through the same graph.
   */
  const confirmedElsewhere = async (samples: Float32Array, text: string): Promise<boolean> => {
    for (const other of new Set([await chain.transcribe(samples), ''])) {
      if (other === text) continue;
      const known = await computed(samples, other);
      if (norm(known.gradient) > 0 && (await compare(samples, other, known)).passed === true) return true;
    }
    return false;
  };

  return {
    sampleRateHz,
    longestSeconds,
    surrogate,
    lossAndGradient: (samples, text) =>
      inTurn(async () => {
        const padded = prepared(samples);
        const known = await computed(padded, text);
        if (!checked && norm(known.gradient) > 0) {
          const check = await compare(padded, text, known);
          if (check.passed === false && !(await confirmedElsewhere(padded, text))) throw unconfirmed(check, about);
          checked = check.passed !== null;
        }
        return { loss: known.loss, gradient: known.gradient.subarray(0, samples.length) };
      }),
    lossOf: (samples, text) => inTurn(async () => (await chain.forward(prepared(samples), text)).loss),
    check: (samples, text) =>
      inTurn(async () => {
        const padded = prepared(samples);
        const known = await computed(padded, text);
        if (norm(known.gradient) > 0) return compare(padded, text, known);
        throw badInput(
          'expected a clip whose loss has a gradient, but it is zero, as of digital silence; take another clip',
        );
      }),
    transcribe: (samples) => inTurn(() => chain.transcribe(prepared(samples))),
    agreement: (samples, text) => inTurn(async () => (surrogate ? chain.agreement(prepared(samples), text) : null)),
    memoryBytes: (durationSeconds) => inTurn(() => chain.memoryBytes(durationSeconds)),
    dispose: () => inTurn(() => chain.dispose()),
  };
}

function norm(values: Float32Array): number {
  let sum = 0;
  for (const value of values) sum += value * value;
  return Math.sqrt(sum);
}

function finite(gradient: Float32Array, about: string): Float32Array {
  const wrong = gradient.findIndex((value) => !Number.isFinite(value));
  if (wrong === -1) return gradient;
  throw badInput(
    `expected a gradient of numbers from ${about}, but that of sample ${wrong} is ${gradient[wrong]}; take another clip, or an undamaged export`,
  );
}

function unconfirmed({ expected, measured }: GradientCheck, about: string): EarwitnessError {
  const slopes = measured
    .map(({ step, slope }) => `${slope.toPrecision(4)} by a step of ${step.toPrecision(2)}`)
    .join(', ');
  return badInput(
    `expected central differences within 1 % of the gradient of ${about}, which is ${expected.toPrecision(4)} long, but they give ${slopes}; the model is not smooth enough for gradients, or the gradient is wrong: take another model`,
  );
}

/**
 * How near two models' scores are, position by position.
 *
 * @param width tokens that each position has scores for
 */
export function scoreAgreement(
  original: Float32Array,
  surrogate: Float32Array,
  width: number,
): Omit<SurrogateAgreement, 'transcripts'> {
  const positions = original.length / width;
  let sameTokens = 0;
  let divergence = 0;
  let squares = 0;
  for (let position = 0; position < positions; position++) {
    const [a, b] = [original, surrogate].map((scores) =>
      logSoftmax(scores.subarray(position * width, (position + 1) * width)),
    ) as [Float64Array, Float64Array];
    if (greatest(a) === greatest(b)) sameTokens++;
    for (let token = 0; token < width; token++) {
      const difference = a[token]! - b[token]!;
      divergence += (Math.exp(a[token]!) * difference) / positions;
      squares += (Math.exp(a[token]!) * difference ** 2) / positions;
    }
  }
  return { positions, sameTokens, divergence, rootMeanSquare: Math.sqrt(squares) };
}

function logSoftmax(scores: Float32Array): Float64Array {
  let most = Number.NEGATIVE_INFINITY;
  for (const score of scores) most = Math.max(most, score);
  let sum = 0;
  for (const score of scores) sum += Math.exp(score - most);
  return Float64Array.from(scores, (score) => score - most - Math.log(sum));
}

/** The place of the greatest of some numbers. */
export function greatest(scores: ArrayLike<number>): number {
  let best = 0;
  for (let index = 1; index < scores.length; index++) if (scores[index]! > scores[best]!) best = index;
  return best;
}
