import { z } from 'zod';
import { resample } from '../../audio/resample.ts';
import type { JsonObject } from '../../base/json.ts';
import { flag, oneOf, whole } from '../../base/option-kinds.ts';
import { createRandom, type Random } from '../../base/random.ts';
import type { LossGradient } from '../../model/attack.ts';
import type { AttackedRecognizer, Perturbation } from '../contract.ts';
import { finiteLoss, openAttacked, searchParameters, searchTask } from '../shared/attacks.ts';
import { achievedSnrDb, bringWithin, refuseSilence, squares, withAdded } from '../shared/signal-to-noise.ts';
import { type Air, airParameters, drawsOf, openAir } from './over-the-air.ts';

/** What sounds are made against, and the ways that they are to survive; null: none. */
export interface PgdAssets {
  readonly recognizer: AttackedRecognizer;
  readonly air: Air | null;
}

/** So many steps apart it is kept how far a sound is. */
const stepsBetweenCheckpoints = 5;

const parameters = z.strictObject({
  ...searchParameters(0.4),
  steps: whole(1, 10_000).default(100).describe('How often the gradient is followed'),
  randomStart: flag(true).describe('Whether it begins anywhere within the ratio; if not, at the clip'),
  keep: oneOf(['last', 'best'])
    .default('last')
    .describe('Which of the steps counts: the last, or the one with the best loss'),
  ...airParameters,
});

type PgdParameters = z.output<typeof parameters>;

/**
 * Projected gradient descent on the sound: a perturbation, no louder than the ratio allows, that makes the loss of one recognizer as great as
 * can be on what was said (or, with `target`, as small as can be on another text). The recipe of robust_speech and Speech Robust Bench
 * (section 3.2, "utterance-specific"): a radius of the clip's norm over 10^(snrDb / 20); a start drawn evenly from [-1, 1] and brought onto
 * the radius; steps of `relativeStep` times the radius along the gradient, which is divided by its norm; after each, samples are cut at
 * full scale and the whole is brought back within the radius; the last one counts. With `rooms` or `noiseSnrDb` loss and gradient are the mean over
 * ways through the air that are drawn anew at each step (`openAir`). Ours differs in this: the model works as in use and not
 * as in training, `achievedSnrDb` is the ratio of energies and not of peaks, and a gradient of zero ends the search.
 */
export const pgd: Perturbation<PgdParameters, PgdAssets> = {
  name: 'pgd',
  version: 1,
  about: 'Adds what makes one recognizer mishear most, found by its gradient.',
  parameters,
  assetParameters: ['source', 'rooms'],
  random: true,
  costly: true,
  // One more says how far it came.
  passes: (parameters) => (parameters.steps + 1) * drawsOf(parameters),
  adversarial: true,
  readsText: () => true,
  identity: null,
  example: {
    ...{ source: 'whisper', snrDb: 30, steps: 4, relativeStep: 0.4 },
    ...{ randomStart: true, target: null, keep: 'last' },
  },
  async prepare({ source, ...parameters }, services) {
    const recognizer = await openAttacked('pgd', source, services);
    const opened = await openAir(parameters, services);
    const { identity } = recognizer;
    return opened === null
      ? { identity, assets: { recognizer, air: null } }
      : { identity: { recognizer: identity, rooms: opened.identity }, assets: { recognizer, air: opened.air } };
  },
  async apply(clip, parameters, { random, assets, said, checkpoint, told, signal }) {
    const { snrDb, steps, keep } = parameters;
    const { text, language, facts: asked } = searchTask('pgd', parameters, said);
    const gradient = await assets.recognizer.gradient();
    const { samples, sampleRate } = resample(clip, gradient.sampleRate);
    if (samples.length === 0) return { clip: { samples: new Float32Array(0), sampleRate }, facts: asked };
    const energy = squares(samples);
    refuseSilence('pgd', energy, snrDb);
    const { air } = assets;
    const search = new Search(samples, Math.sqrt(energy) / 10 ** (snrDb / 20), {
      ...{ ...parameters, text, language, gradient },
      air: air && { ...air, seed: random.next() },
    });
    if (!search.resume((await checkpoint?.load()) ?? null)) search.start(random);
    while (search.steps < steps && !search.stuck) {
      signal?.throwIfAborted();
      await search.step();
      told?.(search.steps * drawsOf(parameters), (steps + 1) * drawsOf(parameters));
      if (search.steps % stepsBetweenCheckpoints === 0) await checkpoint?.save(search.state());
    }
    const changed = await search.result(keep);
    const agreement = await gradient.agreement(changed, text, language);
    const facts = {
      ...asked,
      ...search.facts(),
      ...(air && { draws: air.draws }),
      ...(agreement && { surrogate: { ...agreement } }),
    };
    return { clip: { samples: changed, sampleRate }, facts };
  },
};

