import { badInput } from '../base/errors.ts';

/** A loss and its gradient with respect to the scores. */
export interface Loss {
  /** Negative logarithm of the probability of the text, in nats. */
  readonly loss: number;
  /** As long as the scores. */
  readonly gradient: Float32Array;
}

/** Natural logarithms of the probabilities of a row of scores, in double precision. */
function logProbabilities(scores: ArrayLike<number>, start: number, width: number, into: Float64Array): void {
  let greatest = Number.NEGATIVE_INFINITY;
  for (let token = 0; token < width; token++) greatest = Math.max(greatest, scores[start + token]!);
  let sum = 0;
  for (let token = 0; token < width; token++) sum += Math.exp(scores[start + token]! - greatest);
  const norm = greatest + Math.log(sum);
  for (let token = 0; token < width; token++) into[token] = scores[start + token]! - norm;
}

/** log(e^a + e^b), also of minus infinity. */
function logSum(a: number, b: number): number {
  if (a === Number.NEGATIVE_INFINITY) return b;
  if (b === Number.NEGATIVE_INFINITY) return a;
  return a > b ? a + Math.log1p(Math.exp(b - a)) : b + Math.log1p(Math.exp(a - b));
}

/** Scores of frames, and what is to be read from them. */
export interface CtcQuestion {
  /** One row for each frame; any scores whose softmax is the probability. */
  readonly scores: Float32Array;
  /** Tokens that a row has scores for. */
  readonly width: number;
  /** Numbers of the text's tokens. */
  readonly labels: readonly number[];
  /** Number of the token that stands for nothing. */
  readonly blank: number;
}

/**
 * The loss of connectionist temporal classification over all paths that spell the labels, by forward and backward variables in
 * the logarithmic domain (A. Graves et al., ICML 2006, sections 4.1 and 4.2), in double precision.
 *
 * @throws EarwitnessError `bad-input`: fewer frames than the text needs
 * @example ctcLoss({ scores, width: 32, labels: [8, 9], blank: 0 }).loss
 */
export function ctcLoss({ scores, width, labels, blank }: CtcQuestion): Loss {
  const frames = scores.length / width;
  const repeated = labels.filter((label, index) => index > 0 && labels[index - 1] === label).length;
  if (frames < labels.length + repeated || frames === 0) {
    throw badInput(
      `expected a text that ${frames} frames of the model can hold, but it needs ${labels.length + repeated}; take a shorter text or a longer clip`,
    );
  }
  const states = 2 * labels.length + 1;
  const token = (state: number) => (state % 2 === 1 ? labels[(state - 1) / 2]! : blank);
  const skips = (state: number) => state % 2 === 1 && state > 1 && token(state) !== token(state - 2);
  const logs = new Float64Array(frames * width);
  for (let frame = 0; frame < frames; frame++) {
    logProbabilities(scores, frame * width, width, logs.subarray(frame * width, (frame + 1) * width));
  }
  const none = Number.NEGATIVE_INFINITY;
  const before = new Float64Array(frames * states).fill(none);
  const after = new Float64Array(frames * states).fill(none);
  before[0] = logs[blank]!;
  if (states > 1) before[1] = logs[token(1)]!;
  for (let frame = 1; frame < frames; frame++) {
    const [row, last] = [frame * states, (frame - 1) * states];
    for (let state = 0; state < states; state++) {
      let sum = before[last + state]!;
      if (state > 0) sum = logSum(sum, before[last + state - 1]!);
      if (skips(state)) sum = logSum(sum, before[last + state - 2]!);
      before[row + state] = sum + logs[frame * width + token(state)]!;
    }
  }
  const end = frames * states;
  after[end - 1] = 0;
  if (states > 1) after[end - 2] = 0;
  for (let frame = frames - 2; frame >= 0; frame--) {
    const [row, next] = [frame * states, (frame + 1) * states];
    const reached = (state: number) => after[next + state]! + logs[(frame + 1) * width + token(state)]!;
    for (let state = 0; state < states; state++) {
      let sum = reached(state);
      if (state + 1 < states) sum = logSum(sum, reached(state + 1));
      if (state + 2 < states && skips(state + 2)) sum = logSum(sum, reached(state + 2));
      after[row + state] = sum;
    }
  }
  const total = states > 1 ? logSum(before[end - 1]!, before[end - 2]!) : before[end - 1]!;
  const gradient = logs.map(Math.exp);
  for (let frame = 0; frame < frames; frame++) {
    for (let state = 0; state < states; state++) {
      const place = frame * states + state;
      gradient[frame * width + token(state)]! -= Math.exp(before[place]! + after[place]! - total);
    }
  }
  return { loss: -total, gradient: Float32Array.from(gradient) };
}

/**
 * Cross-entropy of a text whose tokens were given (teacher forcing): the sum over positions, in double precision.
 *
 * @param targets number of the token that follows each position; null where none is asked for
 * @example crossEntropy(scores, 51_865, [null, null, null, 1425, 50257])
 */
export function crossEntropy(scores: Float32Array, width: number, targets: readonly (number | null)[]): Loss {
  const gradient = new Float32Array(scores.length);
  const logs = new Float64Array(width);
  let loss = 0;
  for (const [position, target] of targets.entries()) {
    if (target === null) continue;
    const start = position * width;
    logProbabilities(scores, start, width, logs);
    loss -= logs[target]!;
    for (let token = 0; token < width; token++) gradient[start + token] = Math.exp(logs[token]!);
    gradient[start + target] = Math.exp(logs[target]!) - 1;
  }
  return { loss, gradient };
}
