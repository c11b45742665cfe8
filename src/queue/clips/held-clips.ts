import type { Clip } from '../../audio/clip.ts';
import type { ClipRecipe, HeardClip } from '../../engine/executors/contract.ts';
import { clipHash } from './kept-clips.ts';

/** What of the audio of a run lies where workers find it, by hash: as long as a call waits for it. */
export interface HeldClips {
  /** A call waits for it; null: for none. */
  hold(hash: string | null): void;
  letGo(hash: string | null): void;
  /**
   * How a clip is made where it is heard: what it is made of is moved once for all that is made of it; where that is larger, only if it is
   * moved anyway.
   */
  recipeFor(clip: HeardClip): ClipRecipe | null;
  /** Those that nobody waits for any more: they are to be removed. One that is asked about again is sent again. */
  takeUnused(): readonly string[];
  /** Those that do not lie there yet: they are to be sent. */
  takeUnsent(
    wanted: readonly { readonly clip: Clip | null; readonly hash: string | null }[],
  ): ReadonlyMap<string, Clip>;
  /** After the connection broke: these alone lie there. */
  areThere(hashes: ReadonlySet<string>): void;
}

export function createHeldClips(): HeldClips {
  const clips = new Map<string, { calls: number; sent: boolean }>();
  let unused: string[] = [];
  return {
    hold(hash) {
      if (hash === null) return;
      const held = clips.get(hash) ?? { calls: 0, sent: false };
      held.calls++;
      clips.set(hash, held);
    },
    letGo(hash) {
      const held = hash === null ? undefined : clips.get(hash);
      if (held !== undefined && --held.calls === 0) unused.push(hash!);
    },
    recipeFor({ samples, recipe }) {
      if (recipe === undefined) return null;
      const isMoved = (clips.get(clipHash(recipe.source))?.calls ?? 0) > 0;
      return isMoved || recipe.source.samples.length <= samples.length ? recipe : null;
    },
    takeUnused() {
      const gone = unused.filter((hash) => clips.get(hash)?.calls === 0);
      unused = [];
      for (const hash of gone) clips.delete(hash);
      return gone;
    },
    takeUnsent(wanted) {
      const unsent = new Map<string, Clip>();
      for (const { clip, hash } of wanted) {
        const held = hash === null ? undefined : clips.get(hash);
        if (clip === null || held === undefined || held.sent) continue;
        held.sent = true;
        unsent.set(hash!, clip);
      }
      return unsent;
    },
    areThere(hashes) {
      for (const [hash, held] of clips) held.sent = hashes.has(hash);
    },
  };
}
