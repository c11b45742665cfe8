import { badConfig } from '../base/errors.ts';
import { nearestName } from '../base/nearest-name.ts';
import { printable } from '../base/printable.ts';
import { createRandom } from '../base/random.ts';

/** How a recognizer's loss on a text changes with every sample of a sound: what adversarial sounds are made from. */
export interface LossGradient {
  /** Hz of the samples. */
  readonly sampleRate: number;
  /**
   * The loss that the model was trained on, of writing a text for a sound, and its derivative by each sample. The greater it is, the less
   * the model would write that text.
   *
   * @param samples between -1 and 1, not to be changed
   * @param text as somebody would write it; empty: nothing was said
   * @param language BCP 47 tag
   * @throws EarwitnessError `bad-input`: a letter that the model cannot write, a sound too long or too short for the text
   */
  loss(
    samples: Float32Array,
    text: string,
    language: string,
  ): Promise<{ readonly loss: number; readonly gradient: Float32Array }>;
  /**
   * How near what is differentiated is to what recognizes, on a sound; null where they are one. A quantized network has no gradient, so that
   * its float surrogate is differentiated.
   */
  agreement(samples: Float32Array, text: string, language: string): Promise<Agreement | null>;
  /**
   * Bytes that a gradient of a clip of so many seconds takes at most, as the sizes of the graph say before anything is computed; what would
   * not fit is refused by `loss`. Absent: unknown.
   */
  memoryBytes?(durationSeconds: number): Promise<number>;
  /** Gives back memory and threads. */
  close(): Promise<void>;
}

interface Agreement {
  /** Frames, or tokens of the text. */
  readonly positions: number;
  /** Those of them at which both think the same token the likeliest. */
  readonly sameTokens: number;
}

/** On whose clips something is fitted: so large a share of the speakers, drawn by the seed of the run, or these. */
export type FittingSpeakers = number | readonly string[];

/**
 * The speakers whose clips something is fitted on, of those there are. All others stay to be tested: at least one on either side.
 *
 * @param speakers of the run, in any order and any number of times
 * @param seed of the run
 * @throws EarwitnessError `bad-config` where fewer than two are there, one is named who is not, or none is left
 * @example chooseFittingSpeakers(['ann', 'bob', 'cay', 'dan'], 0.5, 1).size // 2
 */
export function chooseFittingSpeakers(
  speakers: Iterable<string>,
  wanted: FittingSpeakers,
  seed: number,
): ReadonlySet<string> {
  const all = [...new Set(speakers)].sort();
  const refuse = (expected: string, came: string, advice: string) =>
    badConfig(`fitSpeakers: expected ${expected}, but ${came}; ${advice}`);
  if (all.length < 2) {
    const came = all.length === 0 ? 'no speaker is known' : 'there is only one';
    throw refuse('at least two speakers with references, some to fit on and others to test', came, 'add some');
  }
  if (typeof wanted === 'number') {
    const random = createRandom({ seed, chosen: 'speakers to fit on' });
    const drawn = all.map((name) => ({ name, place: random.next() })).sort((a, b) => a.place - b.place);
    const count = Math.max(1, Math.min(all.length - 1, Math.round(wanted * all.length)));
    return new Set(drawn.slice(0, count).map(({ name }) => name));
  }
  for (const name of wanted) {
    if (all.includes(name)) continue;
    const near = nearestName(name, all);
    throw refuse(
      'speakers of the run who have references',
      `there is no ${JSON.stringify(printable(name, 60))}`,
      near === null ? 'name another' : `did you mean ${JSON.stringify(printable(near, 60))}?`,
    );
  }
  if (all.every((name) => wanted.includes(name))) {
    throw refuse('speakers besides those that are fitted on', 'there are no others', 'name fewer');
  }
  return new Set(wanted);
}
