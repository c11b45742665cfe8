import type { Clip } from '../../audio/clip.ts';
import { messageOf } from '../../base/errors.ts';
import type { RecipeStep } from '../../engine/executors/contract.ts';
import { clipHash } from './kept-clips.ts';

const maxClips = 64;

/** Makes a clip of another by steps. */
export type RemakeClip = (source: Clip, steps: readonly RecipeStep[]) => Promise<Clip>;

/** How a clip is made of another, by that one's hash. */
export interface SentRecipe {
  readonly source: string;
  readonly steps: readonly RecipeStep[];
}

/** What comes of a recipe is not what the run made of it. */
export class Unmade extends Error {}

/** The clips that a worker hears, those used last. */
export interface HeardClips {
  /**
   * @returns null where nobody waits for it any more
   * @throws Unmade where what comes of the recipe is another clip
   */
  get(owner: number, hash: string, recipe: SentRecipe | null): Promise<Clip | null>;
}

/** @param fetch null where there is none */
export function createHeardClips(
  fetch: (owner: number, hash: string) => Promise<Clip | null>,
  remake: RemakeClip,
): HeardClips {
  const clips = new Map<string, Promise<Clip | null>>();
  const keeping = (hash: string, get: () => Promise<Clip | null>): Promise<Clip | null> => {
    const known = clips.get(hash);
    if (known !== undefined) return known;
    if (clips.size >= maxClips) clips.delete(clips.keys().next().value!);
    // One that is not there, or could not be fetched, is looked for again by the next call.
    const forgotten = () => {
      clips.delete(hash);
      return null;
    };
    const got = get().then((clip) => clip ?? forgotten());
    got.catch(forgotten);
    clips.set(hash, got);
    return got;
  };
  const fetched = (owner: number, hash: string) => keeping(hash, () => fetch(owner, hash));
  const made = async (owner: number, hash: string, { source, steps }: SentRecipe): Promise<Clip | null> => {
    const before = await fetched(owner, source);
    if (before === null) return null;
    const clip = await remake(before, steps).catch((error: unknown) => {
      throw new Unmade(messageOf(error));
    });
    if (clipHash(clip) === hash) return clip;
    throw new Unmade(steps.map(({ perturbation }) => perturbation).join(', '));
  };
  return {
    get: (owner, hash, recipe) =>
      recipe === null ? fetched(owner, hash) : keeping(hash, () => made(owner, hash, recipe)),
  };
}