interface SearchOptions extends Pick<PgdParameters, 'relativeStep' | 'randomStart' | 'target' | 'keep'> {
  readonly text: string;
  readonly language: string;
  readonly gradient: LossGradient;
  /** Each step's draws have generators of their own: a search that goes on draws what it would have drawn. */
  readonly air: (Air & { readonly seed: number }) | null;
}

/** What may be added to a sound, on its way. */
class Search {
  steps = 0;
  /** Where the gradient is zero there is no way. */
  stuck = false;
  readonly #sound: Float32Array;
  readonly #radius: number;
  readonly #options: SearchOptions;
  #added: Float64Array;
  #best: Float64Array | null = null;
  #bestLoss = Number.NEGATIVE_INFINITY;
  #firstLoss = Number.NaN;
  #lastLoss = Number.NaN;

  constructor(sound: Float32Array, radius: number, options: SearchOptions) {
    this.#sound = sound.map((sample) => Math.max(-1, Math.min(1, sample)));
    this.#radius = radius;
    this.#options = options;
    this.#added = new Float64Array(sound.length);
  }

  start(random: Random): void {
    if (!this.#options.randomStart) return;
    this.#added = this.#added.map(() => 2 * random.next() - 1);
    this.#bringBack();
  }

  /** Numbers from which `resume` goes on. */
  state(): Float64Array {
    const length = this.#sound.length;
    const state = new Float64Array(3 + length + (this.#best === null ? 0 : length));
    state.set([this.steps, this.#firstLoss, this.#bestLoss]);
    state.set(this.#added, 3);
    if (this.#best !== null) state.set(this.#best, 3 + length);
    return state;
  }

  resume(state: Float64Array | null): boolean {
    const length = this.#sound.length;
    if (state === null || (state.length !== 3 + length && state.length !== 3 + 2 * length)) return false;
    [this.steps, this.#firstLoss, this.#bestLoss] = [state[0]!, state[1]!, state[2]!];
    this.#added = state.slice(3, 3 + length);
    this.#best = state.length > 3 + length ? state.slice(3 + length) : null;
    return true;
  }

  async step(): Promise<void> {
    const { relativeStep } = this.#options;
    const { loss, gradient } = await this.#look();
    if (this.steps === 0) this.#firstLoss = loss;
    this.#keepBest(loss);
    const length = Math.sqrt(squares(gradient));
    this.steps++;
    if (length === 0) {
      this.stuck = true;
      return;
    }
    const sign = this.#options.target === null ? 1 : -1;
    const scale = (sign * relativeStep * this.#radius) / length;
    for (let n = 0; n < this.#added.length; n++) this.#added[n]! += scale * gradient[n]!;
    this.#bringBack();
  }

  async result(keep: 'last' | 'best'): Promise<Float32Array> {
    const { loss } = await this.#look();
    this.#lastLoss = loss;
    this.#keepBest(loss);
    if (keep === 'best') {
      this.#added = this.#best!;
      this.#lastLoss = this.#options.target === null ? this.#bestLoss : -this.#bestLoss;
    }
    return this.#heard();
  }

  facts(): JsonObject {
    return {
      achievedSnrDb: achievedSnrDb(this.#sound, this.#heard()),
      steps: this.steps,
      firstLoss: this.#firstLoss,
      lastLoss: this.#lastLoss,
    };
  }

  /** Loss and gradient of the sound itself, or their means over ways through the air. */
  async #look(): Promise<{ readonly loss: number; readonly gradient: Float32Array | Float64Array }> {
    const { gradient, text, language, air } = this.#options;
    const heard = this.#heard();
    if (air === null) return finiteLoss('pgd', gradient, heard, text, language);
    const mean = new Float64Array(heard.length);
    let sum = 0;
    for (let draw = 0; draw < air.draws; draw++) {
      const random = createRandom({ air: air.seed, step: this.steps, draw });
      const way = await air.draw(this.#sound, gradient.sampleRate, random);
      const arrived = await finiteLoss('pgd', gradient, way.hear(heard), text, language);
      const back = way.back(arrived.gradient);
      sum += arrived.loss;
      for (let n = 0; n < mean.length; n++) mean[n]! += back[n]! / air.draws;
    }
    return { loss: sum / air.draws, gradient: mean };
  }

  #keepBest(loss: number): void {
    if (this.#options.keep !== 'best') return;
    const good = this.#options.target === null ? loss : -loss;
    if (good <= this.#bestLoss) return;
    this.#bestLoss = good;
    this.#best = this.#added.slice();
  }

  #heard(): Float32Array {
    return withAdded(this.#sound, this.#added);
  }

  /** Cuts at full scale, and brings what is added within the radius. */
  #bringBack(): void {
    bringWithin(this.#added, this.#sound, this.#radius);
  }
}
