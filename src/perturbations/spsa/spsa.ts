import { z } from 'zod';
import type { JsonObject } from '../../base/json.ts';
import { createRandom, type Random } from '../../base/random.ts';
import type { Transcript } from '../../model/observation.ts';
import type { AttackedRecognizer, Perturbation } from '../contract.ts';
import { openAttacked, searchParameters, searchTask } from '../shared/attacks.ts';
import { achievedSnrDb, bringWithin, refuseSilence, squares, withAdded } from '../shared/signal-to-noise.ts';

/** So many steps apart it is kept how far a sound is. */
const stepsBetweenCheckpoints = 5;

const parameters = z.strictObject({
  ...searchParameters(0.2),
  calls: z
    .int()
    .min(3)
    .max(1_000_000)
    .default(200)
    .describe('How often the recognizer is asked for one sound, at most: one for the start and two for each step'),
});

type SpsaParameters = z.output<typeof parameters>;

/**
 * Simultaneous perturbation stochastic approximation (J. C. Spall, "Multivariate stochastic approximation using a simultaneous
 * perturbation gradient approximation", 1992), on transcripts alone: a recognizer is asked about the sound with one random direction
 * added and with it taken away, and the sound goes to the side that is misheard more (with `target`: that is nearer to the text). The
 * loss is the edit distance in characters; where the recognizer gives confidences of words, their mean decides between transcripts
 * of one distance. Directions are +1 or -1 for each sample; the probes and the step are as long as each other, so that the next step begins
 * at a sound that was asked about; what is added is brought within the ratio as by `pgd`. The worst heard of all sounds counts.
 *
 * Transcripts have plateaus: most directions change no letter, and say nothing (`pairsThatDiffered` of `pairs` did). With hundreds of
 * calls it is little more than the worst of as many noises; published attacks of this kind ask ten thousand times and read scores.
 */
export const spsa: Perturbation<SpsaParameters, AttackedRecognizer> = {
  name: 'spsa',
  version: 1,
  about: 'Adds what one recognizer mishears, found by asking it and by its transcripts alone.',
  parameters,
  assetParameters: ['source'],
  random: true,
  costly: true,
  passes: ({ calls }) => calls,
  adversarial: true,
  readsText: () => true,
  identity: null,
  example: { source: 'pocketsphinx', snrDb: 20, calls: 9, relativeStep: 0.2, target: null },
  async prepare({ source }, services) {
    const recognizer = await openAttacked('spsa', source, services, 'transcripts');
    return { identity: recognizer.identity, assets: recognizer };
  },
  async apply({ samples, sampleRate }, parameters, { random, assets, said, checkpoint, told, signal }) {
    const { snrDb, calls } = parameters;
    const { text, language, facts: asked } = searchTask('spsa', parameters, said);
    if (samples.length === 0) return { clip: { samples: new Float32Array(0), sampleRate }, facts: asked };
    const energy = squares(samples);
    refuseSilence('spsa', energy, snrDb);
    const search = new Search(samples, Math.sqrt(energy) / 10 ** (snrDb / 20), {
      ...parameters,
      seed: random.next(),
      lossOf: async (heard) => lossOf(await assets.recognize({ samples: heard, sampleRate }, language, signal), text),
    });
    if (!search.resume((await checkpoint?.load()) ?? null)) await search.start(random);
    while (search.calls + 2 <= calls && !search.done) {
      signal?.throwIfAborted();
      await search.step();
      told?.(search.calls, calls);
      if (search.steps % stepsBetweenCheckpoints === 0) await checkpoint?.save(search.state());
    }
    return { clip: { samples: search.heard(), sampleRate }, facts: { ...asked, ...search.facts() } };
  },
};

interface SearchOptions extends Pick<SpsaParameters, 'relativeStep' | 'target'> {
  /** Of the directions, each of which has a generator of its own: a search that goes on draws what it would have drawn. */
  readonly seed: number;
  lossOf(heard: Float32Array): Promise<number>;
}

/** What may be added to a sound, on its way. */
class Search {
  calls = 0;
  #pairs = 0;
  #differed = 0;
  readonly #sound: Float32Array;
  readonly #radius: number;
  readonly #options: SearchOptions;
  #added: Float64Array;
  #best: Float64Array;
  #firstLoss = Number.NaN;
  #bestLoss = Number.NaN;

  constructor(sound: Float32Array, radius: number, options: SearchOptions) {
    this.#sound = sound.map((sample) => Math.max(-1, Math.min(1, sample)));
    this.#radius = radius;
    this.#options = options;
    this.#added = new Float64Array(sound.length);
    this.#best = this.#added;
  }

