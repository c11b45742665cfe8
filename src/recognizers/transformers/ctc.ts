import type { Word } from '../../model/observation.ts';

/** What a CTC model says of each frame, and what its tokens mean. */
export interface CtcFrames {
  /** One row for each frame, one column for each token; any scores whose softmax is the probability. */
  readonly scores: ArrayLike<number>;
  readonly frames: number;
  /** By number; a number without one is written as nothing. */
  readonly tokens: readonly (string | undefined)[];
  /** Number of the token that stands for nothing. */
  readonly blank: number;
  /** Token between words. Where it begins tokens instead (SentencePiece), it begins a word. */
  readonly delimiter: string;
  /** Tokens that are not written, such as `<s>`. */
  readonly silent: ReadonlySet<number>;
  readonly frameSeconds: number;
}

/** The likeliest token of each frame. */
export function likeliestTokens({ scores, frames, tokens }: Pick<CtcFrames, 'scores' | 'frames' | 'tokens'>): number[] {
  const width = tokens.length;
  const best: number[] = [];
  for (let frame = 0; frame < frames; frame++) {
    let place = 0;
    for (let token = 1; token < width; token++) {
      if (scores[frame * width + token]! > scores[frame * width + place]!) place = token;
    }
    best.push(place);
  }
  return best;
}

/**
 * Words of the best path: the likeliest token of each frame, repetitions joined, blanks left out (A. Graves et al.,
 * "Connectionist Temporal Classification", ICML 2006, section 3.2). A word lasts from the first frame of its first token
 * to the last frame of its last; CTC emits tokens late and in spikes, so that times are good to some hundredths of a second.
 * Its confidence is the geometric mean of its tokens' greatest probabilities.
 *
 * @param best as of `likeliestTokens`
 */
export function ctcWords(frames: CtcFrames, best: readonly number[]): Word[] {
  const { blank, delimiter, silent, tokens, frameSeconds } = frames;
  const words: Word[] = [];
  let text = '';
  let firstFrame = 0;
  let lastFrame = 0;
  let logProbabilities: number[] = [];
  const finish = () => {
    if (text !== '') {
      const mean = logProbabilities.reduce((sum, value) => sum + value, 0) / logProbabilities.length;
      words.push({
        text,
        startSeconds: firstFrame * frameSeconds,
        endSeconds: (lastFrame + 1) * frameSeconds,
        confidence: Math.min(1, Math.exp(mean)),
      });
    }
    text = '';
    logProbabilities = [];
  };
  for (let frame = 0; frame < best.length; frame++) {
    const token = best[frame]!;
    if (token === blank || silent.has(token)) continue;
    const again = frame > 0 && best[frame - 1] === token;
    if (again) {
      if (text === '') continue;
      lastFrame = frame;
      logProbabilities[logProbabilities.length - 1] = Math.max(
        logProbabilities.at(-1)!,
        logProbability(frames, frame, token),
      );
      continue;
    }
    const written = tokens[token] ?? '';
    if (written.startsWith(delimiter)) finish();
    const letters = written.startsWith(delimiter) ? written.slice(delimiter.length) : written;
    if (letters === '') continue;
    if (text === '') firstFrame = frame;
    text += letters;
    lastFrame = frame;
    logProbabilities.push(logProbability(frames, frame, token));
  }
  finish();
  return words;
}

function logProbability({ scores, tokens }: CtcFrames, frame: number, token: number): number {
  const width = tokens.length;
  const start = frame * width;
  const own = scores[start + token]!;
  let sum = 0;
  for (let other = 0; other < width; other++) sum += Math.exp(scores[start + other]! - own);
  return -Math.log(sum);
}