  get steps(): number {
    return this.#pairs;
  }

  /** Nothing is nearer to a text than itself. */
  get done(): boolean {
    return this.#options.target !== null && this.#bestLoss < 1;
  }

  async start(random: Random): Promise<void> {
    this.#added = this.#added.map(() => 2 * random.next() - 1);
    bringWithin(this.#added, this.#sound, this.#radius);
    this.#firstLoss = await this.#ask(this.#added);
    [this.#best, this.#bestLoss] = [this.#added, this.#firstLoss];
  }

  /** Asks about two sounds, and goes to the one that is misheard more; nowhere where they are heard alike. */
  async step(): Promise<void> {
    const { seed, relativeStep } = this.#options;
    const directions = createRandom({ spsa: seed, step: this.#pairs });
    const length = (relativeStep * this.#radius) / Math.sqrt(this.#added.length);
    const direction = this.#added.map(() => (directions.next() < 0.5 ? -length : length));
    const sides: { readonly added: Float64Array; readonly loss: number }[] = [];
    for (const sign of [1, -1]) {
      const added = this.#added.map((value, n) => value + sign * direction[n]!);
      bringWithin(added, this.#sound, this.#radius);
      const loss = await this.#ask(added);
      sides.push({ added, loss });
      if (this.#isBetter(loss, this.#bestLoss)) [this.#best, this.#bestLoss] = [added, loss];
    }
    const [plus, minus] = sides as [(typeof sides)[0], (typeof sides)[0]];
    this.#pairs++;
    if (plus.loss === minus.loss) return;
    this.#differed++;
    this.#added = this.#isBetter(plus.loss, minus.loss) ? plus.added : minus.added;
  }

  heard(): Float32Array {
    return withAdded(this.#sound, this.#best);
  }

  facts(): JsonObject {
    return {
      achievedSnrDb: achievedSnrDb(this.#sound, this.heard()),
      ...{ calls: this.calls, pairs: this.#pairs, pairsThatDiffered: this.#differed },
      ...{ firstLoss: this.#firstLoss, lastLoss: this.#bestLoss },
    };
  }

  /** Numbers from which `resume` goes on. */
  state(): Float64Array {
    const length = this.#sound.length;
    const state = new Float64Array(5 + 2 * length);
    state.set([this.calls, this.#pairs, this.#differed, this.#firstLoss, this.#bestLoss]);
    state.set(this.#added, 5);
    state.set(this.#best, 5 + length);
    return state;
  }

  resume(state: Float64Array | null): boolean {
    const length = this.#sound.length;
    if (state?.length !== 5 + 2 * length) return false;
    [this.calls, this.#pairs, this.#differed] = [state[0]!, state[1]!, state[2]!];
    [this.#firstLoss, this.#bestLoss] = [state[3]!, state[4]!];
    [this.#added, this.#best] = [state.slice(5, 5 + length), state.slice(5 + length)];
    return true;
  }

  #ask(added: Float64Array): Promise<number> {
    this.calls++;
    return this.#options.lossOf(withAdded(this.#sound, added));
  }

  #isBetter(loss: number, than: number): boolean {
    return this.#options.target === null ? loss > than : loss < than;
  }
}

/** Characters that are wrong, and less than one more by how unsure the recognizer is of its words. */
function lossOf({ text, words = [] }: Transcript, expected: string): number {
  const sure = words.flatMap(({ confidence }) => (confidence === undefined ? [] : [confidence]));
  const doubt = sure.length === 0 ? 0 : 1 - sure.reduce((sum, value) => sum + value, 0) / sure.length;
  return characterEdits(plain(expected), plain(text)) + Math.min(0.999, Math.max(0, doubt));
}

/** Letters and digits, as they sound alike whoever writes them. */
function plain(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\p{P}\p{S}]/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Fewest insertions, deletions and substitutions (Levenshtein). */
function characterEdits(expected: string, heard: string): number {
  const [from, to] = [[...expected], [...heard]];
  let above = to.map((_, column) => column + 1);
  for (const [row, letter] of from.entries()) {
    let before = row;
    let left = row + 1;
    above = above.map((over, column) => {
      const edits = Math.min(before + (letter === to[column] ? 0 : 1), over + 1, left + 1);
      before = over;
      left = edits;
      return edits;
    });
  }
  return above.at(-1) ?? from.length;
}
